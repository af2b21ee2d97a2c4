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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolIdentity;

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

	private final ApprovalStore store = (ApprovalStore) Proxy.newProxyInstance(
			SharedApprovalsTests.class.getClassLoader(), new Class<?>[] { ApprovalStore.class },
			(proxy, method, arguments) -> {
				StoreCall call = this.before.get();
				if (call != null) {
					call.run(method.getName(), arguments);
				}
				try {
					return method.invoke(this.memory, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			});

	private final SharedApprovals approvals = new SharedApprovals(this.store,
			new ApprovalConfig(true, null, Duration.ofSeconds(60), List.of("ROLE_APPROVER"), null, null, null, null,
					100_000, 100_000, null, null, null, null, null, null, null),
			new EditCheck(() -> {
				throw new IllegalStateException("No edit");
			}, new Fingerprint((tool) -> "", () -> "1"), new WaitingCalls(), Questions.NO_TOOLS),
			new ApprovalListener() {

				@Override
				public void changed(ApprovalChangedEvent event) {
					SharedApprovalsTests.this.told
						.add("changed " + event.request().id() + " " + event.request().state());
				}

				@Override
				public void made(@Nullable ApprovalRequest was, ApprovalRequest is) {
					SharedApprovalsTests.this.told.add("made " + is.id() + " " + is.state());
				}

			}, () -> null, () -> this.now.get());

	@AfterEach
	void close() {
		this.approvals.close();
		this.memory.close();
	}

	private static ApprovalRequest question(String id, @Nullable String run, String user) {
		ApprovalRequest question = Questions.question(id);
		return new ApprovalRequest(id, question.state(), 1, ToolIdentity.ofApplication("send"), "{}",
				question.fingerprint(), question.callId(), "session", run, "agent", user, "policy", null, "because",
				List.of(), question.askedAt(), question.expiresAt(), 1, List.of());
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
		assertThat(this.told).containsExactly("changed 1 EXPIRED", "made 1 EXPIRED", "changed 2 PENDING",
				"made 2 PENDING");
	}

	@Test
	void abortDoesNotWaitForTheStoreAndNobodyCanApproveWhatItEnds() {
		ask(question("q", "r1", "ann"));
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
	void abortEndsAllQuestionsOfTheSessionHoweverManyAndNoOther() {
		int many = 3 * AbortedQuestions.PORTION + 7;
		for (int i = 0; i < many; i++) {
			ask(question("q" + i, null, (i % 2 == 0) ? "ann" : "bob"));
		}
		AtomicInteger longest = new AtomicInteger();
		this.before.set((method, arguments) -> {
			if (method.equals("openOf")) {
				longest.accumulateAndGet((int) arguments[3], Math::max);
			}
		});
		this.approvals.abort(CallContext.ofSession("session").withUser("ann").withAgent("agent"));
		Awaitility.await().atMost(LONG).until(() -> cancelled() == (many + 1) / 2);
		assertThat(this.memory.pending(many)).hasSize(many / 2).allMatch((request) -> "bob".equals(request.user()));
		assertThat(longest).hasValue(AbortedQuestions.PORTION);
	}

	@Test
	void questionThatCannotBeCancelledLeavesNoOtherAndIsTriedAgain() {
		int many = AbortedQuestions.PORTION + 20;
		for (int i = 0; i < many; i++) {
			ask(question("q" + i, "r1", "ann"));
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
		ask(question("q", "r1", "ann"));
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
	void abortThatLacksAClassIsTriedAgain() {
		ask(question("q", "r1", "ann"));
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
