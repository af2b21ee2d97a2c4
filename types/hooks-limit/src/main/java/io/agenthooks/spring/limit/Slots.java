package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

/** Bounds how many calls with the same key run at once. */
interface Slots extends AutoCloseable {

	/**
	 * Let a call run. The slot is to be {@linkplain #leave left} once; {@code null} if
	 * none has ended, or if no call may begin any more.
	 */
	@Nullable Slot enter(String key, Duration wait) throws InterruptedException;

	void leave(Slot slot);

	/**
	 * The number of calls of the same key that could begin beside a call that runs, or a
	 * negative one if a store that nodes share would have to be asked.
	 */
	default int free(Slot slot) {
		return -1;
	}

	boolean hasRoom(String key);

	/** Whether no call may begin any more, since the application ends. */
	default boolean isClosed() {
		return false;
	}

	/** The health of the store, as far as its last use told. */
	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	@Override
	default void close() {
	}

	/** The place of a call. */
	interface Slot {

	}

}
