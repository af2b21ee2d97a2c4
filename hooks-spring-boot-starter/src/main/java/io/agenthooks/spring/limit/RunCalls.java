package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the calls of a run: enough to know a loop, and no more than
 * {@value #MAX} calls and tools.
 */
final class RunCalls {

	/** A loop of more different calls is not known. */
	static final int MAX = 64;

	private final LoopSettings settings;

	/** How many times each call had its last result, without another one in between. */
	private final Map<String, Ended> results = new Bounded<>();

	/** How many times in a row each tool failed. */
	private final Map<String, Integer> failures = new Bounded<>();

	private @Nullable Ended last;

	private @Nullable Ended beforeLast;

	/** How many calls at the end are two that take turns. */
	private int turns;

	private int calls;

	/** When something was heard of the run last. */
	private volatile long usedAt;

	RunCalls(LoopSettings settings, long now) {
		this.settings = settings;
		this.usedAt = now;
	}

	void use(long now) {
		this.usedAt = now;
	}

	boolean isOver(long now) {
		return now - this.usedAt >= this.settings.forgetAfter().toNanos();
	}

	/**
	 * Decide about a call, and count it.
	 * @param call tells which call it is
	 * @param tool tells of which tool
	 */
	synchronized Finding enter(String call, String tool) {
		Finding finding = look(call, tool);
		if (finding.step() == LoopSteps.Step.NONE || finding.step() == LoopSteps.Step.WARN) {
			this.calls++;
			return finding;
		}
		// A model that goes on with what is denied comes to the next step.
		Ended known = this.results.get(call);
		if (known != null) {
			add(known.again());
		}
		if (finding.kind() == Kind.FAILURES) {
			this.failures.merge(tool, 1, Integer::sum);
		}
		if (finding.kind() == Kind.CALLS) {
			this.calls++;
		}
		return finding;
	}

	/**
	 * Take back that a call was counted, which is decided once more.
	 */
	synchronized void leave() {
		this.calls--;
	}

	/**
	 * Say what {@link #enter} would, without a trace.
	 */
	synchronized Finding look(String call, String tool) {
		Ended known = this.results.get(call);
		Finding strictest = finding(Kind.REPEATS, this.settings.repeats(), (known != null) ? known.times() : 0);
		strictest = strictest.or(finding(Kind.PING_PONG, this.settings.pingPong(), turnsWith(call)));
		strictest = strictest.or(finding(Kind.FAILURES, this.settings.failures(), this.failures.getOrDefault(tool, 0)));
		return strictest.or(finding(Kind.CALLS, this.settings.calls(), this.calls));
	}

	/**
	 * How many more calls like one pass after it, if all go as before.
	 * @return how many, or {@code Integer.MAX_VALUE} for all
	 */
	synchronized int left(String call, String tool) {
		Ended known = this.results.get(call);
		int same = Math.min(this.settings.repeats().leftAt((known != null) ? known.times() : 0),
				this.settings.pingPong().leftAt(turnsWith(call)));
		int others = Math.min(this.settings.failures().leftAt(this.failures.getOrDefault(tool, 0)),
				this.settings.calls().leftAt(this.calls));
		return Math.min(same, others);
	}

	private static Finding finding(Kind kind, LoopSteps steps, int count) {
		return new Finding(steps.at(count), kind, count);
	}

	/**
	 * How many calls there are at the end of which two take turns, so that a call would
	 * be the next one.
	 */
	private int turnsWith(String call) {
		Ended last = this.last;
		Ended before = this.beforeLast;
		return (last != null && before != null && before.call().equals(call) && !last.call().equals(call)) ? this.turns
				: 0;
	}

	/**
	 * Remember how a call ended.
	 * @param result tells which result it had
	 * @param failed whether its tool failed, or {@code null} if it did not run
	 */
	synchronized void end(String call, String tool, String result, @Nullable Boolean failed) {
		Ended known = this.results.get(call);
		add((known != null && known.result().equals(result)) ? known.again() : new Ended(call, result, 1));
		if (Boolean.TRUE.equals(failed)) {
			this.failures.merge(tool, 1, Integer::sum);
		}
		else if (failed != null) {
			this.failures.remove(tool);
		}
	}

	private void add(Ended ended) {
		this.results.put(ended.call(), ended);
		if (this.last == null || this.last.call().equals(ended.call())) {
			this.turns = 1;
		}
		else if (this.beforeLast != null && this.turns > 1 && ended.isSame(this.beforeLast)) {
			this.turns++;
		}
		else {
			this.turns = 2;
		}
		this.beforeLast = this.last;
		this.last = ended;
	}

	/**
	 * How many calls and tools are remembered.
	 */
	synchronized int size() {
		return this.results.size() + this.failures.size();
	}

	/**
	 * A call that has ended.
	 *
	 * @param call which
	 * @param result how
	 * @param times how many times like this
	 */
	private record Ended(String call, String result, int times) {

		Ended again() {
			return new Ended(this.call, this.result, this.times + 1);
		}

		boolean isSame(Ended other) {
			return this.call.equals(other.call) && this.result.equals(other.result);
		}

	}

	/**
	 * What kind of loop it is.
	 */
	enum Kind {

		REPEATS, PING_PONG, FAILURES, CALLS

	}

	/**
	 * What was found.
	 *
	 * @param step what becomes of the call
	 * @param kind why
	 * @param count how many times it was so
	 */
	record Finding(LoopSteps.Step step, Kind kind, int count) {

		Finding or(Finding other) {
			return (other.step.compareTo(this.step) > 0) ? other : this;
		}

	}

	/**
	 * Forgets what was not used for the longest time.
	 */
	private static final class Bounded<V> extends LinkedHashMap<String, V> {

		private static final long serialVersionUID = 1L;

		Bounded() {
			super(16, 0.75f, true);
		}

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
			return size() > MAX;
		}

	}

}
