package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * Learns what a hook said about a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WatchedHook {

	/**
	 * The hook has answered, or failed.
	 * @param decision what it decided, or {@code null} if nothing, as do hooks that only
	 * learn
	 * @param failure what it threw, or {@code null}
	 */
	void end(@Nullable HookDecision decision, @Nullable Throwable failure);

}
