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
 * Asks a command whether a run may begin, as Claude Code does when a person has submitted
 * a prompt. How it ends is the answer, as before a tool call; but a text that is not JSON
 * is additional context for the model.
 */
final class CommandRunHook extends CommandHook implements PreRunHook {

	private final NoVerdictMode<AgentRun, RunDecision> failMode;

	CommandRunHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = NoVerdictMode.ofRuns(name, settings.failOpen());
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		byte[] question = AgentMessage.preRun(system(), run, dir(), sent());
		return this.failMode.decide(run, question.length, () -> decide(runner().run(question)));
	}

	private RunDecision decide(EndedCommand end) throws NoVerdictException {
		if (end.isBlockedAs(system())) {
			return RunDecision.deny(end.reason());
		}
		if (end.isPlainText() && !settings().requireDecision()) {
			String text = end.text();
			return (text.isEmpty()) ? RunDecision.approve() : RunDecision.approve().withAdditionalContext(text);
		}
		return end.read(name(), () -> RunReply.beforeRun(DialectReply.of(end.output()), settings().requireDecision()));
	}

}
