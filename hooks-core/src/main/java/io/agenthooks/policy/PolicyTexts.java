package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.SafeText;

/**
 * The words of a policy, for the model and for operators. The reason is {@code null}
 * unless it has one for all.
 */
record PolicyTexts(@Nullable String reason, boolean showPattern) {

	static final String ARGUMENT = "{argument}";

	String of(@Nullable String ofList, String text) {
		String written = (ofList != null) ? ofList : this.reason;
		return (written != null) ? written : text;
	}

	String of(@Nullable String ofList, String text, @Nullable String argument) {
		String chosen = of(ofList, text);
		return (argument == null || chosen.equals(text)) ? chosen
				: chosen.replace(ARGUMENT, "'" + SafeText.name(argument) + "'");
	}

	String ofPattern(@Nullable String ofList, String text, @Nullable String argument, String pattern) {
		String chosen = of(ofList, text, argument);
		return (!this.showPattern) ? chosen
				: chosen.equals(text) ? text + ": " + matches(pattern) : chosen + " (" + matches(pattern) + ")";
	}

	static HookRule ruleOf(HookRule rule, @Nullable String argument, String pattern) {
		return rule.withDetail(
				((argument != null) ? "the argument '" + SafeText.name(argument) + "'; " : "") + matches(pattern));
	}

	private static String matches(String pattern) {
		return "it matches the pattern '" + SafeText.name(pattern) + "'";
	}

}
