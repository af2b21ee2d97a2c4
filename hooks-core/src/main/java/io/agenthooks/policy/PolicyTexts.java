package io.agenthooks.policy;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.SafeText;

/**
 * The words of a policy: those for the model, and those for operators alone.
 *
 * @param reason what the model reads unless a list or a rule says something else, or
 * {@code null}
 */
record PolicyTexts(@Nullable String reason, boolean showPattern) {

	/** The text for the model. */
	String of(@Nullable String ofList, String text) {
		String written = (ofList != null) ? ofList : this.reason;
		return (written != null) ? written : text;
	}

	/** The text for the model if a pattern matches. */
	String ofPattern(@Nullable String ofList, String text, String pattern) {
		String chosen = of(ofList, text);
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
