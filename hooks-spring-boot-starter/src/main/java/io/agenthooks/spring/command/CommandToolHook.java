package io.agenthooks.spring.command;

import java.util.function.Function;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.external.ArgumentNames;
import io.agenthooks.spring.external.FailMode;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Asks a command about a call. How it ends is the answer:
 * <ul>
 * <li>Exit code 0 and JSON: what the JSON says. Without any output: no objection.</li>
 * <li>Exit code 2: denied, with what it wrote to standard error as the reason.</li>
 * <li>Anything else: the command failed, and {@code fail_open} decides. JSON that objects
 * counts with any exit code.</li>
 * </ul>
 */
final class CommandToolHook extends CommandHook implements PreToolHook {

	static final int BLOCKED = 2;

	private static final Logger logger = LoggerFactory.getLogger(CommandToolHook.class);

	private final FailMode<ToolCall, ToolDecision> failMode;

	CommandToolHook(String name, CommandSettings settings) {
		super(name, settings);
		this.failMode = FailMode.ofToolCalls(name, settings.failOpen());
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		byte[] question = CommandMessage.preCall(call, dir());
		return this.failMode.decide(call, question.length, () -> {
			ArgumentNames.check(call);
			CommandRunner.Ended end = runner().run(question);
			if (end.exitCode() == BLOCKED) {
				return ToolDecision.deny(end.reason());
			}
			if (end.exitCode() == 0 && end.text().isEmpty() && !settings().requireDecision()) {
				return ToolDecision.approve();
			}
			return read(name(), end,
					() -> CommandReply.beforeCall(end.output(), call, settings().merge(), settings().requireDecision()),
					ToolDecision::verdict);
		});
	}

	/**
	 * What a command says that did not only end with an exit code.
	 */
	static <D> D read(String hook, CommandRunner.Ended end, Supplier<D> reply, Function<D, Verdict> verdictOf)
			throws NoVerdictException {
		try {
			D decision = reply.get();
			Verdict verdict = verdictOf.apply(decision);
			if (end.exitCode() == 0 || verdict == Verdict.DENY || verdict == Verdict.ABORT) {
				return decision;
			}
			if (verdict != Verdict.APPROVE) {
				// It wanted something else than what would pass.
				throw NoVerdictException.refusal("The command ended with exit code " + end.exitCode());
			}
		}
		catch (InvalidJsonException ex) {
			if (CommandReply.objects(end.text())) {
				throw NoVerdictException.refusal("The output of the command " + ex.getMessage());
			}
			if (end.exitCode() == 0) {
				logErrors(hook, end);
				throw NoVerdictException.failure((end.text().isEmpty()) ? "The command wrote nothing, and has to decide"
						: "The output of the command " + ex.getMessage());
			}
		}
		catch (IllegalArgumentException ex) {
			throw NoVerdictException.failure("The output of the command changes arguments to what cannot be some");
		}
		logErrors(hook, end);
		throw NoVerdictException.failure("The command ended with exit code " + end.exitCode());
	}

	/**
	 * For the operator who asks for it: nobody knows what a command writes there.
	 */
	private static void logErrors(String hook, CommandRunner.Ended end) {
		if (logger.isDebugEnabled()) {
			logger.debug("Hook '{}': the command wrote to standard error: {}", hook, SafeText.reason(end.errors()));
		}
	}

}
