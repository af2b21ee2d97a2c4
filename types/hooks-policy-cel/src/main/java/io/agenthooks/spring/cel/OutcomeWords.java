package io.agenthooks.spring.cel;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.toolcall.ToolCallStatus;

/**
 * The words for how calls end: one that is misspelled in a condition would never match.
 */
final class OutcomeWords {

	private static final Map<String, List<String>> KNOWN = Map.of("outcome.status",
			Arrays.stream(ToolCallStatus.values()).map(ToolCallStatus::value).toList(), "outcome.verdict",
			Arrays.stream(Verdict.values()).map(Verdict::value).toList());

	private OutcomeWords() {
	}

	/**
	 * Check that what a field is compared with exists.
	 * @param field the field, or {@code null} if it is none
	 * @param part where the value is written
	 * @param value the value or the list of values
	 * @throws UnreadableConditionException if one of them does not exist
	 */
	static void check(CelSource source, ComparedNames.@Nullable Field field, CelExpr part, @Nullable Object value) {
		List<String> known = (field != null) ? KNOWN.get(field.path()) : null;
		if (known == null || field == null) {
			return;
		}
		for (Object each : (value instanceof List<?> list) ? list : Collections.singletonList(value)) {
			if (each instanceof String word && known.stream()
				.noneMatch((one) -> (field.anyCase()) ? one.equalsIgnoreCase(word) : one.equals(word))) {
				throw source.mistake(part,
						"There is no %s '%s'".formatted(field.path().substring("outcome.".length()),
								SafeText.name(word)),
						Spelling.didYouMean(word, known) + "Known are " + String.join(", ", known) + ".");
			}
		}
	}

}
