package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.GlobMistake;
import io.agenthooks.NameKind;
import io.agenthooks.policy.PolicyRule.Effect;
import io.agenthooks.toolcall.ToolGlobs;

/**
 * The parts of a policy that say nothing of any call, since others deny all calls that
 * they are for.
 *
 * @since 0.1.0
 */
public final class UnreachedParts {

	private static final String DENIED = "whatever it is for, 'deny_tools' or a rule without a condition denies";

	private UnreachedParts() {
	}

	/**
	 * Find them.
	 * @param policy the policy
	 * @return what is found
	 */
	public static List<Part> of(PolicyConfig policy) {
		List<Part> found = new ArrayList<>();
		List<String> denied = deniedAlways(policy);
		add(found, "allow_tools", policy.allowTools(), denied, "so it allows nothing");
		add(found, "ask_tools", policy.askTools(), denied, "so nobody is asked");
		List<PolicyRule> rules = Objects.requireNonNullElse(policy.rules(), List.of());
		for (int i = 0; i < rules.size(); i++) {
			PolicyRule rule = rules.get(i);
			List<String> others = new ArrayList<>(usable(policy.denyTools()));
			for (int j = 0; j < rules.size(); j++) {
				if (j < i || (j > i && deniedBy(rule).isEmpty())) {
					others.addAll(deniedBy(rules.get(j)));
				}
			}
			List<String> tools = usable(rule.tools());
			if (rule.then() != Effect.ABORT && !tools.isEmpty()
					&& tools.stream().allMatch((glob) -> ToolGlobs.cover(others, glob))) {
				found.add(new Part(List.of("rules", String.valueOf(i), "tools"), tools.get(0), DENIED,
						(rule.then() == Effect.ASK) ? "so nobody is asked" : "so the rule says nothing"));
			}
		}
		return found;
	}

	private static void add(List<Part> found, String option, @Nullable List<String> globs, Collection<String> denied,
			String consequence) {
		for (int i = 0; globs != null && i < globs.size(); i++) {
			if (globs.get(i) != null && ToolGlobs.cover(denied, globs.get(i))) {
				found.add(new Part(List.of(option, String.valueOf(i)), globs.get(i), DENIED, consequence));
			}
		}
	}

	/** The globs of tools of which every call is denied. */
	static List<String> deniedAlways(PolicyConfig policy) {
		List<String> denied = new ArrayList<>(usable(policy.denyTools()));
		for (PolicyRule rule : Objects.requireNonNullElse(policy.rules(), List.<PolicyRule>of())) {
			denied.addAll(deniedBy(rule));
		}
		return denied;
	}

	private static List<String> deniedBy(PolicyRule rule) {
		return (isUnconditional(rule) && (rule.then() == Effect.DENY || rule.then() == Effect.ABORT))
				? usable(rule.tools()) : List.of();
	}

	private static boolean isUnconditional(PolicyRule rule) {
		return rule.when() == null && rule.unless() == null && rule.except() == null;
	}

	/** The globs that are not reported as mistakes elsewhere. */
	static List<String> usable(@Nullable List<String> globs) {
		return (globs != null) ? globs.stream()
			.filter((glob) -> glob != null && !glob.isBlank() && GlobMistake.find(glob, NameKind.TOOL) == null)
			.toList() : List.of();
	}

	/**
	 * A part that says nothing.
	 *
	 * @param path where it is written
	 * @param glob the tools that it is for, or the first of them
	 * @param cause why it says nothing
	 * @param consequence what that means
	 * @since 0.1.0
	 */
	public record Part(List<String> path, String glob, String cause, String consequence) {

		/**
		 * Return the place where it is written, as people write it.
		 * @return the option, such as {@code rules[0].tools}
		 */
		public String option() {
			StringBuilder option = new StringBuilder();
			for (String segment : this.path) {
				boolean position = segment.matches("\\d+");
				option.append((option.isEmpty() || position) ? "" : ".")
					.append((position) ? "[" + segment + "]" : segment);
			}
			return option.toString();
		}

	}

}
