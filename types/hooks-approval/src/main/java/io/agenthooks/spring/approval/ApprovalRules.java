package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.caller.NameSpelling;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.toolcall.ApprovalScope;

/**
 * The states of a question, as functions of a question and the time. There is no other
 * place that decides about it. <pre>
 *             approve or edit, others needed
 *                    +------+
 *                    v      |
 *      asked ---> PENDING --+-- approve or edit, the last needed ---> APPROVED ---> CLAIMED
 *                    |                                                   |
 *                    +--- deny -------> DENIED                           |
 *                    +--- time over --> EXPIRED   <------- time over ----+
 *                    +--- cancel -----> CANCELLED <------- cancel -------+
 * </pre> An approval that is revoked before it is claimed is {@code CANCELLED}. A
 * decision that is remembered ends when it is revoked, with its session, or with its
 * time: that changes the question, and not its state. Nothing leads out of
 * {@code CLAIMED}, {@code DENIED}, {@code EXPIRED} and {@code CANCELLED}. Each arrow
 * raises the revision by one, and a store accepts only one change of a revision: that is
 * why nothing is claimed twice.
 * <p>
 * A call whose turn has ended is claimed by the one who resumes it, or by the same call
 * that is made again. Its result, once recorded, does not change either: <pre>
 *      CLAIMED ---> the tool runs ---> result recorded
 *      DENIED, EXPIRED, CANCELLED ---> denial recorded
 * </pre> A node that finds a question claimed without a result does not run the call.
 */
final class ApprovalRules {

	/**
	 * Several people may edit in turns, each voiding the approval of the other; this ends
	 * it.
	 */
	static final int MAX_VOTES = 100;

	private static final String EDITED = "A person edited the arguments, and the tool was not asked again what the call would do.";

	private ApprovalRules() {
	}

	/**
	 * One denial settles it. An edit is the approval of its person, and voids those
	 * before it, which were for other arguments.
	 */
	static ApprovalRequest answered(ApprovalRequest request, ApprovalAnswer answer, @Nullable Edited edited,
			Instant now) {
		checkMayDecide(request, request.approvers(), answer.person());
		if (answer.verdict() == Verdict.REVOKE) {
			return revoked(request, answer, now);
		}
		if ((edited != null) != (answer.verdict() == Verdict.EDIT)) {
			throw new IllegalArgumentException("'edited' belongs to the verdict 'edit', and only to it");
		}
		if (request.state() != ApprovalState.PENDING || isDue(request, now)) {
			throw refused(Reason.SETTLED, whySettled(request, now));
		}
		if (answer.verdict() == Verdict.EDIT && !request.choices().edit()) {
			throw refused(Reason.NOT_ALLOWED, "The arguments of this call cannot be edited: approve or deny it.");
		}
		if (answer.scope() != null && answer.scope().compareTo(widest(request, answer.verdict())) > 0) {
			throw refused(Reason.NOT_ALLOWED, "The scope '%s' is wider than this question lets: at most '%s'."
				.formatted(written(answer.scope()), written(widest(request, answer.verdict()))));
		}
		if (answer.verdict() == Verdict.APPROVE
				&& approvers(request.votes()).stream().anyMatch((one) -> isSame(one, answer.person().name()))) {
			throw refused(Reason.NOT_ALLOWED, "This person approved the call before; another person has to.");
		}
		if (answer.verdict() != Verdict.DENY && request.votes().size() >= MAX_VOTES) {
			throw refused(Reason.NOT_ALLOWED,
					"There are %d votes about this call; it can only be denied.".formatted(MAX_VOTES));
		}
		List<Vote> votes = new ArrayList<>(request.votes());
		votes.add(new Vote(answer.person().name(), answer.verdict(), answer.reason(), now, answer.scope(),
				answer.time()));
		ApprovalState state = stateAfter(answer.verdict(), votes, request.approvals());
		ApprovalRequest answered = (edited != null)
				? next(request, state, edited.arguments(), edited.fingerprint(), votes, effectOf(request, edited))
				: next(request, state, request.arguments(), request.fingerprint(), votes, request.effect());
		return (state == ApprovalState.APPROVED) ? withRememberFor(answered, timeOf(answered)) : answered;
	}

	/** The preview was of other arguments. */
	private static CallEffect effectOf(ApprovalRequest request, Edited edited) {
		CallEffect before = request.effect();
		return new CallEffect((before.preview() != null) ? CallPreview.missing(EDITED) : null, before.mustMatch(),
				edited.version());
	}

