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

/** A misspelled word in a condition would never match. */
final class OutcomeWords {

	private static final Map<String, List<String>> KNOWN = Map.of("outcome.status",
			Arrays.stream(ToolCallStatus.values()).map(ToolCallStatus::value).toList(), "outcome.verdict",
			Arrays.stream(Verdict.values()).map(Verdict::value).toList());

	private OutcomeWords() {
	}

	/** The field may be {@code null}; the value may be a list. */
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
