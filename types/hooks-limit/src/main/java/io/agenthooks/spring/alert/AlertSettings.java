package io.agenthooks.spring.alert;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.alert.AlertConfig.Outcome;
import io.agenthooks.spring.expression.OutcomeCondition;
import io.agenthooks.spring.expression.OutcomeConditions;
import io.agenthooks.spring.external.WebhookTarget;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * An {@link AlertConfig} that was checked and completed.
 *
 * @param condition what has to hold as well, or {@code null}
 * @param target the endpoint, or {@code null}
 */
record AlertSettings(Set<Outcome> outcomes, @Nullable OutcomeCondition condition, int times, Duration within,
		List<AlertKey> key, Duration silence, @Nullable WebhookTarget target) {

	private static final int MAX_TIMES = 1_000;

	private static final Duration DEFAULT_WITHIN = Duration.ofMinutes(1);

	private static final Duration MAX_WITHIN = Duration.ofDays(1);

	private static final Duration DEFAULT_SILENCE = Duration.ofMinutes(10);

	private static final Duration MAX_SILENCE = Duration.ofDays(7);

	private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]",
			Pattern.CASE_INSENSITIVE);

	static AlertSettings of(AlertConfig config, OutcomeConditions conditions) {
		List<Problem> problems = new ArrayList<>();
		Set<Outcome> outcomes = outcomes(config, problems);
		OutcomeCondition condition = condition(config.when(), conditions, problems);
		int times = Objects.requireNonNullElse(config.times(), 1);
		if (times < 1 || times > MAX_TIMES) {
			problem(problems, "times", "The times is not from 1 to %d.".formatted(MAX_TIMES),
					"Write after how many calls there is an alert, like 5.");
		}
		Duration within = within(config, problems);
		Duration silence = Objects.requireNonNullElse(config.silence(), DEFAULT_SILENCE);
		if (silence.isNegative() || silence.compareTo(MAX_SILENCE) > 0) {
			problem(problems, "silence", "The silence is not from 0 s to 7 days.",
					"Write the time after an alert in which there is no other one, like 10m, or 0s for none.");
		}
		WebhookTarget target = (config.webhook() != null) ? target(config.webhook(), problems) : null;
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		List<AlertKey> key = (config.key() != null) ? config.key().stream().distinct().toList() : List.of();
		return new AlertSettings(outcomes, condition, times, within, key, silence, target);
	}

	private static Set<Outcome> outcomes(AlertConfig config, List<Problem> problems) {
		if (config.outcomes() == null) {
			if (config.when() == null) {
				problems.add(new Problem(List.of(), "Neither 'outcomes' nor 'when' says which calls raise an alert.",
						"Write how they ended, like 'outcomes: [denied]', or a condition as 'when'."));
			}
			return EnumSet.complementOf(EnumSet.of(Outcome.EXPIRED));
		}
		if (config.outcomes().isEmpty()) {
			problem(problems, "outcomes", "The list is empty, so there is never an alert.",
					"Write which ends of calls raise an alert, like [denied].");
			return Set.of();
		}
		if (config.outcomes().contains(Outcome.EXPIRED) && config.when() != null) {
			problem(problems, "when", "It is about how a call ended, and a question that expired is no such end.",
					"Write an entry of its own with 'outcomes: [expired]' and without 'when'.");
		}
		return EnumSet.copyOf(config.outcomes());
	}

	boolean isForExpired() {
		return this.outcomes.contains(Outcome.EXPIRED);
	}

	private static @Nullable OutcomeCondition condition(@Nullable String when, OutcomeConditions conditions,
			List<Problem> problems) {
		try {
			return (when != null) ? conditions.readOutcomeCondition("when", when) : null;
		}
		catch (InvalidHookConfigException ex) {
			problems.addAll(ex.getProblems());
			return null;
		}
	}

	private static Duration within(AlertConfig config, List<Problem> problems) {
		Duration within = Objects.requireNonNullElse(config.within(), DEFAULT_WITHIN);
		if (within.isZero() || within.isNegative() || within.compareTo(MAX_WITHIN) > 0) {
			problem(problems, "within", "The within is not above zero and at most 1 day.",
					"Write the time within which there have to be so many calls, like 1m.");
		}
		else if (config.within() != null && (config.times() == null || config.times() == 1)) {
			problem(problems, "within", "One call is always within a time.",
					"Write after how many calls there is an alert, like 'times: 5', or remove it.");
		}
		return within;
	}

	private static @Nullable WebhookTarget target(AlertConfig.Webhook webhook, List<Problem> problems) {
		try {
			WebhookTarget target = WebhookTarget.of(webhook.url(), webhook.secret(),
					Objects.requireNonNullElse(webhook.headers(), Map.of()));
			if (!isSafe(URI.create(Objects.requireNonNull(webhook.url())))) {
				problems.add(new Problem(List.of("webhook", "url"),
						"The url is http, so everybody on the way to the endpoint can read and change alerts.",
						"Write https. Only an endpoint on this machine, such as http://127.0.0.1:9000/, needs none."));
			}
			return target;
		}
		catch (InvalidHookConfigException ex) {
			ex.getProblems()
				.forEach((problem) -> problems
					.add(new Problem(Stream.concat(Stream.of("webhook"), problem.path().stream()).toList(),
							problem.message(), problem.action())));
			return null;
		}
	}

	private static boolean isSafe(URI url) {
		return "https".equalsIgnoreCase(url.getScheme())
				|| THIS_MACHINE.matcher(String.valueOf(url.getHost())).matches();
	}

	private static void problem(List<Problem> problems, String option, String message, String action) {
		problems.add(new Problem(List.of(option), message, action));
	}

	boolean matches(ToolOutcome outcome) {
		boolean ended = this.outcomes.contains(Outcome.valueOf(outcome.status().name()))
				|| (this.outcomes.contains(Outcome.FAILED_OPEN) && !outcome.failedOpen().isEmpty())
				|| (this.outcomes.contains(Outcome.WOULD_DENY) && !outcome.wouldDeny().isEmpty());
		return ended && (this.condition == null || this.condition.holds(outcome));
	}

}
