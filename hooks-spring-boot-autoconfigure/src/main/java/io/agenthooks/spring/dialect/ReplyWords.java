package io.agenthooks.spring.dialect;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.ForeignWords;
import io.agenthooks.spring.json.InvalidJsonException;

/**
 * Beside a decision every word counts: one that is not known may be meant to restrict it.
 */
final class ReplyWords {

	private ReplyWords() {
	}

	static void check(List<Map<String, @Nullable Object>> reply) {
		reply.stream()
			.flatMap((members) -> members.keySet().stream())
			.filter(ReplyNames::isMisspelled)
			.findFirst()
			.ifPresent((name) -> {
				throw new InvalidJsonException("has a member whose name is misspelled", name);
			});
		for (Map<String, @Nullable Object> members : reply) {
			String foreign = ForeignWords.find(members, ReplyNames.deciding());
			if (foreign != null) {
				throw new InvalidJsonException("has a change, or a question, in words that are not read", foreign);
			}
			if (members.get("effects") instanceof List<?> effects && !effects.isEmpty()) {
				throw new InvalidJsonException("has an effect that is not a denial");
			}
		}
		if (names(reply).anyMatch(ReplyNames::decides)) {
			names(reply).filter((name) -> !ReplyNames.isKnown(name)).findFirst().ifPresent((name) -> {
				throw new InvalidJsonException("has a member beside its decision that no system knows", name);
			});
		}
	}

	/** And nothing beside it that only a log has. */
	static boolean areThoseOfADecision(List<Map<String, @Nullable Object>> reply) {
		return names(reply).anyMatch(ReplyNames::decides) && names(reply).allMatch(ReplyNames::isKnown);
	}

	private static Stream<String> names(List<Map<String, @Nullable Object>> reply) {
		return reply.stream()
			.flatMap((members) -> members.entrySet().stream())
			.filter((member) -> member.getValue() != null)
			.map(Map.Entry::getKey);
	}

}
