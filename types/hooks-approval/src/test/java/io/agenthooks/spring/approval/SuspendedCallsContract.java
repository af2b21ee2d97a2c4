package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for turns that end until people have decided, in whole applications with a real
 * store: {@link SuspendedCalls}, {@link Resumer} and what keeps turns.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class SuspendedCallsContract {

	private static final ToolCall CALL = ApprovalApplication.CALL;

	@AutoClose
	final ApprovalApplication application = new ApprovalApplication();

	@AutoClose
	final ApprovalApplication other = new ApprovalApplication();

	private final AtomicReference<ToolDecision> policy = new AtomicReference<>(ToolDecision.approve());

	private final List<CallContext> seen = new ArrayList<>();

	/**
	 * An application with the same store each time.
	 */
	abstract ApplicationContextRunner withStore(ApplicationContextRunner runner);

	/**
	 * How many turns are kept.
	 */
	abstract int turns();

	/**
	 * How many calls are known of.
	 */
	abstract int calls();

	private ApplicationContextRunner node(ApprovalApplication application, String... properties) {
		return node(application.asking(), properties);
	}

	private ApplicationContextRunner node(ApplicationContextRunner runner, String... properties) {
		return withStore(runner).withBean("house", PreToolHook.class, () -> PreToolHook.named("house", (call) -> {
			this.seen.add(call.context());
			return Objects.requireNonNull(this.policy.get());
		})).withPropertyValues(properties);
	}

	/**
	 * On a thread of its own: the common pool may have one thread only.
	 */
	private static void start(Runnable task) {
		new Thread(task, "resume").start();
	}

	private void run(ApprovalApplication.Test test, String... properties) {
		this.application.run(node(this.application, properties), test);
	}

	private void runOther(ApprovalApplication.Test test, String... properties) {
		this.other.run(node(this.other, properties), test);
	}

	/**
	 * Make a call whose turn ends.
	 */
	static String suspended(ApprovalApplication application, ToolCall call) {
		return suspension(application, call).getApprovalId();
	}

	private static TurnSuspendedException suspension(ApprovalApplication application, ToolCall call) {
		ToolExecutor tools = application.context().getBean(ToolExecutor.class);
		TurnSuspendedException ex = catchThrowableOfType(TurnSuspendedException.class, () -> tools.execute(call));
		assertThat(ex).isNotNull();
		return ex;
	}

	static String approved(ApprovalApplication application, ToolCall call) {
		String id = suspended(application, call);
		application.approve(question(application, id), ApprovalApplication.ALICE);
		return id;
	}

	private String approvedWhen(ToolDecision decision, String command) {
		this.policy.set(decision);
		return approved(this.application, ApprovalApplication.call(command));
	}

	static ApprovalRequest question(ApprovalApplication application, String id) {
		return application.approvals().find(id).orElseThrow();
	}

	private static SuspendedTurn turn(String... ids) {
		List<Reply> replies = new ArrayList<>();
		replies.add(new Reply("c0", "read", null, "done before", false));
		for (int i = 0; i < ids.length; i++) {
			replies.add(new Reply("c" + (i + 1), "run_command", ids[i], null, false));
		}
		return new SuspendedTurn("test", "what was said \u0000\u20ac", replies);
	}

	static void keep(ApprovalApplication application, String... ids) {
		application.context().getBean(SuspendedTurns.class).keep(turn(ids));
	}

	static @Nullable String text(ResumedTurn turn, int reply) {
		return turn.turn().replies().get(reply).text();
	}

	static Reason refused(ApprovalApplication application, String id) {
		ApprovalRefusedException ex = catchThrowableOfType(ApprovalRefusedException.class,
				() -> application.approvals().resume(id));
		assertThat(ex).isNotNull();
		return ex.reason();
	}

	@Test
	void turnEndsAtOnceAndTheCallRunsOnceAfterItsApproval() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.outcomes).singleElement().satisfies((outcome) -> {
				assertThat(outcome.status()).isEqualTo(ToolCallStatus.PENDING);
				assertThat(Objects.requireNonNull(outcome.approval()).pending()).isEqualTo(id);
			});
			keep(this.application, id);
			ApprovalRequest asked = question(this.application, id);
			assertThat(asked.isSuspended()).isTrue();
			assertThat(Duration.between(asked.askedAt(), asked.expiresAt())).isEqualTo(Duration.ofSeconds(30));
			assertThat(refused(this.application, id)).isEqualTo(Reason.NOT_DECIDED);
			this.application.approve(asked, ApprovalApplication.ALICE);
			assertThat(this.application.ran).isEmpty();
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.complete()).isTrue();
			assertThat(turn.pending()).isEmpty();
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CLAIMED);
			assertThat(turn.turn().format()).isEqualTo("test");
			assertThat(turn.turn().messages()).isEqualTo("what was said \u0000\u20ac");
			assertThat(turn.turn().replies()).containsExactly(new Reply("c0", "read", null, "done before", false),
					new Reply("c1", "run_command", id, "ran", false));
			assertThat(this.application.commands()).containsExactly("rm -r build");
			assertThat(this.application.ran).singleElement().isEqualTo(CALL);
			assertThat(this.application.outcomes).hasSize(2).last().satisfies((outcome) -> {
				assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED);
				assertThat(Objects.requireNonNull(outcome.approval()).person()).isEqualTo("alice");
			});
			assertThat(this.application.approvals().resume(id)).isEqualTo(turn);
			assertThat(this.application.ran).hasSize(1);
			assertThat(refused(this.application, "unknown")).isEqualTo(Reason.UNKNOWN);
		});
	}

	@Test
	void approvalThatABackupBringsBackIsNotUsedTwiceByOneNode() {
		run((context) -> {
			String id = approved(this.application, CALL);
			ApprovalRequest approved = question(this.application, id);
			assertThat(this.application.approvals().resume(id).complete()).isTrue();
			ApprovalRequest claimed = question(this.application, id);
			assertThat(this.application.store().replace(claimed, approved, Instant.now())).isTrue();
			assertThat(this.application.approvals().resume(id).request().state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(this.application.ran).hasSize(1);
			assertThat(this.application.store().replace(question(this.application, id), approved, Instant.now()))
				.isTrue();
			assertThat(suspended(this.application, CALL)).isNotEqualTo(id);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void turnGoesOnInAnotherApplicationAfterARestart() {
		ToolCall call = CALL.withArguments(Map.of("command", "ls", "count", 9_007_199_254_740_993L, "price", 1.5));
		List<String> ids = new ArrayList<>();
		run((context) -> {
			ids.add(suspended(this.application, call));
			keep(this.application, ids.get(0));
		});
		runOther((context) -> {
			this.other.approve(question(this.other, ids.get(0)), ApprovalApplication.BOB);
			assertThat(text(this.other.approvals().resume(ids.get(0)), 1)).isEqualTo("ran");
			assertThat(this.other.ran).singleElement().satisfies((ran) -> {
				assertThat(ApprovalFingerprint.argumentsOf(ran)).isEqualTo(ApprovalFingerprint.argumentsOf(call));
				assertThat(ran.context()).isEqualTo(call.context());
				assertThat(ran.id()).isEqualTo(call.id());
			});
		});
		assertThat(this.application.ran).isEmpty();
	}

	@Test
	void resumedCallIsMadeByTheSameCallerWithAllThatHooksKnewOfIt() {
		CallContext caller = CallContext.ofSession("s2")
			.withUser("carol")
			.withAuthorities(Set.of("ROLE_CLERK"))
			.withClaims(Map.of("tenant", "north", "groups", List.of("a", 1)))
			.withRole("buyer")
			.withWorkspace("shop")
			.withAttempt(2)
			.withAttribute("channel", "mail")
			.withAttribute("request", new Object());
		run((context) -> {
			String id = approved(this.application, ToolCall.of("run_command", Map.of("command", "ls"), caller));
			assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("ran");
			CallContext resumed = this.seen.get(this.seen.size() - 1);
			assertThat(resumed.attributes()).containsEntry("channel", "mail").doesNotContainKey("request");
			assertThat(resumed.authorities()).containsExactly("ROLE_CLERK");
			assertThat(resumed.claims()).isEqualTo(caller.claims());
			assertThat(resumed)
				.extracting(CallContext::user, CallContext::role, CallContext::workspace, CallContext::attempt,
						CallContext::sessionId)
				.containsExactly("carol", "buyer", "shop", 2, "s2");
			assertThat(this.application.ran).singleElement()
				.satisfies((call) -> assertThat(call.context().workspace()).isEqualTo("shop"));
		});
	}

	@Test
	void callWhoseTurnWasNotKeptHasOneReply() {
		run((context) -> {
			String id = approved(this.application, CALL);
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.turn())
				.isEqualTo(new SuspendedTurn("", "", List.of(new Reply("", "run_command", id, "ran", false))));
			assertThat(turn.complete()).isTrue();
			assertThat(this.application.approvals().resume(id)).isEqualTo(turn);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void deniedCallDoesNotRunAndTheModelReadsTheReason() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			keep(this.application, id);
			this.application.deny(question(this.application, id), ApprovalApplication.ALICE, "not today");
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.turn().replies().get(1)).isEqualTo(new Reply("c1", "run_command", id,
					"Tool call denied by hook 'people': A person denied this call: not today", true));
			assertThat(this.application.approvals().resume(id)).isEqualTo(turn);
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.outcomes).extracting((outcome) -> outcome.status())
				.containsExactly(ToolCallStatus.PENDING, ToolCallStatus.DENIED);
		});
	}

	@Test
	void editedCallRunsWithTheArgumentsOfThePerson() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			this.application.edit(question(this.application, id), ApprovalApplication.ALICE, "{\"command\":\"ls\"}");
			assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("ran");
			assertThat(this.application.commands()).containsExactly("ls");
		});
	}

	@Test
	void callThatNobodyApprovedInTimeDoesNotRun() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			keep(this.application, id);
			this.application.inState(id, ApprovalState.EXPIRED);
			assertThat(text(this.application.approvals().resume(id), 1)).contains("Nobody approved this call within");
			assertThat(this.application.ran).isEmpty();
		}, "hooks.approval.timeout=50ms");
	}

	@Test
	void callThatIsDeniedByAPolicyWhenItIsResumedDoesNotRunAndItsQuestionIsVoid() {
		run((context) -> {
			String id = approved(this.application, CALL);
			keep(this.application, id);
			this.policy.set(ToolDecision.deny("closed on Sundays"));
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(text(turn, 1)).isEqualTo("Tool call denied by hook 'house': closed on Sundays");
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
			this.policy.set(ToolDecision.approve());
			assertThat(this.application.approvals().resume(id)).isEqualTo(turn);
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void hookThatAbortsWhenTheCallIsResumedReachesTheCaller() {
		run((context) -> {
			String id = approved(this.application, CALL);
			this.policy.set(ToolDecision.abortTurn("stop"));
			assertThat(catchThrowableOfType(TurnAbortedException.class, () -> this.application.approvals().resume(id)))
				.isNotNull();
			assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("stop");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void approvalIsVoidIfTheConfigurationChangedMeanwhile() {
		List<String> ids = new ArrayList<>();
		run((context) -> ids.add(approved(this.application, CALL)));
		runOther((context) -> {
			ResumedTurn turn = this.other.approvals().resume(ids.get(0));
			assertThat(text(turn, 0)).contains(Resumption.VOID);
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(this.other.ran).isEmpty();
		}, "hooks.tool_call.pre_call[1].type=policy",
				"hooks.tool_call.pre_call[1].config.deny_argument_patterns.command[0]=sudo");
	}

	@Test
	void approvalDoesNotHoldForArgumentsThatHooksChangeLater() {
		run((context) -> {
			String id = approved(this.application, CALL);
			this.policy.set(ToolDecision.modify(Map.of("command", "rm -r /")));
			assertThat(text(this.application.approvals().resume(id), 0)).contains(Resumption.VOID);
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void killSwitchDeniesTheCallThatIsResumed() {
		run((context) -> {
			String id = approved(this.application, CALL);
			context.getBean(ToolHooks.class).disableTools();
			assertThat(text(this.application.approvals().resume(id), 0)).contains("Tools are switched off");
			context.getBean(ToolHooks.class).enableTools();
			assertThat(text(this.application.approvals().resume(id), 0)).contains("Tools are switched off");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void abortOfTheRunEndsItsQuestionsAlsoIfItIsForgottenAtOnce() {
		run((context) -> {
			String pending = suspended(this.application, CALL);
			String approved = approved(this.application, ApprovalApplication.call("ls"));
			String elsewhere = suspended(this.application,
					ToolCall.of("run_command", Map.of("command", "id"), ApprovalApplication.CONTEXT.withRunId("r2")));
			context.getBean(AbortedRuns.class).remember(CALL.context(), "stop", "hook");
			context.getBean(ToolHooks.class).endRun("r1");
			assertThat(question(this.application, pending).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(question(this.application, approved).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(question(this.application, elsewhere).state()).isEqualTo(ApprovalState.PENDING);
			assertThat(text(this.application.approvals().resume(approved), 0)).contains("became void");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void abortOfASessionEndsTheQuestionsOfThisUserAndAgent() {
		CallContext session = CallContext.ofSession("s9").withUser("carol").withAgent("clerk");
		run((context) -> {
			String id = suspended(this.application, ToolCall.of("run_command", Map.of("command", "a"), session));
			String other = suspended(this.application,
					ToolCall.of("run_command", Map.of("command", "a"), session.withUser("dan")));
			context.getBean(AbortedRuns.class).remember(session, "stop", "hook");
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(question(this.application, other).state()).isEqualTo(ApprovalState.PENDING);
		});
	}

	@Test
	void callThatTheAgentMakesAgainAfterTheApprovalRunsOnce() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			keep(this.application, id);
			ToolCall again = ToolCall.of("run_command", CALL.arguments(), CALL.context());
			assertThat(suspended(this.application, again)).isEqualTo(id);
			this.application.edit(question(this.application, id), ApprovalApplication.ALICE, "{\"command\":\"ls\"}");
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(again).content()).isEqualTo("ran");
			assertThat(this.application.commands()).containsExactly("ls");
			assertThat(text(this.application.approvals().resume(id), 1)).isEqualTo(TurnReplies.LATER_TURN);
			assertThat(suspended(this.application, again)).isNotEqualTo(id);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void callsWithoutASessionAreNeverTheSame() {
		ToolCall call = ToolCall.of("run_command", Map.of("command", "ls"), CallContext.empty().withUser("carol"));
		run((context) -> {
			String id = approved(this.application, call);
			assertThat(suspended(this.application, ToolCall.of("run_command", call.arguments(), call.context())))
				.isNotEqualTo(id);
			assertThat(this.application.ran).isEmpty();
			assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("ran");
		});
	}

	@Test
	void ofIdenticalCallsInOneBatchOneRuns() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			assertThat(suspended(this.application, ToolCall.of("run_command", CALL.arguments(), CALL.context())))
				.isEqualTo(id);
			keep(this.application, id, id);
			this.application.approve(question(this.application, id), ApprovalApplication.ALICE);
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.complete()).isTrue();
			assertThat(text(turn, 1)).isEqualTo("ran");
			assertThat(text(turn, 2)).isEqualTo(TurnReplies.SAME_CALL);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void callWhoseResultIsNotKnownIsNotRunAgain() {
		run((context) -> {
			String id = approved(this.application, CALL);
			assertThat(context.getBean(SharedApprovals.class).claim(question(this.application, id))).isTrue();
			assertThat(refused(this.application, id)).isEqualTo(Reason.SETTLED);
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void oneOfTwoNodesThatResumeAtOnceRunsTheCall() {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		ResumableTools slow = (call) -> (same) -> {
			runs.incrementAndGet();
			running.countDown();
			await(end);
			return ToolResult.success("slow");
		};
		run((context) -> runOther((another) -> {
			String id = approved(this.application, CALL);
			keep(this.application, id);
			CompletableFuture<ResumedTurn> first = CompletableFuture
				.supplyAsync(() -> this.application.approvals().resume(id, slow), SuspendedCallsContract::start);
			await(running);
			assertThat(refused(this.application, id)).isEqualTo(Reason.SETTLED);
			assertThat(refused(this.other, id)).isEqualTo(Reason.SETTLED);
			end.countDown();
			ResumedTurn turn = first.get(20, TimeUnit.SECONDS);
			assertThat(text(turn, 1)).isEqualTo("slow");
			assertThat(this.other.approvals().resume(id)).isEqualTo(turn);
			assertThat(runs).hasValue(1);
			assertThat(this.other.ran).isEmpty();
		}));
	}

	@Test
	void ofManyThatResumeAtOnceExactlyOneRunsTheCall() {
		run((context) -> runOther((another) -> {
			for (int round = 0; round < 5; round++) {
				String id = approved(this.application, ApprovalApplication.call("round " + round));
				CyclicBarrier start = new CyclicBarrier(6);
				List<CompletableFuture<Boolean>> all = new ArrayList<>();
				for (int i = 0; i < 6; i++) {
					ToolApprovals approvals = ((i % 2 == 0) ? this.application : this.other).approvals();
					all.add(CompletableFuture.supplyAsync(() -> {
						await(start);
						try {
							return "ran".equals(text(approvals.resume(id), 0));
						}
						catch (ApprovalRefusedException ex) {
							return ex.reason() != Reason.SETTLED;
						}
					}, SuspendedCallsContract::start));
				}
				List<Boolean> ends = new ArrayList<>();
				for (CompletableFuture<Boolean> one : all) {
					ends.add(one.get(20, TimeUnit.SECONDS));
				}
				assertThat(ends).contains(true);
				assertThat(this.application.ran.size() + this.other.ran.size()).isEqualTo(round + 1);
				assertThat(text(this.application.approvals().resume(id), 0)).isEqualTo("ran");
			}
		}));
	}

	@Test
	void ofTwoCallsOfOneTurnThatAreResumedAtOnceTheLastSeesBothResults() {
		run((context) -> runOther((another) -> {
			for (int round = 0; round < 5; round++) {
				String one = approved(this.application, ApprovalApplication.call("one " + round));
				String two = approved(this.application, ApprovalApplication.call("two " + round));
				keep(this.application, one, two);
				CyclicBarrier start = new CyclicBarrier(2);
				CompletableFuture<ResumedTurn> first = CompletableFuture.supplyAsync(() -> {
					await(start);
					return this.application.approvals().resume(one);
				}, SuspendedCallsContract::start);
				CompletableFuture<ResumedTurn> second = CompletableFuture.supplyAsync(() -> {
					await(start);
					return this.other.approvals().resume(two);
				}, SuspendedCallsContract::start);
				List<ResumedTurn> turns = List.of(first.get(20, TimeUnit.SECONDS), second.get(20, TimeUnit.SECONDS));
				assertThat(turns).filteredOn(ResumedTurn::complete).hasSize(1);
				assertThat(turns).filteredOn((turn) -> !turn.complete())
					.allSatisfy((turn) -> assertThat(turn.pending()).hasSize(1).isSubsetOf(one, two));
				assertThat(this.application.approvals().resume(one).turn())
					.isEqualTo(this.other.approvals().resume(two).turn());
			}
		}));
	}

	@Test
	void failureOfTheToolReachesTheCallerOnceAndTheModelReadsThatItFailed() {
		run((context) -> {
			String id = approved(this.application, CALL);
			ResumableTools broken = (call) -> (same) -> {
				throw new IllegalArgumentException("secret");
			};
			assertThat(catchThrowableOfType(IllegalArgumentException.class,
					() -> this.application.approvals().resume(id, broken)))
				.hasMessage("secret");
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.turn().replies())
				.containsExactly(new Reply("", "run_command", id, "The tool failed", true));
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void toolThatIsNotKnownLeavesTheApproval() {
		ToolCall call = ToolCall.of("unknown", Map.of(), ApprovalApplication.CONTEXT);
		run((context) -> {
			String id = approved(this.application, call);
			assertThat(refused(this.application, id)).isEqualTo(Reason.NO_TOOL);
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.APPROVED);
			ResumedTurn turn = this.application.approvals()
				.resume(id, (wanted) -> (same) -> ToolResult.success("found " + same.tool()));
			assertThat(text(turn, 0)).isEqualTo("found unknown");
		});
	}

	@Test
	void toolThatSeveralFrameworksHaveIsNotChosen() {
		ResumableTools one = (call) -> (same) -> ToolResult.success("one");
		ResumableTools another = (call) -> (same) -> ToolResult.success("another");
		ApplicationContextRunner two = node(this.application).withBean("one", ResumableTools.class, () -> one)
			.withBean("another", ResumableTools.class, () -> another);
		this.application.run(two, (context) -> {
			String id = approved(this.application, CALL);
			assertThat(refused(this.application, id)).isEqualTo(Reason.NO_TOOL);
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.APPROVED);
			assertThat(text(this.application.approvals().resume(id, another), 0)).isEqualTo("another");
		});
	}

	@Test
	void toolThatSeveralExecutorsHaveIsNotChosen() {
		ApplicationContextRunner two = node(this.application).withBean("second", ToolExecutor.class,
				() -> new ApprovalApplication.Tools(this.application.ran, (call) -> {
				}));
		this.application.run(two, (context) -> {
			ToolExecutor tools = context.getBean("tools", ToolExecutor.class);
			TurnSuspendedException ex = catchThrowableOfType(TurnSuspendedException.class, () -> tools.execute(CALL));
			String id = ex.getApprovalId();
			this.application.approve(question(this.application, id), ApprovalApplication.ALICE);
			assertThat(refused(this.application, id)).isEqualTo(Reason.NO_TOOL);
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void callThatNoHookAsksAboutAnyMoreIsClaimedAtTheTool() {
		this.policy.set(ToolDecision.ask("May I?"));
		this.application.run(node(this.application.runner()), (context) -> {
			String id = approved(this.application, CALL);
			this.policy.set(ToolDecision.approve());
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CLAIMED);
			assertThat(text(turn, 0)).isEqualTo("ran");
			String answered = approvedWhen(ToolDecision.ask("May I?"), "ls");
			this.policy.set(ToolDecision.respond(ToolResult.success("cached")));
			turn = this.application.approvals().resume(answered);
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(text(turn, 0)).isEqualTo("cached");
			assertThat(this.application.commands()).containsExactly("rm -r build");
		});
	}

	@Test
	void whatTheUserWroteIsKeptWithTheTurn() {
		run((context) -> {
			String id = suspended(this.application, CALL);
			context.getBean(SuspendedTurns.class)
				.keep(turn(id).withUsersTexts(List.of("Pay \u20ac 5", "Go \u0000"), "0a1b"));
			this.application.approve(question(this.application, id), ApprovalApplication.ALICE);
			SuspendedTurn resumed = this.application.approvals().resume(id).turn();
			assertThat(resumed.usersTexts()).containsExactly("Pay \u20ac 5", "Go \u0000");
			assertThat(resumed.textsOf()).isEqualTo("0a1b");
			assertThat(resumed).asString().doesNotContain("Pay");
		});
	}

	@Test
	void turnThatCannotBeKeptLetsItsCallsBeCancelled() {
		run((context) -> {
			SuspendedTurns turns = context.getBean(SuspendedTurns.class);
			TurnSuspendedException call = suspension(this.application, CALL);
			String id = call.getApprovalId();
			SuspendedTurn large = new SuspendedTurn("test", "x".repeat(SuspendedTurn.MAX_LENGTH), turn(id).replies());
			assertThatIllegalStateException().isThrownBy(() -> turns.keep(large))
				.withMessageContaining("2000000")
				.withMessageNotContaining("xxx");
			turns.cancel(List.of(call));
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(large).asString().doesNotContain("xxx");
			TurnSuspendedException lost = suspension(this.application, ApprovalApplication.call("ls"));
			assertThatIllegalStateException().isThrownBy(() -> keep(this.application, lost.getApprovalId(), "gone"));
			turns.cancel(List.of(lost));
			assertThat(question(this.application, lost.getApprovalId()).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(turns()).isZero();
		});
	}

	@Test
	void equalCallWhoseTurnCannotBeKeptLeavesTheQuestionOfAnEarlierTurn() {
		run((context) -> {
			SuspendedTurns turns = context.getBean(SuspendedTurns.class);
			String id = suspended(this.application, CALL);
			keep(this.application, id);
			TurnSuspendedException again = suspension(this.application,
					ToolCall.of(CALL.tool(), CALL.arguments(), CALL.context()));
			assertThat(again.getApprovalId()).isEqualTo(id);
			assertThatIllegalStateException().isThrownBy(() -> keep(this.application, id, "gone"));
			turns.cancel(List.of(again));
			assertThat(question(this.application, id).state()).isEqualTo(ApprovalState.PENDING);
			this.application.approve(question(this.application, id), ApprovalApplication.ALICE);
			assertThat(text(this.application.approvals().resume(id), 1)).isEqualTo("ran");
		});
	}

	@Test
	void questionsThatWereSettledBeforeTheTurnWasKeptAreToldAgain() {
		List<String> resumable = new ArrayList<>();
		run((context) -> {
			context.getSourceApplicationContext(ConfigurableApplicationContext.class)
				.addApplicationListener((event) -> {
					if (event instanceof PayloadApplicationEvent<?> payload
							&& payload.getPayload() instanceof ApprovalChangedEvent changed && changed.resumable()) {
						resumable.add(changed.request().state() + " " + changed.request().id());
					}
				});
			String early = approved(this.application, CALL);
			String late = suspended(this.application, ApprovalApplication.call("ls"));
			assertThat(resumable).containsExactly("APPROVED " + early);
			assertThat(this.application.approvals().resume(early).turn().format()).isEmpty();
			keep(this.application, early, late);
			assertThat(resumable).containsExactly("APPROVED " + early, "CLAIMED " + early);
			ResumedTurn turn = this.application.approvals().resume(early);
			assertThat(text(turn, 1)).isEqualTo("ran");
			assertThat(turn.pending()).containsExactly(late);
			this.application.deny(question(this.application, late), ApprovalApplication.ALICE, "no");
			assertThat(resumable).last().isEqualTo("DENIED " + late);
			assertThat(this.application.approvals().resume(late).complete()).isTrue();
		});
	}

	@Test
	void questionThatALaterTurnWaitsForBelongsToThatTurn() {
		run((context) -> {
			String again = suspended(this.application, CALL);
			String other = suspended(this.application, ApprovalApplication.call("ls"));
			keep(this.application, again, other);
			keep(this.application, again);
			this.application.approve(question(this.application, again), ApprovalApplication.ALICE);
			this.application.approve(question(this.application, other), ApprovalApplication.ALICE);
			assertThat(this.application.approvals().resume(again).turn().replies()).hasSize(2);
			ResumedTurn earlier = this.application.approvals().resume(other);
			assertThat(earlier.complete()).isTrue();
			assertThat(text(earlier, 1)).isEqualTo(TurnReplies.LATER_TURN);
			assertThat(text(earlier, 2)).isEqualTo("ran");
		});
	}

	@Test
	void turnsAreForgottenWithTheirQuestions() {
		run((context) -> {
			String done = approved(this.application, CALL);
			String waiting = suspended(this.application, ApprovalApplication.call("ls"));
			keep(this.application, done);
			keep(this.application, waiting);
			this.application.approvals().resume(done);
			ApprovalStore store = this.application.store();
			store.purge(Instant.now().minusSeconds(60));
			assertThat(turns()).isEqualTo(2);
			Instant soon = Instant.now().plusSeconds(10);
			store.purge(soon);
			assertThat(turns()).isEqualTo(1);
			assertThat(calls()).isEqualTo(1);
			assertThat(refused(this.application, done)).isEqualTo(Reason.UNKNOWN);
			this.application.deny(question(this.application, waiting), ApprovalApplication.ALICE, "no");
			assertThat(this.application.approvals().resume(waiting).turn().format()).isEqualTo("test");
		});
	}

	@Test
	void personSeesThatTheAgentGoesOnLater() {
		run((context) -> {
			ApprovalRequest request = question(this.application, suspended(this.application, CALL));
			assertThat(ApprovalWriter.whole(request, true)).containsEntry("mode", "suspend")
				.doesNotContainKey("context");
			assertThat(ApprovalWriter.whole(Questions.question("q"), true)).containsEntry("mode", "block");
		});
	}

	@Test
	void withoutAModeTurnsEndAndPeopleHaveADay() {
		run((context) -> {
			ApprovalConfig config = new ApprovalConfig(true, null, null, null, List.of("ROLE_APPROVER"), null, null,
					null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
					null, null, null);
			assertThat(ApprovalMode.of(config, this.application.store()))
				.isEqualTo(new ApprovalMode(true, Duration.ofHours(24), Duration.ofDays(30)));
			assertThat(context.getBean(ApprovalMode.class).suspends()).isTrue();
			assertThat(context).hasSingleBean(SuspendedTurns.class);
		});
	}

	@Test
	void inTheModeBlockCallsWaitOnTheirThreads() {
		run((context) -> {
			assertThat(context.getBeanProvider(SuspendedTurns.class).getIfAvailable()).isNull();
			CompletableFuture<ToolResult> result = this.application.start(CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.isSuspended()).isFalse();
			assertThat(refused(this.application, question.id())).isEqualTo(Reason.UNKNOWN);
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			CompletableFuture<ToolResult> aborted = this.application.start(ApprovalApplication.call("ls"));
			this.application.pending();
			context.getBean(AbortedRuns.class).remember(CALL.context(), "stop", "hook");
			context.getBean(ToolHooks.class).endRun("r1");
			// The call may look at the run first, or at its question.
			assertThat(ApprovalApplication.resultOf(aborted).content()).containsAnyOf("became void", "was aborted");
			assertThat(this.application.outcomes).last()
				.satisfies((outcome) -> assertThat(outcome.decision().verdict()).isEqualTo(Verdict.DENY));
		}, "hooks.approval.mode=block");
	}

	private static void await(CountDownLatch latch) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> latch.getCount() == 0);
	}

	private static void await(CyclicBarrier barrier) {
		try {
			int unused = barrier.await(20, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
