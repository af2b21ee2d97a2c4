package io.agenthooks.spring.process;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.ForeignPlaceholders;
import io.agenthooks.spring.program.CommandLine;

/**
 * The {@code config} of a {@code process} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param command Program and its arguments as a list, or a line for the shell.
 * @param dir Directory that the program runs in.
 * @param env Environment variables to set.
 * @param inheritEnv Names of environment variables that the program inherits, beside a
 * small set that it always does.
 * @param observe Events that the program gets.
 * @param intercept Points at which the program is asked; around runs there are none. If
 * nothing is said here and under 'observe', it is asked before calls, and after them if
 * the hook stands under 'post_call'.
 * @param timeout Time that a call may wait for an answer; without a unit in seconds.
 * @param helloTimeout Time that the program may take to start.
 * @param approvalTimeout Time that a tool call may wait for an approval.
 * @param observerTimeout Time after which an event that was not written is dropped.
 * @param failOpen Whether a call passes when the program fails. An approval is needed in
 * any case.
 * @param maxLine Longest line that is read.
 * @param restart What happens when the program ends.
 * @param sendUser What is sent of the user beside the name: 'authorities', and 'claims.'
 * with the name of a claim. Nothing unless set.
 */
record ProcessConfig(@ForeignPlaceholders @Nullable CommandLine command, @Nullable String dir,
		@Nullable Map<String, String> env, @Nullable List<String> inheritEnv, @Nullable List<String> observe,
		@Nullable List<String> intercept, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration helloTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration approvalTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration observerTimeout, @Nullable Boolean failOpen,
		@Nullable DataSize maxLine, @Nullable Restart restart, @Nullable List<String> sendUser) {

	/**
	 * The configuration without the values of variables, which may be secret.
	 */
	@Override
	public String toString() {
		return "ProcessConfig[command=%s, env=%s, observe=%s, intercept=%s, timeout=%s, failOpen=%s]".formatted(
				this.command, (this.env != null) ? this.env.keySet() : null, this.observe, this.intercept, this.timeout,
				this.failOpen);
	}

	/**
	 * The start of a program anew when it ends.
	 *
	 * @param attempts How often in a row it is started again.
	 * @param delay Time before the first start; it doubles with each.
	 * @param maxDelay Longest time before a start. A program that has run for longer
	 * counts as well again.
	 */
	record Restart(@Nullable Integer attempts, @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration delay,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxDelay) {

	}

}
