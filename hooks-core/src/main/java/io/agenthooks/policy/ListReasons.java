package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The reasons of the lists of a policy. The model reads it, or the person who is asked.
 * In those about arguments, <code>{argument}</code> is the place of the argument's name.
 *
 * @param allowTools Why, if a tool is not among those of allow_tools.
 * @param denyTools Why, if a tool is one of deny_tools.
 * @param denyArgumentPatterns Why, if an argument matches one of deny_argument_patterns.
 * @param denyAnyArgumentPatterns Why, if an argument matches one of
 * deny_any_argument_patterns.
 * @param askTools Why, if a tool is one of ask_tools.
 * @param askArgumentPatterns Why, if an argument matches one of ask_argument_patterns.
 * @param askAnyArgumentPatterns Why, if an argument matches one of
 * ask_any_argument_patterns.
 * @param packs Why, if a rule of a pack matches; it stands in place of what the rule says
 * itself.
 * @param denyDetectors Why, if one of deny_detectors finds something.
 * @param askDetectors Why, if one of ask_detectors finds something.
 * @param denyPaths Why, if an argument names one of deny_paths.
 * @param allowPaths Why, if an argument names a path that is not one of allow_paths.
 * @param denyHosts Why, if an argument names one of deny_hosts.
 * @param allowHosts Why, if an argument names a host that is not one of allow_hosts.
 * @since 0.1.0
 */
public record ListReasons(@Nullable String allowTools, @Nullable String denyTools,
		@Nullable String denyArgumentPatterns, @Nullable String denyAnyArgumentPatterns, @Nullable String askTools,
		@Nullable String askArgumentPatterns, @Nullable String askAnyArgumentPatterns, @Nullable String packs,
		@Nullable String denyDetectors, @Nullable String askDetectors, @Nullable String denyPaths,
		@Nullable String allowPaths, @Nullable String denyHosts, @Nullable String allowHosts) {

	static final ListReasons NONE = new ListReasons(null, null, null, null, null, null, null, null, null, null, null,
			null, null, null);

	/** The mistakes in the reasons of a policy: each needs a list that it is for. */
	List<Problem> problems(PolicyConfig config) {
		List<Problem> problems = new ArrayList<>();
		check("allow_tools", this.allowTools, config.allowTools(), problems);
		check("deny_tools", this.denyTools, config.denyTools(), problems);
		check("deny_argument_patterns", this.denyArgumentPatterns, config.denyArgumentPatterns(), problems);
		check("deny_any_argument_patterns", this.denyAnyArgumentPatterns, config.denyAnyArgumentPatterns(), problems);
		check("ask_tools", this.askTools, config.askTools(), problems);
		check("ask_argument_patterns", this.askArgumentPatterns, config.askArgumentPatterns(), problems);
		check("ask_any_argument_patterns", this.askAnyArgumentPatterns, config.askAnyArgumentPatterns(), problems);
		check("packs", this.packs, config.packs(), problems);
		check("deny_detectors", this.denyDetectors, config.denyDetectors(), problems);
		check("ask_detectors", this.askDetectors, config.askDetectors(), problems);
		check("deny_paths", this.denyPaths, config.denyPaths(), problems);
		check("allow_paths", this.allowPaths, config.allowPaths(), problems);
		check("deny_hosts", this.denyHosts, config.denyHosts(), problems);
		check("allow_hosts", this.allowHosts, config.allowHosts(), problems);
		return problems;
	}

	@Nullable String of(String option) {
		return switch (option) {
			case "deny_paths" -> this.denyPaths;
			case "allow_paths" -> this.allowPaths;
			case "deny_hosts" -> this.denyHosts;
			case "allow_hosts" -> this.allowHosts;
			default -> null;
		};
	}

	private static void check(String option, @Nullable String reason, @Nullable Object list, List<Problem> problems) {
		if (reason != null && list == null) {
			problems.add(new Problem(List.of("reasons", option),
					"There is no '%s', so nobody would ever read this reason.".formatted(option),
					"Write '%s', or remove the reason.".formatted(option)));
		}
		else if (reason != null && reason.contains(PolicyTexts.ARGUMENT) && option.matches(".*_(tools|detectors)")) {
			problems.add(new Problem(List.of("reasons", option),
					"'%s' is not about one argument, so '{argument}' in its reason stands for nothing."
						.formatted(option),
					"Remove '{argument}'."));
		}
		else if (reason != null && reason.isBlank()) {
			problems.add(new Problem(List.of("reasons", option), "The reason is blank.", "Write it, or remove it."));
		}
	}

}
