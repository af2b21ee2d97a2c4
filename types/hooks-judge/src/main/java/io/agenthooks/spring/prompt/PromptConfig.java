package io.agenthooks.spring.prompt;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;

import io.agenthooks.spring.ForeignPlaceholders;

/**
 * The {@code config} of a {@code prompt} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param prompt Question to the judge, with $INPUT, $TOOL_NAME, $TOOL_INPUT,
 * $TOOL_OUTPUT, $AGENT_NAME, $PROMPT, $RESPONSE or $EVENT where data of the call belongs.
 * @param model Name of the ChatModel bean that judges, or of the model that the only or
 * primary one is to ask.
 * @param timeout Time that a call may wait for the judge, at most ten minutes; without a
 * unit in seconds.
 * @param failOpen Whether a call passes when the judge fails.
 * @param outputSchema Whether the model gets the form of the answer as a JSON schema, if
 * it takes one.
 * @param maxConcurrent Number of questions that the model may be asked at the same time.
 * @param cache Whether and how verdicts are kept; none unless written.
 */
record PromptConfig(@ForeignPlaceholders @Nullable String prompt, @Nullable String model,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout, @Nullable Boolean failOpen,
		@Nullable Boolean outputSchema, @Nullable Integer maxConcurrent, @Nullable Cache cache) {

	/**
	 * The configuration without its prompt, which may be confidential.
	 */
	@Override
	public String toString() {
		return "PromptConfig[model=%s, timeout=%s, failOpen=%s, outputSchema=%s, maxConcurrent=%s, cache=%s]"
			.formatted(this.model, this.timeout, this.failOpen, this.outputSchema, this.maxConcurrent, this.cache);
	}

	/**
	 * The cache of verdicts.
	 *
	 * @param ttl Time for which a verdict holds for equal questions, at most 30 days;
	 * without a unit in seconds.
	 * @param maxEntries Number of verdicts that are kept at most.
	 */
	record Cache(@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration ttl, @Nullable Integer maxEntries) {

	}

}