	/**
	 * The shortest time of those who approved; {@code null} if it counts for no further
	 * call.
	 */
	private static @Nullable Duration timeOf(ApprovalRequest approved) {
		Duration time = approved.rememberFor();
		if (time == null || approved.scope() == ApprovalScope.ONCE) {
			return null;
		}
		for (Vote vote : approved.countedVotes()) {
			Duration chosen = vote.time();
			time = (chosen != null && chosen.compareTo(time) < 0) ? chosen : time;
		}
		return time;
	}

	/** One who had to correct a call does not know the next one. */
	static ApprovalScope widest(ApprovalRequest request, Verdict verdict) {
		ApprovalScope widest = (request.rememberFor() != null) ? request.choices().maxScope() : ApprovalScope.ONCE;
		return (verdict == Verdict.EDIT) ? widest.narrower(ApprovalScope.CALL) : widest;
	}

	private static String written(ApprovalScope scope) {
		return scope.name().toLowerCase(Locale.ROOT);
	}

	static void checkMayDecide(ApprovalRequest request, Approvers approvers, Person person) {
		if (!include(approvers, person)) {
			throw refused(Reason.NOT_ALLOWED, "This person may not decide about this call.");
		}
		if (excludeSelf(approvers, request, person)) {
			throw refused(Reason.NOT_ALLOWED, "The user for whom the agent makes a call may not decide about it.");
		}
	}

	static boolean include(Approvers approvers, Person person) {
		return approvers.authorities()
			.stream()
			.noneMatch((authorities) -> Collections.disjoint(authorities, person.authorities()));
	}

	static boolean excludeSelf(Approvers approvers, ApprovalRequest request, Person person) {
		return !approvers.self() && request.user() != null && isSame(request.user(), person.name());
	}

	static ApprovalRequest withRememberFor(ApprovalRequest request, @Nullable Duration time) {
		return new ApprovalRequest(request.id(), request.state(), request.revision(), request.tool(),
				request.arguments(), request.fingerprint(), request.callId(), request.sessionId(), request.runId(),
				request.agent(), request.user(), request.askers(), request.reason(), request.earlierCalls(),
				request.askedAt(), request.expiresAt(), request.approvals(), request.approvers(), request.votes(),
				request.context(), time, request.choices(), request.brief(), request.effect());
	}

	/** An unused approval is void; what a remembered decision let happen has happened. */
	private static ApprovalRequest revoked(ApprovalRequest request, ApprovalAnswer answer, Instant now) {
		if (request.state() == ApprovalState.PENDING) {
			throw refused(Reason.NOT_DECIDED, "People have not decided yet, so there is nothing to take back.");
		}
		boolean unused = request.state() == ApprovalState.APPROVED && !isDue(request, now);
		if (!unused && !isRemembered(request, now)) {
			throw refused(Reason.SETTLED, "Nothing of it is remembered. " + whySettled(request, now));
		}
		List<Vote> votes = new ArrayList<>(request.votes());
		votes.add(new Vote(answer.person().name(), Verdict.REVOKE, answer.reason(), now));
		return withRememberFor(next(request, (unused) ? ApprovalState.CANCELLED : request.state(), request.arguments(),
				request.fingerprint(), votes, request.effect()), null);
	}

	static boolean isRemembered(ApprovalRequest request, Instant now) {
		Instant until = request.rememberedUntil();
		return until != null && now.isBefore(until);
	}

	static ApprovalRequest forgotten(ApprovalRequest request) {
		return (request.rememberFor() != null) ? withRememberFor(next(request, request.state()), null) : request;
	}

	/** Names of people are in it, and neither arguments nor reasons. */
	static String whySettled(ApprovalRequest request, Instant now) {
		return switch (request.state()) {
			case PENDING, EXPIRED -> timeOver(request);
			case APPROVED ->
				isDue(request, now) ? timeOver(request) : "It was approved by %s.".formatted(people(request));
			case CLAIMED -> "It was approved by %s, and the call runs or ran.".formatted(people(request));
			case DENIED -> "It was denied by %s.".formatted(people(request));
			case CANCELLED -> cancelled(request.votes());
		};
	}

	private static String cancelled(List<Vote> votes) {
		Vote last = (votes.isEmpty()) ? null : votes.get(votes.size() - 1);
		return (last != null && last.verdict() == Verdict.REVOKE)
				? "It was approved, and '%s' took that back at %s.".formatted(SafeText.name(last.person()), last.at())
				: "It was cancelled: its run was aborted, or nobody waits for the call any more.";
	}

