package io.agenthooks.spring.prompt;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JudgementCache}.
 */
class JudgementCacheTests {

	private static final Judgement ALLOW = new Judgement(Judgement.Answer.ALLOW, "fine", true);

	private static final Judgement DENY = new Judgement(Judgement.Answer.DENY, "no", true);

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

	private final JudgementCache cache = new JudgementCache(new PromptSettings.CacheLimits(Duration.ofNanos(10), 2),
			this.time::get);

	@Test
	void rulingHoldsForSoLong() {
		this.cache.put("a", ALLOW);
		this.time.addAndGet(9);
		assertThat(this.cache.get("a")).isSameAs(ALLOW);
		assertThat(this.cache.get("b")).isNull();
		this.time.incrementAndGet();
		assertThat(this.cache.get("a")).isNull();
		this.cache.put("a", DENY);
		assertThat(this.cache.get("a")).isSameAs(DENY);
	}

	@Test
	void whatWasNotUsedForTheLongestTimeMakesPlace() {
		this.cache.put("a", ALLOW);
		this.cache.put("b", ALLOW);
		this.cache.get("a");
		this.cache.put("c", DENY);
		assertThat(this.cache.get("b")).isNull();
		assertThat(this.cache.get("a")).isSameAs(ALLOW);
		assertThat(this.cache.get("c")).isSameAs(DENY);
	}

	@Test
	void keysAreDigests() {
		assertThat(JudgementCache.key("a")).hasSize(64).isNotEqualTo(JudgementCache.key("b"));
	}

}
