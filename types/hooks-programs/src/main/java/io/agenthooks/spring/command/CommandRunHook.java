package io.agenthooks.spring.command;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.dialect.AgentMessage;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.RunReply;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;

/**
 * As when a person has submitted a prompt to Claude Code. How the command ends is the
 * answer; but a text that is not JSON is additional context for the model.
 */
final class CommandRunHook extends CommandHook<AgentRun, RunDecision> implements PreRunHook {

	CommandRunHook(String name, CommandSettings settings) {
		super(name, settings, NoVerdictMode.ofRuns(name, settings.failOpen(), false));
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return decide(run, (asked) -> AgentMessage.preRun(system(), asked, dir(), sent()), this::read);
	}

	private RunDecision read(AgentRun run, EndedCommand end) throws NoVerdictException {
		if (end.isPlainText() && !end.text().isEmpty() && !requiresDecision()) {
			return RunDecision.approve().withAdditionalContext(end.text());
		}
		return read(end, RunDecision::deny, RunDecision::approve,
				() -> RunReply.beforeRun(DialectReply.of(end.output()), requiresDecision()));
	}

}
