package io.agenthooks.spring.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What every {@link KeyedState} promises, in a time that passes only when a test says so.
 */
abstract class KeyedStateContract {

	private static final long HOUR = Duration.ofHours(1).toNanos() / 1_000;

	final AtomicLong micros = new AtomicLong(1_763_000_000_000_000L);

	/** Open state of one more node; in memory, that of the only node. */
	abstract KeyedState<String> open(StateTerms<String> terms);

	final void pass(Duration time) {
		this.micros.addAndGet(time.toNanos() / 1_000);
	}

	/** Adds one to a number, as long as it is below another one. */
	static boolean add(KeyedState<String> state, int limit, String... keys) {
		return state.change(List.of(keys), false, (kept, now) -> {
			if (kept.stream().anyMatch((one) -> number(one.state()) >= limit)) {
				return false;
			}
			kept.forEach((one) -> one.keep(String.valueOf(number(one.state()) + 1), now + HOUR));
			return true;
		});
	}

	static int number(@Nullable String text) {
		return Integer.parseInt(Objects.requireNonNullElse(text, "0"));
	}

	static String read(KeyedState<String> state, String key) {
		return state.look(key, "full", (kept, now) -> Objects.requireNonNullElse(kept.state(), "nothing"));
	}

	@Test
	void changeIsSeenByAllNodesUntilItIsOver() {
		KeyedState<String> one = open(TestTexts.terms(10));
		KeyedState<String> two = open(TestTexts.terms(10));
		assertThat(add(one, 9, "k")).isTrue();
		assertThat(add(two, 9, "k")).isTrue();
		assertThat(read(one, "k")).isEqualTo("2");
		assertThat(read(two, "other")).isEqualTo("nothing");
		pass(Duration.ofHours(1).minusNanos(1_000));
		assertThat(read(one, "k")).isEqualTo("2");
		pass(Duration.ofNanos(1_000));
		assertThat(read(two, "k")).isEqualTo("nothing");
		assertThat(add(one, 9, "k")).isTrue();
		assertThat(read(two, "k")).isEqualTo("1");
	}

	@Test
	void whatIsOverAtOnceIsRemoved() {
		KeyedState<String> state = open(TestTexts.terms(1));
		assertThat(add(state, 9, "k")).isTrue();
		assertThat(state.change("k", "full", (kept, now) -> {
			kept.keep("gone", now);
			return Objects.requireNonNull(kept.state());
		})).isEqualTo("1");
		assertThat(read(state, "k")).isEqualTo("nothing");
		assertThat(add(state, 9, "other")).isTrue();
	}

	@Test
	void changeThatKeepsNothingChangesNothing() {
		KeyedState<String> state = open(TestTexts.terms(1));
		assertThat(state.change("new", "full", (kept, now) -> "seen")).isEqualTo("seen");
		assertThat(add(state, 1, "k")).isTrue();
		assertThat(add(state, 1, "k")).isFalse();
		assertThat(read(state, "k")).isEqualTo("1");
	}

	@Test
	void lookingSaysWhatWouldBeAndLeavesNoTrace() {
		KeyedState<String> state = open(TestTexts.terms(1));
		KeyedState.ChangeOfOne<String, String> write = (kept, now) -> {
			kept.keep("written", now + HOUR);
			return Objects.requireNonNullElse(kept.state(), "nothing");
		};
		assertThat(state.look("k", "full", write)).isEqualTo("nothing");
		assertThat(state.look("k", "full", write)).isEqualTo("nothing");
		assertThat(add(state, 9, "k")).isTrue();
		assertThat(state.look("k", "full", write)).isEqualTo("1");
		assertThat(state.look("k", "full", write)).isEqualTo("1");
		assertThat(state.look("other", "full", write)).isEqualTo("full");
	}

	@Test
	void newKeyIsRefusedIfThereIsNoRoomAndNoneIsForgotten() {
		KeyedState<String> one = open(TestTexts.terms(2));
		KeyedState<String> two = open(TestTexts.terms(2));
		assertThat(add(one, 9, "a")).isTrue();
		pass(Duration.ofMinutes(30));
		assertThat(add(two, 9, "b")).isTrue();
		for (int i = 0; i < 5; i++) {
			pass(Duration.ofSeconds(11));
			assertThat(add(one, 9, "new" + i)).isFalse();
		}
		assertThat(read(two, "a")).isEqualTo("1");
		assertThat(add(one, 9, "a")).isTrue();
		pass(Duration.ofMinutes(59).plusSeconds(30));
		assertThat(add(one, 9, "c")).isTrue();
		assertThat(read(two, "a")).isEqualTo("2");
		assertThat(read(two, "b")).isEqualTo("nothing");
	}

