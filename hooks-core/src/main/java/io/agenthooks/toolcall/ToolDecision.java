package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * The decision of a hook about a call, or about its result.
 *
 * @since 0.1.0
 */
public sealed interface ToolDecision extends HookDecision {

	/**
	 * Return further text for the model, which reaches it as data, after the result of
	 * the call.
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
	ToolDecision withAdditionalContext(String additionalContext);

	/**
	 * This decision with the rule that it follows, for operators and the audit.
	 * @param rule the rule
	 * @return the new decision; this one if it does not object
	 */
	default ToolDecision withRule(HookRule rule) {
		return this;
	}

	/**
	 * Return the answer of a person, if a {@link ToolApprover} gives it.
	 * @return the person, and which question was answered, or {@code null}
	 */
	default @Nullable Answered answered() {
		return null;
	}

	/**
	 * Return the person who decided, if a {@link ToolApprover} says so.
	 * @return the person, as one safe line, or {@code null}
	 */
	default @Nullable String person() {
		Answered answered = answered();
		return (answered != null) ? answered.person() : null;
	}

	/**
	 * This decision as the one of a person, for the audit. Only that of a
	 * {@link ToolApprover} counts.
	 * @param person who decided
	 * @return the new decision; this one if it is no answer of an approver
	 */
	default ToolDecision answeredBy(String person) {
		return answeredBy(new Answered(person, null, null));
	}

	/**
	 * This decision as the one of a person who was asked a question that is kept.
	 * @param answered who decided, and which question
	 * @return the new decision; this one if it is no answer of an approver
	 */
	default ToolDecision answeredBy(Answered answered) {
		return this;
	}

	/**
	 * No objection.
	 * @return the decision
	 */
	static ToolDecision approve() {
		return Approve.NO_OBJECTION;
	}

	/**
	 * No objection, because the hook failed and is configured to let calls pass then.
	 * @param failure what failed, without secrets
	 * @return the decision
	 */
	static ToolDecision failedOpen(String failure) {
		return new Approve(failure, null, null, null);
	}

	/**
	 * No objection, because the hook only observes.
	 * @param verdict the verdict if the hook were enforced
	 * @return the decision
	 */
	static ToolDecision observed(Verdict verdict) {
		return new Approve(null, verdict, null, null);
	}

	/**
	 * No objection, but with these arguments instead.
	 * @param arguments all arguments, not only the changed ones
	 * @return the decision
	 * @throws IllegalArgumentException if a {@link ToolCall} cannot have them
	 */
	static ToolDecision modify(Map<String, ? extends @Nullable Object> arguments) {
		return new Modify(Arguments.copyOf(arguments), null, null);
	}

	/**
	 * The call must not happen.
	 * @param reason why; the model gets to read it
	 * @return the decision
	 */
	static ToolDecision deny(String reason) {
		return new Deny(reason, false, null, null, null);
	}

	/**
	 * The call must not happen, because a budget of tokens, money or calls is used up.
	 * @param reason which budget; the model gets to read it
	 * @return the decision
	 */
	static ToolDecision budgetExceeded(String reason) {
		return new Deny(reason, true, null, null, null);
	}

	/**
	 * The agent gets this result, and the tool does not run.
	 * @param result the result
	 * @return the decision
	 */
	static ToolDecision respond(ToolResult result) {
		return new Respond(result, null);
	}

	/**
	 * A person has to approve the call.
	 * @param question what to ask
	 * @return the decision
	 */
	static ToolDecision ask(String question) {
		return new Ask(question);
	}

	/**
	 * The call must not happen, and the turn ends.
	 * @param reason why
	 * @return the decision
	 */
	static ToolDecision abortTurn(String reason) {
		return new Abort(reason, AbortScope.TURN, null, null);
	}

	/**
	 * The call must not happen, and the whole run ends.
	 * @param reason why
	 * @return the decision
	 */
	static ToolDecision abortRun(String reason) {
		return new Abort(reason, AbortScope.RUN, null, null);
	}

	/**
	 * No objection.
	 *
	 * @param failure what failed, if the hook failed open; otherwise {@code null}
	 * @param observed what a hook that only observes would have decided; otherwise
	 * {@code null}
	 * @param additionalContext what else the model should know, or {@code null}
	 * @param answered who approved, if an approver says so; otherwise {@code null}
	 * @since 0.1.0
	 */
	record Approve(@Nullable String failure, @Nullable Verdict observed, @Nullable String additionalContext,
			@Nullable Answered answered) implements ToolDecision {

		private static final Approve NO_OBJECTION = new Approve(null, null, null, null);

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
		public ToolDecision withAdditionalContext(String additionalContext) {
			return new Approve(this.failure, this.observed, additionalContext, this.answered);
		}

		@Override
		public ToolDecision answeredBy(Answered answered) {
			return new Approve(this.failure, this.observed, this.additionalContext, answered);
		}

	}

