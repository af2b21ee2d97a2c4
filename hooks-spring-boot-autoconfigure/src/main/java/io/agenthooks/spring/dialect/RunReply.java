package io.agenthooks.spring.dialect;

import java.util.List;

import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.json.InvalidJsonException;

/**
 * The answer of a decider about a run that is to begin.
 *
 * @since 0.1.0
 */
public final class RunReply {

	private static final List<String> EVENTS = List.of("UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt",
			"userPromptSubmitted", "userPromptSubmit");

	private RunReply() {
	}

	/**
	 * The decision about a run.
	 * @param reply what was answered
	 * @param requireDecision whether a reply without a decision is a failure
	 * @return the decision
	 * @throws InvalidJsonException if there is none
	 */
	public static RunDecision beforeRun(DialectReply reply, boolean requireDecision) {
		if (reply.ends()) {
			return RunDecision.abortRun(reply.reasonOfEnd());
		}
		if (reply.denies()) {
			return RunDecision.deny(reply.reason());
		}
		boolean decided = reply.allows(EVENTS, "run");
		if (requireDecision && !decided) {
			throw new InvalidJsonException("has no decision");
		}
		String context = reply.context();
		return (context != null) ? RunDecision.approve().withAdditionalContext(context) : RunDecision.approve();
	}

}
