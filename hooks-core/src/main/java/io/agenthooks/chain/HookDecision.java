package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * What the decisions of all kinds of hooks have in common.
 *
 * @since 0.1.0
 */
public interface HookDecision {

	/**
	 * The name of this kind of decision.
	 * @return the verdict
	 */
	Verdict verdict();

	/**
	 * Why: of a denial or an abort the reason, of an approval what failed while the call
	 * passes nevertheless.
	 * @return one safe line, or {@code null} if there is nothing to say
	 */
	@Nullable String reason();

	/**
	 * How much an abort ends.
	 * @return the scope, or {@code null} if nothing is aborted
	 */
	@Nullable AbortScope scope();

	/**
	 * What the model should know besides.
	 * @return the text, or {@code null} if there is none
	 */
	@Nullable String additionalContext();

	/**
	 * Make a reason of a text that may come from anywhere.
	 * @param text the text, or {@code null}
	 * @return one safe line that is not empty
	 */
	static String reasonOf(@Nullable String text) {
		String reason = (text != null) ? SafeText.reason(text) : "";
		return (reason.isEmpty()) ? "no reason given" : reason;
	}

	/**
	 * Make of a text that may come from anywhere what the model should know besides.
	 * @param text the text, or {@code null}
	 * @return the safe text, or {@code null} if nothing of it is visible
	 */
	static @Nullable String contextOf(@Nullable String text) {
		String context = (text != null) ? SafeText.paragraphs(text) : "";
		return (context.isEmpty()) ? null : context;
	}

}
