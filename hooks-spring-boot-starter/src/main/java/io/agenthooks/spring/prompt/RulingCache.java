package io.agenthooks.spring.prompt;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what a judge decided, by the digest of what it was asked. When it is full, what
 * was not used for the longest time makes place.
 */
final class RulingCache {

	private final long ttl;

	private final LongSupplier clock;

	private final Map<String, Kept> rulings;

	/**
	 * Create a cache.
	 * @param clock tells the time in nanoseconds
	 */
	RulingCache(PromptSettings.CacheLimits limits, LongSupplier clock) {
		this.ttl = limits.ttl().toNanos();
		this.clock = clock;
		this.rulings = new LinkedHashMap<>(16, 0.75f, true) {

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
				return size() > limits.maxEntries();
			}

		};
	}

	/**
	 * The key of a question.
	 */
	static String key(String question) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(question.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	@Nullable Ruling get(String key) {
		synchronized (this.rulings) {
			Kept kept = this.rulings.get(key);
			if (kept == null || this.clock.getAsLong() - kept.since() < this.ttl) {
				return (kept != null) ? kept.ruling() : null;
			}
			this.rulings.remove(key);
			return null;
		}
	}

	void put(String key, Ruling ruling) {
		synchronized (this.rulings) {
			this.rulings.put(key, new Kept(ruling, this.clock.getAsLong()));
		}
	}

	private record Kept(Ruling ruling, long since) {
	}

}
