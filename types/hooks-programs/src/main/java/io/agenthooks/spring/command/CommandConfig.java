package io.agenthooks.spring.command;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.ForeignPlaceholders;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.program.CommandLine;

/**
 * The {@code config} of a {@code command} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param command Line for the shell, or a program and its arguments as a list.
 * @param dir Directory that the command runs in.
 * @param env Environment variables to set.
 * @param inheritEnv Names of environment variables that the command inherits, beside a
 * small set that it always does.
 * @param timeout Time that a call may wait for the command, at most ten minutes; without
 * a unit in seconds.
 * @param failOpen Whether a call passes when the command fails.
 * @param outputLimit Most output of the command that is read.
 * @param requireDecision Whether a command that says nothing has failed.
 * @param merge Whether changed arguments are put over those of the tool call, and not in
 * their place.
 * @param maxConcurrent Number of commands that may run at the same time.
 * @param sendUser What is sent of the user beside the name: 'authorities', and 'claims.'
 * with the name of a claim. Nothing unless set.
 * @param system System whose messages and replies the command knows, if those of all at
 * once are not what it needs. All unless set.
 */
record CommandConfig(@ForeignPlaceholders @Nullable CommandLine command, @Nullable String dir,
		@Nullable Map<String, String> env, @Nullable List<String> inheritEnv,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout, @Nullable Boolean failOpen,
		@Nullable DataSize outputLimit, @Nullable Boolean requireDecision, @Nullable Boolean merge,
		@Nullable Integer maxConcurrent, @Nullable List<String> sendUser, @Name("for") @Nullable HookSystem system) {

	/**
	 * The configuration without the values of variables, which may be secret.
	 */
	@Override
	public String toString() {
		return "CommandConfig[command=%s, env=%s, timeout=%s, failOpen=%s]".formatted(this.command,
				(this.env != null) ? this.env.keySet() : null, this.timeout, this.failOpen);
	}

}
