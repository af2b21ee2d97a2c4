package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.toolcall.ToolGlobs;

/**
 * Makes rules of a configuration and collects all mistakes in it, so that they are
 * reported at once.
 */
final class PolicyReader {

	private final List<Problem> problems = new ArrayList<>();

	private final PatternList patterns = new PatternList(this.problems);

	private final PolicyConfig config;

	PolicyReader(PolicyConfig config) {
		this.config = config;
		if (config.allowTools() == null && isEmpty(config.denyTools()) && isEmpty(config.denyAnyArgumentPatterns())
				&& (config.denyArgumentPatterns() == null || config.denyArgumentPatterns().isEmpty())) {
			problem(List.of(), "The policy has no rule, so it would approve every call.",
					"Write 'allow_tools', 'deny_tools', 'deny_argument_patterns' or 'deny_any_argument_patterns', "
							+ "or use the type 'passthrough'.");
			return;
		}
		checkNotEmpty("deny_tools", config.denyTools());
		checkNotEmpty("deny_any_argument_patterns", config.denyAnyArgumentPatterns());
	}

	private void checkNotEmpty(String option, @Nullable List<String> list) {
		if (list != null && list.isEmpty()) {
			problem(List.of(option), "The list is empty, so nothing would be denied.", "Fill it, or remove it.");
		}
	}

	private static boolean isEmpty(@Nullable List<String> list) {
		return list == null || list.isEmpty();
	}

	/**
	 * Report the mistakes found so far.
	 * @throws InvalidHookConfigException if there are any
	 */
	void check() {
		if (!this.problems.isEmpty()) {
			throw new InvalidHookConfigException(this.problems);
		}
	}

	@Nullable ToolGlobs allowedTools() {
		List<String> globs = this.config.allowTools();
		return (globs != null) ? ToolGlobs.of(tools("allow_tools", globs)) : null;
	}

	Predicate<String> deniedTools() {
		List<String> globs = this.config.denyTools();
		return Glob.anyOf(tools("deny_tools", (globs != null) ? globs : List.of()));
	}

	private List<String> tools(String option, List<String> globs) {
		List<String> usable = new ArrayList<>();
		for (int i = 0; i < globs.size(); i++) {
			String glob = globs.get(i);
			List<String> path = List.of(option, String.valueOf(i));
			GlobMistake mistake = (isBlank(glob)) ? null : GlobMistake.find(option, glob, NameKind.TOOL);
			if (isBlank(glob)) {
				problem(path, "The name of a tool is blank.", "Write a name or a glob such as 'run_*'.");
			}
			else if (mistake != null) {
				problem(path, mistake.message(), mistake.action());
			}
			else if (!ToolNames.isUsual(glob)) {
				problem(path,
						"No tool has such a name: white space, invisible characters and more than %d characters "
							.formatted(ToolNames.MAX_LENGTH) + "are always denied.",
						"Write a name or a glob such as 'run_*'.");
			}
			else {
				usable.add(glob);
			}
		}
		return usable;
	}

	ArgumentRules argumentRules() {
		Map<String, List<String>> lists = this.config.denyArgumentPatterns();
		List<String> patternsOfAny = this.config.denyAnyArgumentPatterns();
		boolean hasAny = !isEmpty(patternsOfAny);
		int sets = ((lists != null) ? lists.size() : 0) + ((hasAny) ? 1 : 0);
		Map<String, PatternSet> named = new LinkedHashMap<>();
		if (lists != null) {
			lists.forEach((name, patterns) -> {
				List<String> path = List.of("deny_argument_patterns", (name != null) ? name : "");
				if (isBlank(name)) {
					problem(path, "The name of an argument is blank.", "Write the name of the argument.");
				}
				if (patterns.isEmpty()) {
					problem(path, "There is no pattern for this argument, so nothing would be denied.",
							"Write at least one pattern, or remove the argument.");
				}
				else {
					named.put(name, this.patterns.read(path, patterns, PatternList.CELLS / sets));
				}
			});
		}
		PatternSet any = (patternsOfAny != null && hasAny)
				? this.patterns.read(List.of("deny_any_argument_patterns"), patternsOfAny, PatternList.CELLS / sets)
				: null;
		return new ArgumentRules(named, any);
	}

	private static boolean isBlank(@Nullable String text) {
		return text == null || text.isBlank();
	}

	private void problem(List<String> path, String message, String action) {
		this.problems.add(new Problem(path, message, action));
	}

}
