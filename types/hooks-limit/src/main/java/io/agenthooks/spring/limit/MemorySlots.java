package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** A key is there as long as a call of it runs or waits. */
final class MemorySlots implements Slots {

	private final int permits;

	private final Map<String, Counted> slots = new ConcurrentHashMap<>();

	MemorySlots(int permits) {
		this.permits = permits;
	}

	/** After those that have waited longer. */
	@Override
	public @Nullable Slot enter(String key, Duration wait) throws InterruptedException {
		Counted slot = this.slots.compute(key, (same, known) -> {
			Counted used = (known != null) ? known : new Counted(key, this.permits);
			used.users++;
			return used;
		});
		boolean entered = false;
		try {
			entered = slot.running.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			if (!entered) {
				release(slot);
			}
		}
		return (entered) ? slot : null;
	}

	@Override
	public void leave(Slot slot) {
		Counted left = (Counted) slot;
		left.running.release();
		release(left);
	}

	private void release(Counted slot) {
		this.slots.compute(slot.key, (same, used) -> (--slot.users == 0) ? null : slot);
	}

	@Override
	public int free(Slot slot) {
		return ((Counted) slot).running.availablePermits();
	}

	@Override
	public boolean hasRoom(String key) {
		Counted slot = this.slots.get(key);
		return slot == null || slot.running.availablePermits() > 0;
	}

	int size() {
		return this.slots.size();
	}

	int waiting() {
		return this.slots.values().stream().mapToInt((slot) -> slot.running.getQueueLength()).sum();
	}

	private static final class Counted implements Slot {

		private final String key;

		private final Semaphore running;

		/** Changed only while the key is computed. */
		private int users;

		private Counted(String key, int permits) {
			this.key = key;
			this.running = new Semaphore(permits, true);
		}

	}

}
