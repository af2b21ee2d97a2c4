package io.agenthooks.spring.approval;

import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.outcome.PersonDecision;
import io.agenthooks.spring.outcome.QuestionChange;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ApprovalScope;

/**
 * Reports decisions of people when they are taken: the call may run much later, on
 * another node, or never.
 */
record DecisionReports(Supplier<Stream<PersonDecision.Watch>> watches, Supplier<Stream<QuestionChange.Watch>> changes,
		BiFunction<String, String, @Nullable String> rulePlaces) {

	/**
	 * Report what became of a question that changed on this node, and what a person
	 * decided, if that is how.
	 */
	void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		if (was == null || was.state() != is.state()) {
			QuestionChange change = new QuestionChange(EditCheck.storedCall(is, Map.of()), is.id(), is.askedBy(),
					is.rule(), stateOf(was, is));
			this.changes.get().forEach((watch) -> watch.changed(change));
		}
		if (was == null || is.votes().size() <= was.votes().size()) {
			return;
		}
		PersonDecision decision = decision(is, is.votes().get(is.votes().size() - 1));
		this.watches.get().forEach((watch) -> watch.decided(decision));
	}

	private static QuestionChange.State stateOf(@Nullable ApprovalRequest was, ApprovalRequest is) {
		return switch (is.state()) {
			case PENDING -> QuestionChange.State.ASKED;
			case APPROVED -> QuestionChange.State.APPROVED;
			case CLAIMED -> QuestionChange.State.CLAIMED;
			case DENIED -> QuestionChange.State.DENIED;
			case EXPIRED -> (was != null && was.state() == ApprovalState.APPROVED) ? QuestionChange.State.UNUSED
					: QuestionChange.State.EXPIRED;
			case CANCELLED -> QuestionChange.State.CANCELLED;
		};
	}

	private PersonDecision decision(ApprovalRequest request, Vote vote) {
		String rule = request.rule();
		return new PersonDecision(
				EditCheck.storedCall(request, ToolArguments.parse(request.arguments(), EditCheck.MAX_ARGUMENTS)),
				lowerCase(vote.verdict()), vote.person(), vote.reason(), PeopleApprover.NAME, request.id(),
				request.askedBy(),
				(rule != null) ? new HookRule(rule, this.rulePlaces.apply(request.askedBy(), rule)) : null,
				request.reason(), lowerCase(request.state()), (vote.scope() != null) ? lowerCase(vote.scope()) : null,
				(vote.time() == null && vote.scope() != null && vote.scope() != ApprovalScope.ONCE)
						? request.rememberFor() : vote.time());
	}

	private static String lowerCase(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
