package io.agenthooks.spring.command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.json.InvalidJsonException;

/**
 * Runs after each run that has begun, as when Claude Code stops. Whatever the command
 * says, the run is over.
 */
final class CommandPostRunHook extends CommandHook<AgentRun, RunDecision> implements PostRunHook {

	private static final Logger logger = LoggerFactory.getLogger(CommandPostRunHook.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	CommandPostRunHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofRuns(name, false, false));
	}

	@Override
	public void postRun(RunOutcome outcome) {
		if (outcome.decision().verdict() != Verdict.APPROVE) {
			return;
		}
		// To cancel a run interrupts it; the command has to learn of that end, too.
		boolean interrupted = Thread.interrupted();
		try {
			EndedCommand end = run(AgentMessage.postRun(system(), outcome, dir(), sent()));
			if (end.isBlocked() || wantsMore(end)) {
				warn(outcome, "The command wants the agent to go on, which a hook after a run cannot do");
			}
			else if (end.exitCode() != 0) {
				warn(outcome, "The command ended with exit code " + end.exitCode());
			}
		}
		catch (NoVerdictException ex) {
			warn(outcome, ex.getMessage());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static boolean wantsMore(EndedCommand end) {
		try {
			return !end.isPlainText() && DialectReply.of(end.output()).denies();
		}
		catch (InvalidJsonException ex) {
			return false;
		}
	}

	private void warn(RunOutcome outcome, String what) {
		this.warnings
			.warn("Hook '%s': %s. The run '%s' is over".formatted(name(), what, SafeText.name(outcome.run().id())));
	}

}
