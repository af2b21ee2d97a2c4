package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;

interface Slots extends AutoCloseable {

	/**
	 * To be {@linkplain #leave left} once; {@code null} if none has ended, or the
	 * application ends.
	 */
	@Nullable Slot enter(String key, Duration wait) throws InterruptedException;

	void leave(Slot slot);

	/**
	 * How many calls could begin beside this one; negative if a shared store would have
	 * to be asked.
	 */
	default int free(Slot slot) {
		return -1;
	}

	boolean hasRoom(String key);

	default boolean isClosed() {
		return false;
	}

	default HookHealth.Report health() {
		return new HookHealth.Report(HookHealth.State.UP, false, Map.of());
	}

	@Override
	default void close() {
	}

	interface Slot {

	}

}
