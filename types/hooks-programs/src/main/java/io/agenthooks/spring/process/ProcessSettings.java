package io.agenthooks.spring.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.external.OptionLimits;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.program.ChildProgram;

/**
 * A {@link ProcessConfig} that was checked and completed.
 *
 * @param maxLine the longest line that is read, in bytes
 */
record ProcessSettings(ChildProgram program, Set<String> observe, Set<String> intercept, Duration timeout,
		Duration helloTimeout, Duration approvalTimeout, Duration observerTimeout, boolean failOpen, int maxLine,
		int restarts, Duration delay, Duration maxDelay, SentUser sent) {

	static final String START = "tool_exec_start";

	static final String END = "tool_exec_end";

	static final String SKIPPED = "tool_exec_skipped";

	static final String BEFORE = "before_tool";

	static final String APPROVE = "approve_tool";

	static final String AFTER = "after_tool";

	static final String BEFORE_LLM = "before_llm";

	static final String AFTER_LLM = "after_llm";

	static final String LLM_REQUEST = "llm_request";

	static final String LLM_RESPONSE = "llm_response";

	static final String TURN_START = "turn_start";

	static final String TURN_END = "turn_end";

	static ProcessSettings of(ProcessConfig config, ProcessPlace place, boolean early) {
		List<Problem> problems = new ArrayList<>();
		OptionLimits limits = new OptionLimits(problems);
		Set<String> observe = observed(config.observe(), place, problems);
		boolean unsaid = config.intercept() == null && config.observe() == null;
		Set<String> intercept = (unsaid) ? usual(place, early) : intercepted(config.intercept(), place, problems);
		if (problems.isEmpty() && observe.isEmpty() && intercept.isEmpty()) {
			String asked = (place.points().isEmpty()) ? ""
					: "'intercept' with some of %s, or ".formatted(place.points());
			problems.add(new Problem(List.of(), "The program neither decides about anything nor gets events.",
					"Write %s'observe' with some of %s.".formatted(asked, place.events())));
		}
		if (!early && Stream.of(intercept, observe).flatMap(Set::stream).anyMatch(ProcessPlace::isEarly)) {
			problems.add(new Problem(List.of(),
					"The program is for what comes before the call, and this list is for what comes after.",
					"Move the hook to %s; there the program also learns how calls end.".formatted(place.pre())));
		}
		if (place != ProcessPlace.TOOL_CALL && config.approvalTimeout() != null) {
			problems.add(new Problem(List.of("approval_timeout"),
					"The approval_timeout is for tool calls: nothing else is approved.", "Remove it."));
		}
		if (place == ProcessPlace.RUN && (config.failOpen() != null || config.timeout() != null)) {
			problems.add(new Problem(List.of((config.failOpen() != null) ? "fail_open" : "timeout"),
					"The program does not decide about runs, so nothing waits for it.", "Remove it."));
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
		SentUser sent = SentUser.of(config.sendUser(), problems);
		ChildProgram program = ChildProgram.of(config.command(), config.dir(), config.env(), config.inheritEnv(),
				problems);
		if (program == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new ProcessSettings(program, observe, intercept, timeout, helloTimeout, approvalTimeout, observerTimeout,
				Boolean.TRUE.equals(config.failOpen()), maxLine, restarts, delay, maxDelay, sent);
	}

	private static Set<String> usual(ProcessPlace place, boolean early) {
		return place.points()
			.stream()
			.filter((point) -> !point.equals(APPROVE) && ProcessPlace.isEarly(point) == early)
			.collect(Collectors.toUnmodifiableSet());
	}

	/** Each event has two names, and there are names for all of them. */
	private static Set<String> observed(@Nullable List<String> names, ProcessPlace place, List<Problem> problems) {
		Set<String> observed = new TreeSet<>();
		List<String> written = (names != null) ? names : List.of();
		for (int i = 0; i < written.size(); i++) {
			String name = written.get(i);
			List<String> events = (name.equals("*") || name.equals("all")) ? place.events()
					: place.events()
						.stream()
						.filter((event) -> event.equals(name) || ProcessPlace.kindOf(event).equals(name))
						.toList();
			if (events.isEmpty()) {
				problems.add(new Problem(List.of("observe", Integer.toString(i)), "This event is unknown here.",
						elsewhere(name) + "The events here are " + String.join(", ", place.events())
								+ ", and * for all."));
			}
			observed.addAll(events);
		}
		return observed;
	}

	private static Set<String> intercepted(@Nullable List<String> names, ProcessPlace place, List<Problem> problems) {
		List<String> written = (names != null) ? names : List.of();
		for (int i = 0; i < written.size(); i++) {
			String name = written.get(i);
			if (!place.points().contains(name)) {
				problems.add(new Problem(List.of("intercept", Integer.toString(i)), "This point is unknown here.",
						elsewhere(name) + ((place.points().isEmpty())
								? "There are no points here: a program gets the events of runs, but does not decide about them."
								: "The points here are " + String.join(", ", place.points()) + ".")));
			}
		}
		return new TreeSet<>(written);
	}

	/** As a sentence, if it belongs anywhere. */
	private static String elsewhere(String name) {
		ProcessPlace place = ProcessPlace.of(name);
		return (place != null) ? "Move '%s' to an entry of %s. ".formatted(name, place.key()) : "";
	}

}
