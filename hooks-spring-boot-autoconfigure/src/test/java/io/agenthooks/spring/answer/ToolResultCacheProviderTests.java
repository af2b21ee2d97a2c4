package io.agenthooks.spring.answer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.Cache;

import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the caches of {@link ToolResultCacheProvider}.
 */
class ToolResultCacheProviderTests {

	private static final Duration TTL = Duration.ofSeconds(10);

	static Stream<Arguments> caches() {
		AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
		return Stream
			.of(Arguments.of(Named.of("Caffeine", new CaffeineProvider(clock::get).cacheFor("mine", TTL, 100)), clock));
	}

	@ParameterizedTest
	@MethodSource("caches")
	void valueIsThereUntilItsTimeIsOver(Cache cache, AtomicLong clock) {
		cache.put("a", 1);
		clock.addAndGet(TTL.toNanos() - 10);
		assertThat(cache.get("a", Integer.class)).isEqualTo(1);
		clock.addAndGet(10);
		assertThat(cache.get("a")).isNull();
	}

	@ParameterizedTest
	@MethodSource("caches")
	void readingDoesNotProlongTheTimeButWritingDoes(Cache cache, AtomicLong clock) {
		cache.put("read", 1);
		cache.put("written", 1);
		clock.addAndGet(TTL.toNanos() - 10);
		assertThat(cache.get("read")).isNotNull();
		cache.put("written", 2);
		clock.addAndGet(TTL.toNanos() - 10);
		assertThat(cache.get("read")).isNull();
		assertThat(cache.get("written", Integer.class)).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("caches")
	void noMoreThanTheMostEntriesAreKept(Cache cache, AtomicLong clock) {
		IntStream.range(0, 1_000).forEach((i) -> cache.put(i, i));
		assertThat(IntStream.range(0, 1_000).filter((i) -> cache.get(i) != null).count()).isBetween(90L, 100L);
	}

	@ParameterizedTest
	@MethodSource("caches")
	void cacheIsOneOfSpring(Cache cache, AtomicLong clock) {
		assertThat(cache.getName()).isEqualTo("mine");
		assertThat(cache.getNativeCache()).isNotNull();
		assertThat(cache.get("a", () -> 1)).isEqualTo(1);
		assertThat(cache.get("a", () -> 2)).isEqualTo(1);
		assertThat(cache.putIfAbsent("a", 3)).isNotNull();
		cache.evict("a");
		assertThat(cache.get("a")).isNull();
		cache.put("b", 1);
		cache.clear();
		assertThat(cache.get("b")).isNull();
		assertThatExceptionOfType(Cache.ValueRetrievalException.class).isThrownBy(() -> cache.get("c", () -> {
			throw new IllegalStateException("no value");
		}));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> cache.put("d", null));
	}

	@ParameterizedTest
	@MethodSource("caches")
	void noMoreThanTheMostCharactersAreKept(Cache cache, AtomicLong clock) {
		for (int i = 0; i < 100; i++) {
			cache.put(i, CachedResult.of(ToolResult.success("x".repeat(CachedResult.MAX_LENGTH))));
		}

		assertThat(IntStream.range(0, 100).filter((i) -> cache.get(i) != null).count()).isBetween(50L, 64L);

		IntStream.range(0, 100).forEach(cache::evict);
		IntStream.range(0, 90).forEach((i) -> cache.put(i, i));
		assertThat(IntStream.range(0, 90).filter((i) -> cache.get(i) != null).count()).isEqualTo(90);
	}

	@Test
	void dataThatIsTooLargeIsNotKept() {
		for (Object value : List.of("x".repeat(CachedResult.MAX_LENGTH), Collections.nCopies(100_000, ""),
				Map.of("n".repeat(CachedResult.MAX_LENGTH), 1), BigInteger.ONE.shiftLeft(100_000_000),
				new BigDecimal(BigInteger.ONE.shiftLeft(100_000_000)))) {
			assertThat(CachedResult.of(new ToolResult(true, "a", value))).isNull();
		}
		assertThat(CachedResult.of(new ToolResult(true, "a", List.of(1, "b")))).isNotNull();
	}

}
