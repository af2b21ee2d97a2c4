package io.agenthooks;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A hook that decides by rules and can list them for operators.
 *
 * @since 0.1.0
 */
public interface DescribedHook extends Hook {

	/**
	 * The rules.
	 * @return the rules, as they are written
	 */
	List<ListedRule> ruleList();

	/**
	 * A rule as operators may see it: without conditions and patterns, which may be
	 * secret.
	 *
	 * @param name its name, or that of the list which it stands in, such as
	 * {@code deny_tools}
	 * @param tools globs of the tools that it is for, or {@code null} for all
	 * @param except globs of the tools that it is not for
	 * @param argument the argument that it is about, or {@code null}
	 * @param then what becomes of what it matches, such as {@code deny}
	 * @param reason why, or {@code null} if nobody said
	 * @param origin where it is written, such as {@code application.yaml:12:9}, or
	 * {@code null} if that is not known
	 * @since 0.1.0
	 */
	record ListedRule(String name, @Nullable List<String> tools, List<String> except, @Nullable String argument,
			String then, @Nullable String reason, @Nullable String origin) {

		/** Create a rule; its texts become safe lines. */
		public ListedRule {
			name = SafeText.name(name);
			tools = (tools != null) ? tools.stream().map(SafeText::name).toList() : null;
			except = except.stream().map(SafeText::name).toList();
			argument = (argument != null) ? SafeText.name(argument) : null;
			reason = (reason != null) ? SafeText.reason(reason) : null;
		}

	}

}
