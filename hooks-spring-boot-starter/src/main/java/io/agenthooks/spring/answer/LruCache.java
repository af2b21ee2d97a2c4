package io.agenthooks.spring.answer;

import java.time.Duration;
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

	private final String name;

	private final long ttl;

	private final LongSupplier clock;

	private final Map<Object, Kept> entries;

	/**
	 * Create a cache.
	 * @param clock tells the time in nanoseconds
	 */
	LruCache(String name, Duration ttl, int maxEntries, LongSupplier clock) {
		super(false);
		this.name = name;
		this.ttl = ttl.toNanos();
		this.clock = clock;
		this.entries = new LinkedHashMap<>(16, 0.75f, true) {

			@Override
			protected boolean removeEldestEntry(Map.Entry<Object, Kept> eldest) {
				return size() > maxEntries;
			}

		};
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
			this.entries.remove(key);
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
		Kept kept = new Kept(toStoreValue(value), this.clock.getAsLong());
		synchronized (this.entries) {
			this.entries.put(key, kept);
		}
	}

	@Override
	public void evict(Object key) {
		synchronized (this.entries) {
			this.entries.remove(key);
		}
	}

	@Override
	public void clear() {
		synchronized (this.entries) {
			this.entries.clear();
		}
	}

	private record Kept(Object value, long since) {
	}

}
