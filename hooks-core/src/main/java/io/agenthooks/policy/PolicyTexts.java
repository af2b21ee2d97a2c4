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

	/** The place of the name of an argument in a reason. */
	static final String ARGUMENT = "{argument}";

	/** The text for the model. */
	String of(@Nullable String ofList, String text) {
		String written = (ofList != null) ? ofList : this.reason;
		return (written != null) ? written : text;
	}

	/**
	 * The text for the model about an argument, whose name may have a place in what is
	 * written.
	 */
	String of(@Nullable String ofList, String text, @Nullable String argument) {
		String chosen = of(ofList, text);
		return (argument == null || chosen.equals(text)) ? chosen
				: chosen.replace(ARGUMENT, "'" + SafeText.name(argument) + "'");
	}

	/** The same if a pattern matches. */
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
