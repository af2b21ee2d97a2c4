package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * Watches whole calls, hooks included. It decides nothing, and what it throws changes
 * nothing.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallWatch {

	/**
	 * Whether calls are watched now. Asked for each call, so it has to be quick.
	 * @return {@code true} unless overridden
	 */
	default boolean isActive() {
		return true;
	}

	/**
	 * Whether calls of models and runs are of interest only if there are hooks, which are
	 * asked about them.
	 * @return {@code false} unless overridden, and always the same
	 */
	default boolean needsHooks() {
		return false;
	}

	/**
	 * Begin to watch a call about which no hook was asked yet.
	 * @param call the call
	 * @return watches that call, or {@code null} if it is of no interest
	 */
	@Nullable WatchedCall begin(HookedCall call);

	/**
	 * Begin to watch what result hooks say to a text that was made after a call had
	 * ended.
	 * @param call the call, which was watched before
	 * @return watches that, or {@code null} unless overridden
	 */
	default @Nullable WatchedCall review(HookedCall call) {
		return null;
	}

	/**
	 * A hook hides a target, such as a tool, from whoever could have called it.
	 * @param hook the hook, and what is said about it
	 * @param target the name of the target
	 */
	default void hidden(HookEntry<?> hook, String target) {
	}

}
