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
 * The memory of a session, or of a run that has none: hashes of what its tools returned
 * and its user wrote, about 250 KB at most. What is more names nothing, but still is
 * untrusted.
 */
final class FlowState {

	static final int MAX_WORDS = 8 * 1024;

	static final int MAX_HASHES = 16 * 1024;

	static final int MAX_RESULTS = 512;

	private static final int MAX_RUNS = 16;

	private static final int MAX_OPEN = 1024;

	private final @Nullable FlowLink link;

	private final List<Seen> results = new ArrayList<>();

	private final Map<String, Open> open = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Open> eldest) {
			return size() > MAX_OPEN;
		}

	};

	private final Map<String, TextIndex> words = new LinkedHashMap<>(4, 0.75f, true);

	/** Whether a conversation of the outermost agent has said what was before. */
	private boolean met;

	private int hashes;

	private int calls;

	private boolean lostUntrusted;

	private boolean lostSecret;

	FlowState(@Nullable FlowLink link) {
		this.link = link;
	}

	@Nullable FlowLink link() {
		return this.link;
	}

	synchronized boolean meet() {
		boolean first = !this.met;
		this.met = true;
		return first;
	}

	/**
	 * For agents inside of the tools of the run. Other runs of the session do not see
	 * them; those without an id cannot be told apart.
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

	synchronized boolean hasHeard(String run) {
		return this.words.containsKey(run);
	}

	synchronized TextIndex words(String run) {
		return this.words.getOrDefault(run, TextIndex.EMPTY);
	}

	private int sizeOfWords() {
		return this.words.values().stream().mapToInt(TextIndex::size).sum();
	}

	/** Inside is {@code null} if the agent is no tool. */
	synchronized void readPromptOfOthers(@Nullable Set<String> inside) {
		this.lostUntrusted = true;
		if (inside != null) {
			launder(inside);
		}
	}

	/** The result of a tool may say again what an agent inside of it has read. */
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

	synchronized void lose(boolean untrusted, boolean secret) {
		this.lostUntrusted = this.lostUntrusted || untrusted;
		this.lostSecret = this.lostSecret || secret;
	}

	synchronized void begin(String call) {
		this.open.put(call, new Open());
	}

	synchronized void endWithout(String call) {
		this.open.remove(call);
		this.calls++;
	}

	/**
	 * A call whose begin is not known was forgotten meanwhile, so what agents inside of
	 * it have read is not known either, and it names nothing.
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

	synchronized void learn(Seen seen) {
		this.calls = Math.max(this.calls, seen.call());
		Seen unused = add(seen);
	}

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

	synchronized int room() {
		return (this.results.size() < MAX_RESULTS) ? MAX_HASHES - this.hashes : 0;
	}

	synchronized View view() {
		return new View(List.copyOf(this.results), this.lostUntrusted, this.lostSecret);
	}

	synchronized boolean isTainted() {
		return this.lostUntrusted || this.lostSecret
				|| this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED || seen.secret());
	}

	synchronized int size() {
		return this.hashes + sizeOfWords();
	}

	record Seen(ToolIdentity tool, int call, Label label, boolean secret, TextIndex text, TextIndex asked) {

		/** A tool that says again what the model wrote into the call does not name it. */
		boolean names(Meaning value) {
			return this.label == Label.TRUSTED && this.text.holds(value) && !this.asked.holds(value);
		}

	}

	record Ended(boolean laundered, Seen seen) {
	}

	/** The results are in order. */
	record View(List<Seen> results, boolean lostUntrusted, boolean lostSecret) {

		boolean isUntrusted() {
			return this.lostUntrusted || this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED);
		}

		boolean isSecret() {
			return this.lostSecret || this.results.stream().anyMatch(Seen::secret);
		}

	}

	private static final class Open {

		private boolean laundered;

		/** Whether one may have that is not known to be inside of another call. */
		private boolean doubtful;

	}

}