	/**
	 * No objection, but with other arguments.
	 *
	 * @param arguments all arguments of the changed call
	 * @param additionalContext what else the model should know, or {@code null}
	 * @param answered who changed them, if an approver says so; otherwise {@code null}
	 * @since 0.1.0
	 */
	record Modify(Map<String, @Nullable Object> arguments, @Nullable String additionalContext,
			@Nullable Answered answered) implements ToolDecision {

		/**
		 * Create the decision.
		 * @throws IllegalArgumentException if a {@link ToolCall} cannot have them
		 */
		public Modify {
			arguments = Arguments.copyOf(arguments);
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.MODIFY;
		}

		@Override
		public ToolDecision withAdditionalContext(String additionalContext) {
			return new Modify(this.arguments, additionalContext, this.answered);
		}

		@Override
		public ToolDecision answeredBy(Answered answered) {
			return new Modify(this.arguments, this.additionalContext, answered);
		}

		/** The decision without the values of the arguments, which may be secret. */
		@Override
		public String toString() {
			return "Modify[arguments=" + this.arguments.keySet().stream().map(SafeText::name).toList() + "]";
		}

	}

	/**
	 * The call must not happen.
	 *
	 * @param reason why, as one safe line
	 * @param budgetExceeded whether it is because a budget is used up
	 * @param additionalContext what else the model should know, or {@code null}
	 * @param rule the rule by which it is so, or {@code null}
	 * @param answered who denied, if an approver says so; otherwise {@code null}
	 * @since 0.1.0
	 */
	record Deny(String reason, boolean budgetExceeded, @Nullable String additionalContext, @Nullable HookRule rule,
			@Nullable Answered answered) implements ToolDecision {

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
		public ToolDecision withAdditionalContext(String additionalContext) {
			return new Deny(this.reason, this.budgetExceeded, additionalContext, this.rule, this.answered);
		}

		@Override
		public ToolDecision withRule(HookRule rule) {
			return new Deny(this.reason, this.budgetExceeded, this.additionalContext, rule, this.answered);
		}

		@Override
		public ToolDecision answeredBy(Answered answered) {
			return new Deny(this.reason, this.budgetExceeded, this.additionalContext, this.rule, answered);
		}

	}

	/**
	 * The agent gets a result without the tool running.
	 *
	 * @param result the result
	 * @param additionalContext what else the model should know, or {@code null}
	 * @since 0.1.0
	 */
	record Respond(ToolResult result, @Nullable String additionalContext) implements ToolDecision {

		public Respond {
			Objects.requireNonNull(result, "'result' must not be null");
			additionalContext = HookDecision.contextOf(additionalContext);
		}

		@Override
		public Verdict verdict() {
			return Verdict.RESPOND;
		}

		@Override
		public ToolDecision withAdditionalContext(String additionalContext) {
			return new Respond(this.result, additionalContext);
		}

	}

	/**
	 * A person has to approve the call.
	 *
	 * @param question what to ask, as one safe line
	 * @param additionalContext what else the model should know, or {@code null}
	 * @param rule the rule by which it is so, or {@code null}
	 * @param timeout how long to wait, or {@code null} for as long as the approver does
	 * @param pending the id of the question, if an approver keeps it and people have not
	 * answered yet; otherwise {@code null}. What a hook says of it has no effect.
	 * @param terms who may answer, how, and for which calls
	 * @param about the names of the arguments that the question is about, in order
	 * @param askers the hooks that ask, each with its rule, in order; what a hook says of
	 * names has no effect
	 * @since 0.1.0
	 */
	record Ask(String question, @Nullable String additionalContext, @Nullable HookRule rule, @Nullable Duration timeout,
			@Nullable String pending, AskTerms terms, List<String> about, List<Asker> askers) implements ToolDecision {

		/** The most arguments that a question names. */
		private static final int MAX_ABOUT = 50;

		/**
		 * Create the decision; the question becomes one safe line.
		 * @throws IllegalArgumentException if the timeout is not more than zero
		 */
		public Ask {
			Objects.requireNonNull(terms, "'terms' must not be null");
			about = about.stream().distinct().limit(MAX_ABOUT).toList();
			askers = (askers.isEmpty()) ? List.of(new Asker("", (rule != null) ? rule.name() : null))
					: askers.stream().distinct().toList();
			question = HookDecision.reasonOf(question);
			additionalContext = HookDecision.contextOf(additionalContext);
			pending = (pending != null) ? SafeText.name(pending) : null;
			if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
				throw new IllegalArgumentException("'timeout' must be more than zero");
			}
		}

		/**
		 * Create the decision of a hook.
		 * @param question what to ask
		 * @param additionalContext what else the model should know, or {@code null}
		 * @param rule the rule by which it is so, or {@code null}
		 */
		public Ask(String question, @Nullable String additionalContext, @Nullable HookRule rule) {
			this(question, additionalContext, rule, null, null, AskTerms.ANY, List.of(), List.of());
		}

