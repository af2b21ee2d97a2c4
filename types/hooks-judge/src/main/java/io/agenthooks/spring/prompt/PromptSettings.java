package io.agenthooks.spring.prompt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.external.OptionLimits;

/**
 * A {@link PromptConfig} that was checked and completed.
 *
 * @param cache how long verdicts are kept and how many, or {@code null} for none
 */
record PromptSettings(JudgedEvent event, QuestionTemplate question, JudgeModel model, Duration timeout,
		boolean failOpen, boolean outputSchema, int maxConcurrent, @Nullable CacheLimits cache) {

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

	private static final Duration MAX_TTL = Duration.ofDays(30);

	static PromptSettings of(JudgedEvent event, PromptConfig config, ChatModels models) {
		List<Problem> problems = new ArrayList<>();
		QuestionTemplate question = question(event, config.prompt(), problems);
		JudgeModel model = models.find(config.model(), problems);
		OptionLimits limits = new OptionLimits(problems);
		Duration timeout = limits.time("timeout", config.timeout(), DEFAULT_TIMEOUT);
		int maxConcurrent = limits.number("max_concurrent", config.maxConcurrent(), 16, 1, 1000);
		CacheLimits cache = (config.cache() != null) ? cache(config.cache(), problems) : null;
		if (question == null || model == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new PromptSettings(event, question, model, timeout, Boolean.TRUE.equals(config.failOpen()),
				!Boolean.FALSE.equals(config.outputSchema()), maxConcurrent, cache);
	}

	private static @Nullable QuestionTemplate question(JudgedEvent event, @Nullable String prompt,
			List<Problem> problems) {
		List<String> path = List.of("prompt");
		if (prompt == null || prompt.isBlank()) {
			problems.add(new Problem(path, "The prompt is missing.",
					"Write what the judge is to decide, with $INPUT where the data of the call belongs."));
			return null;
		}
		QuestionTemplate question = new QuestionTemplate(prompt);
		Set<String> placeholders = question.placeholders();
		placeholders.stream()
			.filter((placeholder) -> !event.knows(placeholder))
			.sorted()
			.forEach((placeholder) -> problems.add(new Problem(path,
					"The prompt has $%s, which never has a value in this list.".formatted(placeholder),
					"Write %s.".formatted(event.placeholders()))));
		if (placeholders.stream().allMatch(JudgedEvent.EVENT::equals)) {
			problems.add(new Problem(path, "The prompt has no placeholder, so the judge would see nothing of the call.",
					"Write %s.".formatted(event.placeholders())));
		}
		return question;
	}

	private static CacheLimits cache(PromptConfig.Cache config, List<Problem> problems) {
		Duration ttl = Objects.requireNonNullElse(config.ttl(), DEFAULT_TTL);
		if (ttl.isZero() || ttl.isNegative() || ttl.compareTo(MAX_TTL) > 0) {
			problems
				.add(new Problem(List.of("cache", "ttl"), "The ttl of the cache is not above zero and at most 30 days.",
						"Write how long a verdict holds, like 30s, 10m or 1d."));
		}
		int maxEntries = Objects.requireNonNullElse(config.maxEntries(), 1_000);
		if (maxEntries < 1 || maxEntries > 1_000_000) {
			problems.add(new Problem(List.of("cache", "max_entries"),
					"The max_entries of the cache is not from 1 to 1000000.",
					"Write how many verdicts are kept, like 1000."));
		}
		return new CacheLimits(ttl, maxEntries);
	}

	@Override
	public String toString() {
		return "PromptSettings[event=%s, timeout=%s, failOpen=%s]".formatted(this.event, this.timeout, this.failOpen);
	}

	record CacheLimits(Duration ttl, int maxEntries) {
	}

}
