package io.agenthooks.spring.external;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The models and clients that hooks around model calls or runs ask themselves. Those pass
 * no hooks of these kinds: a hook that judges by a model would be asked about its own
 * question, and that without end. Calls of tools pass their hooks nevertheless.
 *
 * @since 0.1.0
 */
public final class AskedByHook {

	private static final ThreadLocal<@Nullable Boolean> ofThread = new ThreadLocal<>();

	private AskedByHook() {
	}

	/**
	 * Whether a hook is what works on this thread.
	 * @return whether it is
	 */
	public static boolean isActive() {
		return ofThread.get() != null;
	}

	/**
	 * Let hooks work on this thread.
	 * @param <T> the type of what they make
	 * @param hooks asks the hooks
	 * @return what they make
	 */
	public static <T extends @Nullable Object> T execute(Supplier<T> hooks) {
		return execute(true, hooks);
	}

	/**
	 * Tell hooks of a failure on this thread.
	 * @param hooks tells the hooks
	 * @return tells them as what works for hooks
	 */
	public static Consumer<Throwable> failing(Consumer<Throwable> hooks) {
		return (failure) -> execute(() -> {
			hooks.accept(failure);
			return failure;
		});
	}

	/**
	 * Let the model or the agent work that the hooks stand around.
	 * @param <T> the type of what it makes
	 * @param guarded the work
	 * @return what it makes
	 */
	public static <T extends @Nullable Object> T leave(Supplier<T> guarded) {
		return execute(false, guarded);
	}

	private static <T extends @Nullable Object> T execute(boolean active, Supplier<T> work) {
		Boolean before = ofThread.get();
		if ((before != null) == active) {
			return work.get();
		}
		set(active);
		try {
			return work.get();
		}
		finally {
			set(before != null);
		}
	}

	private static void set(boolean active) {
		if (active) {
			ofThread.set(true);
		}
		else {
			ofThread.remove();
		}
	}

	/**
	 * Let a hook work on another thread as on this one.
	 * @param <T> the type of what it makes
	 * @param hook asks the hook
	 * @return asks it on whatever thread
	 */
	public static <T extends @Nullable Object> Supplier<T> carry(Supplier<T> hook) {
		return (isActive()) ? () -> execute(hook) : hook;
	}

}