		/**
		 * Create the decision without additional context.
		 * @param question what to ask
		 */
		public Ask(String question) {
			this(question, null, null);
		}

		/**
		 * One question for this and another one, which a person answers together.
		 * @param another the other question
		 * @return one that says both, with the first rule, the shorter timeout, the terms
		 * and the arguments of both; an approval of it is for no further calls of the
		 * tool
		 */
		public Ask and(Ask another) {
			boolean same = ("; " + this.question + "; ").contains("; " + another.question + "; ");
			boolean alike = same && another.terms.equals(this.terms) && Objects.equals(another.rule, this.rule);
			List<Asker> askers = Stream.concat(this.askers.stream(), another.askers.stream()).toList();
			if (alike && (another.timeout == null || another.timeout.equals(this.timeout))) {
				return by(askers).about(another.about);
			}
			return new Ask((same) ? this.question : this.question + "; " + another.question,
					(same) ? this.additionalContext : null, (this.rule != null || same) ? this.rule : another.rule,
					shorter(this.timeout, another.timeout), null,
					(alike) ? this.terms : this.terms.and(another.terms).atMost(ApprovalScope.CALL), this.about, askers)
				.about(another.about);
		}

		private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration another) {
			if (one == null || another == null) {
				return (one != null) ? one : another;
			}
			return (one.compareTo(another) <= 0) ? one : another;
		}

		@Override
		public Verdict verdict() {
			return Verdict.ASK;
		}

		@Override
		public ToolDecision withAdditionalContext(String additionalContext) {
			return new Ask(this.question, additionalContext, this.rule, this.timeout, this.pending, this.terms,
					this.about, this.askers);
		}

		@Override
		public ToolDecision withRule(HookRule rule) {
			return new Ask(this.question, this.additionalContext, rule, this.timeout, this.pending, this.terms,
					this.about, List.of());
		}

		/**
		 * This question with a time to wait for its answer.
		 * @param timeout how long to wait
		 * @return the new question
		 * @throws IllegalArgumentException if the timeout is not more than zero
		 */
		public Ask within(Duration timeout) {
			return new Ask(this.question, this.additionalContext, this.rule, timeout, this.pending, this.terms,
					this.about, this.askers);
		}

		/**
		 * This question on further terms.
		 * @param terms who may answer, how, and for which calls
		 * @return the new question
		 */
		public Ask on(AskTerms terms) {
			return new Ask(this.question, this.additionalContext, this.rule, this.timeout, this.pending,
					this.terms.and(terms), this.about, this.askers);
		}

		/**
		 * This question about further arguments, which people see marked.
		 * @param arguments the names of arguments of the call
		 * @return the new question
		 */
		public Ask about(List<String> arguments) {
			return (this.about.containsAll(arguments)) ? this
					: new Ask(this.question, this.additionalContext, this.rule, this.timeout, this.pending, this.terms,
							Stream.concat(this.about.stream(), arguments.stream()).toList(), this.askers);
		}

		/**
		 * This question as one that is kept by a {@link ToolApprover} and still waits:
		 * the tool does not run, and the turn of the agent ends.
		 * @param id the id of the question
		 * @return the answer of the approver
		 */
		public Ask pendingAs(String id) {
			return new Ask(this.question, this.additionalContext, this.rule, this.timeout, id, this.terms, this.about,
					this.askers);
		}

		/** This question as a hook asks it: by that hook, and not stored yet. */
		Ask asked(String hook) {
			return new Ask(this.question, this.additionalContext, this.rule, this.timeout, null, this.terms, this.about,
					this.askers.stream().map((asker) -> new Asker(hook, asker.rule())).toList());
		}

		private Ask by(List<Asker> askers) {
			return (this.askers.containsAll(askers)) ? this : new Ask(this.question, this.additionalContext, this.rule,
					this.timeout, this.pending, this.terms, this.about, askers);
		}

	}

	/**
	 * The call must not happen, and more than the call ends.
	 *
	 * @param reason why, as one safe line
	 * @param scope how much ends
	 * @param rule the rule by which it is so, or {@code null}
	 * @param answered who aborted, if an approver says so; otherwise {@code null}
	 * @since 0.1.0
	 */
	record Abort(String reason, AbortScope scope, @Nullable HookRule rule,
			@Nullable Answered answered) implements ToolDecision {

		/** Create the decision; the reason becomes one safe line. */
		public Abort {
			Objects.requireNonNull(scope, "'scope' must not be null");
			reason = HookDecision.reasonOf(reason);
		}

		@Override
		public ToolDecision withRule(HookRule rule) {
			return new Abort(this.reason, this.scope, rule, this.answered);
		}

		@Override
		public ToolDecision answeredBy(Answered answered) {
			return new Abort(this.reason, this.scope, this.rule, answered);
		}

		@Override
		public Verdict verdict() {
			return Verdict.ABORT;
		}

		@Override
		public ToolDecision withAdditionalContext(String additionalContext) {
			return this;
		}

	}

}
