package io.agenthooks.spring.approval;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.spring.suspend.QuestionSentence;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolIdentity;

final class ByTool {

	private static final String NO_GLOB = "is written for something that is no glob of tools";

	private ByTool() {
	}

	static Map<String, Map<String, String>> options(ApprovalConfig config) {
		Map<String, String> questions = config.questions();
		return Map.of("questions", (questions != null) ? questions : Map.of(), "previews", config.previewsOrNone(),
				"dry_runs", config.dryRunsOrNone(), "versions", config.versionsOrNone());
	}

	static void checkQuestions(Map<String, String> questions, List<Problem> problems) {
		questions.forEach((tools, template) -> {
			String mistake = (isGlob(tools)) ? QuestionSentence.mistakeIn(template) : NO_GLOB;
			if (mistake != null) {
				problems.add(new Problem(List.of("questions", tools), mistake,
						"Write one sentence with names of arguments in braces, such as 'Refund {amount} EUR', and {{ for a brace."));
			}
		});
	}

	static @Nullable Map<String, String> checked(String option, @Nullable Map<String, String> written,
			List<Problem> problems) {
		if (written == null) {
			return null;
		}
		written.forEach((tools, value) -> {
			if (!isGlob(tools) || value.isBlank()) {
				problems.add(new Problem(List.of(option, tools), (value.isBlank()) ? "is empty" : NO_GLOB,
						"Write the name of a tool or a glob of names, a colon, and what it is for them."));
			}
		});
		return Collections.unmodifiableMap(new LinkedHashMap<>(written));
	}

	private static boolean isGlob(String tools) {
		return GlobMistake.find(tools, NameKind.TOOL) == null;
	}

	/** The one for the name of the tool, or else for the longest glob. */
	static <T> @Nullable T find(Map<String, T> byGlob, ToolIdentity tool) {
		T own = byGlob.get(tool.modelName());
		return (own != null || byGlob.isEmpty()) ? own
				: byGlob.entrySet()
					.stream()
					.filter((each) -> ToolGlobs.of(List.of(each.getKey())).match(tool))
					.max(Comparator.comparingInt((Map.Entry<String, T> each) -> each.getKey().length())
						.thenComparing(Map.Entry::getKey))
					.map(Map.Entry::getValue)
					.orElse(null);
	}

}
