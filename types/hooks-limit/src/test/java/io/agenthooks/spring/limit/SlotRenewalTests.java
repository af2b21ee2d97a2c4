package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how {@link SharedSlots} renews places, with a store that fails when a test
 * says so.
 */
class SlotRenewalTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	private final AtomicLong clock = new AtomicLong();

	private final FailingLeases leases = new FailingLeases();

	private final List<Slots.Slot> running = new ArrayList<>();

	private final SharedSlots slots = new SharedSlots(this.leases, SharedSlots.LEASE, this.clock::get);

	@AfterEach
	void end() {
		this.leases.failure = null;
		this.running.forEach(this.slots::leave);
		this.slots.close();
		assertThat(this.slots.isOver()).isTrue();
	}

	private Slots.Slot enter(String key) throws InterruptedException {
		Slots.Slot slot = Objects.requireNonNull(this.slots.enter(key, Duration.ZERO));
		this.running.add(slot);
		return slot;
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	@Test
	void placeThatCannotBeRenewedKeepsNoOtherFromBeingRenewed() throws InterruptedException {
		for (String key : List.of("a", "b", "c", "d", "e")) {
			enter(key);
		}
		this.leases.failing = "c";
		for (Throwable failure : List.of(new IllegalStateException("away"), new NoClassDefFoundError("driver"))) {
			this.leases.failure = failure;
			this.leases.renewed.clear();
			pass(Duration.ofSeconds(20));
			this.slots.renew();
			assertThat(this.leases.renewed).containsExactlyInAnyOrder("a", "b", "d", "e");
		}
	}

	/**
	 * Of a key whose place cannot be renewed, the others are not tried either: each may
	 * take as long as the store is waited for.
	 */
	@Test
	void placeThatCannotBeRenewedIsTheOnlyOneOfItsKeyThatOthersWaitFor() throws InterruptedException {
		for (int i = 0; i < 40; i++) {
			enter("slow");
		}
		enter("a");
		this.leases.failing = "slow";
		this.leases.failure = new IllegalStateException("timed out");
		for (int i = 1; i <= 3; i++) {
			this.leases.renewed.clear();
			pass(Duration.ofSeconds(20));
			this.slots.renew();
			assertThat(this.leases.failed).hasValue(i);
			assertThat(this.leases.renewed).containsExactly("a");
		}
		this.leases.failure = null;
		this.leases.renewals.set(0);
		this.slots.renew();
		// All of them are tried again at once.
		assertThat(this.leases.renewals).hasValue(40);
	}

	@Test
	void whatFailedComesBehindAllOthersTheNextTime() throws InterruptedException {
		for (String key : List.of("a", "b", "c", "d", "e", "f", "g")) {
			enter(key);
		}
		this.leases.failing = "d";
		this.leases.failure = new IllegalStateException("timed out");
		pass(Duration.ofSeconds(20));
		this.slots.renew();
		pass(Duration.ofSeconds(20));
		this.leases.renewals.set(0);
		this.leases.onFailure = () -> assertThat(this.leases.renewals).hasValue(6);
		this.slots.renew();
		assertThat(this.leases.failed).hasValue(2);
		this.leases.onFailure = () -> {
		};
	}

	/**
	 * Each of them takes as long as it is waited for, by the clock of the test. One of
	 * the others is in their line for once.
	 */
	@Test
	void manyKeysThatHangTogetherCostNoOtherItsPlace() throws InterruptedException {
		Map<String, Long> renewedAt = new HashMap<>();
		Map<String, Long> longest = new HashMap<>();
		for (int i = 0; i < 100; i++) {
			enter("hanging" + i);
			enter("a" + i);
			renewedAt.put("a" + i, 0L);
		}
		Set<String> failedOnce = new HashSet<>();
		this.leases.renewing = (key) -> {
			long now = this.clock.get();
			boolean fails = key.equals("a1") && now > LONG.toNanos() && failedOnce.add(key);
			if (fails || key.startsWith("hanging")) {
				pass(Duration.ofNanos(Deadline.of(SharedSlots.LEASE) - System.nanoTime()));
				throw new IllegalStateException("timed out");
			}
			longest.merge(key, now - Objects.requireNonNull(renewedAt.put(key, now)), Math::max);
		};
		pass(Duration.ofSeconds(20));
		while (this.clock.get() < 3 * LONG.toNanos()) {
			this.slots.renew();
			pass(Duration.ofSeconds(1));
		}
		assertThat(failedOnce).hasSize(1);
		assertThat(longest).hasSize(100)
			.allSatisfy((key, time) -> assertThat(time).isLessThan(SharedSlots.LEASE.toNanos()));
	}

	/**
	 * The first one that is busy is waited for in vain. The second one is not free at
	 * once, but when it is waited for.
	 */
	@Test
	void whatDoesNotAnswerAtOnceIsWaitedForOnceAllOthersAreRenewed() throws InterruptedException {
		List<String> waitedFor = new ArrayList<>();
		for (String key : List.of("busy1", "busy2", "a")) {
			enter(key);
		}
		this.leases.renewing = (key) -> {
			boolean brief = Deadline.of(SharedSlots.LEASE) - System.nanoTime() < Duration.ofSeconds(4).toNanos();
			if (key.startsWith("busy") && (brief || (waitedFor.isEmpty() && waitedFor.add(key)))) {
				throw new IllegalStateException("busy");
			}
		};
		pass(Duration.ofSeconds(20));
		this.slots.renew();
		assertThat(this.leases.renewed).contains("a").hasSize(2);
		this.slots.renew();
		assertThat(this.leases.renewed).containsExactlyInAnyOrder("busy1", "busy2", "a");
		assertThat(this.slots.health().state()).isEqualTo(HookHealth.State.UP);
	}

	@Test
	void renewalIsWaitedForASmallPartOfTheLease() throws InterruptedException {
		enter("a");
		pass(Duration.ofSeconds(20));
		this.slots.renew();
		assertThat(this.leases.deadline - System.nanoTime()).isLessThanOrEqualTo(Duration.ofSeconds(5).toNanos());
	}

	@Test
	void placesThatAreTooOldAreToldAlthoughTheStoreAnswersOthers() throws InterruptedException {
		enter("a");
		this.leases.failing = "a";
		this.leases.failure = new IllegalStateException("away");
		pass(SharedSlots.LEASE.plusNanos(1));
		this.slots.renew();
		enter("b");
		assertThat(this.slots.health().state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(this.slots.health().details().get("last_failure"))
			.isEqualTo("calls run whose places could not be renewed in time");
		this.leases.failure = null;
		// What failed is tried again at once, and not after a third of the lease.
		this.slots.renew();
		assertThat(this.leases.renewed).containsExactly("a");
		assertThat(this.slots.health().state()).isEqualTo(HookHealth.State.UP);
	}

	/**
	 * By the thread itself, also after an error that ends no other work.
	 */
	@Test
	void renewalNeverEnds() throws InterruptedException {
		SharedSlots quick = new SharedSlots(this.leases, Duration.ofMillis(3));
		Slots.Slot slot = Objects.requireNonNull(quick.enter("a", Duration.ZERO));
		for (Throwable failure : List.of(new IllegalStateException("away"), new NoClassDefFoundError("driver"),
				new AssertionError("bug"))) {
			this.leases.failing = "a";
			this.leases.failure = failure;
			int failed = this.leases.failed.get();
			Awaitility.await().atMost(LONG).until(() -> this.leases.failed.get() > failed + 1);
			this.leases.failure = null;
			this.leases.renewed.clear();
			Awaitility.await().atMost(LONG).until(() -> this.leases.renewed.contains("a"));
		}
		quick.leave(slot);
		quick.close();
	}

	@Test
	void callThatRunsOnKeepsItsPlaceAfterTheHookWasClosedAndNoOtherBegins() throws InterruptedException {
		Slots.Slot slot = enter("a");
		this.slots.close();
		assertThat(this.slots.isClosed()).isTrue();
		assertThat(this.slots.enter("b", Duration.ZERO)).isNull();
		assertThat(this.slots.hasRoom("b")).isFalse();
		pass(Duration.ofSeconds(20));
		this.slots.renew();
		assertThat(this.leases.renewed).containsExactly("a");
		assertThat(this.slots.isOver()).isFalse();
		this.slots.leave(slot);
		assertThat(this.leases.entered).isEmpty();
		assertThat(this.slots.isOver()).isTrue();
	}

	@Test
	void callThatNeverEndsKeepsItsPlaceForABoundedTime() throws InterruptedException {
		enter("a");
		this.slots.close();
		pass(SharedSlots.FAREWELL.plusNanos(1));
		this.slots.close();
		assertThat(this.slots.isOver()).isTrue();
	}

	@Test
	void placeOfACallThatLearnedOfNoAnswerIsGivenBack() {
		this.leases.failing = "a";
		this.leases.failure = new IllegalStateException("timed out");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.slots.enter("a", Duration.ZERO));
		assertThat(this.leases.entered).hasSize(1);
		this.leases.failure = null;
		Awaitility.await().atMost(LONG).until(() -> this.leases.entered.isEmpty());
		assertThat(this.slots.running()).isZero();
	}

	/**
	 * Does what it is told, and fails behind it for one key.
	 */
	private static final class FailingLeases implements Leases {

		private final Set<String> entered = ConcurrentHashMap.newKeySet();

		private final Set<String> renewed = ConcurrentHashMap.newKeySet();

		private final AtomicInteger failed = new AtomicInteger();

		private final AtomicInteger renewals = new AtomicInteger();

		private volatile Runnable onFailure = () -> {
		};

		private volatile Consumer<String> renewing = (key) -> {
		};

		private volatile long deadline;

		private volatile String failing = "";

		private volatile @Nullable Throwable failure;

		private void fail(String key) {
			Throwable failure = this.failure;
			if (failure == null || !key.equals(this.failing)) {
				return;
			}
			this.failed.incrementAndGet();
			this.onFailure.run();
			if (failure instanceof Error error) {
				throw error;
			}
			throw (RuntimeException) failure;
		}

		@Override
		public boolean enter(String key, String id) {
			this.entered.add(id);
			fail(key);
			return true;
		}

		@Override
		public void renew(String key, String id) {
			this.deadline = Deadline.of(Duration.ofDays(1));
			fail(key);
			this.renewing.accept(key);
			this.renewals.incrementAndGet();
			this.renewed.add(key);
		}

		@Override
		public void leave(String key, String id) {
			fail(key);
			this.entered.remove(id);
		}

		@Override
		public boolean hasRoom(String key) {
			return true;
		}

	}

}
