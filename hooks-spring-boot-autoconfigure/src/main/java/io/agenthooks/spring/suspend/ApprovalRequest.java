package io.agenthooks.spring.suspend;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * A question to people about one call. The approval of it holds for exactly this call.
 *
 * @param id the id of the question, which nobody can guess
 * @param state where it stands
 * @param revision counts the changes of the question, from 1 on
 * @param tool the tool
 * @param arguments the final arguments as canonical JSON (RFC 8785); those that the
 * people edited, once they did
 * @param fingerprint the SHA-256, in hexadecimal, of everything that an approval is bound
 * to beside the preview: tool, schema, arguments, version of what the call is about,
 * session, user, who asks, who may decide and what, and version of the chain
 * @param callId the id of the call
 * @param sessionId the session
 * @param runId the run, or {@code null} if there is none
 * @param agent the agent, or {@code null} if it is not known
 * @param user for whom the agent acts, or {@code null} if that is not known
 * @param askers the hooks that want the decision, each with its rule, at least one
 * @param reason why, in words of the hooks
 * @param earlierCalls the names of the tools that were called before in this run, the
 * last last, at most 20
 * @param askedAt when it was asked
 * @param expiresAt until when people can decide
 * @param approvals how many people have to approve
 * @param approvers who may decide, as it was when the question was asked
 * @param votes what people said so far
 * @param context who makes the call, with all that is known of it, if the turn of the
 * call has ended and the call can be resumed; {@code null} if the call waits on its
 * thread
 * @param rememberFor for how long the decision counts for the calls of its
 * {@linkplain #scope() scope}, or can at most while nobody has decided; {@code null} if
 * it is not remembered, or not any more
 * @param choices what people can decide
 * @param brief the words in which people are told of the call
 * @param effect the effect as the tool states it
 * @since 0.1.0
 */
public record ApprovalRequest(String id, ApprovalState state, int revision, ToolIdentity tool, String arguments,
		String fingerprint, String callId, String sessionId, @Nullable String runId, @Nullable String agent,
		@Nullable String user, List<Asker> askers, String reason, List<String> earlierCalls, Instant askedAt,
		Instant expiresAt, int approvals, Approvers approvers, List<Vote> votes, @Nullable CallContext context,
		@Nullable Duration rememberFor, Choices choices, Brief brief, CallEffect effect) {

	/** Create a question. */
	public ApprovalRequest {
		askers = List.copyOf(askers);
		if (askers.isEmpty()) {
			throw new IllegalArgumentException("'askers' must not be empty");
		}
		earlierCalls = List.copyOf(earlierCalls);
		votes = List.copyOf(votes);
	}

	/**
	 * Create a question about a call that waits on its thread, which everybody may decide
	 * whom the configuration lets.
	 * @param id the id of the question
	 * @param state where it stands
	 * @param revision counts its changes
	 * @param tool the tool
	 * @param arguments the final arguments as canonical JSON
	 * @param fingerprint the hash of everything that an approval is bound to
	 * @param callId the id of the call
	 * @param sessionId the session
	 * @param runId the run, or {@code null}
	 * @param agent the agent, or {@code null}
	 * @param user for whom the agent acts, or {@code null}
	 * @param askedBy the hook that wants the decision
	 * @param rule the rule that wants it, or {@code null}
	 * @param reason why, in words of the hook
	 * @param earlierCalls the names of the tools that were called before
	 * @param askedAt when it was asked
	 * @param expiresAt until when people can decide
	 * @param approvals how many people have to approve
	 * @param votes what people said so far
	 */
	public ApprovalRequest(String id, ApprovalState state, int revision, ToolIdentity tool, String arguments,
			String fingerprint, String callId, String sessionId, @Nullable String runId, @Nullable String agent,
			@Nullable String user, String askedBy, @Nullable String rule, String reason, List<String> earlierCalls,
			Instant askedAt, Instant expiresAt, int approvals, List<Vote> votes) {
		this(id, state, revision, tool, arguments, fingerprint, callId, sessionId, runId, agent, user,
				List.of(new Asker(askedBy, rule)), reason, earlierCalls, askedAt, expiresAt, approvals,
				Approvers.EVERYBODY, votes, null, null, Choices.ALL, Brief.NONE, CallEffect.NONE);
	}

	/**
	 * The question, asked with an effect.
	 * @param effect the effect as the tool states it
	 * @param askedAt when it is asked
	 * @param expiresAt until when people can decide
	 * @return the question
	 */
	public ApprovalRequest withEffect(CallEffect effect, Instant askedAt, Instant expiresAt) {
		return new ApprovalRequest(this.id, this.state, this.revision, this.tool, this.arguments, this.fingerprint,
				this.callId, this.sessionId, this.runId, this.agent, this.user, this.askers, this.reason,
				this.earlierCalls, askedAt, expiresAt, this.approvals, this.approvers, this.votes, this.context,
				this.rememberFor, this.choices, this.brief, effect);
	}

	/**
	 * The hook that wants the decision.
	 * @return the name of the first of them
	 */
	public String askedBy() {
		return this.askers.get(0).hook();
	}

	/**
	 * The rule that wants the decision.
	 * @return the name of the first of them, or {@code null} if no hook names one
	 */
	public @Nullable String rule() {
		return this.askers.stream().map(Asker::rule).filter(Objects::nonNull).findFirst().orElse(null);
	}

	/**
	 * The calls that the approval counts for: the narrowest scope that one of those chose
	 * whose approvals count.
	 * @return the scope
	 */
	public ApprovalScope scope() {
		if (this.rememberFor == null || this.state == ApprovalState.DENIED) {
			return (this.rememberFor != null) ? ApprovalScope.CALL : ApprovalScope.ONCE;
		}
		ApprovalScope scope = this.choices.maxScope();
		for (Vote vote : countedVotes()) {
			scope = scope.narrower(Objects.requireNonNullElse(vote.scope(), ApprovalScope.CALL));
		}
		return scope;
	}

	/**
	 * The approvals of the arguments as they are now.
	 * @return the votes, the last edit first if there is one
	 */
	public List<Vote> countedVotes() {
		List<Vote> counted = new ArrayList<>();
		for (Vote vote : this.votes) {
			if (vote.verdict() == ApprovalAnswer.Verdict.EDIT) {
				counted.clear();
			}
			if (vote.verdict() == ApprovalAnswer.Verdict.EDIT || vote.verdict() == ApprovalAnswer.Verdict.APPROVE) {
				counted.add(vote);
			}
		}
		return List.copyOf(counted);
	}

	/**
	 * Return the end of the decision of people that counts for the very same call of the
	 * session.
	 * @return the time, which may be over, or {@code null} if there is no such decision
	 */
	public @Nullable Instant rememberedUntil() {
		Instant decided = decidedAt();
		return (this.rememberFor != null && decided != null
				&& (this.state == ApprovalState.CLAIMED || this.state == ApprovalState.DENIED))
						? decided.plus(this.rememberFor) : null;
	}

	/**
	 * Return the time when the last of the people said something that decided.
	 * @return the time, or {@code null} if nobody did
	 */
	public @Nullable Instant decidedAt() {
		return this.votes.stream()
			.filter((vote) -> vote.verdict() != ApprovalAnswer.Verdict.REVOKE)
			.map(Vote::at)
			.reduce((before, last) -> last)
			.orElse(null);
	}

	/**
	 * Whether the call is suspended: its turn has ended, and it can be
	 * {@linkplain ToolApprovals#resume(String) resumed} when people have decided.
	 * @return {@code false} if the call waits on its thread
	 */
	public boolean isSuspended() {
		return this.context != null;
	}

	/**
	 * The arguments as people should see them, a line for each value, in the order of the
	 * schema as far as it is known. What has no look of its own, or changes the look of
	 * others, is written by its number, such as <code>&#92;u{202E}</code>.
	 * @return the text, with every character that the tool would get
	 */
	public String display() {
		return ShownArguments.of(this.arguments, this.brief.order());
	}

	/**
	 * The arguments one by one, in the order of {@link #display()}.
	 * @return the arguments
	 */
	public List<ShownArguments.Argument> displayed() {
		return ShownArguments.each(this.arguments, this.brief.order());
	}

	/**
	 * The arguments that the question is about.
	 * @return their names, in the order of {@link #display()}; empty if that is not known
	 */
	public List<String> about() {
		return displayed().stream().map(ShownArguments.Argument::name).filter(this.brief::isAbout).toList();
	}

	/**
	 * Return the effect of the call, in one sentence with values of the arguments as they
	 * are now.
	 * @return the sentence, or {@code null} if nobody wrote one for the tool
	 */
	public @Nullable String sentence() {
		String template = this.brief.template();
		return (template != null) ? QuestionSentence.of(template, this.arguments) : null;
	}

	/** The question without arguments and without what hooks and people wrote. */
	@Override
	public String toString() {
		return "ApprovalRequest[id=%s, state=%s, revision=%d, tool=%s]".formatted(this.id, this.state, this.revision,
				this.tool.name());
	}

	/**
	 * The people who may decide. A node lets nobody else decide, and fewer of them if its
	 * own configuration is stricter.
	 *
	 * @param authorities lists of authorities, of each of which a person needs one; none
	 * if everybody may decide
	 * @param self whether the user for whom the agent acts may decide
	 * @since 0.1.0
	 */
	public record Approvers(List<Set<String>> authorities, boolean self) {

		/** Everybody whom the configuration lets. */
		public static final Approvers EVERYBODY = new Approvers(List.of(), true);

		/** Name the people. */
		public Approvers {
			authorities = authorities.stream().map(Set::copyOf).distinct().toList();
		}

		/**
		 * Name people who have one of some authorities.
		 * @param authorities the authorities; empty if everybody may decide
		 * @param self whether the user for whom the agent acts may decide
		 */
		public Approvers(Set<String> authorities, boolean self) {
			this((authorities.isEmpty()) ? List.of() : List.of(authorities), self);
		}

	}

	/**
	 * The decisions that people can take about a question.
	 *
	 * @param edit whether they can change the arguments
	 * @param scope the scope of an approval by people who choose none
	 * @param maxScope the widest scope of an approval
	 * @param toolKey the hash of what an approval of the whole tool is bound to: all that
	 * one of the call is bound to but the arguments; empty if the tool cannot be approved
	 * @since 0.1.0
	 */
	public record Choices(boolean edit, ApprovalScope scope, ApprovalScope maxScope, String toolKey) {

		/** All, but no approval of the whole tool. */
		public static final Choices ALL = new Choices(true, ApprovalScope.CALL, ApprovalScope.CALL, "");

		/** Create choices. */
		public Choices {
			Objects.requireNonNull(toolKey, "'toolKey' must not be null");
			maxScope = (toolKey.isEmpty()) ? maxScope.narrower(ApprovalScope.CALL) : maxScope;
			scope = scope.narrower(maxScope);
		}

	}

	/**
	 * The words in which people are told of a call, beside its arguments.
	 *
	 * @param template the template of the {@linkplain ApprovalRequest#sentence()
	 * sentence} that says what the call would do, or {@code null} if there is none
	 * @param description the description of the tool, as one line, or {@code null} if it
	 * is not known
	 * @param order the names of arguments in the order of the schema of the tool; empty
	 * if it is not known
	 * @param about the names of arguments that the question is about; a name with dots
	 * may be one inside of another
	 * @since 0.1.0
	 */
	public record Brief(@Nullable String template, @Nullable String description, List<String> order,
			List<String> about) {

		/** Nothing but the arguments. */
		public static final Brief NONE = new Brief(null, null, List.of(), List.of());

		/** Create the words. */
		public Brief {
			order = List.copyOf(order);
			about = List.copyOf(about);
		}

		private boolean isAbout(String argument) {
			return this.about.stream().anyMatch((name) -> name.equals(argument) || name.startsWith(argument + "."));
		}

	}

	/**
	 * The vote of one person.
	 *
	 * @param person the name of the person
	 * @param verdict what
	 * @param reason why, or {@code null} if the person did not say
	 * @param at when
	 * @param scope the calls that the approval counts for, as far as it is up to this
	 * person; {@code null} if the vote is no approval, or the person did not choose
	 * @param time for how long, or {@code null} for as long as possible
	 * @since 0.1.0
	 */
	public record Vote(String person, ApprovalAnswer.Verdict verdict, @Nullable String reason, Instant at,
			@Nullable ApprovalScope scope, @Nullable Duration time) {

		/**
		 * Create a vote without a choice of its scope.
		 * @param person the name of the person
		 * @param verdict what
		 * @param reason why, or {@code null} if the person did not say
		 * @param at when
		 */
		public Vote(String person, ApprovalAnswer.Verdict verdict, @Nullable String reason, Instant at) {
			this(person, verdict, reason, at, null, null);
		}

		/** The vote without its reason. */
		@Override
		public String toString() {
			return "Vote[person=%s, verdict=%s]".formatted(this.person, this.verdict);
		}

	}

}
