package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.approval.CallClaims.Attempt;
import io.agenthooks.spring.approval.CallEffects.UnstatedException;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.state.StoreFailure;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.toolcall.Answered;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Whatever goes wrong denies the call; only an approval that this very call has claimed
 * lets it pass.
 */
final class PeopleApprover implements ToolApprover {

	/** The name of this approver in outcomes. */
	static final String NAME = "people";

	/** The longest time until it is noticed that the answer is not needed any more. */
	static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

	/** The time for the store, beside that of people. */
	private static final Duration GRACE = Duration.ofSeconds(10);

	private static final Duration KEEPING = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(PeopleApprover.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final SharedApprovals approvals;

	private final ApprovalConfig config;

	private final ApprovalMode mode;

	private final @Nullable SuspendedCalls suspended;

	private final ApprovalFingerprint fingerprint;

	private final WaitingCalls waiting;

	private final Function<ToolCall, List<String>> earlierCalls;

	private final ToolWords words;

	private final CallEffects effects;

	private final CallClaims claims;

	private final Function<ToolCall, @Nullable String> whyVoid;

	private final LongSupplier nanoTime;

	/** The suspended calls are {@code null} if calls wait on their threads. */
	PeopleApprover(SharedApprovals approvals, ApprovalConfig config, ApprovalMode mode,
			@Nullable SuspendedCalls suspended, ApprovalFingerprint fingerprint, WaitingCalls waiting,
			Function<ToolCall, List<String>> earlierCalls, ToolWords words, CallEffects effects,
			Function<ToolCall, @Nullable String> whyVoid, LongSupplier nanoTime) {
		this.approvals = approvals;
		this.config = config;
		this.mode = mode;
		this.suspended = suspended;
		this.fingerprint = fingerprint;
		this.waiting = waiting;
		this.earlierCalls = earlierCalls;
		this.words = words;
		this.effects = effects;
		this.claims = new CallClaims(approvals, fingerprint, effects);
		this.whyVoid = whyVoid;
		this.nanoTime = nanoTime;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Duration timeout(ToolDecision.Ask question) {
		return ((this.mode.suspends()) ? KEEPING : timeoutOf(question).plus(GRACE)).plus(this.effects.longest());
	}

	private Duration timeoutOf(ToolDecision.Ask question) {
		Duration timeout = (question.timeout() != null) ? question.timeout() : this.mode.timeout();
		return (timeout.compareTo(this.mode.maxTimeout()) <= 0) ? timeout : this.mode.maxTimeout();
	}

	@Override
	public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
		try {
			return ask(call, question);
		}
		catch (NoRoomException ex) {
			this.warnings
				.warn("Calls are denied, because the arguments of those that wait for people take all the memory "
						+ "that questions may take. Keep them in a database ('hooks.approval.store')");
			return ToolDecision.deny("Calls that already wait for the approval of a person leave no room for one with "
					+ "arguments of this size");
		}
		catch (UnstatedException ex) {
			return ToolDecision.deny(Objects.requireNonNull(ex.getMessage()));
		}
		catch (RuntimeException ex) {
			// Without its text, which may be the driver's and quote what was to be
			// stored.
			this.warnings.warn("A call is denied, because people cannot be asked: " + StoreFailure.describe(ex));
			return ToolDecision.deny("This call needs the approval of a person, and nobody can be asked at the moment");
		}
	}

	private ToolDecision ask(ToolCall call, ToolDecision.Ask question) {
		String arguments = ApprovalFingerprint.argumentsOf(call);
		if (arguments.length() > EditCheck.MAX_ARGUMENTS || !isReadable(arguments)) {
			return ToolDecision.deny("The arguments are too large or too unusual for a person to approve them");
		}
		Approvers approvers = this.config.whoMayDecide(question.terms());
		List<Asker> askers = question.askers();
		Choices choices = choices(call, question, approvers);
		String target = this.fingerprint.targetOf(call);
		String fingerprint = this.fingerprint.of(call, arguments, approvers, this.config.approvals(), choices, target,
				askers);
		ToolDecision remembered = remembered(call, fingerprint, choices.toolKey());
		if (remembered != null) {
			return remembered;
		}
		ToolDecision approved = (this.suspended != null && ApprovalFingerprint.hasSession(call))
				? approvedBefore(call, fingerprint, this.suspended) : null;
		if (approved != null) {
			return approved;
		}
		Duration timeout = timeoutOf(question);
		ApprovalRequest asked = question(call, question, new Bound(arguments, fingerprint, approvers, choices, target),
				timeout);
		Optional<ApprovalRequest> kept = this.approvals.ask(asked, (this.effects.hasPreview(call.identity()))
				? (unseen) -> this.effects.complete(unseen, call, this.approvals::now, timeout) : null);
		long deadline = this.nanoTime.getAsLong() + timeout.toNanos();
		if (kept.isEmpty()) {
			this.warnings.warn("Calls are denied, because too many wait for people ('hooks.approval.max_pending', "
					+ "'hooks.approval.max_pending_per_session')");
			return ToolDecision.deny("Too many calls already wait for the approval of a person");
		}
		if (this.mode.suspends()) {
			return suspend(call, question, kept.get(), kept.get().id().equals(asked.id()));
		}
		return await(call, kept.get().id(), kept.get().id().equals(asked.id()), deadline, timeout);
	}

	/**
	 * No more than hook and configuration let, and nothing that lasts without a session.
	 */
	private Choices choices(ToolCall call, ToolDecision.Ask question, Approvers approvers) {
		ApprovalScope scope = (ApprovalFingerprint.hasSession(call))
				? question.terms().maxScope().narrower(this.config.maxScopeOrDefault()) : ApprovalScope.ONCE;
		boolean mustMatch = this.effects.mustMatch(call.identity());
		scope = scope.narrower(this.effects.maxScope(call.identity()));
		return new Choices(
				question.terms().answers().contains(AskTerms.Answer.EDIT) && this.config.isEditAllowed() && !mustMatch,
				this.config.scope(), scope, (scope == ApprovalScope.TOOL)
						? this.fingerprint.ofTool(call, approvers, this.config.approvals(), question.askers()) : "");
	}

	private @Nullable ToolDecision remembered(ToolCall call, String fingerprint, String toolKey) {
		if (this.config.rememberFor(this.mode.timeout()) == null || !ApprovalFingerprint.hasSession(call)) {
			return null;
		}
		ApprovalRequest before = this.approvals.remembered().find(fingerprint, toolKey).orElse(null);
		if (before == null) {
			return null;
		}
		ToolDecision decision = (before.state() == ApprovalState.DENIED) ? PeopleDecisions.denied(before)
				: ToolDecision.approve().answeredBy(PeopleDecisions.approvedBy(before));
		Answered answered = Objects.requireNonNull(decision.answered(), "A person must have decided");
		return decision.answeredBy(new Answered(answered.person(), answered.request(), before.decidedAt()));
	}

	/** If the call would do something else by now, people are asked again. */
	private @Nullable ToolDecision approvedBefore(ToolCall call, String fingerprint, SuspendedCalls suspended) {
		ApprovalRequest request = suspended.approved(fingerprint).orElse(null);
		if (request == null) {
			return null;
		}
		Attempt attempt = this.claims.claim(call, request);
		if (attempt.previewChanged()) {
			cancel(request.id());
			return null;
		}
		ToolDecision decision = attempt.decision();
		if (decision != null && !(decision instanceof ToolDecision.Deny)) {
			suspended.madeAgain(request);
		}
		return decision;
	}

	/** The run may have been aborted before the question was there to be cancelled. */
	private ToolDecision suspend(ToolCall call, ToolDecision.Ask question, ApprovalRequest kept, boolean isAsker) {
		if (!kept.isSuspended()) {
			return ToolDecision.deny("The same call already waits for a person on another node");
		}
		String why = this.whyVoid.apply(call);
		if (why != null) {
			if (isAsker) {
				cancel(kept.id());
			}
			return ToolDecision.deny(why);
		}
		return question.pendingAs(kept.id());
	}

	/** Whether what people see is what the tool would get. */
	private static boolean isReadable(String arguments) {
		try {
			return ApprovalFingerprint.argumentsOf(ToolCall.of("any", ToolArguments.parse(arguments)))
				.equals(arguments);
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	private ApprovalRequest question(ToolCall call, ToolDecision.Ask question, Bound bound, Duration timeout) {
		CallContext context = call.context();
		Instant now = this.approvals.now();
		return new ApprovalRequest(KeptQuestion.newId(), ApprovalState.PENDING, 1, call.identity(), bound.arguments(),
				bound.fingerprint(), call.id(), (context.sessionId() != null) ? context.sessionId() : "",
				context.runId(), context.agent(), context.user(), question.askers(), question.question(),
				this.earlierCalls.apply(call), now, now.plus(timeout), this.config.approvals(), bound.approvers(),
				List.of(), (this.mode.suspends()) ? context : null,
				(ApprovalFingerprint.hasSession(call)) ? this.config.rememberFor(timeout) : null, bound.choices(),
				this.words.briefOf(call.identity(), question), new CallEffect(null, false, bound.target()));
	}

	private ToolDecision await(ToolCall call, String id, boolean isAsker, long deadline, Duration timeout) {
		this.waiting.add(id, call, isAsker);
		boolean interrupted = false;
		try {
			return decide(call, id, isAsker, deadline, timeout);
		}
		catch (InterruptedException ex) {
			// A database may refuse a thread that is interrupted, so that comes back
			// later.
			interrupted = true;
			return ToolDecision.deny("The wait for an approval was interrupted");
		}
		finally {
			// What another node asked may still be waited for there.
			if (this.waiting.remove(id, call)) {
				cancel(id);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void cancel(String id) {
		try {
			this.approvals.cancel(id);
		}
		catch (RuntimeException ex) {
			this.warnings.warn(
					"A question to people that nobody waits for could not be cancelled: " + StoreFailure.describe(ex));
		}
	}

	private ToolDecision decide(ToolCall call, String id, boolean isAsker, long deadline, Duration timeout)
			throws InterruptedException {
		while (true) {
			ApprovalRequest request = this.approvals.find(id).orElse(null);
			if (request == null) {
				return ToolDecision.deny("The question to a person about this call is gone");
			}
			this.approvals.announce(request);
			switch (request.state()) {
				case PENDING -> {
					String why = this.whyVoid.apply(call);
					if (why != null) {
						return ToolDecision.deny(why);
					}
					Duration left = Duration.ofNanos(deadline - this.nanoTime.getAsLong());
					if (left.isNegative() || left.isZero()) {
						if (isAsker) {
							this.approvals.expire(request);
						}
						return ToolDecision.deny(PeopleDecisions.late(timeout));
					}
					this.approvals.await(request, (left.compareTo(CHECK_INTERVAL) < 0) ? left : CHECK_INTERVAL);
				}
				case APPROVED -> {
					ToolDecision decision = this.claims.claim(call, request).decision();
					if (decision != null) {
						return decision;
					}
				}
				case CLAIMED -> {
					return ToolDecision.deny(TurnReplies.SAME_CALL);
				}
				case DENIED -> {
					return PeopleDecisions.denied(request);
				}
				case EXPIRED -> {
					return ToolDecision.deny(PeopleDecisions.late(timeout));
				}
				case CANCELLED -> {
					String why = this.whyVoid.apply(call);
					return ToolDecision
						.deny((why != null) ? why : "The question to a person about this call became void");
				}
			}
		}
	}

	private record Bound(String arguments, String fingerprint, Approvers approvers, Choices choices,
			@Nullable String target) {
	}

}
