package io.agenthooks.spring.answer;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/**
 * A bounded cache without any library. Spring's own caches in memory neither expire nor
 * have an end.
 */
final class LruCache extends AbstractValueAdaptingCache {

	/** How much all entries may weigh: some 32 MB. */
	static final int MAX_WEIGHT = 16 * 1024 * 1024;

	private final String name;

	private final long ttl;

	private final LongSupplier clock;

	private final int maxEntries;

	private final Map<Object, Kept> entries = new LinkedHashMap<>(16, 0.75f, true);

	/** What the entries weigh together. */
	private long weight;

	/**
	 * Create a cache.
	 * @param clock tells the time in nanoseconds
	 */
	LruCache(String name, Duration ttl, int maxEntries, LongSupplier clock) {
		super(false);
		this.name = name;
		this.ttl = ttl.toNanos();
		this.clock = clock;
		this.maxEntries = maxEntries;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Object getNativeCache() {
		return this.entries;
	}

	@Override
	protected @Nullable Object lookup(Object key) {
		synchronized (this.entries) {
			Kept kept = this.entries.get(key);
			if (kept == null) {
				return null;
			}
			if (this.clock.getAsLong() - kept.since < this.ttl) {
				return kept.value;
			}
			evict(key);
			return null;
		}
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
		synchronized (this.entries) {
			Object known = lookup(key);
			if (known != null) {
				return (T) known;
			}
			try {
				T loaded = valueLoader.call();
				put(key, loaded);
				return loaded;
			}
			catch (Exception ex) {
				throw new ValueRetrievalException(key, valueLoader, ex);
			}
		}
	}

	@Override
	public void put(Object key, @Nullable Object value) {
		Object stored = toStoreValue(value);
		Kept kept = new Kept(stored, weightOf(stored), this.clock.getAsLong());
		synchronized (this.entries) {
			Kept before = this.entries.put(key, kept);
			this.weight += kept.weight() - ((before != null) ? before.weight() : 0);
			Iterator<Kept> eldest = this.entries.values().iterator();
			while (this.entries.size() > this.maxEntries || this.weight > MAX_WEIGHT) {
				this.weight -= eldest.next().weight();
				eldest.remove();
			}
		}
	}

	@Override
	public void evict(Object key) {
		synchronized (this.entries) {
			Kept removed = this.entries.remove(key);
			this.weight -= (removed != null) ? removed.weight() : 0;
		}
	}

	@Override
	public void clear() {
		synchronized (this.entries) {
			this.entries.clear();
			this.weight = 0;
		}
	}

	/**
	 * About how many characters would take as much memory as a value.
	 */
	static int weightOf(Object value) {
		return (value instanceof CachedResult result) ? result.weight() : 1;
	}

	private record Kept(Object value, int weight, long since) {
	}

}
