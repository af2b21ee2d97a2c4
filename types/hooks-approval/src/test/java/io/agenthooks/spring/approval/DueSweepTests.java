package io.agenthooks.spring.approval;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DueSweep}.
 */
@Timeout(60)
class DueSweepTests {

	private static final int MANY = 3 * DueSweep.BATCH + 7;

	private static final InstantSource LATER = InstantSource.fixed(Questions.NOW.plus(Duration.ofHours(1)));

	private final List<String> ended = new ArrayList<>();

	private static void ask(ApprovalStore store, int count) {
		for (int i = 0; i < count; i++) {
			store.ask(Questions.question("q" + i, "f" + i, "s" + i, 1, Questions.NOW),
					new ApprovalStore.Bounds(count, count));
		}
	}

	@Test
	void endsAllQuestionsWhoseTimeIsOverHoweverMany() {
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, MANY);
			DueSweep sweep = new DueSweep(store, Duration.ofDays(30), LATER, (request) -> {
				this.ended.add(request.id());
				store.replace(request, ApprovalRules.expired(request, LATER.instant()), LATER.instant());
			}, Runnable::run);
			sweep.run();
			assertThat(this.ended).hasSize(MANY).doesNotHaveDuplicates();
			assertThat(store.due(LATER.instant(), 1)).isEmpty();
		}
	}

	@Test
	void doesNotGoOnForeverAboutQuestionsThatCannotBeEnded() {
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, MANY);
			new DueSweep(store, Duration.ofDays(30), LATER, (request) -> this.ended.add(request.id()), Runnable::run)
				.run();
			assertThat(this.ended).hasSize(2 * DueSweep.BATCH);
		}
	}

	@Test
	void questionThatCannotBeEndedLeavesNoOther() {
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, 10);
			new DueSweep(store, Duration.ofDays(30), LATER, (request) -> {
				if (request.id().equals("q3")) {
					throw new IllegalStateException("damaged");
				}
				this.ended.add(request.id());
			}, Runnable::run).run();
			assertThat(this.ended).hasSize(9).doesNotContain("q3");
		}
	}

	@Test
	void storeThatIsAwayIsNotAskedToEndEveryQuestion() {
		AtomicInteger tried = new AtomicInteger();
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, MANY);
			new DueSweep(store, Duration.ofDays(30), LATER, (request) -> {
				tried.incrementAndGet();
				throw new IllegalStateException("away");
			}, Runnable::run).run();
			assertThat(tried).hasValue(DueSweep.MAX_FAILURES);
		}
	}

	@Test
	void forgetsInPortionsAndNotOnTheThreadOfWhoLooks() {
		AtomicInteger portions = new AtomicInteger();
		List<Runnable> background = new ArrayList<>();
		try (ApprovalStore store = new MemoryApprovalStore()) {
			DueSweep sweep = new DueSweep(purging(store, () -> portions.incrementAndGet() < 3), Duration.ofDays(30),
					LATER, (request) -> {
					}, background::add);
			sweep.run();
			assertThat(portions).hasValue(0);
			for (int i = 1; i <= 3; i++) {
				assertThat(background).hasSize(i);
				background.get(i - 1).run();
			}
			assertThat(background).hasSize(3);
			assertThat(portions).hasValue(3);
		}
	}

	@Test
	void forgettingThatFailsOrFindsEverMoreEnds() {
		AtomicInteger portions = new AtomicInteger();
		Deque<Runnable> background = new ArrayDeque<>();
		try (ApprovalStore store = new MemoryApprovalStore()) {
			new DueSweep(purging(store, () -> portions.incrementAndGet() > 0), Duration.ofDays(30), LATER,
					(request) -> {
					}, background::add)
				.run();
			for (Runnable work = background.poll(); work != null; work = background.poll()) {
				work.run();
			}
			assertThat(portions).hasValue(DueSweep.MAX_PORTIONS);
			new DueSweep(purging(store, () -> {
				portions.incrementAndGet();
				throw new IllegalStateException("away");
			}), Duration.ofDays(30), LATER, (request) -> {
			}, Runnable::run).run();
			assertThat(portions).hasValue(DueSweep.MAX_PORTIONS + 1);
		}
	}

	@Test
	void forgettingThatLacksAClassIsDoneAgainLater() {
		AtomicInteger portions = new AtomicInteger();
		List<Runnable> background = new ArrayList<>();
		try (ApprovalStore store = new MemoryApprovalStore()) {
			DueSweep sweep = new DueSweep(purging(store, () -> {
				portions.incrementAndGet();
				throw new NoClassDefFoundError("driver");
			}), Duration.ofDays(30), LATER, (request) -> {
			}, background::add);
			sweep.purge();
			background.get(0).run();
			sweep.purge();
			assertThat(background).hasSize(2);
			background.get(1).run();
			assertThat(portions).hasValue(2);
		}
	}

	/**
	 * A store that forgets in another way.
	 */
	private static ApprovalStore purging(ApprovalStore store, BooleanSupplier purge) {
		return (ApprovalStore) Proxy.newProxyInstance(DueSweepTests.class.getClassLoader(),
				new Class<?>[] { ApprovalStore.class }, (proxy, method, arguments) -> (method.getName().equals("purge"))
						? purge.getAsBoolean() : method.invoke(store, arguments));
	}

}
