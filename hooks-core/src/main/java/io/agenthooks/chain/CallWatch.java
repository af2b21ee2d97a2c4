package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * Watches whole calls, hooks included: it binds a call to the threads that go on with it,
 * sees which hooks are asked, and learns how it ended. It decides nothing, and what it
 * throws changes nothing. A chain without active watches does nothing for them.
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
	 * Begin to watch a call about which no hook was asked yet. A call that is only handed
	 * from one guard to another, or reviewed after its end, begins no second time.
	 * @param call the call
	 * @return watches that call, or {@code null} if it is of no interest
	 */
	@Nullable WatchedCall begin(HookedCall call);

	/**
	 * Begin to watch what result hooks say to a text that was made after a call had
	 * ended. The call was watched before.
	 * @param call the call
	 * @return watches that, or {@code null}, as it is unless overridden, if it is of no
	 * interest
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
