package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.bucket4j.local.SynchronizationStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Keeps limits in the memory of the application, as a bucket of Bucket4j for each key.
 * <p>
 * A key is forgotten only if nobody could tell: when its bucket is full again, or, if a
 * limit never comes back by itself, after a time without a call. There is no other
 * eviction, which would be a way to reset a limit; where there is no room, a new key gets
 * none.
 */
final class MemoryLimits implements LimitStore {

	/** Bucket4j knows no bucket that stays empty. */
	private static final Duration NEVER = Duration.ofDays(36_500);

	/** So that a store that is full is not searched for each call. */
	private static final long SWEEP_PAUSE = Duration.ofMillis(100).toNanos();

	private final List<WrittenLimit> limits;

	private final long forgetAfter;

	/** Whether any limit comes back by itself. */
	private final boolean refills;

	private final int maxKeys;

	private final LongSupplier nanos;

	private final Map<String, Kept> keys = new ConcurrentHashMap<>();

	/** Of the keys, exactly. */
	private final AtomicInteger size = new AtomicInteger();

	private final AtomicLong nextSweep;

	private final CountedCalls counted = new CountedCalls();

	/**
	 * Create a store.
	 * @param nanos tells the time in nanoseconds
	 */
	MemoryLimits(List<WrittenLimit> limits, Duration forgetAfter, int maxKeys, LongSupplier nanos) {
		this.limits = List.copyOf(limits);
		this.forgetAfter = limits.stream().anyMatch((limit) -> limit.period() == null) ? forgetAfter.toNanos() : 0;
		this.maxKeys = maxKeys;
		this.refills = limits.stream().anyMatch((limit) -> limit.period() != null);
		this.nanos = nanos;
		this.nextSweep = new AtomicLong(nanos.getAsLong());
	}

	@Override
	public Answer enter(List<String> keys, @Nullable String call) {
		return (call != null && takeCounted(keys.get(0), call)) ? new Enough(null) : use(keys.get(0), Kept::enter);
	}

	@Override
	public Answer take(List<String> keys, @Nullable String call) {
		return (call != null && takeCounted(keys.get(0), call)) ? new Enough(null) : use(keys.get(0), Kept::take);
	}

	/**
	 * Forget a call that goes on.
	 * @return whether it was counted
	 */
	boolean takeCounted(String key, String call) {
		return this.counted.take(call, key);
	}

	@Override
	public void remember(List<String> keys, String call) {
		this.counted.add(call, keys.get(0));
	}

	@Override
	public boolean mayRemember() {
		return this.counted.hasAny();
	}

	@Override
	public LongSupplier nanos() {
		return this.nanos;
	}

	/**
	 * Use a key, which nobody else does meanwhile.
	 */
	Answer use(String key, Function<Kept, Answer> use) {
		while (true) {
			Kept kept = this.keys.get(key);
			if (kept == null) {
				kept = add(key);
			}
			if (kept == null) {
				return new Full();
			}
			synchronized (kept) {
				if (!kept.forgotten) {
					kept.readClock();
					return use.apply(kept);
				}
			}
		}
	}

	private @Nullable Kept add(String key) {
		if (!reserve()) {
			return null;
		}
		Kept made = new Kept();
		Kept known = this.keys.putIfAbsent(key, made);
		if (known != null) {
			this.size.decrementAndGet();
		}
		return (known != null) ? known : made;
	}

	private boolean reserve() {
		if (this.size.incrementAndGet() <= this.maxKeys) {
			return true;
		}
		this.size.decrementAndGet();
		sweep();
		if (this.size.incrementAndGet() <= this.maxKeys) {
			return true;
		}
		this.size.decrementAndGet();
		return false;
	}

	/**
	 * Forget the keys of which there is nothing to remember.
	 */
	private void sweep() {
		long now = this.nanos.getAsLong();
		long next = this.nextSweep.get();
		if (now - next < 0 || !this.nextSweep.compareAndSet(next, now + SWEEP_PAUSE)) {
			return;
		}
		this.keys.forEach((key, kept) -> {
			synchronized (kept) {
				if (kept.isOver(now) && !kept.forgotten) {
					kept.forgotten = true;
					this.keys.remove(key);
					this.size.decrementAndGet();
				}
			}
		});
	}

	@Override
	public Answer look(List<String> keys, @Nullable String call) {
		String key = keys.get(0);
		if (call != null && this.counted.has(call, key)) {
			return new Enough(null);
		}
		Kept kept = this.keys.get(key);
		if (kept == null) {
			return (this.size.get() < this.maxKeys || isAnyOver()) ? untouched() : new Full();
		}
		synchronized (kept) {
			kept.readClock();
			return (kept.forgotten) ? untouched() : kept.look();
		}
	}

	@Override
	public @Nullable Duration newIn(List<String> keys) {
		Kept kept = this.keys.get(keys.get(0));
		if (kept == null) {
			return null;
		}
		synchronized (kept) {
			kept.readClock();
			return kept.newIn();
		}
	}

	private Enough untouched() {
		return new Enough(null, this.limits.stream().mapToInt(WrittenLimit::burst).min().orElseThrow(), null, 0);
	}

	private boolean isAnyOver() {
		long now = this.nanos.getAsLong();
		for (Kept kept : this.keys.values()) {
			synchronized (kept) {
				if (kept.isOver(now)) {
					return true;
				}
			}
		}
		return false;
	}

	@Override
	public void leave(Place place, boolean counts) {
		leave((Kept) place, counts);
	}

