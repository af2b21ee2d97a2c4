package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.MemoryState;
import io.agenthooks.spring.state.SharedStates;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.TurnContinuedEvent;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for turns that go on by themselves, in whole applications with a real store:
 * {@link TurnContinuations}.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class TurnContinuationsContract {

	private static final ToolCall READ = ToolCall.of("read", Map.of(), ApprovalApplication.CONTEXT);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final TurnContinuations.Times TIMES = new TurnContinuations.Times(Duration.ofSeconds(30),
			Duration.ofMillis(200), Duration.ofMillis(20));

	@AutoClose
	final ApprovalApplication application = new ApprovalApplication();

	@AutoClose
	final ApprovalApplication other = new ApprovalApplication();

	private final List<ResumedTurn> resumed = new CopyOnWriteArrayList<>();

	private final List<TurnContinuedEvent> events = new CopyOnWriteArrayList<>();

	private volatile Function<ResumedTurn, String> agent = (turn) -> "done";

	/** The same database each time. */
	abstract DataSource database();

	private ApplicationContextRunner node(ApprovalApplication application, String... properties) {
		return application.runner()
			.withBean(DataSource.class, this::database)
			.withBean(TurnContinuations.Times.class, () -> TIMES)
			.withBean("clerk", ConversationContinuation.class, () -> (turn) -> {
				this.resumed.add(turn);
				return this.agent.apply(turn);
			})
			.withInitializer((starting) -> starting.addApplicationListener((event) -> {
				if (event instanceof PayloadApplicationEvent<?> payload
						&& payload.getPayload() instanceof TurnContinuedEvent continued) {
					this.events.add(continued);
				}
			}))
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.resume=auto",
					"hooks.approval.timeout=10m", "hooks.tool_call.pre_call[0].type=approval",
					"hooks.tool_call.pre_call[0].name=people", "hooks.tool_call.pre_call[0].match=run_command")
			.withPropertyValues(properties);
	}

	private void run(ApprovalApplication.Test test, String... properties) {
		this.application.run(node(this.application, properties), test);
	}

	private static SuspendedTurn turn(@Nullable Origin origin, String... ids) {
		List<Reply> replies = new ArrayList<>();
		for (String id : ids) {
			replies.add(new Reply("c" + replies.size(), "run_command", id, null, false));
		}
		SuspendedTurn turn = new SuspendedTurn("test", "what was said", replies);
		return (origin != null) ? turn.withOrigin(origin) : turn;
	}

	private static Origin clerk() {
		return new Origin("clerk", "", null);
	}

	private String suspended(String... commands) {
		return suspended(this.application, clerk(), commands);
	}

	private static String suspended(ApprovalApplication application, @Nullable Origin origin, String... commands) {
		return suspension(application, origin, commands).getApprovalId();
	}

	/** Let the turn of some calls end, and return how the last one waits. */
	private static TurnSuspendedException suspension(ApprovalApplication application, @Nullable Origin origin,
			String... commands) {
		ToolExecutor tools = application.context().getBean(ToolExecutor.class);
		List<TurnSuspendedException> waiting = new ArrayList<>();
		for (String command : commands) {
			waiting.add(Objects.requireNonNull(catchThrowableOfType(TurnSuspendedException.class,
					() -> tools.execute(ApprovalApplication.call(command)))));
		}
		application.context()
			.getBean(SuspendedTurns.class)
			.keep(turn(origin, waiting.stream().map(TurnSuspendedException::getApprovalId).toArray(String[]::new)));
		return waiting.get(waiting.size() - 1);
	}

	private void approve(String id) {
		approve(this.application, id);
	}

	private static void approve(ApprovalApplication application, String id) {
		ApprovalRequest unused = application.approve(application.approvals().find(id).orElseThrow(),
				ApprovalApplication.ALICE);
	}

	private ContinuedTurn end(String id) {
		return end(this.application, id);
	}

	private static ContinuedTurn end(ApprovalApplication application, String id) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> application.context().getBean(ContinuedTurns.class).find(id).orElseThrow(),
					(turn) -> turn.status().isEnd());
	}

	private static @Nullable String text(ResumedTurn turn) {
		return turn.turn().replies().get(0).text();
	}

	private JdbcClient table() {
		return JdbcClient.create(database());
	}

	@Test
	void agentGoesOnOnceWithTheResultOfTheCall() {
		run((context) -> {
			this.agent = (turn) -> "It " + text(turn);
			String id = suspended("ls");
			assertThat(context.getBean(ContinuedTurns.class).find(id))
				.contains(new ContinuedTurn(Status.WAITING, null, null, List.of()));
			approve(id);
			assertThat(end(id)).isEqualTo(new ContinuedTurn(Status.ANSWERED, "It ran", null, List.of()));
			assertThat(this.application.commands()).containsExactly("ls");
			Awaitility.await().atMost(PATIENCE).until(() -> !this.events.isEmpty());
			assertThat(this.events).singleElement().satisfies((event) -> {
				assertThat(event.request().id()).isEqualTo(id);
				assertThat(event.turn().answer()).isEqualTo("It ran");
			});
			context.getBean(TurnContinuations.class).decided(new ApprovalChangedEvent(event(id), true));
			assertThat(context.getBean(ContinuedTurns.class).find("other")).isEmpty();
			assertThat(this.resumed).hasSize(1);
		});
	}

	private ApprovalRequest event(String id) {
		return this.application.approvals().find(id).orElseThrow();
	}

	@Test
	void agentReadsTheDenial() {
		run((context) -> {
			this.agent = (turn) -> String.valueOf(text(turn));
			String id = suspended("ls");
			ApprovalRequest unused = this.application.deny(event(id), ApprovalApplication.ALICE, "Not today");
			assertThat(end(id).answer()).contains("Not today");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void turnOfSeveralCallsGoesOnWhenAllAreDecided() {
		run((context) -> {
			String last = suspended("one", "two");
			String first = context.getBean(SuspendedCalls.class)
				.store()
				.find(event(last))
				.turn()
				.replies()
				.get(0)
				.approvalId();
			approve(last);
			ApprovalRequest unused = this.application.inState(last, ApprovalState.CLAIMED);
			assertThat(this.resumed).isEmpty();
			approve(Objects.requireNonNull(first));
			assertThat(end(last).status()).isEqualTo(Status.ANSWERED);
			assertThat(this.application.commands()).containsExactlyInAnyOrder("one", "two");
			assertThat(this.resumed).hasSize(1);
		});
	}

	@Test
	void attemptAfterAFailureGoesOnWithTheRecordedResultAndRunsNothingAgain() {
		run((context) -> {
			this.agent = (turn) -> {
				if (this.resumed.size() < 3) {
					throw new IllegalStateException("The model is away");
				}
				return String.valueOf(text(turn));
			};
			String id = suspended("ls");
			approve(id);
			assertThat(end(id).answer()).isEqualTo("ran");
			assertThat(this.resumed).hasSize(3);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void attemptsAreBounded() {
		run((context) -> {
			this.agent = (turn) -> {
				throw new IllegalStateException("secret");
			};
			String id = suspended("ls");
			approve(id);
			assertThat(end(id).status()).isEqualTo(Status.FAILED);
			assertThat(end(id).reason()).contains("tried 5 times", "IllegalStateException").doesNotContain("secret");
			assertThat(this.resumed).hasSize(5);
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void failureAfterTheAgentRanAToolIsNotTriedAgain() {
		run((context) -> {
			this.agent = (turn) -> {
				ToolResult unused = context.getBean(ToolExecutor.class).execute(READ);
				throw new IllegalStateException("The model is away");
			};
			String id = suspended("ls");
			approve(id);
			assertThat(end(id).status()).isEqualTo(Status.FAILED);
			assertThat(end(id).reason()).contains("after it had run tools");
			assertThat(this.resumed).hasSize(1);
			assertThat(this.application.ran).extracting(ToolCall::tool).containsExactly("run_command", "read");
		});
	}

	@Test
	void nodeThatDiedAfterTheAgentRanAToolIsNotFollowed() {
		List<String> ids = new ArrayList<>();
		run((context) -> {
			context.getBean(TurnContinuations.class).stop();
			ids.add(suspended("ls"));
			approve(ids.get(0));
			assertThat(table()
				.sql("update agent_hooks_approval_turn set progress = 'RUNNING', owner = 'gone', calls = 1, "
						+ "lease_until = current_timestamp")
				.update()).isOne();
		});
		this.other.run(node(this.other), (context) -> {
			assertThat(end(this.other, ids.get(0)).status()).isEqualTo(Status.FAILED);
			assertThat(end(this.other, ids.get(0)).reason()).contains("not known");
			assertThat(this.resumed).isEmpty();
			assertThat(this.other.ran).isEmpty();
		});
	}

	@Test
	void callWhoseResultIsNotKnownKeepsTheAgentFromGoingOn() {
		List<String> ids = new ArrayList<>();
		run((context) -> {
			context.getBean(TurnContinuations.class).stop();
			ids.add(suspended("ls"));
			approve(ids.get(0));
			assertThat(context.getBean(SharedApprovals.class).claim(event(ids.get(0)))).isTrue();
		});
		this.other.run(node(this.other), (context) -> {
			assertThat(end(this.other, ids.get(0)).status()).isEqualTo(Status.FAILED);
			assertThat(end(this.other, ids.get(0)).reason()).contains("may have run");
			assertThat(this.resumed).isEmpty();
		});
	}

	@Test
	void turnThatIsLeftIsTakenUpAtTheStart() {
		List<String> ids = new ArrayList<>();
		run((context) -> {
			context.getBean(TurnContinuations.class).stop();
			ids.add(suspended("ls"));
			approve(ids.get(0));
			assertThat(this.application.ran).isEmpty();
		});
		this.other.run(node(this.other), (context) -> {
			assertThat(end(this.other, ids.get(0)).status()).isEqualTo(Status.ANSWERED);
			assertThat(this.other.commands()).containsExactly("ls");
			assertThat(this.resumed).hasSize(1);
		});
	}

	@Test
	void turnWaitsUntilItIsKnownWhatOtherNodesHaveSwitchedOff() {
		this.agent = (turn) -> String.valueOf(text(turn));
		List<String> ids = new ArrayList<>();
		this.application.run(sharing(this.application), (context) -> {
			Awaitility.await().atMost(PATIENCE).until(context.getBean(ToolHooks.class)::areToolsEnabled);
			context.getBean(TurnContinuations.class).stop();
			ids.add(suspended("ls"));
			approve(ids.get(0));
		});
		this.other.run(sharing(this.other), (context) -> {
			assertThat(end(this.other, ids.get(0)).answer()).isEqualTo("ran");
			assertThat(this.other.commands()).containsExactly("ls");
		});
	}

	private ApplicationContextRunner sharing(ApprovalApplication application) {
		return node(application, "hooks.tool_call.share_kill_switch=true").withBean(SharedStates.class,
				EmptyStates::new);
	}

	@Test
	void nodeThatLostItsLeaseRunsNoFurtherToolAndKeepsNoAnswer() {
		run((context) -> {
			List<String> refusals = new CopyOnWriteArrayList<>();
			this.agent = (turn) -> {
				assertThat(table().sql("update agent_hooks_approval_turn set owner = 'other'").update()).isOne();
				AgentAbortedException ex = catchThrowableOfType(AgentAbortedException.class,
						() -> context.getBean(ToolExecutor.class).execute(READ));
				refusals.add(Objects.requireNonNull(ex).getReason());
				return "An answer that nobody may read";
			};
			String id = suspended("ls");
			approve(id);
			Awaitility.await().atMost(PATIENCE).until(() -> !refusals.isEmpty());
			assertThat(refusals).containsExactly(ContinuationLease.LOST);
			context.getBean(TurnContinuations.class).stop();
			assertThat(context.getBean(ContinuedTurns.class).find(id).orElseThrow().answer()).isNull();
			assertThat(this.application.ran).extracting(ToolCall::tool).containsExactly("run_command");
			assertThat(this.events).isEmpty();
		});
	}

	@Test
	void turnThatAnotherNodeGoesOnWithIsLeftAlone() {
		run((context) -> {
			String id = suspended("ls");
			assertThat(table()
				.sql("update agent_hooks_approval_turn set progress = 'RUNNING', owner = 'other', "
						+ "lease_until = current_timestamp + interval '1' hour")
				.update()).isOne();
			approve(id);
			assertThat(context.getBean(SuspendedCalls.class)
				.store()
				.continuations()
				.claim(id, "me", context.getBean(SharedApprovals.class).now())).isNull();
			assertThat(context.getBean(SuspendedCalls.class).store().continuations().due(10)).isEmpty();
			assertThat(this.resumed).isEmpty();
		});
	}

	@Test
	void abortedRunDoesNotGoOn() {
		run((context) -> {
			String id = suspended("ls");
			context.getBean(AbortedRuns.class).remember(ApprovalApplication.CONTEXT, "Stop", "guard");
			assertThat(end(id).status()).isEqualTo(Status.ENDED);
			assertThat(this.resumed).isEmpty();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void runThatIsAbortedWhileTheAgentGoesOnRunsNoFurtherTool() {
		run((context) -> {
			AtomicBoolean refused = new AtomicBoolean();
			this.agent = (turn) -> {
				context.getBean(AbortedRuns.class)
					.remember(ApprovalApplication.CONTEXT.withRunId("r1"), "Stop", "guard");
				ToolCall later = ToolCall.of("read", Map.of(), ApprovalApplication.CONTEXT.withRunId("r2"));
				Awaitility.await().atMost(PATIENCE).until(() -> state(context, turn) == Status.ENDED);
				refused.set(catchThrowableOfType(AgentAbortedException.class,
						() -> context.getBean(ToolExecutor.class).execute(later)) != null);
				return "too late";
			};
			String id = suspended("ls");
			approve(id);
			Awaitility.await().atMost(PATIENCE).untilTrue(refused);
			assertThat(end(id)).satisfies((turn) -> {
				assertThat(turn.status()).isEqualTo(Status.ENDED);
				assertThat(turn.answer()).isNull();
			});
			assertThat(this.application.ran).hasSize(1);
		});
	}

	private static Status state(AssertableApplicationContext context, ResumedTurn turn) {
		return context.getBean(ContinuedTurns.class).find(turn.request().id()).orElseThrow().status();
	}

	@Test
	void turnOfASessionThatWasEndedDoesNotGoOn() {
		run((context) -> {
			String id = suspended("ls");
			context.getBean(ToolHooks.class).endSession("s1", "carol", "clerk");
			assertThat(end(id).status()).isEqualTo(Status.ENDED);
			approve(id);
			assertThat(this.resumed).isEmpty();
			assertThat(this.application.ran).isEmpty();
			assertThat(event(id).state()).isEqualTo(ApprovalState.APPROVED);
		});
	}

	@Test
	void turnDoesNotGoOnWhileToolsAreSwitchedOff() {
		run((context) -> {
			String id = suspended("ls");
			context.getBean(ToolHooks.class).disableTools();
			approve(id);
			assertThat(end(id).status()).isEqualTo(Status.ENDED);
			assertThat(end(id).reason()).contains("switched off");
			assertThat(this.resumed).isEmpty();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void turnThatCannotGoOnAsItWasAskedForIsRefusedAndNothingRuns() {
		run((context) -> {
			refuse(null, "not known which client");
			refuse(new Origin("stranger", "", null), "no ConversationContinuation");
			refuse(new Origin(null, "", null), "no ConversationContinuation");
			refuse(new Origin("clerk", "", "The tool context has a value that is not kept."), "tool context");
			assertThat(this.resumed).isEmpty();
			assertThat(this.events).hasSize(4);
		});
	}

	private void refuse(@Nullable Origin origin, String reason) {
		String id = suspended(this.application, origin, "ls " + origin);
		approve(id);
		assertThat(end(id).status()).isEqualTo(Status.REFUSED);
		assertThat(end(id).reason()).contains(reason);
		assertThat(event(id).state()).isEqualTo(ApprovalState.APPROVED);
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.events.stream().anyMatch((event) -> event.request().id().equals(id)));
	}

	@Test
	void agentWithAnotherRoleThanThatOfTheRequestRunsNoTool() {
		run((context) -> {
			UnaryOperator<ToolCall> asAdmin = (call) -> call.withContext(call.context().withRole("admin"));
			this.agent = (turn) -> context.getBean(ToolExecutor.class).execute(asAdmin.apply(READ)).forModel();
			String id = suspended("ls");
			approve(id);
			assertThat(end(id).status()).isEqualTo(Status.FAILED);
			assertThat(end(id).reason()).contains("role of the request");
			assertThat(this.application.ran).extracting(ToolCall::tool).containsExactly("run_command");
		});
	}

	@Test
	void agentThatAsksPeopleAgainAndAgainFailsAfterTwentyTimes() {
		run((context) -> {
			this.agent = (turn) -> {
				throw new ApprovalPendingException(
						List.of(suspension(this.application, clerk(), "ls " + this.resumed.size())));
			};
			String id = suspended("first");
			for (int i = 0; i < ContinuationAttempt.MAX_CONTINUATIONS; i++) {
				approve(id);
				ContinuedTurn turn = end(id);
				assertThat(turn.status()).isEqualTo(Status.PENDING);
				assertThat(turn.approvals()).singleElement()
					.asInstanceOf(InstanceOfAssertFactories.STRING)
					.isNotEmpty();
				id = turn.approvals().get(0);
			}
			approve(id);
			assertThat(end(id).status()).isEqualTo(Status.FAILED);
			assertThat(end(id).reason()).contains("20 times");
			assertThat(this.resumed).hasSize(ContinuationAttempt.MAX_CONTINUATIONS);
		});
	}

	@Test
	void longAnswerIsCut() {
		run((context) -> {
			this.agent = (turn) -> "x".repeat(ContinuationAttempt.MAX_ANSWER + 1);
			String id = suspended("ls");
			approve(id);
			assertThat(end(id).answer()).hasSize(ContinuationAttempt.MAX_ANSWER);
			assertThat(end(id).reason()).contains("longer than");
		});
	}

	@Test
	void turnThatTheApplicationGoesOnWithIsLeftToIt() {
		List<String> ids = new ArrayList<>();
		run((context) -> {
			assertThat(context.getBeanProvider(ContinuedTurns.class).getIfAvailable()).isNull();
			ids.add(suspended("ls"));
			approve(ids.get(0));
		}, "hooks.approval.resume=manual");
		this.other.run(node(this.other), (context) -> {
			assertThat(context.getBean(ContinuedTurns.class).find(ids.get(0))).isEmpty();
			assertThat(context.getBean(SuspendedCalls.class).store().continuations().due(10)).isEmpty();
		});
	}

	/** A store that is new, so that nobody knows at first what is switched off. */
	private static final class EmptyStates implements SharedStates {

		@Override
		public <S> KeyedState<S> open(String name, StateCodec<S> codec) {
			return new MemoryState<>(new StateTerms<>(List.of(name), 1, StateTerms.WhenFull.REFUSE, true, codec),
					() -> System.currentTimeMillis() * 1000);
		}

	}

}
