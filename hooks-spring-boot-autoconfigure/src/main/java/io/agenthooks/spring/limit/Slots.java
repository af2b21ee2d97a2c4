package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/**
 * Who runs at the same time, by keys.
 */
interface Slots extends AutoCloseable {

	/**
	 * Let a call run.
	 * @param wait how long to wait until another one has ended
	 * @return what to {@linkplain #leave leave} once, or {@code null} if none has ended,
	 * or if no call may begin any more
	 */
	@Nullable Slot enter(String key, Duration wait) throws InterruptedException;

	/**
	 * End a call.
	 */
	void leave(Slot slot);

	/**
	 * How many calls of the same key could begin beside a call that runs.
	 * @return the number, or a negative one if a store that nodes share would have to be
	 * asked
	 */
	default int free(Slot slot) {
		return -1;
	}

	/**
	 * Whether a call of a key could run now.
	 */
	boolean hasRoom(String key);

	/**
	 * Whether no call may begin any more, since the application ends.
	 */
	default boolean isClosed() {
		return false;
	}

	/**
	 * How the store is, as far as its last use told.
	 * @return what is known
	 */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	@Override
	default void close() {
	}

	/**
	 * The place of a call.
	 */
	interface Slot {

	}

}
