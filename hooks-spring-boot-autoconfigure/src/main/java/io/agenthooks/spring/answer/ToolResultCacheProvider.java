package io.agenthooks.spring.answer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;

/**
 * Makes the caches of {@code cache} hooks. A bean of this type replaces the caches in the
 * memory of the application by others, for instance by Redis, so that several instances
 * share them.
 * <p>
 * Keys are texts of 64 characters, which tell nothing of the call. Values can be
 * serialized; a cache has to return them as they were put.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolResultCacheProvider {

	/**
	 * Make or find the cache of a hook. It is asked once, when the application starts.
	 * @param hook the name of the hook
	 * @param ttl how long after it was put a value may be returned
	 * @param maxEntries how many values to keep at most
	 * @return the cache, which many threads use at once, or {@code null} if there is
	 * none, which stops the start
	 */
	@Nullable Cache cacheFor(String hook, Duration ttl, int maxEntries);

	/**
	 * Caches of Caffeine, which has to be there, as has {@code spring-context-support}.
	 * @return the provider
	 */
	static ToolResultCacheProvider caffeine() {
		return new CaffeineProvider(System::nanoTime);
	}

}
