package io.agenthooks;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UniqueId}.
 */
class UniqueIdTests {

	@Test
	void idIsAUuidOfVersionSevenWithTheTime() {
		long before = System.currentTimeMillis();
		UUID id = UUID.fromString(UniqueId.next());
		assertThat(id.version()).isEqualTo(7);
		assertThat(id.variant()).isEqualTo(2);
		assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, System.currentTimeMillis());
	}

	@Test
	void idsOfOneThreadDiffer() {
		List<String> ids = Stream.generate(UniqueId::next).limit(100_000).toList();
		assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
	}

	@Test
	void idsOfManyThreadsDiffer() throws InterruptedException {
		Set<String> ids = ConcurrentHashMap.newKeySet();
		List<Thread> threads = IntStream.range(0, 8)
			.mapToObj((i) -> new Thread(() -> Stream.generate(UniqueId::next).limit(10_000).forEach(ids::add)))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(ids).hasSize(80_000);
	}

}
