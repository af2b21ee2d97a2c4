package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.state.UnusableAnswerException;

/** Enough to know a loop, and no more than {@value #MAX} calls and tools. */
final class RunCalls {

	static final int MAX = 64;

	private static final String VERSION = "1";

	private static final Pattern DIGEST = Pattern.compile("[A-Za-z0-9_-]{1,32}");

	/** More than there can be. */
	private static final int MAX_LENGTH = 10_000;

	private static final int PARTS = 7;

	private final LoopSettings settings;

	private final Map<String, Ended> results = new Bounded<>();

	/** In a row, of each tool. */
	private final Map<String, Integer> failures = new Bounded<>();

	private @Nullable Ended last;

	private @Nullable Ended beforeLast;

	/** The calls at the end of which two take turns. */
	private int turns;

	private int calls;

	RunCalls(LoopSettings settings) {
		this.settings = settings;
	}

	static RunCalls read(LoopSettings settings, String text) {
		RunCalls calls = new RunCalls(settings);
		String[] parts = (text.length() <= MAX_LENGTH) ? text.split(";", PARTS + 1) : new String[0];
		if (parts.length != PARTS || !parts[0].equals(VERSION)) {
			throw unreadable();
		}
		calls.calls = number(parts[1], 0);
		calls.turns = number(parts[2], 0);
		calls.last = readLast(parts[3]);
		calls.beforeLast = readLast(parts[4]);
		for (String[] ended : list(parts[5], 3)) {
			if (calls.results.put(ended[0], new Ended(ended[0], ended[1], number(ended[2], 1))) != null) {
				throw unreadable();
			}
		}
		for (String[] failed : list(parts[6], 2)) {
			if (calls.failures.put(failed[0], number(failed[1], 1)) != null) {
				throw unreadable();
			}
		}
		return calls;
	}

	private static @Nullable Ended readLast(String text) {
		List<String[]> last = list(text, 2);
		if (last.size() > 1) {
			throw unreadable();
		}
		return (last.isEmpty()) ? null : new Ended(last.get(0)[0], last.get(0)[1], 1);
	}

	/** Digests, and numbers, which look like some. */
	private static List<String[]> list(String text, int size) {
		List<String[]> list = new ArrayList<>();
		for (String element : (text.isEmpty()) ? new String[0] : text.split(",", MAX + 2)) {
			String[] parts = element.split(":", -1);
			if (parts.length != size || list.size() == MAX
					|| !Arrays.stream(parts).allMatch((part) -> DIGEST.matcher(part).matches())) {
				throw unreadable();
			}
			list.add(parts);
		}
		return list;
	}

	private static int number(String text, int least) {
		try {
			int number = Integer.parseInt(text);
			if (number >= least) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// The message would quote what was kept.
		}
		throw unreadable();
	}

	static UnusableAnswerException unreadable() {
		return new UnusableAnswerException("What is kept of the calls of a run cannot be read");
	}

	synchronized String write() {
		StringBuilder text = new StringBuilder(VERSION).append(';')
			.append(this.calls)
			.append(';')
			.append(this.turns)
			.append(';')
			.append(write(this.last))
			.append(';')
			.append(write(this.beforeLast))
			.append(';');
		String separator = "";
		for (Ended ended : this.results.values()) {
			text.append(separator).append(write(ended)).append(':').append(ended.times());
			separator = ",";
		}
		text.append(';');
		separator = "";
		for (Map.Entry<String, Integer> failed : this.failures.entrySet()) {
			text.append(separator).append(failed.getKey()).append(':').append(failed.getValue());
			separator = ",";
		}
		return text.toString();
	}

	private static String write(@Nullable Ended ended) {
		return (ended != null) ? ended.call() + ':' + ended.result() : "";
	}

	synchronized Looked enter(String call, String tool) {
		Looked looked = look(call, tool);
		Finding finding = looked.finding();
		if (finding.passes()) {
			this.calls++;
			return looked;
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
		return looked;
	}

	/** For a call that is decided once more. */
	synchronized void leave() {
		this.calls = Math.max(0, this.calls - 1);
	}

	/** Say what {@link #enter} would, without a trace. */
	synchronized Looked look(String call, String tool) {
		Ended known = this.results.get(call);
		int same = (known != null) ? known.times() : 0;
		int turnsWith = turnsWith(call);
		int failed = this.failures.getOrDefault(tool, 0);
		Finding strictest = finding(Kind.REPEATS, this.settings.repeats(), same)
			.or(finding(Kind.PING_PONG, this.settings.pingPong(), turnsWith))
			.or(finding(Kind.FAILURES, this.settings.failures(), failed))
			.or(finding(Kind.CALLS, this.settings.calls(), this.calls));
		int left = Math.min(Math.min(this.settings.repeats().leftAt(same), this.settings.pingPong().leftAt(turnsWith)),
				Math.min(this.settings.failures().leftAt(failed), this.settings.calls().leftAt(this.calls)));
		return new Looked(strictest, left);
	}

	private static Finding finding(Kind kind, LoopSteps steps, int count) {
		return new Finding(steps.at(count), kind, count);
	}

	private int turnsWith(String call) {
		Ended last = this.last;
		Ended before = this.beforeLast;
		return (last != null && before != null && before.call().equals(call) && !last.call().equals(call)) ? this.turns
				: 0;
	}

	/** {@code failed} is {@code null} if the tool did not run. */
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

	synchronized int size() {
		return this.results.size() + this.failures.size();
	}

	private record Ended(String call, String result, int times) {

		Ended again() {
			return new Ended(this.call, this.result, this.times + 1);
		}

		boolean isSame(Ended other) {
			return this.call.equals(other.call) && this.result.equals(other.result);
		}

	}

	enum Kind {

		REPEATS, PING_PONG, FAILURES, CALLS

	}

	record Finding(LoopSteps.Step step, Kind kind, int count) {

		Finding or(Finding other) {
			return (other.step.compareTo(this.step) > 0) ? other : this;
		}

		boolean passes() {
			return this.step == LoopSteps.Step.NONE || this.step == LoopSteps.Step.WARN;
		}

	}

	record Looked(Finding finding, int left) {
	}

	/** Forgets what was not used for the longest time. */
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
