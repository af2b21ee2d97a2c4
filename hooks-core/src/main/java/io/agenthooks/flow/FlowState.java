package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

	private static final int MAX_OPEN = 1024;

	private final List<Seen> results = new ArrayList<>();

	/** Calls that began, with how many inner results were untrusted by then. */
	private final Map<String, Integer> open = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
			return size() > MAX_OPEN;
		}

	};

	private @Nullable TextIndex words;

	private int hashes;

	private int calls;

	/** How many untrusted results agents inside of tools have read. */
	private int innerUntrusted;

	/** What was read of which no more is known. */
	private boolean lostUntrusted;

	private boolean lostSecret;

	/**
	 * Remember what the user wrote.
	 */
	synchronized void hear(TextIndex words) {
		this.words = words;
	}

	synchronized TextIndex words() {
		return (this.words != null) ? this.words : TextIndex.EMPTY;
	}

	/**
	 * There was something before that is not known any more, and may have been private.
	 */
	synchronized void lose() {
		this.lostUntrusted = true;
		this.lostSecret = true;
	}

	/**
	 * A call of a tool begins.
	 */
	synchronized void begin(String call) {
		this.open.put(call, this.innerUntrusted);
	}

	/**
	 * A call has ended of which nobody got a result.
	 */
	synchronized void endWithout(String call) {
		this.open.remove(call);
		this.calls++;
	}

	/**
	 * A call has ended.
	 * @param label what its result is, if nobody else had a hand in it
	 * @param read what stands in its result
	 * @param asked what stands in its arguments and the user did not name
	 * @param inner whether it was made inside of a tool
	 * @return whether an agent inside of the tool has read something untrusted
	 */
	synchronized boolean end(String call, ToolIdentity tool, Label label, boolean secret, TextIndex read,
			TextIndex asked, boolean inner) {
		this.calls++;
		Integer before = this.open.remove(call);
		boolean laundered = (before != null) ? before != this.innerUntrusted : this.innerUntrusted > 0;
		Label actual = (label == Label.TRUSTED && laundered) ? Label.UNTRUSTED : label;
		if (inner && actual == Label.UNTRUSTED) {
			this.innerUntrusted++;
		}
		if (this.results.size() < MAX_RESULTS) {
			int size = read.size() + asked.size();
			boolean fits = this.hashes + size <= MAX_HASHES;
			this.hashes += (fits) ? size : 0;
			this.results.add(new Seen(tool, this.calls, actual, secret, (fits) ? read : TextIndex.EMPTY,
					(fits) ? asked : TextIndex.EMPTY));
		}
		else {
			this.lostUntrusted = this.lostUntrusted || actual == Label.UNTRUSTED;
			this.lostSecret = this.lostSecret || secret;
		}
		return laundered;
	}

	/**
	 * What is known of all runs of the session.
	 */
	synchronized View view() {
		return new View(List.copyOf(this.results), (this.words != null) ? this.words : TextIndex.EMPTY,
				this.lostUntrusted, this.lostSecret);
	}

	synchronized boolean isUntrusted() {
		return this.lostUntrusted || this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED);
	}

	synchronized int size() {
		return this.hashes + ((this.words != null) ? this.words.size() : 0);
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
	 * What was known at one time.
	 *
	 * @param results the results, in their order
	 * @param words what the user wrote
	 * @param lostUntrusted whether there was more that is untrusted
	 * @param lostSecret whether there was more that is private
	 */
	record View(List<Seen> results, TextIndex words, boolean lostUntrusted, boolean lostSecret) {

		boolean isUntrusted() {
			return this.lostUntrusted || this.results.stream().anyMatch((seen) -> seen.label() == Label.UNTRUSTED);
		}

		boolean isSecret() {
			return this.lostSecret || this.results.stream().anyMatch(Seen::secret);
		}

	}

}
