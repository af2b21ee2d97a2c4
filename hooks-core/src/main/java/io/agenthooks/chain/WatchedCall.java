package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;

/**
 * The part of a {@link CallWatch} for one call. Its methods are called by one thread
 * after the other, and {@link #end} last.
 *
 * @since 0.1.0
 */
public interface WatchedCall {

	/**
	 * Let the current thread go on with the call. A tool call stays on one thread until
	 * it ends; calls of other kinds come and go whenever hooks are asked about them.
	 * @return ends that on the same thread, or {@code null} if there is nothing to end
	 */
	default @Nullable Binding bind() {
		return null;
	}

	/**
	 * A hook is asked now, or told, on the current thread.
	 * @param hook the hook, and what is said about it
	 * @param part what the hook is asked
	 * @return learns on the same thread what it said, or {@code null} if that is of no
	 * interest
	 */
	default @Nullable WatchedHook ask(HookEntry<?> hook, HookPart part) {
		return null;
	}

	/**
	 * The call has ended, all hooks know it, and no thread is bound to it any more.
	 * @param outcome how it ended
	 */
	default void end(HookOutcome outcome) {
	}

	/**
	 * A binding to a thread.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Binding extends AutoCloseable {

		/** Let the thread be as it was before. */
		@Override
		void close();

	}

	/**
	 * The question to a hook.
	 *
	 * @since 0.1.0
	 */
	enum HookPart {

		/** Whether the call may happen. */
		DECIDE,

		/** The result that the caller gets. */
		RESULT,

		/** Nothing: it learns how the call ended. */
		LEARN

	}

}