	@Test
	void oldestAreForgottenIfThatIsSaid() {
		StateTerms<String> terms = new StateTerms<>(List.of("texts"), 3, StateTerms.WhenFull.FORGET_OLDEST, false,
				new TestTexts());
		KeyedState<String> state = open(terms);
		for (int i = 0; i < 6; i++) {
			pass(Duration.ofSeconds(11));
			assertThat(add(state, 9, "k" + i)).isTrue();
			pass(Duration.ofSeconds(11));
			assertThat(add(state, 9, "k0")).isTrue();
		}
		assertThat(read(state, "k0")).isEqualTo("7");
		for (int i = 1; i < 6; i++) {
			assertThat(read(state, "k" + i)).isEqualTo((i < 4) ? "nothing" : "1");
		}
	}

	@Test
	void keysOfSeveralSpacesChangeTogetherOrNotAtAll() {
		KeyedState<String> state = open(TestTexts.terms(2, "first", "second"));
		assertThat(add(state, 9, "a", "x")).isTrue();
		assertThat(add(state, 9, "", "y")).isTrue();
		// There is room in the first space only.
		assertThat(add(state, 9, "b", "z")).isFalse();
		assertThat(add(state, 1, "b", "x")).isFalse();
		assertThat(texts(state, "b", "x")).containsExactly("nothing", "1");
		assertThat(add(state, 9, "a", "x")).isTrue();
		assertThat(texts(state, "a", "x")).containsExactly("2", "2");
		assertThat(texts(state, "x", "a")).containsExactly("nothing", "nothing");
		assertThat(state.<Integer>change(List.of("", ""), -1, (kept, now) -> kept.size())).isZero();
	}

	private static List<String> texts(KeyedState<String> state, String... keys) {
		return state.look(List.of(keys), List.of(),
				(kept, now) -> kept.stream().map((one) -> Objects.requireNonNullElse(one.state(), "nothing")).toList());
	}

	@Test
	void changeThatFailsChangesNothing() {
		KeyedState<String> state = open(TestTexts.terms(1));
		assertThatIllegalArgumentException().isThrownBy(() -> state.change("k", false, (kept, now) -> {
			kept.keep("1", now + HOUR);
			throw new IllegalArgumentException("no");
		}));
		assertThat(read(state, "k")).isEqualTo("nothing");
		assertThat(add(state, 9, "other")).isTrue();
	}

	@Test
	void exactlySoManyOfManyThreadsOnTwoNodesPass() throws Exception {
		List<KeyedState<String>> nodes = List.of(open(TestTexts.terms(10)), open(TestTexts.terms(10)));
		List<Callable<Boolean>> calls = new ArrayList<>();
		for (int i = 0; i < 240; i++) {
			KeyedState<String> node = nodes.get(i % 2);
			calls.add(() -> add(node, 77, "hot"));
		}
		assertThat(inThreads(calls)).isEqualTo(77);
		assertThat(read(nodes.get(0), "hot")).isEqualTo("77");
	}

	/**
	 * Also where they want the same keys in another order.
	 */
	@Test
	void callsOfSeveralKeysWaitForEachOtherInNoCircle() throws Exception {
		StateTerms<String> terms = TestTexts.terms(10, "first", "second");
		List<KeyedState<String>> nodes = List.of(open(terms), open(terms));
		List<Callable<Boolean>> calls = new ArrayList<>();
		for (int i = 0; i < 120; i++) {
			KeyedState<String> node = nodes.get(i % 2);
			String first = (i % 3 == 0) ? "a" : "b";
			String second = (i % 4 < 2) ? "a" : "b";
			calls.add(() -> add(node, 1_000, first, second));
		}
		assertThat(inThreads(calls)).isEqualTo(120);
		assertThat(texts(nodes.get(1), "a", "a")).containsExactly("40", "60");
		assertThat(texts(nodes.get(0), "b", "b")).containsExactly("80", "60");
	}

	private static int inThreads(List<Callable<Boolean>> work) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(12);
		try {
			int yes = 0;
			for (Future<Boolean> each : threads.invokeAll(work)) {
				yes += (each.get()) ? 1 : 0;
			}
			return yes;
		}
		finally {
			threads.shutdownNow();
		}
	}

}
