package io.agenthooks.spring.audit;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AuditQueue}.
 */
class AuditQueueTests {

	private static final int MEGABYTE = 1024 * 1024;

	private final AuditQueue queue = new AuditQueue(10, 20, Clock.systemUTC());

	private static AuditEntry entry(String argument, int times) {
		ToolCall call = ToolCall.of("write", Map.of("texts", Collections.nCopies(times, argument)));
		return ToolEntry.of(
				ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("done"), null, Duration.ofMillis(1)),
				List.of(), 0);
	}

	private static AuditEntry denied(String argument, int times) {
		ToolCall call = ToolCall.of("write", Map.of("texts", Collections.nCopies(times, argument)));
		return ToolEntry.of(new ToolOutcome(call, call, ToolDecision.deny("no"), "policy", ToolCallStatus.DENIED, null,
				ToolResult.failure("no"), null, Duration.ofMillis(1), List.of(), List.of(), List.of(), null, List.of()),
				List.of(), 0);
	}

	/**
	 * They began while there was room, so with {@code strict} they have to be recorded.
	 */
	@Test
	void deniedCallsLeaveTheRoomOfThoseThatAreUnderWay() {
		for (int i = 0; i < 40; i++) {
			assertThat(this.queue.offer(denied("a", 1))).isEqualTo(i < 10);
		}
		assertThat(this.queue.hasRoom()).isFalse();
		for (int i = 0; i < 10; i++) {
			assertThat(this.queue.offer(entry("a", 1))).isTrue();
		}
		assertThat(this.queue.offer(entry("a", 1))).isFalse();
	}

	@Test
	void callsThatAreUnderWayFindRoomHoweverLargeTheyAre() {
		String text = "a".repeat(MEGABYTE);
		assertThat(this.queue.hasRoom()).isTrue();
		for (int i = 0; i < 9; i++) {
			assertThat(this.queue.offer(entry(text, 8))).isTrue();
		}
		assertThat(this.queue.hasRoom()).isFalse();
		assertThat(this.queue.offer(denied("a", 1))).isFalse();
	}

	@Test
	void namesOfArgumentsWeighToo() {
		ToolCall call = ToolCall.of("write", Map.of("a".repeat(MEGABYTE), 1));
		AuditEntry entry = ToolEntry.of(
				ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("done"), null, Duration.ofMillis(1)),
				List.of(), 0);
		assertThat(entry.weight()).isGreaterThanOrEqualTo(MEGABYTE);
	}

	@Test
	void takesAsManyAsItsLimitAndHasRoomBelowItsCapacity() {
		for (int i = 0; i < 20; i++) {
			assertThat(this.queue.hasRoom()).isEqualTo(i < 10);
			assertThat(this.queue.offer(entry("a", 1))).isTrue();
			assertThat(this.queue.size()).isEqualTo(i + 1);
		}
		assertThat(this.queue.offer(entry("a", 1))).isFalse();
		assertThat(this.queue.size()).isEqualTo(20);
	}

	@Test
	void takesNoMoreThanItsWeightHoweverFewTheyAre() {
		AuditQueue queue = new AuditQueue(10, 10, Clock.systemUTC());
		String text = "a".repeat(MEGABYTE);
		assertThat(queue.offer(entry(text, 31))).isTrue();
		assertThat(queue.hasRoom()).isTrue();
		assertThat(queue.offer(entry(text, 31))).isTrue();
		assertThat(queue.hasRoom()).isFalse();
		assertThat(queue.offer(entry(text, 31))).isFalse();
		assertThat(queue.offer(entry(text, 1))).isTrue();
		assertThat(queue.size()).isEqualTo(3);
	}

	@Test
	void takesOutInOrderAndCountsUntilAllIsRecorded() throws InterruptedException {
		List<AuditEntry> entries = List.of(entry("a", 1), entry("b", 1), entry("c", 1));
		entries.forEach(this.queue::offer);
		List<AuditEntry> taken = new ArrayList<>();
		this.queue.take(taken, 2, Duration.ZERO);
		assertThat(taken).isEqualTo(entries.subList(0, 2));
		this.queue.take(taken, 2, Duration.ZERO);
		this.queue.take(taken, 2, Duration.ZERO);
		this.queue.take(taken, 0, Duration.ofDays(1));
		assertThat(taken).isEqualTo(entries);
		assertThat(this.queue.size()).isEqualTo(3);
		this.queue.recorded(taken);
		assertThat(this.queue.size()).isZero();
	}

	@Test
	void takesNothingOnceItIsClosedAndKeepsWhatItHas() throws InterruptedException {
		assertThat(this.queue.offer(entry("a", 1))).isTrue();
		assertThat(this.queue.isClosed()).isFalse();
		assertThat(this.queue.close()).isTrue();
		assertThat(this.queue.close()).isFalse();
		assertThat(this.queue.isClosed()).isTrue();
		assertThat(this.queue.hasRoom()).isFalse();
		assertThat(this.queue.offer(entry("b", 1))).isFalse();
		assertThat(this.queue.size()).isOne();
		List<AuditEntry> taken = new ArrayList<>();
		this.queue.take(taken, 2, Duration.ZERO);
		assertThat(taken).hasSize(1);
		this.queue.recorded(taken);
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.isClosed()).isTrue();
	}

	/**
	 * In whichever order they come, an entry is refused or counted when the queue is
	 * closed, so that the thread does not leave before it has it.
	 */
	@Test
	void entryThatComesWhileItIsClosedIsCountedOrRefused() throws Exception {
		for (int i = 0; i < 2000; i++) {
			AuditQueue queue = new AuditQueue(10, 20, Clock.systemUTC());
			CyclicBarrier together = new CyclicBarrier(2);
			CompletableFuture<Boolean> offered = CompletableFuture.supplyAsync(() -> {
				await(together);
				return queue.offer(entry("a", 1));
			});
			await(together);
			queue.close();
			int size = queue.size();
			List<AuditEntry> taken = new ArrayList<>();
			if (size > 0) {
				queue.take(taken, 1, Duration.ofMinutes(1));
			}
			assertThat(offered.get(1, TimeUnit.MINUTES)).isEqualTo(size == 1);
			assertThat(taken).hasSize(size);
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(1, TimeUnit.MINUTES);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Each may be alone, however large it is, and leaves nothing behind.
	 */
	@Test
	void weighsNothingWhenAllAreRecorded() {
		AuditQueue queue = new AuditQueue(10, 10, Clock.systemUTC());
		String text = "a".repeat(MEGABYTE);
		for (int times : new int[] { 1, 100, 5000 }) {
			AuditEntry large = entry(text, times);
			assertThat(queue.offer(large)).isTrue();
			assertThat(queue.offer(entry(text, 5000))).isFalse();
			AuditEntry small = entry("a", 1);
			boolean second = queue.offer(small);
			assertThat(second).isEqualTo(times == 1);
			queue.recorded((second) ? List.of(large, small) : List.of(large));
			assertThat(queue.size()).isZero();
			assertThat(queue.hasRoom()).isTrue();
		}
	}

}
