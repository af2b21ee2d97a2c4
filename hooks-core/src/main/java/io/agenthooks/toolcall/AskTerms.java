package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The terms of a question: who may answer it, how, and for which calls. They only ever
 * narrow what the approver allows anyway.
 *
 * @param approvers lists of authorities; a person needs one of each list
 * @param answers what people may answer
 * @param maxScope the widest scope of an approval
 * @since 0.1.0
 */
public record AskTerms(List<Set<String>> approvers, Set<Answer> answers, ApprovalScope maxScope) {

	/** Everybody whom the approver lets, with all that it lets them answer. */
	public static final AskTerms ANY = new AskTerms(List.of(), EnumSet.allOf(Answer.class), ApprovalScope.TOOL);

	private static final int MAX_APPROVERS = 100;

	private static final Pattern EVERYBODY = Pattern
		.compile("(?i)[*?.%]+|(role_|scope_)?(\\*|all|any|anyone|anybody|everyone|everybody|permit_?all)(\\(\\))?");

	private static final Pattern EXPRESSION = Pattern
		.compile("[*?]|^(?i:(is|has|permit|deny)[a-z]*\\(.*\\)|(is)?(fully)?authenticated)$");

	/** Create terms. */
	public AskTerms {
		approvers = approvers.stream().map(Set::copyOf).distinct().toList();
		answers = Set.copyOf(answers);
		Objects.requireNonNull(maxScope, "'maxScope' must not be null");
	}

	/**
	 * The terms that an entry or a rule writes; {@code null} is what the approver lets.
	 * @param approvers authorities of which a person needs one, or {@code null}
	 * @param answers what people may answer, or {@code null}
	 * @param maxScope the widest scope of an approval, or {@code null}
	 * @return the terms
	 */
	public static AskTerms of(@Nullable List<String> approvers, @Nullable List<Answer> answers,
			@Nullable ApprovalScope maxScope) {
		if (approvers == null && answers == null && maxScope == null) {
			return ANY;
		}
		return new AskTerms((approvers != null) ? List.of(new LinkedHashSet<>(approvers)) : List.of(),
				(answers != null) ? new LinkedHashSet<>(answers) : ANY.answers,
				Objects.requireNonNullElse(maxScope, ApprovalScope.TOOL));
	}

	/**
	 * Find the mistakes in terms as they are written.
	 * @param approvers authorities of which a person needs one, or {@code null}
	 * @param answers what people may answer, or {@code null}
	 * @return each mistake, at {@code approvers} or {@code decisions}
	 */
	public static List<Problem> problems(@Nullable List<String> approvers, @Nullable List<Answer> answers) {
		List<Problem> problems = new ArrayList<>();
		if (approvers != null && (approvers.isEmpty() || approvers.size() > MAX_APPROVERS)) {
			problems.add(new Problem(List.of("approvers"),
					(approvers.isEmpty()) ? "is empty, so nobody could decide" : "names too many authorities",
					"Write one to %d authorities, such as ['ROLE_FINANCE'], or remove it.".formatted(MAX_APPROVERS)));
		}
		for (int i = 0; approvers != null && i < Math.min(approvers.size(), MAX_APPROVERS); i++) {
			String mistake = mistakeIn(approvers.get(i));
			if (mistake != null) {
				problems.add(new Problem(List.of("approvers", String.valueOf(i)), mistake,
						"Write an authority as the people who may decide have it, such as 'ROLE_APPROVER'."));
			}
		}
		if (answers != null && !(answers.contains(Answer.APPROVE) && answers.contains(Answer.DENY))) {
			problems.add(new Problem(List.of("decisions"), "has to let people approve and deny",
					"Write ['approve', 'deny'] or ['approve', 'edit', 'deny']."));
		}
		return problems;
	}

	/**
	 * Say why something is no authority. What means everybody elsewhere would be an
	 * authority that nobody has.
	 * @param authority what is written
	 * @return the mistake, or {@code null} if it is an authority
	 */
	public static @Nullable String mistakeIn(@Nullable String authority) {
		if (authority == null || authority.isBlank() || !authority.equals(authority.strip())) {
			return "is not a valid authority";
		}
		if (EVERYBODY.matcher(authority).matches()) {
			return "looks like everybody who asks, and everybody is no authority";
		}
		if (authority.equals("ROLE_ANONYMOUS")) {
			return "is the authority of requests without a login, which never decide";
		}
		return (EXPRESSION.matcher(authority).find()) ? "is a pattern or an expression, and is not read as one" : null;
	}

	/**
	 * The terms of two questions that people answer together.
	 * @param other the other terms
	 * @return terms that keep both
	 */
	public AskTerms and(AskTerms other) {
		List<Set<String>> both = new ArrayList<>(this.approvers);
		both.addAll(other.approvers);
		Set<Answer> answers = new LinkedHashSet<>(this.answers);
		answers.retainAll(other.answers);
		return new AskTerms(both, answers, this.maxScope.narrower(other.maxScope));
	}

	/**
	 * These terms with a narrower scope.
	 * @param scope the widest scope of an approval
	 * @return the new terms
	 */
	public AskTerms atMost(ApprovalScope scope) {
		return new AskTerms(this.approvers, this.answers, this.maxScope.narrower(scope));
	}

	/**
	 * The answers that people may give to a question.
	 *
	 * @since 0.1.0
	 */
	public enum Answer {

		/** The call may run as it is. */
		APPROVE,

		/** The call may run with other arguments. */
		EDIT,

		/** The call must not run. */
		DENY

	}

}
