package io.agenthooks;

import org.jspecify.annotations.Nullable;

/**
 * The common part of the decisions of all kinds of hooks, which are a sealed family of
 * records for each kind.
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
	 * Return further text for the model.
	 * @return the text, or {@code null} if there is none
	 */
	default @Nullable String additionalContext() {
		return null;
	}

	/**
	 * Return the reason of a hook that denies or aborts.
	 * @return one safe line, or {@code null} if it does neither
	 */
	default @Nullable String reason() {
		return null;
	}

	/**
	 * By which rule a hook denies, aborts or asks.
	 * @return the rule, or {@code null} if the hook names none
	 */
	default @Nullable HookRule rule() {
		return null;
	}

	/**
	 * Return the extent of an abort.
	 * @return the scope, or {@code null} if nothing is aborted
	 */
	default @Nullable AbortScope scope() {
		return null;
	}

	/**
	 * The question to people that is kept and still waits, if that is the answer of an
	 * approver.
	 * @return the id of the question, or {@code null} if none waits
	 */
	default @Nullable String pending() {
		return null;
	}

	/**
	 * Return the failure because of which the hook approves.
	 * @return one safe line, or {@code null} if nothing failed
	 */
	default @Nullable String failure() {
		return null;
	}

	/**
	 * Return the decision that a hook would have made that only observes.
	 * @return the verdict, or {@code null} if it does more than observe
	 */
	default @Nullable Verdict observed() {
		return null;
	}

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
	 * Make of a text that may come from anywhere what else the model should know.
	 * @param text the text, or {@code null}
	 * @return the safe text, or {@code null} if nothing of it is visible
	 */
	static @Nullable String contextOf(@Nullable String text) {
		String context = (text != null) ? SafeText.paragraphs(text) : "";
		return (context.isEmpty()) ? null : context;
	}

}
