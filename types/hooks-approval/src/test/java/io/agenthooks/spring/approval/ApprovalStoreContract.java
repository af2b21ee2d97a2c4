package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.CallContext;
import io.agenthooks.spring.approval.ApprovalStore.Bounds;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What every store has to do. Two of its instances are two nodes, where it is shared.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ApprovalStoreContract {

	static final Bounds MANY = new Bounds(1_000_000, 1_000_000);

	static final Duration LONG = Duration.ofSeconds(60);

	private static final int THREADS = 16;

	private static final Instant NOW = Questions.NOW;

	private static final Instant OVER = NOW.plus(Questions.TIMEOUT);

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	/**
	 * A store, or another node of the same one.
	 */
	abstract ApprovalStore open();

	@AfterEach
	void stopThreads() throws InterruptedException {
		this.threads.shutdownNow();
		assertThat(this.threads.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void questionIsKeptAsItIs() {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = new ApprovalRequest("id-1", ApprovalState.PENDING, 1,
					ToolIdentity.onUnknownServer("send\u202e", "\ud83d"), "{\"text\":\"\u0000 \u20ac \ud800 \u2028\"}",
					"fingerprint", "call", "session '; drop table agent_hooks_approval; --".repeat(100), "run", null,
					null, "hook", "rule", "a \"reason\"\n", List.of("a", "b"), NOW, OVER, 3, List.of());
			assertThat(store.ask(asked, MANY)).contains(asked);
			assertThat(store.find("id-1")).contains(asked);
			ApprovalRequest edited = Questions.answered(asked, "ann \u0000", Verdict.EDIT, NOW);
			assertThat(store.replace(asked, edited, NOW)).isTrue();
			assertThat(store.find("id-1")).contains(edited);
			assertThat(store.pending(10)).containsExactly(edited);
		}
	}

	@Test
	void unknownQuestionsAreNotThere() {
		try (ApprovalStore store = open()) {
			for (String id : List.of("none", "", "\u0000", "' or 1 = 1 --", "x".repeat(1_000_000))) {
				assertThat(store.find(id)).isEmpty();
			}
			ApprovalRequest question = Questions.question("q");
			assertThat(store.replace(question, Questions.approved(question), NOW)).isFalse();
			assertThat(store.find("q")).isEmpty();
			assertThat(store.remembered("f", "", NOW)).isEmpty();
		}
	}

	@Test
	void sameCallIsTheSameQuestionWhileItWaits() {
		try (ApprovalStore store = open()) {
			ApprovalRequest first = asked(store, ask("1", "same", 2));
			assertThat(store.ask(ask("2", "same", 2), MANY)).contains(first);
			ApprovalRequest edited = Questions.answered(first, "ann", Verdict.EDIT, NOW);
			assertThat(store.replace(first, edited, NOW)).isTrue();
			assertThat(store.ask(ask("3", "same", 2), MANY)).contains(edited);
			ApprovalRequest denied = Questions.answered(edited, "bob", Verdict.DENY, NOW);
			assertThat(store.replace(edited, denied, NOW)).isTrue();
			ApprovalRequest second = asked(store, ask("4", "same", 2));
			assertThat(second.id()).isEqualTo("4");
			assertThat(store.find("2")).isEmpty();
		}
	}

	@Test
	void sameCallIsAnotherQuestionOnceTheFirstThatIsOverHasEnded() {
		try (ApprovalStore store = open()) {
			ApprovalRequest first = asked(store, ask("1", "same", 1));
			ApprovalRequest later = Questions.question("2", "same", "session", 1, OVER);
			assertThat(store.ask(later, new Bounds(1, 1))).contains(first);
			assertThat(store.replace(first, ApprovalRules.expired(first, OVER), OVER)).isTrue();
			assertThat(store.ask(later, new Bounds(1, 1))).contains(later);
			assertThat(store.find("1")).map(ApprovalRequest::state).contains(ApprovalState.EXPIRED);
		}
	}

	@Test
	void openQuestionsAreThoseOfTheRunOrTheSessionAtNoEnd() {
		try (ApprovalStore store = open()) {
			for (int i = 0; i < 5; i++) {
				asked(store, Questions.question("q" + i, "f" + i, "s", 1, NOW.plusSeconds(i)));
			}
			asked(store, Questions.question("other", "other", "t", 1, NOW));
			asked(store, Questions.ofUser("run", "r1", "ann"));
			asked(store, Questions.ofUser("another", "r2", "ann"));
			ApprovalRequest ended = store.find("q0").orElseThrow();
			store.replace(ended, ApprovalRules.cancelled(ended), NOW);
			ApprovalRequest approved = store.find("q2").orElseThrow();
			store.replace(approved, Questions.approved(approved), NOW);
			assertThat(store.openOf(null, "s", 10)).containsExactly("q1", "q2", "q3", "q4");
			assertThat(store.openOf(null, "s", 2)).containsExactly("q1", "q2");
			assertThat(store.openOf("r1", "s", 10)).containsExactly("run");
			assertThat(store.openOf("unknown", null, 10)).isEmpty();
		}
	}

	@Test
	void abortEndsAllItsQuestionsThoughOthersOfTheSessionEndMeanwhile() {
		try (ApprovalStore store = open(); BackgroundWork work = new BackgroundWork(LONG)) {
			Deque<String> others = new ArrayDeque<>();
			int many = 250;
			for (int i = 0; i < many; i++) {
				asked(store, Questions.ofUser("q" + i, null, (i % 2 == 0) ? "ann" : "bob"));
				if (i % 2 != 0) {
					others.add("q" + i);
				}
			}
			AbortedQuestions aborted = new AbortedQuestions(store, work, LONG, (id, which) -> {
				cancel(store, id, which);
				// Another node ends others.
				for (int i = 0; i < 2 && !others.isEmpty(); i++) {
					cancel(store, others.remove(), (request) -> true);
				}
			});
			aborted.abort(CallContext.ofSession("session").withUser("ann").withAgent("agent"));
			work.finish();
			for (int i = 0; i < many; i += 2) {
				assertThat(store.find("q" + i)).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
			}
			assertThat(store.openOf(null, "session", many)).isEmpty();
		}
	}

	private static void cancel(ApprovalStore store, String id, Predicate<ApprovalRequest> which) {
		ApprovalRequest last = store.find(id).orElseThrow();
		if (which.test(last)) {
			boolean unused = store.replace(last, ApprovalRules.cancelled(last), NOW);
		}
	}

	@Test
	void editToWhatAnotherQuestionIsAboutKeepsBoth() {
		try (ApprovalStore store = open()) {
			ApprovalRequest first = asked(store, ask("1", "one", 2));
			ApprovalRequest second = asked(store, ask("2", Questions.EDIT.fingerprint(), 2));
			assertThat(store.replace(first, Questions.answered(first, "ann", Verdict.EDIT, NOW), NOW)).isTrue();
			assertThat(store.ask(ask("3", Questions.EDIT.fingerprint(), 2), MANY)).contains(second);
			assertThat(store.pending(10)).hasSize(2);
		}
	}

	@Test
	void boundsHoldInAllAndInASessionAndCountOnlyWhatWaits() {
		try (ApprovalStore store = open()) {
			Bounds bounds = new Bounds(3, 2);
			ApprovalRequest first = Questions.question("1", "1", "s1", 1, NOW);
			assertThat(store.ask(first, bounds)).isPresent();
			assertThat(store.ask(Questions.question("2", "2", "s1", 1, NOW), bounds)).isPresent();
			assertThat(store.ask(Questions.question("3", "3", "s1", 1, NOW), bounds)).isEmpty();
			assertThat(store.ask(Questions.question("4", "4", "s2", 1, NOW), bounds)).isPresent();
			assertThat(store.ask(Questions.question("5", "5", "s3", 1, NOW), bounds)).isEmpty();
			assertThat(store.ask(Questions.question("6", "1", "s1", 1, NOW), bounds)).contains(first);
			assertThat(store.replace(first, ApprovalRules.cancelled(first), NOW)).isTrue();
			assertThat(store.ask(Questions.question("7", "7", "s1", 1, NOW), bounds)).isPresent();
			assertThat(store.ask(Questions.question("8", "8", "s1", 1, OVER), bounds)).isPresent();
		}
	}

	@Test
	void listsHaveTheirOrderAndBounds() {
		try (ApprovalStore store = open()) {
			List<ApprovalRequest> asked = IntStream.of(3, 1, 2, 0)
				.mapToObj((i) -> asked(store, Questions.question("q" + i, "f" + i, "s", 1, NOW.plusSeconds(i))))
				.toList();
			assertThat(store.pending(3)).extracting(ApprovalRequest::id).containsExactly("q0", "q1", "q2");
			for (int i = 0; i < asked.size(); i++) {
				ApprovalRequest next = (i == 0) ? Questions.approved(asked.get(i))
						: ApprovalRules.cancelled(asked.get(i));
				assertThat(store.replace(asked.get(i), next, NOW.plusSeconds(10 + i))).isTrue();
			}
			assertThat(store.pending(10)).isEmpty();
			assertThat(store.settled(3)).extracting(ApprovalRequest::id).containsExactly("q0", "q2", "q1");
			assertThat(store.settled(10)).hasSize(4);
		}
	}

	@Test
	void dueQuestionsAreThoseAtNoEndWhoseTimeIsOver() {
		try (ApprovalStore store = open()) {
			ApprovalRequest pending = asked(store, Questions.question("pending"));
			ApprovalRequest approved = asked(store, Questions.question("approved"));
			store.replace(approved, Questions.approved(approved), NOW);
			ApprovalRequest cancelled = asked(store, Questions.question("cancelled"));
			store.replace(cancelled, ApprovalRules.cancelled(cancelled), NOW);
			asked(store, Questions.question("later", "later", "s", 1, NOW.plusSeconds(1)));
			assertThat(store.due(OVER.minusSeconds(1), 10)).isEmpty();
			List<ApprovalRequest> due = store.due(OVER, 10);
			assertThat(due).extracting(ApprovalRequest::id).containsExactlyInAnyOrder("pending", "approved");
			for (ApprovalRequest request : due) {
				assertThat(store.replace(request, ApprovalRules.expired(request, OVER), OVER)).isTrue();
			}
			assertThat(store.due(OVER, 10)).isEmpty();
			assertThat(store.find(pending.id())).map(ApprovalRequest::state).contains(ApprovalState.EXPIRED);
		}
	}

	@Test
	void rememberedDecisionsAreFoundByWhatTheyAreAbout() {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store,
					ApprovalRules.withRememberFor(ask("1", "asked", 1), Duration.ofHours(1)));
			ApprovalRequest edited = Questions.answered(asked, "ann", Verdict.EDIT, NOW);
			assertThat(store.replace(asked, edited, NOW)).isTrue();
			assertThat(store.remembered(Questions.EDIT.fingerprint(), "", NOW)).isEmpty();
			ApprovalRequest claimed = ApprovalRules.claimed(edited, NOW);
			assertThat(store.replace(edited, claimed, NOW)).isTrue();
			assertThat(store.remembered(Questions.EDIT.fingerprint(), "", NOW)).contains(claimed);
			assertThat(store.remembered("asked", "", NOW)).isEmpty();
			Instant end = NOW.plus(Duration.ofHours(1));
			assertThat(store.remembered(Questions.EDIT.fingerprint(), "", end.minusMillis(1))).contains(claimed);
			assertThat(store.remembered(Questions.EDIT.fingerprint(), "", end)).isEmpty();
			ApprovalRequest forgotten = ApprovalRules.forgotten(claimed);
			assertThat(store.replace(claimed, forgotten, NOW)).isTrue();
			assertThat(store.remembered(Questions.EDIT.fingerprint(), "", NOW)).isEmpty();
			assertThat(store.find("1")).contains(forgotten);
		}
	}

	@Test
	void decisionsThatAreNotRememberedAreNotFound() {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store, ask("1", "asked", 1));
			ApprovalRequest denied = Questions.answered(asked, "ann", Verdict.DENY, NOW);
			assertThat(store.replace(asked, denied, NOW)).isTrue();
			assertThat(store.remembered("asked", "", NOW)).isEmpty();
			ApprovalRequest again = asked(store,
					ApprovalRules.withRememberFor(ask("2", "asked", 1), Duration.ofHours(1)));
			assertThat(store.remembered("asked", "", NOW)).isEmpty();
			denied = Questions.answered(again, "ann", Verdict.DENY, NOW);
			assertThat(store.replace(again, denied, NOW)).isTrue();
			assertThat(store.remembered("asked", "", NOW)).contains(denied);
		}
	}

	@Test
	void decisionsOfASessionAreFoundAsLongAsTheyAreOrWillBeRemembered() {
		try (ApprovalStore store = open()) {
			Duration hour = Duration.ofHours(1);
			ApprovalRequest pending = asked(store, ApprovalRules.withRememberFor(ask("pending", "p", 1), hour));
			ApprovalRequest asked = asked(store, ApprovalRules.withRememberFor(ask("denied", "d", 1), hour));
			ApprovalRequest denied = Questions.answered(asked, "ann", Verdict.DENY, NOW);
			assertThat(store.replace(asked, denied, NOW)).isTrue();
			ApprovalRequest cancelled = asked(store, ApprovalRules.withRememberFor(ask("cancelled", "c", 1), hour));
			assertThat(store.replace(cancelled, ApprovalRules.cancelled(cancelled), NOW)).isTrue();
			asked(store, ask("not", "n", 1));
			asked(store,
					ApprovalRules.withRememberFor(Questions.question("other", "o", "another session", 1, NOW), hour));
			assertThat(store.rememberedOf("session", NOW, 10)).containsExactlyInAnyOrder(pending, denied);
			assertThat(store.rememberedOf("session", NOW, 1)).hasSize(1);
			assertThat(store.rememberedOf("session", NOW.plus(hour), 10)).doesNotContain(denied);
		}
	}

	@Test
	void purgeForgetsWhatWasSettledBeforeAndNothingElse() {
		try (ApprovalStore store = open()) {
			ApprovalRequest old = asked(store, Questions.question("old"));
			store.replace(old, ApprovalRules.cancelled(old), NOW);
			ApprovalRequest fresh = asked(store, Questions.question("fresh"));
			store.replace(fresh, ApprovalRules.cancelled(fresh), NOW.plusSeconds(2));
			ApprovalRequest approved = asked(store, Questions.question("approved"));
			store.replace(approved, Questions.approved(approved), NOW);
			asked(store, Questions.question("pending"));
			store.purge(NOW.plusSeconds(1));
			assertThat(store.find("old")).isEmpty();
			assertThat(store.find("fresh")).isPresent();
			assertThat(store.find("approved")).isPresent();
			assertThat(store.find("pending")).isPresent();
		}
	}

	@Test
	void oneOfManyThreadsOfTwoNodesClaims() throws Exception {
		try (ApprovalStore one = open(); ApprovalStore two = nodeOf(one)) {
			for (int round = 0; round < 20; round++) {
				ApprovalRequest asked = asked(one, Questions.question("q" + round));
				ApprovalRequest approved = Questions.approved(asked);
				assertThat(one.replace(asked, approved, NOW)).isTrue();
				List<Boolean> claims = racing((i) -> {
					ApprovalStore node = (i % 2 == 0) ? one : two;
					ApprovalRequest read = node.find(approved.id()).orElseThrow();
					return read.state() == ApprovalState.APPROVED
							&& node.replace(read, ApprovalRules.claimed(read, NOW), NOW);
				});
				assertThat(claims).containsOnlyOnce(true);
				assertThat(two.find(approved.id())).map(ApprovalRequest::state).contains(ApprovalState.CLAIMED);
			}
		}
	}

	@Test
	void manyThreadsOfTwoNodesAskTheSameOnceAndKeepTheBounds() throws Exception {
		try (ApprovalStore one = open(); ApprovalStore two = nodeOf(one)) {
			List<String> ids = racing(
					(i) -> ((i % 2 == 0) ? one : two).ask(ask("same" + i, "same", 1), MANY).orElseThrow().id());
			assertThat(ids).hasSize(THREADS).containsOnly(ids.get(0));
			Bounds bounds = new Bounds(6, 5);
			List<Boolean> kept = racing((i) -> ((i % 2 == 0) ? one : two)
				.ask(Questions.question("other" + i, "other" + i, "s", 1, NOW), bounds)
				.isPresent());
			assertThat(kept.stream().filter((is) -> is)).hasSize(5);
			assertThat(two.pending(100)).hasSize(6);
		}
	}

	@Test
	void soManyQuestionsWaitAsMayAndNotOneMore() {
		soManyWaitAndNotOneMore(100);
	}

	@Test
	@Tag("slow")
	@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void tenThousandQuestionsWaitAndNotOneMore() {
		soManyWaitAndNotOneMore(10_000);
	}

	private void soManyWaitAndNotOneMore(int most) {
		try (ApprovalStore store = open()) {
			fill(store, IntStream.range(0, most - 10).mapToObj((i) -> Questions.question("q" + i)).toList());
			Bounds bounds = new Bounds(most, most);
			long start = System.nanoTime();
			for (int i = most - 10; i < most; i++) {
				assertThat(store.ask(Questions.question("q" + i), bounds)).isPresent();
			}
			assertThat(store.ask(Questions.question("more"), bounds)).isEmpty();
			assertThat(store.ask(Questions.question("again", "fingerprint-q0", "session", 1, NOW), bounds))
				.contains(Questions.question("q0"));
			assertThat(store.pending(50)).hasSize(50);
			assertThat(store.find("q" + most / 2)).isPresent();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
		}
	}

	/**
	 * Let many questions wait.
	 */
	void fill(ApprovalStore store, List<ApprovalRequest> questions) {
		questions.forEach((question) -> asked(store, question));
	}

	@Test
	void whoWaitsIsWokenByAnyNode() throws Exception {
		try (ApprovalStore one = open(); ApprovalStore two = nodeOf(one)) {
			ApprovalRequest asked = asked(one, Questions.question("q"));
			List<Future<ApprovalRequest>> waiting = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				ApprovalStore node = (i % 2 == 0) ? one : two;
				waiting.add(this.threads.submit(() -> {
					ApprovalRequest last = asked;
					while (last.state() == ApprovalState.PENDING) {
						node.await("q", last.revision(), LONG);
						last = node.find("q").orElseThrow();
					}
					return last;
				}));
			}
			ApprovalRequest approved = Questions.approved(asked);
			assertThat(two.replace(asked, approved, NOW)).isTrue();
			for (Future<ApprovalRequest> future : waiting) {
				assertThat(future.get(20, TimeUnit.SECONDS)).isEqualTo(approved);
			}
		}
	}

	@Test
	void waitingEndsWithItsTimeOrWhenThereIsNothingToWaitFor() throws Exception {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			long start = System.nanoTime();
			store.await("q", asked.revision(), Duration.ofMillis(300));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300), LONG);
			store.await("unknown", 1, LONG);
			store.await("q", asked.revision() - 1, LONG);
			store.await("q", asked.revision(), Duration.ofSeconds(-1));
		}
	}

	@Test
	void closedStoreLetsNobodyWait() throws Exception {
		ApprovalStore store = open();
		ApprovalRequest asked = asked(store, Questions.question("q"));
		Future<?> waiting = this.threads.submit(() -> {
			assertThatIllegalStateException().isThrownBy(() -> store.await("q", asked.revision(), LONG));
			return null;
		});
		store.close();
		waiting.get(20, TimeUnit.SECONDS);
		assertThatIllegalStateException().isThrownBy(() -> store.await("q", asked.revision(), LONG));
	}

	@Test
	void interruptedThreadStopsToWaitAndCanStillCancel() throws Exception {
		try (ApprovalStore store = open()) {
			ApprovalRequest asked = asked(store, Questions.question("q"));
			Thread thread = new Thread(() -> {
				try {
					store.await("q", asked.revision(), LONG);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					store.replace(asked, ApprovalRules.cancelled(asked), NOW);
				}
			});
			thread.start();
			Awaitility.await().atMost(LONG).until(() -> waits(thread));
			thread.interrupt();
			thread.join(LONG.toMillis());
			assertThat(thread.isAlive()).isFalse();
			assertThat(store.find("q")).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
		}
	}

	/**
	 * Whether a thread waits for people, and not for the database.
	 */
	private static boolean waits(Thread thread) {
		StackTraceElement[] frames = thread.getStackTrace();
		return IntStream.range(1, frames.length)
			.anyMatch((i) -> frames[i - 1].getMethodName().equals("awaitNanos")
					&& frames[i].getClassName().startsWith(ApprovalStore.class.getPackageName() + "."));
	}

	/**
	 * Another node, where the store is shared.
	 */
	ApprovalStore nodeOf(ApprovalStore store) {
		return open();
	}

	private static ApprovalRequest ask(String id, String fingerprint, int approvals) {
		return Questions.question(id, fingerprint, "session", approvals, NOW);
	}

	static ApprovalRequest asked(ApprovalStore store, ApprovalRequest request) {
		ApprovalRequest asked = store.ask(request, MANY).orElseThrow();
		assertThat(asked).isEqualTo(request);
		return asked;
	}

	private <T> List<T> racing(Numbered<T> work) throws Exception {
		CyclicBarrier start = new CyclicBarrier(THREADS);
		List<Callable<T>> tasks = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int number = i;
			tasks.add(() -> {
				start.await();
				return work.run(number);
			});
		}
		List<T> results = new ArrayList<>();
		for (Future<T> future : this.threads.invokeAll(tasks)) {
			results.add(future.get());
		}
		return results;
	}

	private interface Numbered<T> {

		T run(int number) throws Exception;

	}

}
