package io.agenthooks;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The common part of the outcomes of all kinds of calls.
 *
 * @since 0.1.0
 */
public interface HookOutcome {

	/**
	 * Return the common decision of the hooks.
	 * @return the decision
	 */
	HookDecision decision();

	/**
	 * Return the hook whose decision that is.
	 * @return the name of the hook, or {@code null} if no hook objected
	 */
	@Nullable String decidedBy();

	/**
	 * By which rule a hook objected.
	 * @return the rule, or {@code null} if no hook objected or it names none
	 */
	default @Nullable HookRule rule() {
		return decision().rule();
	}

	/**
	 * Return the status of the call.
	 * @return the status of its kind
	 */
	Enum<?> status();

	/**
	 * The exception that reached the caller.
	 * @return the exception, or {@code null} if there was none
	 */
	@Nullable Throwable failure();

	/**
	 * Return the duration of the call, hooks included.
	 * @return the time
	 */
	Duration duration();

	/**
	 * The hooks that replaced or withheld the result.
	 * @return their names, in order
	 */
	default List<String> replacedBy() {
		return List.of();
	}

	/**
	 * Return the reasons of hooks that withheld the result. They are among those that
	 * replaced it.
	 * @return what each of them said, in order
	 */
	default List<Withheld> withheld() {
		return List.of();
	}

	/**
	 * The hooks that failed open.
	 * @return their names
	 */
	List<String> failedOpen();

	/**
	 * The hooks that only observed, and would have denied or aborted.
	 * @return their names
	 */
	List<String> wouldDeny();

}
