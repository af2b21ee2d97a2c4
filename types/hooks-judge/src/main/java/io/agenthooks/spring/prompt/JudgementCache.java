package io.agenthooks.spring.prompt;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Sha256;

/**
 * By the digest of what was asked. Full, it forgets what was not used for the longest
 * time.
 */
final class JudgementCache {

	private final long ttl;

	private final LongSupplier clock;

	private final Map<String, Kept> rulings;

	JudgementCache(PromptSettings.CacheLimits limits, LongSupplier clock) {
		this.ttl = limits.ttl().toNanos();
		this.clock = clock;
		this.rulings = new LinkedHashMap<>(16, 0.75f, true) {

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
				return size() > limits.maxEntries();
			}

		};
	}

	static String key(String question) {
		return Sha256.hex(question);
	}

	@Nullable Judgement get(String key) {
		synchronized (this.rulings) {
			Kept kept = this.rulings.get(key);
			if (kept == null || this.clock.getAsLong() - kept.since() < this.ttl) {
				return (kept != null) ? kept.ruling() : null;
			}
			this.rulings.remove(key);
			return null;
		}
	}

	void put(String key, Judgement ruling) {
		synchronized (this.rulings) {
			this.rulings.put(key, new Kept(ruling, this.clock.getAsLong()));
		}
	}

	private record Kept(Judgement ruling, long since) {
	}

}
