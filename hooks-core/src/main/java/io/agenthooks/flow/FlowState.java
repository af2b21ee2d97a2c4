package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.FlowRules.Label;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * What is remembered of a session, or of a run that has none: no text, but hashes of what
 * its tools returned and its user wrote. It is bounded: {@value #MAX_WORDS} hashes of the
 * user's words, {@value #MAX_HASHES} of results, of {@value #MAX_RESULTS} results at
 * most, which is about 250 KB. What is more names nothing, but still is untrusted.
 */
final class FlowState {

	static final int MAX_WORDS = 8 * 1024;

	static final int MAX_HASHES = 16 * 1024;

	static final int MAX_RESULTS = 512;

	/** Runs at once whose user is remembered. */
	private static final int MAX_RUNS = 16;

	private static final int MAX_OPEN = 1024;

	private final @Nullable FlowLink link;

	private final List<Seen> results = new ArrayList<>();

	/** Calls that began. */
	private final Map<String, Open> open = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Open> eldest) {
			return size() > MAX_OPEN;
		}

	};

	/** What the users of the latest runs wrote, by their runs. */
	private final Map<String, TextIndex> words = new LinkedHashMap<>(4, 0.75f, true);

	/** Whether a conversation of the outermost agent has said what was before. */
	private boolean met;

	private int hashes;

	private int calls;

	/** What was read of which no more is known. */
	private boolean lostUntrusted;

	private boolean lostSecret;

	/**
	 * Begin to remember.
	 * @param link what other nodes know of it, or {@code null} if there are none
	 */
	FlowState(@Nullable FlowLink link) {
		this.link = link;
	}

	@Nullable FlowLink link() {
		return this.link;
	}

	/**
	 * A conversation says what was before.
	 * @return whether it is the first one
	 */
	synchronized boolean meet() {
		boolean first = !this.met;
		this.met = true;
		return first;
	}

	/**
	 * Remember what the user of a run wrote, for agents inside of its tools. Other runs
	 * of the session do not see it; those without an id cannot be told apart.
	 */
	synchronized void hear(String run, TextIndex words) {
		if (run.isEmpty()) {
			return;
		}
		this.words.put(run, words);
		Iterator<String> eldest = this.words.keySet().iterator();
		while (this.words.size() > MAX_RUNS || (this.words.size() > 1 && sizeOfWords() > MAX_WORDS)) {
			eldest.next();
			eldest.remove();
		}
	}

	/**
	 * Whether the user of a run was heard here, so that what it has read is known.
	 */
	synchronized boolean hasHeard(String run) {
		return this.words.containsKey(run);
	}

	/**
	 * What the user of a run wrote; nothing, if that is not known any more.
	 */
	synchronized TextIndex words(String run) {
		return this.words.getOrDefault(run, TextIndex.EMPTY);
	}

	private int sizeOfWords() {
		return this.words.values().stream().mapToInt(TextIndex::size).sum();
	}

	/**
	 * Somebody else than the user wrote into a prompt.
	 * @param inside the calls inside of which that agent works, or {@code null} if it is
	 * no tool
	 */
	synchronized void readPromptOfOthers(@Nullable Set<String> inside) {
		this.lostUntrusted = true;
		if (inside != null) {
			launder(inside);
		}
	}

	/**
	 * An agent that is a tool has read something untrusted, which the result of the tool
	 * may say again.
	 * @param inside the calls inside of which it works; if one of them is not known to
	 * run, others may be missing, so it may be any
	 */
	private void launder(Set<String> inside) {
		boolean known = !inside.isEmpty();
		for (String call : inside) {
			Open outer = this.open.get(call);
			if (outer != null) {
				outer.laundered = true;
			}
			known = known && outer != null;
		}
		if (!known) {
			this.open.values().forEach((outer) -> outer.doubtful = true);
		}
	}

	/**
	 * There was something before that is not known any more, and may have been private.
	 */
	void lose() {
		lose(true, true);
	}

	/**
	 * There was something of which no more is known.
	 */
	synchronized void lose(boolean untrusted, boolean secret) {
		this.lostUntrusted = this.lostUntrusted || untrusted;
		this.lostSecret = this.lostSecret || secret;
	}

	/**
	 * A call of a tool begins.
	 */
	synchronized void begin(String call) {
		this.open.put(call, new Open());
	}

	/**
	 * A call has ended of which nobody got a result.
	 */
	synchronized void endWithout(String call) {
		this.open.remove(call);
		this.calls++;
	}

	/**
	 * A call has ended. One whose begin is not known was forgotten meanwhile, so what
	 * agents inside of it have read is not known either, and it names nothing.
	 * @param label what its result is, if nobody else had a hand in it
	 * @param read what stands in its result
	 * @param asked what stands in its arguments and the user did not name
	 * @param inside the calls inside of which it was made, or {@code null} if it is one
	 * of the outermost agent
	 * @return what is remembered of it
	 */
	synchronized Ended end(String call, ToolIdentity tool, Label label, boolean secret, TextIndex read, TextIndex asked,
			@Nullable Set<String> inside) {
		this.calls++;
		Open begun = this.open.remove(call);
		boolean laundered = begun != null && begun.laundered;
		boolean doubtful = begun == null || begun.doubtful;
		Label actual = (label == Label.TRUSTED && (laundered || doubtful)) ? Label.UNTRUSTED : label;
		if (inside != null && actual == Label.UNTRUSTED) {
			launder(inside);
		}
		return new Ended(laundered, add(new Seen(tool, this.calls, actual, secret, read, asked)));
	}

	/**
	 * Another node got the result of a call.
	 */
	synchronized void learn(Seen seen) {
		this.calls = Math.max(this.calls, seen.call());
		Seen unused = add(seen);
	}

	/**
	 * Remember a result, as far as there is room.
	 */
	private Seen add(Seen seen) {
		int size = seen.text().size() + seen.asked().size();
		boolean fits = this.results.size() < MAX_RESULTS && this.hashes + size <= MAX_HASHES;
		Seen kept = (fits) ? seen
				: new Seen(seen.tool(), seen.call(), seen.label(), seen.secret(), TextIndex.EMPTY, TextIndex.EMPTY);
		if (this.results.size() < MAX_RESULTS) {
			this.hashes += (fits) ? size : 0;
			this.results.add(kept);
		}
		else {
			lose(seen.label() == Label.UNTRUSTED, seen.secret());
		}
		return kept;
	}

	/**
	 * How many hashes of a result there is room for.
	 */
	synchronized int room() {
		return (this.results.size() < MAX_RESULTS) ? MAX_HASHES - this.hashes : 0;
	}

	/**
	 * What is known of all runs of the session.
	 */
	synchronized View view() {
		return new View(List.copyOf(this.results), this.lostUntrusted, this.lostSecret);
	}

	/**
	 * Whether it must not be forgotten that something was read.
	 */
	synchronized boolean isTainted() {
		return this.lostUntrusted || this.lostSecret
				|| this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED || seen.secret());
	}

	synchronized int size() {
		return this.hashes + sizeOfWords();
	}

	/**
	 * The result of a call.
	 *
	 * @param tool the tool
	 * @param call which of the calls it was, from 1
	 * @param label what it is
	 * @param secret whether it is private
	 * @param text what stands in it
	 * @param asked what stands in the arguments of the call and the user did not name
	 */
	record Seen(ToolIdentity tool, int call, Label label, boolean secret, TextIndex text, TextIndex asked) {

		/**
		 * Whether it names a value. What the model wrote into the call is not named by a
		 * tool that says it again.
		 */
		boolean names(Meaning value) {
			return this.label == Label.TRUSTED && this.text.holds(value) && !this.asked.holds(value);
		}

	}

	/**
	 * A call that has ended.
	 *
	 * @param laundered whether an agent inside of this very tool has read something
	 * untrusted
	 * @param seen its result, as it is remembered
	 */
	record Ended(boolean laundered, Seen seen) {
	}

	/**
	 * What was known at one time.
	 *
	 * @param results the results, in their order
	 * @param lostUntrusted whether there was more that is untrusted
	 * @param lostSecret whether there was more that is private
	 */
	record View(List<Seen> results, boolean lostUntrusted, boolean lostSecret) {

		boolean isUntrusted() {
			return this.lostUntrusted || this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED);
		}

		boolean isSecret() {
			return this.lostSecret || this.results.stream().anyMatch(Seen::secret);
		}

	}

	/**
	 * A call that began.
	 */
	private static final class Open {

		/** Whether an agent inside of it has read something untrusted. */
		private boolean laundered;

		/** Whether one may have that is not known to be inside of another call. */
		private boolean doubtful;

	}

}
