package io.agenthooks.llmcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;
import io.agenthooks.chain.HookDecision;

/**
 * What a hook decided about a model call, or about the response: a value, so that it maps
 * one to one to JSON, metric tags and audit records.
 *
 * @param verdict the name of this kind of decision
 * @param reason why, as one safe line: of a denial or an abort the reason, of an approval
 * what failed while the call passes nevertheless; otherwise {@code null}
 * @param scope how much an abort ends; otherwise {@code null}
 * @param call the changed call, if it is modified; otherwise {@code null}
 * @param response what the agent gets, if it is answered; otherwise {@code null}
 * @param additionalContext what the model should know besides, or {@code null}. Only that
 * of a {@link PreLlmHook} reaches a model.
 * @since 0.1.0
 */
public record LlmDecision(Verdict verdict, @Nullable String reason, @Nullable AbortScope scope, @Nullable LlmCall call,
		@Nullable LlmResponse response, @Nullable String additionalContext) implements HookDecision {

	private static final LlmDecision NO_OBJECTION = new LlmDecision(Verdict.APPROVE, null, null, null, null, null);

	/**
	 * Create a decision; the reason becomes one safe line.
	 * @throws IllegalArgumentException if what belongs to the verdict is missing, or if
	 * it is {@code ASK}: there is nobody to ask about a model call
	 */
	public LlmDecision {
		if (verdict == Verdict.ASK || (verdict == Verdict.MODIFY) == (call == null)
				|| (verdict == Verdict.RESPOND) == (response == null)
				|| (verdict == Verdict.ABORT) == (scope == null)) {
			throw new IllegalArgumentException("No such decision about a model call");
		}
		reason = (reason != null || verdict == Verdict.DENY || verdict == Verdict.ABORT) ? HookDecision.reasonOf(reason)
				: null;
		additionalContext = HookDecision.contextOf(additionalContext);
	}

	/**
	 * No objection.
	 * @return the decision
	 */
	public static LlmDecision approve() {
		return NO_OBJECTION;
	}

	/**
	 * No objection, because the hook failed and is configured to let calls pass then.
	 * @param failure what failed, without secrets
	 * @return the decision
	 */
	public static LlmDecision failedOpen(String failure) {
		return new LlmDecision(Verdict.APPROVE, HookDecision.reasonOf(failure), null, null, null, null);
	}

	/**
	 * No objection, but with another prompt, another model or other options. The tools,
	 * the id and the context of a call stay what they are.
	 * @param call the changed call
	 * @return the decision
	 */
	public static LlmDecision modify(LlmCall call) {
		return new LlmDecision(Verdict.MODIFY, null, null, Objects.requireNonNull(call, "'call' must not be null"),
				null, null);
	}

	/**
	 * The model must not be asked, or its response not be seen: the agent gets the reason
	 * in its place.
	 * @param reason why
	 * @return the decision
	 */
	public static LlmDecision deny(String reason) {
		return new LlmDecision(Verdict.DENY, reason, null, null, null, null);
	}

	/**
	 * The agent gets this response in place of the model's.
	 * @param response the response
	 * @return the decision
	 */
	public static LlmDecision respond(LlmResponse response) {
		return new LlmDecision(Verdict.RESPOND, null, null, null,
				Objects.requireNonNull(response, "'response' must not be null"), null);
	}

	/**
	 * The model must not be asked, and the turn ends.
	 * @param reason why
	 * @return the decision
	 */
	public static LlmDecision abortTurn(String reason) {
		return new LlmDecision(Verdict.ABORT, reason, AbortScope.TURN, null, null, null);
	}

	/**
	 * The model must not be asked, and the whole run ends.
	 * @param reason why
	 * @return the decision
	 */
	public static LlmDecision abortRun(String reason) {
		return new LlmDecision(Verdict.ABORT, reason, AbortScope.RUN, null, null, null);
	}

	/**
	 * This decision with something that the model should know besides: it reaches the
	 * model as data at the end of what the person said last.
	 * @param additionalContext the text
	 * @return the new decision
	 */
	public LlmDecision withAdditionalContext(String additionalContext) {
		return new LlmDecision(this.verdict, this.reason, this.scope, this.call, this.response, additionalContext);
	}

}
