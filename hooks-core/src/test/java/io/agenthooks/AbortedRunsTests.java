package io.agenthooks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link AbortedRuns}: an abort holds for whom it was meant, until it ends.
 */
class AbortedRunsTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);

	private final AbortedRuns runs = new AbortedRuns(10, 4, Duration.ofMinutes(1), this.now::get);

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

	private static CallContext context(@Nullable String run, @Nullable String session, @Nullable String user,
			@Nullable String agent) {
		return CallContext.ofSession(session).withRunId(run).withUser(user).withAgent(agent);
	}

	private void abort(CallContext context) {
		this.runs.remember(context, "enough", "guard");
	}

	private boolean isRefused(CallContext context) {
		return this.runs.find(context) != null;
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			# aborted: run, session, user, agent | later: run, session, user, agent | refused
			r, s, u, a,    r, s, u, a,        true
			r, s, u, a,    r, other, b, c,    true
			r, s, u, a,    r, -, -, -,        true
			r, s, u, a,    fresh, s, u, a,    false
			r, s, u, a,    -, s, u, a,        false
			r, s, u, a,    -, r, u, a,        false
			r, -, -, -,    -, r, -, -,        false
			-, s, u, a,    -, s, u, a,        true
			-, s, u, a,    fresh, s, u, a,    true
			-, s, u, a,    -, s, b, a,        false
			-, s, u, a,    -, s, -, a,        false
			-, s, u, a,    -, s, u, b,        false
			-, s, u, a,    -, s, u, -,        false
			-, s, u, a,    s, s, b, a,        false
			-, s, u, a,    s, -, c, -,        false
			-, s, u, a,    u, a, s, -,        false
			-, s, -, -,    -, s, -, -,        true
			-, s, -, -,    fresh, s, -, -,    true
			-, s, -, -,    -, s, u, -,        false
			-, s, -, -,    s, -, -, -,        false
			-, s, a, -,    -, s, -, a,        false
			-, '', '', '', '', -, -, -,       false
			-, -, u, a,    -, -, u, a,        false
			""")
	void abortHoldsForWhomItWasMeant(@Nullable String run, @Nullable String session, @Nullable String user,
			@Nullable String agent, @Nullable String laterRun, @Nullable String laterSession,
			@Nullable String laterUser, @Nullable String laterAgent, boolean refused) {
		abort(context(run, session, user, agent));
		assertThat(isRefused(context(laterRun, laterSession, laterUser, laterAgent))).isEqualTo(refused);
	}

	@Test
	void longIdsAreToldApartToTheirLastCharacter() {
		String longId = "x".repeat(100_000);
		abort(context(longId + "a", null, null, null));
		assertThat(isRefused(context(longId + "a", null, null, null))).isTrue();
		assertThat(isRefused(context(longId + "b", null, null, null))).isFalse();
		assertThat(this.runs.endRun(longId + "a")).isTrue();
		assertThat(this.runs.isEmpty()).isTrue();
	}

	@Test
	void endOfARunIsNotTheEndOfASession() {
		abort(context(null, "x", "u", null));
		abort(context("x", null, "u", null));
		assertThat(this.runs.endRun("x")).isTrue();
		assertThat(this.runs.endRun("x")).isFalse();
		assertThat(isRefused(context(null, "x", "u", null))).isTrue();
		assertThat(this.runs.endSession("x", null, null)).isFalse();
		assertThat(this.runs.endSession("x", "u", "x")).isFalse();
		assertThat(this.runs.endSession("x", "u", null)).isTrue();
		assertThat(isRefused(context(null, "x", "u", null))).isFalse();
		assertThat(this.runs.isEmpty()).isTrue();
	}

	@Test
	void abortIsForgottenWhenNothingHadToBeRefusedForLong() {
		CallContext run = context("r", null, null, null);
		abort(run);
		for (int i = 0; i < 10; i++) {
			pass(Duration.ofSeconds(59));
			assertThat(isRefused(run)).as("a run that does not give up").isTrue();
		}
		pass(Duration.ofSeconds(60));
		assertThat(isRefused(run)).isFalse();
		assertThat(this.runs.isEmpty()).isTrue();
		assertThat(this.runs.endRun("r")).isFalse();
	}

	@Test
	void abortThatComesAgainIsRememberedAnew() {
		CallContext run = context("r", null, null, null);
		abort(run);
		pass(Duration.ofSeconds(59));
		abort(run);
		pass(Duration.ofSeconds(59));
		assertThat(isRefused(run)).isTrue();
	}

	@Test
	void fullMemoryForgetsNothingAndLetsNobodyElseIn() {
		IntStream.range(0, 10).forEach((i) -> abort(context("r" + i, null, null, null)));
		CallContext other = context("new", "s", "u", null);
		assertThat(this.runs.isFullFor(other)).isTrue();
		// A call that was under way
		abort(other);
		assertThat(isRefused(other)).isTrue();
		IntStream.range(0, 10).forEach((i) -> assertThat(isRefused(context("r" + i, null, null, null))).isTrue());
		this.runs.endRun("r1");
		this.runs.endRun("r2");
		assertThat(this.runs.isFullFor(other)).isFalse();
	}

	@Test
	void memoryOfOneUserIsFullForThisUserOnly() {
		IntStream.range(0, 4).forEach((i) -> abort(context(null, "s" + i, "mallory", null)));
		assertThat(this.runs.isFullFor(context(null, "new", "mallory", null))).isTrue();
		assertThat(this.runs.isFullFor(context(null, "new", "alice", null))).isFalse();
		assertThat(this.runs.isFullFor(context(null, "new", null, null))).isFalse();
		this.runs.endSession("s0", "mallory", null);
		assertThat(this.runs.isFullFor(context(null, "new", "mallory", null))).isFalse();
	}

	@Test
	void memoryOfNobodyIsFullBeforeThatOfUsers() {
		IntStream.range(0, 5).forEach((i) -> abort(context("r" + i, null, null, null)));
		assertThat(this.runs.isFullFor(context("new", null, null, null))).isFalse();
		abort(context("r5", null, null, null));
		assertThat(this.runs.isFullFor(context("new", null, null, null))).isTrue();
		assertThat(this.runs.isFullFor(context("new", null, "alice", null))).isFalse();
		assertThat(this.runs.isFullFor(context("new", null, "", null))).isFalse();
		this.runs.endRun("r5");
		assertThat(this.runs.isFullFor(context("new", null, null, null))).isFalse();
	}

	@Test
	void theSameAbortAgainDoesNotCount() {
		IntStream.range(0, 100).forEach((i) -> abort(context("r", null, "u", null)));
		assertThat(this.runs.isFullFor(context("new", null, "u", null))).isFalse();
	}

	@Test
	void fullMemoryOpensWhenWhatItRemembersIsOver() {
		IntStream.range(0, 10).forEach((i) -> abort(context("r" + i, null, null, null)));
		pass(Duration.ofSeconds(61));
		assertThat(this.runs.isFullFor(context("new", null, null, null))).isFalse();
		assertThat(this.runs.isEmpty()).isTrue();
	}

	@Test
	void memoryIsBoundedWhateverIsUnderWay() {
		IntStream.range(0, 1_000).forEach((i) -> abort(context("r" + i, null, null, null)));
		IntStream.range(0, 20).forEach((i) -> assertThat(isRefused(context("r" + i, null, null, null))).isTrue());
		assertThat(isRefused(context("r20", null, null, null))).as("not remembered").isFalse();
		IntStream.range(0, 20).forEach((i) -> this.runs.endRun("r" + i));
		assertThat(this.runs.isFullFor(context("r20", null, null, null))).as("and yet not let in").isTrue();
		pass(Duration.ofSeconds(61));
		assertThat(this.runs.isFullFor(context("r20", null, null, null))).isFalse();
		assertThat(this.runs.isEmpty()).isTrue();
	}

	@Test
	@Timeout(60)
	void manyThreadsLeaveNothingBehind() throws Exception {
		AbortedRuns runs = new AbortedRuns();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Void>> tasks = new ArrayList<>();
			for (int thread = 0; thread < 4; thread++) {
				tasks.add(() -> {
					for (int i = 0; i < 5_000; i++) {
						CallContext run = context("r" + (i % 7), null, "u", null);
						runs.remember(run, "enough", "guard");
						runs.find(run);
						runs.endRun("r" + (i % 7));
					}
					return null;
				});
			}
			for (Future<Void> task : threads.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(runs.isEmpty()).isTrue();
		for (int i = 0; i < AbortedRuns.MAX_RUNS_OF_USER - 1; i++) {
			runs.remember(context("r" + i, null, "u", null), "enough", "guard");
		}
		assertThat(runs.isFullFor(context("new", null, "u", null))).isFalse();
		runs.remember(context("last", null, "u", null), "enough", "guard");
		assertThat(runs.isFullFor(context("new", null, "u", null))).isTrue();
	}

	@Test
	void listenersHearEachAbortBeforeItCanBeForgotten() {
		List<String> heard = new ArrayList<>();
		this.runs.addListener((context) -> {
			throw new IllegalStateException("broken");
		});
		this.runs.addListener((context) -> heard.add(context.runId() + " " + (this.runs.peek(context) != null)));
		abort(CallContext.empty().withRunId("r1"));
		assertThat(this.runs.endRun("r1")).isTrue();
		assertThat(heard).containsExactly("r1 true");
		abort(CallContext.empty());
		assertThat(heard).hasSize(1);
	}

	@Test
	void listenerThatWasClosedHearsNothingMore() {
		List<String> heard = new ArrayList<>();
		Consumer<CallContext> listener = (context) -> heard.add(String.valueOf(context.runId()));
		AbortedRuns.Listening first = this.runs.addListener(listener);
		AbortedRuns.Listening second = this.runs.addListener(listener);
		first.close();
		first.close();
		abort(CallContext.empty().withRunId("r1"));
		assertThat(heard).containsExactly("r1");
		second.close();
		abort(CallContext.empty().withRunId("r2"));
		assertThat(heard).containsExactly("r1");
	}

	@Test
	void listenerToEndsThatWasClosedHearsNothingMore() {
		List<String> heard = new ArrayList<>();
		BiConsumer<String, Boolean> listener = (run, late) -> heard.add(run + " " + late);
		AbortedRuns.Listening first = this.runs.onRunEnd(listener);
		AbortedRuns.Listening second = this.runs.onRunEnd(listener);
		first.close();
		first.close();
		assertThat(this.runs.endRun("r1")).isFalse();
		assertThat(heard).containsExactly("r1 false");
		second.close();
		this.runs.endRun("r2", (abortion) -> {
		});
		assertThat(heard).containsExactly("r1 false");
	}

	@Test
	void limitsMustBeSensible() {
		assertThatIllegalArgumentException().isThrownBy(() -> new AbortedRuns(0, 1, Duration.ofHours(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> new AbortedRuns(1, 0, Duration.ofHours(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> new AbortedRuns(1, 1, Duration.ZERO));
	}

}
