package io.agenthooks.spring.answer;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.cache.Cache;
import org.springframework.cache.caffeine.CaffeineCache;

/** A class of its own, because Caffeine may be missing. The ticker tells nanoseconds. */
record CaffeineProvider(Ticker ticker) implements ToolResultCacheProvider {

	/** How much all entries may weigh: some 32 MB. */
	private static final int MAX_WEIGHT = 16 * 1024 * 1024;

	@Override
	public Cache cacheFor(String hook, Duration ttl, int maxEntries) {
		// Caffeine counts or weighs; no entry weighing less than its share counts, too.
		int share = Math.max(1, MAX_WEIGHT / maxEntries);
		// What is too much is removed by the calling threads: we start none.
		return new CaffeineCache(hook,
				Caffeine.newBuilder()
					.expireAfterWrite(ttl)
					.maximumWeight((long) share * maxEntries)
					.weigher((Object key, Object value) -> Math.max(share, weightOf(value)))
					.ticker(this.ticker)
					.executor(Runnable::run)
					.build(),
				false);
	}

	private static int weightOf(Object value) {
		return (value instanceof CachedResult result) ? result.weight() : 1;
	}

}
