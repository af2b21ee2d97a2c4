package io.agenthooks.spring.external;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Words that change something or ask a person in the replies of other systems than the
 * one that is read. Beside a decision that lets pass they are a mistake: passed over,
 * they would change and ask nothing.
 *
 * @since 0.1.0
 */
public final class ForeignWords {

	/** In small letters, without dashes and underscores. */
	private static final Set<String> ASKING = Set.of("requireapproval", "requiresapproval", "needsapproval",
			"approvalrequired", "requirereview", "requiresreview", "needsreview", "review", "askuser");

	/** The members that may ask with a word, and may say something else. */
	private static final Set<String> MAY_ASK = Set.of("status", "outcome", "result", "approval");

	private static final Set<String> CHANGING = Set.of("overwrite", "updatedtooloutput", "updatedmcptooloutput",
			"tailtoolcallrequest", "hookspecificoutput", "transform");

	private static final Pattern CHANGE = Pattern
		.compile("(updated|modified|override|overridden|replaced|changed|new)(tool)?"
				+ "(input|args|arguments|params|result|output|prompt|messages)");

	private static final Set<String> DECISIONS = Set.of("permissiondecision", "decision", "permission", "behavior",
			"verdict", "action");

	private static final Set<String> QUESTIONS = Set.of("ask", "forceask", "defer", "review", "required");

	private ForeignWords() {
	}

	/**
	 * Find such a word in a reply.
	 * @param reply its members
	 * @param own the names that its own reader reads
	 * @return the name of what would be passed over, or {@code null}
	 */
	public static @Nullable String find(Map<?, ?> reply, Set<String> own) {
		return reply.entrySet()
			.stream()
			.filter((member) -> !own.contains(String.valueOf(member.getKey()))
					&& isOne(Objection.normalize(String.valueOf(member.getKey())), member.getValue()))
			.map((member) -> String.valueOf(member.getKey()))
			.findFirst()
			.orElse(null);
	}

	private static boolean isOne(String name, @Nullable Object value) {
		if (value == null || Boolean.FALSE.equals(value) || Map.of().equals(value) || List.of().equals(value)) {
			return false;
		}
		if (value instanceof Map<?, ?> inner) {
			if (name.equals("approval") && Boolean.TRUE.equals(inner.get("required"))) {
				return true;
			}
			if (name.equals("data") && find(inner, Set.of()) != null) {
				return true;
			}
		}
		return ASKING.contains(name) || CHANGING.contains(name) || CHANGE.matcher(name).matches()
				|| ((DECISIONS.contains(name) || MAY_ASK.contains(name)) && value instanceof String word
						&& isQuestion(Objection.normalize(word)));
	}

	private static boolean isQuestion(String word) {
		return QUESTIONS.contains(word) || ASKING.contains(word);
	}

}