	private static String timeOver(ApprovalRequest request) {
		return "It expired: its time was over at %s.".formatted(request.expiresAt());
	}

	private static String people(ApprovalRequest request) {
		List<Vote> votes = request.votes().stream().filter((vote) -> vote.verdict() != Verdict.REVOKE).toList();
		if (votes.isEmpty()) {
			return "somebody";
		}
		Vote last = votes.get(votes.size() - 1);
		Set<String> people = (last.verdict() == Verdict.DENY) ? Set.of(last.person()) : approvers(votes);
		return "%s at %s".formatted(
				people.stream().map((name) -> "'" + SafeText.name(name) + "'").collect(Collectors.joining(" and ")),
				last.at());
	}

	static ApprovalRequest claimed(ApprovalRequest request, Instant now) {
		if (request.state() != ApprovalState.APPROVED || isDue(request, now)) {
			throw refused(Reason.SETTLED, "The question is not approved, or its time is over.");
		}
		if (!isEnough(request.votes(), request.approvals())) {
			// Only a row that somebody changed by hand can be so.
			throw new IllegalStateException(
					"The question '%s' is approved without enough votes".formatted(request.id()));
		}
		return next(request, ApprovalState.CLAIMED);
	}

	static ApprovalRequest expired(ApprovalRequest request, Instant now) {
		return (!isEnd(request.state()) && isDue(request, now)) ? next(request, ApprovalState.EXPIRED) : request;
	}

	static ApprovalRequest cancelled(ApprovalRequest request) {
		return isEnd(request.state()) ? request : next(request, ApprovalState.CANCELLED);
	}

	static boolean isEnd(ApprovalState state) {
		return switch (state) {
			case PENDING, APPROVED -> false;
			case CLAIMED, DENIED, EXPIRED, CANCELLED -> true;
		};
	}

	static boolean isDue(ApprovalRequest request, Instant now) {
		return !now.isBefore(request.expiresAt());
	}

	/** The people who approved the arguments as they are now, in order. */
	static Set<String> approvers(List<Vote> votes) {
		Map<String, String> approvers = new LinkedHashMap<>();
		for (Vote vote : votes) {
			if (vote.verdict() == Verdict.EDIT) {
				approvers.clear();
			}
			if (vote.verdict() == Verdict.APPROVE || vote.verdict() == Verdict.EDIT) {
				approvers.putIfAbsent(NameSpelling.plain(vote.person()), vote.person());
			}
		}
		return new LinkedHashSet<>(approvers.values());
	}

	/** Two ways to write a name are one person's, since some logins take both. */
	static boolean isSame(String name, String other) {
		return NameSpelling.plain(name).equals(NameSpelling.plain(other));
	}

	private static ApprovalState stateAfter(Verdict verdict, List<Vote> votes, int needed) {
		if (verdict == Verdict.DENY) {
			return ApprovalState.DENIED;
		}
		return isEnough(votes, needed) ? ApprovalState.APPROVED : ApprovalState.PENDING;
	}

	private static boolean isEnough(List<Vote> votes, int needed) {
		return votes.stream().noneMatch((vote) -> vote.verdict() == Verdict.DENY)
				&& approvers(votes).size() >= Math.max(1, needed);
	}

	private static ApprovalRequest next(ApprovalRequest request, ApprovalState state) {
		return next(request, state, request.arguments(), request.fingerprint(), request.votes(), request.effect());
	}

	private static ApprovalRequest next(ApprovalRequest request, ApprovalState state, String arguments,
			String fingerprint, List<Vote> votes, CallEffect effect) {
		return new ApprovalRequest(request.id(), state, request.revision() + 1, request.tool(), arguments, fingerprint,
				request.callId(), request.sessionId(), request.runId(), request.agent(), request.user(),
				request.askers(), request.reason(), request.earlierCalls(), request.askedAt(), request.expiresAt(),
				request.approvals(), request.approvers(), votes, request.context(), request.rememberFor(),
				request.choices(), request.brief(), effect);
	}

	private static ApprovalRefusedException refused(Reason reason, String message) {
		return new ApprovalRefusedException(reason, message, List.of());
	}

	/**
	 * Checked arguments; the version of what the call is about is {@code null} if there
	 * is none.
	 */
	record Edited(String arguments, String fingerprint, @Nullable String version) {

		/** Without the arguments. */
		@Override
		public String toString() {
			return "Edited[fingerprint=%s]".formatted(this.fingerprint);
		}

	}

}
