package io.agenthooks.spring.approval;

import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.ended.PersonDecision;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.toolcall.ApprovalScope;

/**
 * Reports each decision of a person when it is taken: the call may run much later, on
 * another node, or never.
 */
final class DecisionReports {

	private final Supplier<Stream<PersonDecision.Watch>> watches;

	private final BiFunction<String, String, @Nullable String> rulePlaces;

	/**
	 * Create the reports.
	 * @param rulePlaces says where a rule of a hook is written, or {@code null}
	 */
	DecisionReports(Supplier<Stream<PersonDecision.Watch>> watches,
			BiFunction<String, String, @Nullable String> rulePlaces) {
		this.watches = watches;
		this.rulePlaces = rulePlaces;
	}

	/**
	 * Report what a person decided, if that is how a question changed on this node.
	 */
	void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		if (was == null || is.votes().size() <= was.votes().size()) {
			return;
		}
		PersonDecision decision = decision(is, is.votes().get(is.votes().size() - 1));
		this.watches.get().forEach((watch) -> watch.decided(decision));
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