	static void leave(Kept kept, boolean counts) {
		synchronized (kept) {
			kept.readClock();
			kept.leave(counts);
		}
	}

	/**
	 * How many keys are kept.
	 */
	int size() {
		return this.size.get();
	}

	private Bucket bucket(TimeMeter time) {
		LocalBucketBuilder builder = Bucket.builder();
		for (WrittenLimit limit : this.limits) {
			Duration period = limit.period();
			builder.addLimit((bandwidth) -> (period != null)
					? bandwidth.capacity(limit.burst()).refillGreedy(limit.calls(), period)
					: bandwidth.capacity(limit.calls()).refillIntervally(limit.calls(), NEVER));
		}
		return builder.withCustomTimePrecision(time).withSynchronizationStrategy(SynchronizationStrategy.NONE).build();
	}

	/**
	 * What is kept of a key. Every use of it is synchronized, and begins with a look at
	 * the clock, which is the time for all of it. In the bucket there is always a token
	 * for each call that has a place.
	 */
	final class Kept implements Place, TimeMeter {

		private long now = MemoryLimits.this.nanos.getAsLong();

		private final Bucket bucket = bucket(this);

		/** How many calls have a place. */
		private int places;

		private long overAt = this.now;

		private boolean forgotten;

		Answer enter() {
			keepFor(MemoryLimits.this.forgetAfter);
			long left = left();
			if (left <= 0) {
				return usedUp();
			}
			this.places++;
			return new Enough(this, left - 1, null, this.now);
		}

		/**
		 * Let a call pass that counts at once. Mostly no other call has a place, and then
		 * the bucket does all of it in one step.
		 */
		Answer take() {
			keepFor(MemoryLimits.this.forgetAfter);
			if (this.places > 0 && left() <= 0) {
				return usedUp();
			}
			ConsumptionProbe probe = this.bucket.tryConsumeAndReturnRemaining(1);
			if (!probe.isConsumed()) {
				return usedUp();
			}
			keepAfter(probe);
			return new Enough(null, probe.getRemainingTokens() - this.places, null, this.now);
		}

		Answer look() {
			long left = left();
			return (left > 0) ? new Enough(null, left, newIn(), this.now) : usedUp();
		}

		long left() {
			return this.bucket.getAvailableTokens() - this.places;
		}

		private @Nullable Duration newIn() {
			boolean never = MemoryLimits.this.limits.stream().anyMatch((limit) -> limit.period() == null);
			long refill = refill();
			return (never || refill <= 1) ? null : Duration.ofNanos(refill);
		}

		/**
		 * What a call learns for which there is no place in this or another group.
		 * @return which limits are used up, or {@code null} if none of these is
		 */
		@Nullable UsedUp refuse() {
			boolean isUsedUp = left() <= 0;
			if (isUsedUp || this.overAt - this.now > 0) {
				keepFor(MemoryLimits.this.forgetAfter);
			}
			return (isUsedUp) ? usedUp() : null;
		}

		void leave(boolean counts) {
			this.places--;
			if (counts) {
				keepAfter(this.bucket.tryConsumeAndReturnRemaining(1));
			}
		}

		private void keepAfter(ConsumptionProbe probe) {
			if (MemoryLimits.this.forgetAfter == 0) {
				keepFor(probe.getNanosToWaitForReset());
			}
			else {
				keepFor((MemoryLimits.this.refills) ? Math.max(MemoryLimits.this.forgetAfter, refill())
						: MemoryLimits.this.forgetAfter);
			}
		}

		/**
		 * The time until all limits are as good as new that come back at all.
		 */
		private long refill() {
			long[] tokens = tokens();
			double longest = 0;
			for (int i = 0; i < tokens.length; i++) {
				WrittenLimit limit = MemoryLimits.this.limits.get(i);
				Duration period = limit.period();
				if (period != null) {
					longest = Math.max(longest,
							(double) period.toNanos() * (limit.burst() - tokens[i]) / limit.calls());
				}
			}
			return (long) longest + 1;
		}

		private void keepFor(long nanos) {
			long over = this.now + nanos;
			this.overAt = (over - this.overAt > 0) ? over : this.overAt;
		}

		void readClock() {
			this.now = MemoryLimits.this.nanos.getAsLong();
		}

		@Override
		public long currentTimeNanos() {
			return this.now;
		}

		@Override
		public boolean isWallClockBased() {
			return false;
		}

		boolean isOver(long now) {
			return this.places == 0 && now - this.overAt >= 0;
		}

		/**
		 * The limits that have no place left.
		 */
		private UsedUp usedUp() {
			long[] tokens = tokens();
			List<WrittenLimit> usedUp = new ArrayList<>();
			boolean never = false;
			boolean running = true;
			for (int i = 0; i < tokens.length; i++) {
				WrittenLimit limit = MemoryLimits.this.limits.get(i);
				if (tokens[i] <= this.places) {
					usedUp.add(limit);
					never |= limit.period() == null || limit.burst() <= this.places;
					running &= tokens[i] > 0;
				}
			}
			Duration wait = (never) ? null
					: Duration.ofNanos(this.bucket.estimateAbilityToConsume(this.places + 1).getNanosToWaitForRefill());
			return new UsedUp(usedUp, wait, running);
		}

		private long[] tokens() {
			return this.bucket.asVerbose().getAvailableTokens().getDiagnostics().getAvailableTokensPerEachBandwidth();
		}

	}

}
