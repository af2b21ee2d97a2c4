package io.agenthooks.spring.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.external.OptionLimits;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.program.ChildProgram;

/**
 * A {@link CommandConfig} that was checked and completed.
 *
 * @param outputLimit the most output that is read, in bytes
 * @param system whose words the command speaks, or {@code null} for those of all
 */
record CommandSettings(ChildProgram program, Duration timeout, boolean failOpen, int outputLimit,
		boolean requireDecision, boolean merge, int maxConcurrent, SentUser sent, @Nullable HookSystem system) {

	static CommandSettings of(CommandConfig config, HookSystem.Subject subject) {
		List<Problem> problems = new ArrayList<>();
		OptionLimits limits = new OptionLimits(problems);
		Duration timeout = limits.time("timeout", config.timeout(), Duration.ofSeconds(60));
		int outputLimit = limits.bytes("output_limit", config.outputLimit());
		int maxConcurrent = limits.number("max_concurrent", config.maxConcurrent(), 16, 1, 1000);
		if (subject != HookSystem.Subject.TOOL_CALL && config.merge() != null) {
			problems.add(new Problem(List.of("merge"), "The merge is for tool calls: nothing else has arguments.",
					"Remove it."));
		}
		HookSystem.check(config.system(), subject, problems);
		if (subject == HookSystem.Subject.END_OF_RUN
				&& (config.failOpen() != null || config.requireDecision() != null)) {
			problems.add(new Problem(List.of((config.failOpen() != null) ? "fail_open" : "require_decision"),
					"The command decides nothing when a run is over.", "Remove it."));
		}
		SentUser sent = SentUser.of(config.sendUser(), problems);
		ChildProgram program = ChildProgram.of(config.command(), config.dir(), config.env(), config.inheritEnv(),
				problems);
		if (program == null || !problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return new CommandSettings(program, timeout, Boolean.TRUE.equals(config.failOpen()), outputLimit,
				Boolean.TRUE.equals(config.requireDecision()), Boolean.TRUE.equals(config.merge()), maxConcurrent, sent,
				config.system());
	}

}
