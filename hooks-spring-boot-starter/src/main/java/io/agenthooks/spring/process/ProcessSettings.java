package io.agenthooks.spring.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.child.ChildLimits;
import io.agenthooks.spring.child.ChildProgram;

/**
 * A {@link ProcessConfig} that was checked and completed.
 *
 * @param program what is started
 * @param observe the events that the program hears of
 * @param intercept the points at which the program is asked
 * @param timeout how long a call may wait for an answer
 * @param helloTimeout how long the program may take to start
 * @param approvalTimeout how long a call may wait for an approval
 * @param observerTimeout when an event that was not written is dropped
 * @param failOpen whether a call passes when the program fails
 * @param maxLine the longest line that is read, in bytes
 * @param restarts how often in a row the program is started again
 * @param delay how long the first start waits
 * @param maxDelay how long a start may wait
 */
record ProcessSettings(ChildProgram program, Set<String> observe, Set<String> intercept, Duration timeout,
		Duration helloTimeout, Duration approvalTimeout, Duration observerTimeout, boolean failOpen, int maxLine,
		int restarts, Duration delay, Duration maxDelay) {

	static final String START = "tool_exec_start";

	static final String END = "tool_exec_end";

	static final String SKIPPED = "tool_exec_skipped";

	static final String BEFORE = "before_tool";

	static final String APPROVE = "approve_tool";

	static final String AFTER = "after_tool";

	private static final List<String> EVENTS = List.of(START, END, SKIPPED);

	private static final List<String> POINTS = List.of(BEFORE, APPROVE, AFTER);

	/**
	 * Check a configuration, all of it, and fill in the defaults.
	 * @param preCall whether the hook is asked before calls
	 * @throws InvalidHookConfigException if anything in it is wrong
	 */
	static ProcessSettings of(ProcessConfig config, boolean preCall) {
		List<Problem> problems = new ArrayList<>();
		ChildLimits limits = new ChildLimits(problems);
		Set<String> observe = observed(config.observe(), problems);
		boolean unsaid = config.intercept() == null && config.observe() == null;
		Set<String> intercept = (unsaid) ? Set.of((preCall) ? BEFORE : AFTER)
				: intercepted(config.intercept(), problems);
		if (problems.isEmpty() && observe.isEmpty() && intercept.isEmpty()) {
			problems.add(new Problem(List.of(), "The program is neither asked nor told anything.",
					"Write 'intercept' with some of %s, or 'observe' with some of %s.".formatted(POINTS, EVENTS)));
		}
		if (!preCall && (intercept.contains(BEFORE) || intercept.contains(APPROVE) || observe.contains(START))) {
			problems.add(new Problem(List.of(), "The program wants to know of calls before they happen.",
					"Move the hook to pre_call; it is asked and told about the end of calls there, too."));
		}
		ProcessConfig.Restart restart = (config.restart() != null) ? config.restart()
				: new ProcessConfig.Restart(null, null, null);
		Duration timeout = limits.time("timeout", config.timeout(), Duration.ofSeconds(5));
		Duration helloTimeout = limits.time("hello_timeout", config.helloTimeout(), Duration.ofSeconds(5));
		Duration approvalTimeout = limits.time("approval_timeout", config.approvalTimeout(), Duration.ofSeconds(60));
		Duration observerTimeout = limits.time("observer_timeout", config.observerTimeout(), Duration.ofMillis(500));
		int maxLine = limits.bytes("max_line", config.maxLine());
		int restarts = limits.number("restart.attempts", restart.attempts(), 5, 0, 1000);
		Duration delay = limits.time("restart.delay", restart.delay(), Duration.ofMillis(200));
		Duration maxDelay = limits.time("restart.max_delay", restart.maxDelay(), Duration.ofSeconds(10));
		ChildProgram program = ChildProgram.of(config.command(), config.dir(), config.env(), config.inheritEnv(),
				problems);
		if (program == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new ProcessSettings(program, observe, intercept, timeout, helloTimeout, approvalTimeout, observerTimeout,
				Boolean.TRUE.equals(config.failOpen()), maxLine, restarts, delay, maxDelay);
	}

	/**
	 * Each event has two names, and there are names for all of them.
	 */
	private static Set<String> observed(@Nullable List<String> names, List<Problem> problems) {
		Set<String> observed = new TreeSet<>();
		for (String name : (names != null) ? names : List.<String>of()) {
			List<String> events = (name.equals("*") || name.equals("all")) ? EVENTS
					: EVENTS.stream().filter((event) -> event.equals(name) || kindOf(event).equals(name)).toList();
			if (events.isEmpty()) {
				problems.add(new Problem(List.of("observe"), "The observe has something that is not an event here.",
						"The events are " + String.join(", ", EVENTS) + ", and * for all."));
			}
			observed.addAll(events);
		}
		return observed;
	}

	private static Set<String> intercepted(@Nullable List<String> names, List<Problem> problems) {
		List<String> points = (names != null) ? names : List.of();
		if (!POINTS.containsAll(points)) {
			problems.add(new Problem(List.of("intercept"), "The intercept has something that is not a point here.",
					"The points are " + String.join(", ", POINTS) + "."));
		}
		return new TreeSet<>(points);
	}

	/**
	 * The name of an event that PicoClaw has today.
	 */
	static String kindOf(String event) {
		return event.replaceFirst("tool_exec_", "agent.tool.exec_");
	}

}
