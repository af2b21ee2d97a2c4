package io.agenthooks.spring.approval;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.CallContext;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedApprovals} and {@link AbortedQuestions}.
 */
@Timeout(120)
class SharedApprovalsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final MemoryApprovalStore memory = new MemoryApprovalStore();

	private final List<String> told = Collections.synchronizedList(new ArrayList<>());

	private final AtomicReference<Instant> now = new AtomicReference<>(Questions.NOW);

	/** What happens at each call of the store, before it does anything. */
	private final AtomicReference<@Nullable StoreCall> before = new AtomicReference<>();

	/** What happens at each call of the store, after it has done it. */
	private final AtomicReference<@Nullable StoreCall> after = new AtomicReference<>();

	private final ApprovalStore store = (ApprovalStore) Proxy.newProxyInstance(
			SharedApprovalsTests.class.getClassLoader(), new Class<?>[] { ApprovalStore.class },
			(proxy, method, arguments) -> {
				StoreCall call = this.before.get();
				if (call != null) {
					call.run(method.getName(), arguments);
				}
				try {
					Object result = method.invoke(this.memory, arguments);
					StoreCall after = this.after.get();
					if (after != null) {
						after.run(method.getName(), arguments);
					}
					return result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			});

	private final SharedApprovals approvals = new SharedApprovals(this.store,
			new ApprovalConfig(true, null, null, Duration.ofSeconds(60), List.of("ROLE_APPROVER"), null, null, null,
					null, null, null, null, null, null, null, null, null, null, 100_000, 100_000, null, null, null,
					null, null, null),
			new EditCheck(() -> {
				throw new IllegalStateException("No edit");
			}, new ApprovalFingerprint((tool) -> "", (call) -> null, () -> "1"), new WaitingCalls(),
					Questions.NO_TOOLS),
			new ApprovalListener() {

				@Override
				public void changed(ApprovalChangedEvent event) {
					SharedApprovalsTests.this.told
						.add("changed " + event.request().id() + " " + event.request().state());
				}

				@Override
				public void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
					SharedApprovalsTests.this.told.add("made " + is.id() + " " + is.state());
				}

			}, () -> null, () -> this.now.get());

	@AfterEach
	void close() {
		this.approvals.close();
		this.memory.close();
	}

	@Test
	void endThatIsNoticedWhenTheSameCallIsAskedAgainIsTold() {
		ApprovalRequest first = Questions.question("1", "same", "s", 1, Questions.NOW);
		assertThat(this.approvals.ask(first)).contains(first);
		this.told.clear();
		Instant over = Questions.NOW.plus(Questions.TIMEOUT);
		// The sweep was a moment ago, so only the second question notices that the first
		// is over.
		this.now.set(over);
		ApprovalRequest second = Questions.question("2", "same", "s", 1, over);
		assertThat(this.approvals.ask(second)).contains(second);
		assertThat(this.told).containsExactly("made 1 EXPIRED", "changed 1 EXPIRED", "changed 2 PENDING",
				"made 2 PENDING");
	}

	@Test
	void abortDoesNotWaitForTheStoreAndNobodyCanApproveWhatItEnds() {
		ask(Questions.ofUser("q", "r1", "ann"));
		CountDownLatch search = new CountDownLatch(1);
		this.before.set((method, arguments) -> {
			if (method.equals("openOf")) {
				assertThat(search.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		assertThat(this.memory.find("q")).map(ApprovalRequest::state).contains(ApprovalState.PENDING);
		assertThat(this.approvals.pending(10)).isEmpty();
		assertThat(this.memory.find("q")).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
		search.countDown();
	}

	@Test
	void questionThatIsCancelledWhileItIsReadIsCancelled() {
		ask(Questions.ofUser("q1", "r1", "ann"));
		ask(Questions.ofUser("q2", "r2", "ann"));
		AtomicBoolean first = new AtomicBoolean(true);
		this.after.set((method, arguments) -> {
			if (method.equals("find") && first.getAndSet(false)) {
				this.approvals.abort(CallContext.empty().withRunId("r1"));
				// Once this one is done, nothing of that before is remembered.
				this.approvals.abort(CallContext.empty().withRunId("r2"));
				Awaitility.await().atMost(LONG).until(() -> cancelled() == 2);
			}
		});
		assertThat(this.approvals.find("q1")).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
	}

	@Test
	void abortEndsAllQuestionsOfTheSessionHoweverManyAndNoOther() {
		int many = 307;
		for (int i = 0; i < many; i++) {
			ask(Questions.ofUser("q" + i, null, (i % 2 == 0) ? "ann" : "bob"));
		}
		this.approvals.abort(CallContext.ofSession("session").withUser("ann").withAgent("agent"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == (many + 1) / 2);
		assertThat(this.memory.pending(many)).hasSize(many / 2).allMatch((request) -> "bob".equals(request.user()));
	}

	@Test
	void questionThatCannotBeCancelledLeavesNoOtherAndIsTriedAgain() {
		int many = 120;
		for (int i = 0; i < many; i++) {
			ask(Questions.ofUser("q" + i, "r1", "ann"));
		}
		Set<String> failed = ConcurrentHashMap.newKeySet();
		this.before.set((method, arguments) -> {
			if (method.equals("find") && List.of("q3", "q7").contains(arguments[0])
					&& failed.add(String.valueOf(arguments[0]))) {
				throw new IllegalStateException("away");
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == many);
		assertThat(failed).containsExactlyInAnyOrder("q3", "q7");
	}

	@Test
	void storeThatIsAwayWhenARunIsAbortedIsAskedAgain() {
		ask(Questions.ofUser("q", "r1", "ann"));
		AtomicInteger searches = new AtomicInteger();
		this.before.set((method, arguments) -> {
			if (method.equals("openOf") && searches.incrementAndGet() == 1) {
				throw new IllegalStateException("away");
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == 1);
		assertThat(searches.get()).isGreaterThan(1);
	}

	@Test
	void endOfTheApplicationWaitsUntilTheQuestionsOfAbortedRunsAreCancelled() throws Exception {
		ask(Questions.ofUser("q1", "r1", "ann"));
		ask(Questions.ofUser("q2", "r2", "ann"));
		CountDownLatch search = new CountDownLatch(1);
		this.before.set((method, arguments) -> {
			if (method.equals("openOf")) {
				assertThat(search.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		this.approvals.abort(CallContext.empty().withRunId("r2"));
		Thread end = new Thread(this.approvals::close);
		end.start();
		Awaitility.await().atMost(LONG).until(() -> end.getState() == Thread.State.TIMED_WAITING);
		search.countDown();
		end.join(LONG.toMillis());
		assertThat(end.isAlive()).isFalse();
		assertThat(cancelled()).isEqualTo(2);
	}

	@Test
	void cancelThatIsToBeTriedAgainIsTriedAtTheEndAlsoIfThatIsInterrupted() {
		ask(Questions.ofUser("q", "r1", "ann"));
		AtomicInteger searches = new AtomicInteger();
		this.before.set((method, arguments) -> {
			if (method.equals("openOf") && searches.incrementAndGet() == 1) {
				throw new IllegalStateException("away");
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		Awaitility.await().atMost(LONG).until(() -> searches.get() > 0);
		Thread.currentThread().interrupt();
		this.approvals.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(cancelled()).isEqualTo(1);
	}

	@Test
	void questionsThatCannotBeReadKeepNoOtherOpen() {
		for (int i = 0; i < 20; i++) {
			ask(Questions.ofUser("q" + i, "r1", "ann"));
		}
		this.before.set((method, arguments) -> {
			if (method.equals("find") && !"q19".equals(arguments[0])) {
				throw new IllegalStateException("cannot be read");
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == 1);
		assertThat(this.memory.find("q19")).map(ApprovalRequest::state).contains(ApprovalState.CANCELLED);
	}

	@Test
	void abortThatLacksAClassIsTriedAgain() {
		ask(Questions.ofUser("q", "r1", "ann"));
		AtomicInteger searches = new AtomicInteger();
		this.before.set((method, arguments) -> {
			if (method.equals("openOf") && searches.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("driver");
			}
		});
		this.approvals.abort(CallContext.empty().withRunId("r1"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == 1);
		assertThat(searches.get()).isGreaterThan(1);
	}

	private void ask(ApprovalRequest question) {
		assertThat(this.approvals.ask(question)).contains(question);
	}

	private long cancelled() {
		return this.memory.settled(1_000).stream().filter((one) -> one.state() == ApprovalState.CANCELLED).count();
	}

	private interface StoreCall {

		void run(String method, Object[] arguments) throws Exception;

	}

}
