package io.agenthooks;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns.Abortion;

/** The aborts that {@link AbortedRuns} remembers, with their number per owner. */
final class AbortMemory {

	private static final long PURGE_INTERVAL = Duration.ofSeconds(1).toNanos();

	private final Map<AbortKey, Entry> entries = new ConcurrentHashMap<>();

	private final Map<String, Integer> ofOwners = new ConcurrentHashMap<>();

	private final long maxEntries;

	private final long retention;

	private final LongSupplier nanoTime;

	private final AtomicLong nextPurge;

	/** Until then an abort that could not be remembered still matters. */
	private volatile @Nullable Long lostUntil;

	AbortMemory(long maxEntries, Duration retention, LongSupplier nanoTime) {
		this.maxEntries = maxEntries;
		this.retention = retention.toNanos();
		this.nanoTime = nanoTime;
		this.nextPurge = new AtomicLong(nanoTime.getAsLong());
	}

	boolean isEmpty() {
		return this.entries.isEmpty() && this.lostUntil == null;
	}

	int size() {
		return this.entries.size();
	}

	int sizeOf(String owner) {
		return this.ofOwners.getOrDefault(owner, 0);
	}

	boolean hasLost() {
		return this.lostUntil != null;
	}

	/** The first abort of a key stays. */
	void remember(AbortKey key, String owner, Abortion abortion) {
		long now = this.nanoTime.getAsLong();
		purge(now);
		if (this.entries.size() >= this.maxEntries && !this.entries.containsKey(key)) {
			// Only calls that were under way when it became full come here.
			this.lostUntil = now + this.retention;
			return;
		}
		this.entries.compute(key, (same, present) -> {
			if (present != null) {
				present.refusedAt = now;
				return present;
			}
			// Counted here: no other thread can forget the entry before that.
			this.ofOwners.merge(owner, 1, Integer::sum);
			return new Entry(abortion, owner, now);
		});
	}

	@Nullable Abortion find(@Nullable AbortKey key) {
		Entry entry = (key != null) ? this.entries.get(key) : null;
		if (key == null || entry == null) {
			return null;
		}
		long now = this.nanoTime.getAsLong();
		if (isOver(entry, now)) {
			forgetIfOver(key, now);
			return null;
		}
		entry.refusedAt = now;
		return entry.abortion;
	}

	@Nullable Abortion peek(@Nullable AbortKey key) {
		Entry entry = (key != null) ? this.entries.get(key) : null;
		return (entry != null && !isOver(entry, this.nanoTime.getAsLong())) ? entry.abortion : null;
	}

	boolean forget(AbortKey key) {
		Entry entry = this.entries.remove(key);
		if (entry == null) {
			return false;
		}
		forgot(entry);
		return !isOver(entry, this.nanoTime.getAsLong());
	}

	void forget(AbortKey key, Consumer<Abortion> heir) {
		this.entries.computeIfPresent(key, (same, entry) -> {
			heir.accept(entry.abortion);
			forgot(entry);
			return null;
		});
	}

	void purge() {
		purge(this.nanoTime.getAsLong());
	}

	private void purge(long now) {
		long next = this.nextPurge.get();
		if (now - next < 0 || !this.nextPurge.compareAndSet(next, now + PURGE_INTERVAL)) {
			return;
		}
		this.entries.keySet().forEach((key) -> forgetIfOver(key, now));
		Long lost = this.lostUntil;
		if (lost != null && now - lost >= 0) {
			this.lostUntil = null;
		}
	}

	private void forgetIfOver(AbortKey key, long now) {
		// Atomic, so that an abort that comes at this moment is not forgotten, too.
		this.entries.computeIfPresent(key, (same, entry) -> {
			if (!isOver(entry, now)) {
				return entry;
			}
			forgot(entry);
			return null;
		});
	}

	private boolean isOver(Entry entry, long now) {
		return now - entry.refusedAt >= this.retention;
	}

	private void forgot(Entry entry) {
		this.ofOwners.computeIfPresent(entry.owner, (owner, count) -> (count > 1) ? count - 1 : null);
	}

	private static final class Entry {

		private final Abortion abortion;

		private final String owner;

		private volatile long refusedAt;

		Entry(Abortion abortion, String owner, long now) {
			this.abortion = abortion;
			this.owner = owner;
			this.refusedAt = now;
		}

	}

}
