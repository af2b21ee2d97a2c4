package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.toolcall.ToolCall;

final class ModelKey {

	static final KeyReader.Expressions NO_EXPRESSIONS = (option, text) -> {
		throw new IllegalStateException("There is no expression about model calls");
	};

	private ModelKey() {
	}

	static ToolCall callIn(CallContext context) {
		return ToolCall.of("model", Map.of(), context);
	}

	/** Model calls have no tool. */
	static void check(String option, @Nullable List<String> written, List<Problem> problems) {
		if (written != null && written.stream().anyMatch(ModelKey::hasTool)) {
			problems.add(new Problem(List.of(option), "A model call has no tool.", "Write another part of the key."));
		}
	}

	private static boolean hasTool(String written) {
		String[] words = written.strip().toLowerCase(Locale.ROOT).split("\\s+", -1);
		return Stream.of(words).anyMatch("tool"::equals);
	}

}
