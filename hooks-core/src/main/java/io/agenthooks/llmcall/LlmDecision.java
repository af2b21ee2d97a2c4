package io.agenthooks.llmcall;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;

/**
 * The decision of a hook about a model call, or about its response.
 *
 * @since 0.1.0
 */
public sealed interface LlmDecision extends HookDecision {

	/**
	 * Return further text for the model. Only that of a {@link PreLlmHook} reaches it: as
	 * data at the end of what the person said last.
	 */
	@Override
	default @Nullable String additionalContext() {
		return null;
	}

	/**
	 * This decision with something else that the model should know.
	 * @param additionalContext the text
	 * @return the new decision; this one if it is an {@link Abort}
	 */
	LlmDecision withAdditionalContext(String additionalContext);

	/**
	 * This decision with the rule that it follows, for operators and the audit.
	 * @param rule the rule
	 * @return the new decision; this one if it does not object
	 */
	default LlmDecision withRule(HookRule rule) {
		return this;
	}

	/**
	 * No objection.
	 * @return the decision
	 */
	static LlmDecision approve() {
		return Approve.NO_OBJECTION;
	}

	/**
	 * No objection, because the hook failed and is configured to let calls pass then.
	 * @param failure what failed, without secrets
	 * @return the decision
	 */
	static LlmDecision failedOpen(String failure) {
		return new Approve(HookDecision.reasonOf(failure), null, null);
	}

	/**
	 * No objection, because the hook only observes.
	 * @param verdict the verdict if the hook were enforced
	 * @return the decision
	 */
	static LlmDecision observed(Verdict verdict) {
		return new Approve(null, verdict, null);
	}

	/**
	 * No objection, but with another prompt, another model or other options. The tools,
	 * the id and the context of a call stay what they are.
	 * @param call the changed call
	 * @return the decision
	 */
	static LlmDecision modify(LlmCall call) {
		return new Modify(call, null);
	}

	/**
	 * The model must not be asked, or its response not be seen: the agent gets the reason
	 * in its place.
	 * @param reason why
	 * @return the decision
	 */
	static LlmDecision deny(String reason) {
		return new Deny(reason, null, null);
	}

	/**
	 * The agent gets this response instead of the model's.
	 * @param response the response
	 * @return the decision
	 */
	static LlmDecision respond(LlmResponse response) {
		return new Respond(response, null);
	}

	/**
	 * The model must not be asked, and the turn ends.
	 * @param reason why
	 * @return the decision
	 */
	static LlmDecision abortTurn(String reason) {
		return new Abort(reason, AbortScope.TURN, null);
	}

	/**
	 * The model must not be asked, and the whole run ends.
	 * @param reason why
	 * @return the decision
	 */
	static LlmDecision abortRun(String reason) {
		return new Abort(reason, AbortScope.RUN, null);
	}

	/**
	 * No objection.
	 *
	 * @param failure what failed, if the hook failed open; otherwise {@code null}
	 * @param observed what a hook that only observes would have decided; otherwise
	 * {@code null}
	 * @param additionalContext what else the model should know, or {@code null}
	 * @since 0.1.0
	 */
	record Approve(@Nullable String failure, @Nullable Verdict observed,
			@Nullable String additionalContext) implements LlmDecision {

		private static final Approve NO_OBJECTION = new Approve(null, null, null);

		/** Create the decision; the failure becomes one safe line. */
		public Approve {
			failure = (failure != null) ? HookDecision.reasonOf(failure) : null;
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.APPROVE;
		}

		@Override
		public LlmDecision withAdditionalContext(String additionalContext) {
			return new Approve(this.failure, this.observed, additionalContext);
		}

	}

	/**
	 * No objection, but with another call.
	 *
	 * @param call the changed call
	 * @param additionalContext what else the model should know, or {@code null}
	 * @since 0.1.0
	 */
	record Modify(LlmCall call, @Nullable String additionalContext) implements LlmDecision {

		public Modify {
			Objects.requireNonNull(call, "'call' must not be null");
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.MODIFY;
		}

		@Override
		public LlmDecision withAdditionalContext(String additionalContext) {
			return new Modify(this.call, additionalContext);
		}

	}

	/**
	 * The model must not be asked, or its response not be seen.
	 *
	 * @param reason why, as one safe line
	 * @param additionalContext what else the model should know, or {@code null}
	 * @param rule the rule by which it is so, or {@code null} if the hook names none
	 * @since 0.1.0
	 */
	record Deny(String reason, @Nullable String additionalContext, @Nullable HookRule rule) implements LlmDecision {

		/** Create the decision; the reason becomes one safe line. */
		public Deny {
			reason = HookDecision.reasonOf(reason);
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.DENY;
		}

		@Override
		public LlmDecision withAdditionalContext(String additionalContext) {
			return new Deny(this.reason, additionalContext, this.rule);
		}

		@Override
		public LlmDecision withRule(HookRule rule) {
			return new Deny(this.reason, this.additionalContext, rule);
		}

	}

	/**
	 * The agent gets a response without the model being asked, or another one.
	 *
	 * @param response the response
	 * @param additionalContext what else the model should know, or {@code null}
	 * @since 0.1.0
	 */
	record Respond(LlmResponse response, @Nullable String additionalContext) implements LlmDecision {

		public Respond {
			Objects.requireNonNull(response, "'response' must not be null");
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.RESPOND;
		}

		@Override
		public LlmDecision withAdditionalContext(String additionalContext) {
			return new Respond(this.response, additionalContext);
		}

	}

	/**
	 * The model must not be asked, and more than the call ends.
	 *
	 * @param reason why, as one safe line
	 * @param scope how much ends
	 * @param rule the rule by which it is so, or {@code null} if the hook names none
	 * @since 0.1.0
	 */
	record Abort(String reason, AbortScope scope, @Nullable HookRule rule) implements LlmDecision {

		/** Create the decision; the reason becomes one safe line. */
		public Abort {
			Objects.requireNonNull(scope, "'scope' must not be null");
			reason = HookDecision.reasonOf(reason);
		}

		@Override
		public LlmDecision withRule(HookRule rule) {
			return new Abort(this.reason, this.scope, rule);
		}

		@Override
		public Verdict verdict() {
			return Verdict.ABORT;
		}

		@Override
		public LlmDecision withAdditionalContext(String additionalContext) {
			return this;
		}

	}

}
