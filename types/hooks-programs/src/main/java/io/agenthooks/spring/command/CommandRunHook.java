package io.agenthooks.spring.command;

import java.util.List;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.json.InvalidJsonException;

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
		byte[] question = AgentCommandMessage.preRun(run, dir(), sent());
		return this.failMode.decide(run, question.length, () -> decide(runner().run(question)));
	}

	private RunDecision decide(EndedCommand end) throws NoVerdictException {
		if (end.isBlocked()) {
			return RunDecision.deny(end.reason());
		}
		if (end.isPlainText() && !settings().requireDecision()) {
			String text = end.text();
			return (text.isEmpty()) ? RunDecision.approve() : RunDecision.approve().withAdditionalContext(text);
		}
		return end.read(name(), () -> read(CommandReply.of(end.output())));
	}

	/**
	 * The decision of a reply.
	 * @throws InvalidJsonException if there is none
	 */
	private RunDecision read(CommandReply reply) {
		if (reply.ends()) {
			return RunDecision.abortRun(reply.reasonOfEnd());
		}
		if (reply.denies()) {
			return RunDecision.deny(reply.reason());
		}
		boolean decided = reply.allows(List.of("UserPromptSubmit", "BeforeAgent"), "run");
		if (settings().requireDecision() && !decided) {
			throw new InvalidJsonException("has no decision");
		}
		String context = reply.context();
		return (context != null) ? RunDecision.approve().withAdditionalContext(context) : RunDecision.approve();
	}

}
