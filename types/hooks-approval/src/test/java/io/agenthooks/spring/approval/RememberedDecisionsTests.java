package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalClock;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for decisions of people that count for the very same call of the session, and for
 * how that ends.
 */
class RememberedDecisionsTests {

	private static final String[] UP_TO_THE_TOOL = { "hooks.approval.max_scope=tool",
			"hooks.approval.remember_for=8h" };

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

	/** The rules by which another hook asks about each call. */
	private final List<String> reviews = new CopyOnWriteArrayList<>();

	@TempDir
	private Path folder;

	/**
	 * Where questions are kept, and whether calls wait.
	 */
	enum Way {

		MEMORY("block", false), DATABASE("block", true), SUSPENDED("suspend", true);

		private final String mode;

		private final boolean database;

		Way(String mode, boolean database) {
			this.mode = mode;
			this.database = database;
		}

	}

	private void run(Way way, ApprovalApplication.Test test, String... properties) {
		ApplicationContextRunner runner = this.application.asking()
			.withBean(ApprovalClock.class, () -> new ApprovalClock() {

				@Override
				public Instant now() {
					return Instant.now().plus(Objects.requireNonNull(RememberedDecisionsTests.this.later.get()));
				}

				@Override
				public long nanoTime() {
					return System.nanoTime();
				}

			})
			.withBean("reviewer", PreToolHook.class, () -> (call) -> review())
			.withPropertyValues("hooks.approval.mode=" + way.mode, "hooks.approval.jdbc.initialize_schema=always")
			.withPropertyValues(properties);
		if (way.database) {
			DataSource database = ApprovalApplication.h2(this.folder);
			runner = runner.withBean(DataSource.class, () -> database);
		}
		this.application.run(runner, test);
	}

	private ToolDecision review() {
		return this.reviews.stream()
			.map((rule) -> new ToolDecision.Ask("Sure?", null, HookRule.of(rule)))
			.reduce(ToolDecision.Ask::and)
			.map(ToolDecision.class::cast)
			.orElse(ToolDecision.approve());
	}

	/**
	 * Make a call about which people are asked, and decide.
	 */
	private String decide(Way way, ToolCall call, boolean approve) throws Exception {
		CompletableFuture<ToolResult> waiting = (way == Way.SUSPENDED) ? null : this.application.start(call);
		String id = (waiting != null) ? this.application.pending().id()
				: SuspendedCallsContract.suspended(this.application, call);
		ApprovalRequest asked = SuspendedCallsContract.question(this.application, id);
		ApprovalRequest unused = (approve) ? this.application.approve(asked, ApprovalApplication.ALICE)
				: this.application.deny(asked, ApprovalApplication.ALICE, "never");
		if (waiting != null) {
			ApprovalApplication.resultOf(waiting);
		}
		else {
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.complete()).isTrue();
		}
		return id;
	}

	/**
	 * What becomes of the very same call: what the agent reads, or nothing if people are
	 * asked, who then deny.
	 */
	private @Nullable String again(Way way, ToolCall call) throws Exception {
		ToolCall same = ToolCall.of(call.tool(), call.arguments(), call.context());
		if (way == Way.SUSPENDED) {
			ToolExecutor tools = this.application.context().getBean(ToolExecutor.class);
			ToolResult[] result = new ToolResult[1];
			TurnSuspendedException ex = catchThrowableOfType(TurnSuspendedException.class,
					() -> result[0] = tools.execute(same));
			if (ex == null) {
				return result[0].content();
			}
			this.application.context().getBean(SharedApprovals.class).cancel(ex.getApprovalId());
			return null;
		}
		CompletableFuture<ToolResult> result = this.application.start(same);
		List<ApprovalRequest> pending = Awaitility.await()
			.until(() -> this.application.approvals().pending(10), (all) -> !all.isEmpty() || result.isDone());
		if (pending.isEmpty()) {
			return ApprovalApplication.resultOf(result).content();
		}
		this.application.context().getBean(SharedApprovals.class).cancel(pending.get(0).id());
		ApprovalApplication.resultOf(result);
		return null;
	}

	private @Nullable String again(Way way) throws Exception {
		return again(way, ApprovalApplication.CALL);
	}

	@ParameterizedTest
	@EnumSource
	void approvalIsRememberedAsLongAsPeopleHadToDecide(Way way) {
		run(way, (context) -> {
			String id = decide(way, ApprovalApplication.CALL, true);
			assertThat(again(way)).isEqualTo("ran");
			ToolOutcome outcome = this.application.outcomes.get(this.application.outcomes.size() - 1);
			Approval approval = Objects.requireNonNull(outcome.approval());
			assertThat(approval.person()).isEqualTo("alice");
			assertThat(approval.request()).isEqualTo(id);
			assertThat(approval.rememberedSince())
				.isEqualTo(SuspendedCallsContract.question(this.application, id).votes().get(0).at());
			this.later.set(Duration.ofSeconds(31));
			assertThat(again(way)).isNull();
		}, "hooks.approval.remember=session", "hooks.approval.timeout=30s");
	}

	@ParameterizedTest
	@EnumSource
	void approvalIsRememberedForTheTimeThatIsWritten(Way way) {
		run(way, (context) -> {
			decide(way, ApprovalApplication.CALL, true);
			this.later.set(Duration.ofHours(7));
			assertThat(again(way)).isEqualTo("ran");
			this.later.set(Duration.ofHours(9));
			assertThat(again(way)).isNull();
		}, "hooks.approval.remember=session", "hooks.approval.remember_for=8h", "hooks.approval.retention=10h");
	}

	@ParameterizedTest
	@EnumSource
	void denialIsRememberedOnlyIfThatIsWritten(Way way) {
		run(way, (context) -> {
			decide(way, ApprovalApplication.CALL, false);
			assertThat(again(way)).isNull();
		}, "hooks.approval.remember=session");
		run(way, (context) -> {
			String id = decide(way, ApprovalApplication.call("rm -r src"), false);
			assertThat(again(way, ApprovalApplication.call("rm -r src"))).contains("A person denied this call: never");
			ToolOutcome outcome = this.application.outcomes.get(this.application.outcomes.size() - 1);
			Approval approval = Objects.requireNonNull(outcome.approval());
			assertThat(approval.answer()).isEqualTo(Verdict.DENY);
			assertThat(approval.person()).isEqualTo("alice");
			assertThat(approval.request()).isEqualTo(id);
			assertThat(approval.rememberedSince()).isNotNull();
			this.later.set(Duration.ofSeconds(31));
			assertThat(again(way, ApprovalApplication.call("rm -r src"))).isNull();
			decide(way, ApprovalApplication.call("ls"), true);
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
			assertThat(this.application.ran).hasSize(1);
		}, "hooks.approval.remember_denials=true");
	}

	@ParameterizedTest
	@EnumSource
	void endOfTheSessionForgetsWhatWasDecided(Way way) {
		run(way, (context) -> {
			ToolCall other = ToolCall.of("run_command", ApprovalApplication.CALL.arguments(),
					ApprovalApplication.CONTEXT.withUser("dan"));
			decide(way, ApprovalApplication.CALL, true);
			decide(way, ApprovalApplication.call("denied"), false);
			decide(way, other, true);
			ToolHooks hooks = context.getBean(ToolHooks.class);
			assertThat(hooks.endSession("s2", "carol", "clerk")).isFalse();
			assertThat(again(way)).isEqualTo("ran");
			assertThat(hooks.endSession("s1", "carol", "clerk")).isFalse();
			assertThat(again(way)).isNull();
			assertThat(again(way, ApprovalApplication.call("denied"))).isNull();
			assertThat(again(way, other)).isEqualTo("ran");
		}, "hooks.approval.remember=session", "hooks.approval.remember_denials=true");
	}

	@ParameterizedTest
	@EnumSource
	void decisionAboutACallOfASessionThatEndedIsNotRemembered(Way way) {
		run(way, (context) -> {
			CompletableFuture<ToolResult> waiting = (way == Way.SUSPENDED) ? null
					: this.application.start(ApprovalApplication.CALL);
			String id = (waiting != null) ? this.application.pending().id()
					: SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			context.getBean(ToolHooks.class).endSession("s1", "carol", "clerk");
			this.application.approve(SuspendedCallsContract.question(this.application, id), ApprovalApplication.ALICE);
			if (waiting != null) {
				ApprovalApplication.resultOf(waiting);
			}
			else {
				ResumedTurn unused = this.application.approvals().resume(id);
			}
			assertThat(this.application.ran).hasSize(1);
			assertThat(again(way)).isNull();
		}, "hooks.approval.remember=session");
	}

	@ParameterizedTest
	@EnumSource
	void decisionThatIsRevokedIsNotRemembered(Way way) {
		run(way, (context) -> {
			String approved = decide(way, ApprovalApplication.CALL, true);
			String denied = decide(way, ApprovalApplication.call("denied"), false);
			this.application.events.clear();
			for (String id : List.of(approved, denied)) {
				ApprovalState state = SuspendedCallsContract.question(this.application, id).state();
				assertThatExceptionOfType(ApprovalRefusedException.class)
					.isThrownBy(() -> this.application.approvals().revoke(id, ApprovalApplication.GUEST))
					.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_ALLOWED));
				ApprovalRequest revoked = this.application.approvals().revoke(id, ApprovalApplication.BOB);
				assertThat(revoked.state()).isEqualTo(state);
				assertThat(revoked.rememberedUntil()).isNull();
				assertThat(revoked.votes()).last().satisfies((vote) -> {
					assertThat(vote.person()).isEqualTo("bob");
					assertThat(vote.verdict()).isEqualTo(ApprovalAnswer.Verdict.REVOKE);
				});
				assertThatExceptionOfType(ApprovalRefusedException.class)
					.isThrownBy(() -> this.application.approvals().revoke(id, ApprovalApplication.BOB))
					.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.SETTLED));
			}
			assertThat(this.application.events).hasSize(2);
			assertThat(again(way)).isNull();
			assertThat(again(way, ApprovalApplication.call("denied"))).isNull();
		}, "hooks.approval.remember=session", "hooks.approval.remember_denials=true");
	}

	@Test
	void approvalThatNobodyHasUsedIsVoidOnceItIsRevoked() {
		run(Way.SUSPENDED, (context) -> {
			String id = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL);
			assertThat(this.application.approvals().revoke(id, ApprovalApplication.BOB).state())
				.isEqualTo(ApprovalState.CANCELLED);
			assertThat(SuspendedCallsContract.text(this.application.approvals().resume(id), 0)).contains("became void");
			assertThat(again(Way.SUSPENDED)).isNull();
			assertThat(this.application.ran).isEmpty();
			String pending = SuspendedCallsContract.suspended(this.application, ApprovalApplication.call("ls"));
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> this.application.approvals().revoke(pending, ApprovalApplication.BOB))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_DECIDED));
		});
	}

	@Test
	void revokedDenialOfASuspendedCallLetsNobodyResumeItAgain() {
		run(Way.SUSPENDED, (context) -> {
			String id = decide(Way.SUSPENDED, ApprovalApplication.CALL, false);
			ResumedTurn turn = this.application.approvals().resume(id);
			List<Boolean> resumable = new CopyOnWriteArrayList<>();
			context.getSourceApplicationContext(ConfigurableApplicationContext.class)
				.addApplicationListener((event) -> {
					if (event instanceof PayloadApplicationEvent<?> payload
							&& payload.getPayload() instanceof ApprovalChangedEvent changed) {
						resumable.add(changed.resumable());
					}
				});
			this.application.approvals().revoke(id, ApprovalApplication.BOB);
			assertThat(resumable).containsExactly(false);
			assertThat(this.application.approvals().resume(id).turn()).isEqualTo(turn.turn());
		}, "hooks.approval.remember_denials=true");
	}

	/**
	 * Make a call about which people are asked, and approve it with a scope.
	 */
	private String approve(Way way, ToolCall call, ApprovalScope scope, @Nullable Duration time) throws Exception {
		CompletableFuture<ToolResult> waiting = (way == Way.SUSPENDED) ? null : this.application.start(call);
		String id = (waiting != null) ? this.application.pending().id()
				: SuspendedCallsContract.suspended(this.application, call);
		this.application.approvals().answer(id, 1, ApprovalAnswer.approve(ApprovalApplication.ALICE, scope, time));
		if (waiting != null) {
			ApprovalApplication.resultOf(waiting);
		}
		else {
			assertThat(this.application.approvals().resume(id).complete()).isTrue();
		}
		return id;
	}

	@ParameterizedTest
	@EnumSource
	void approvalOfTheToolCountsForItsCallsUntilItsTimeIsOver(Way way) {
		run(way, (context) -> {
			String id = approve(way, ApprovalApplication.CALL, ApprovalScope.TOOL, Duration.ofHours(2));
			assertThat(again(way, ApprovalApplication.call("ls"))).isEqualTo("ran");
			Approval approval = Objects
				.requireNonNull(this.application.outcomes.get(this.application.outcomes.size() - 1).approval());
			assertThat(approval.request()).isEqualTo(id);
			assertThat(approval.person()).isEqualTo("alice");
			assertThat(approval.rememberedSince()).isNotNull();
			this.later.set(Duration.ofHours(1));
			assertThat(again(way)).isEqualTo("ran");
			this.later.set(Duration.ofHours(3));
			assertThat(again(way)).isNull();
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
		}, UP_TO_THE_TOOL);
	}

	@ParameterizedTest
	@EnumSource
	void approvalOfTheToolCountsForNobodyElseAndNothingElse(Way way) {
		run(way, (context) -> {
			approve(way, ApprovalApplication.CALL, ApprovalScope.TOOL, null);
			CallContext same = ApprovalApplication.CONTEXT;
			Map<String, Object> arguments = Map.of("command", "ls");
			for (ToolCall other : List.of(ToolCall.of("read", arguments, same),
					ToolCall.of("run_command", arguments, same.withUser("dan")),
					ToolCall.of("run_command", arguments, same.withAgent("other")),
					ToolCall.of("run_command", arguments, same.withSessionId("s2")),
					ToolCall.of("run_command", arguments, same.withRole("admin")),
					ToolCall.of("run_command", arguments, same.withClaims(Map.of("tenant", "t2"))))) {
				assertThat(again(way, other)).as(String.valueOf(other.context())).isNull();
			}
			assertThat(again(way, ApprovalApplication.call("ls"))).isEqualTo("ran");
		}, UP_TO_THE_TOOL);
	}

	@ParameterizedTest
	@EnumSource
	void approvalOfTheToolEndsWithItsSessionAndWhenItIsRevoked(Way way) {
		run(way, (context) -> {
			String id = approve(way, ApprovalApplication.CALL, ApprovalScope.TOOL, null);
			ApprovalRequest revoked = this.application.approvals().revoke(id, ApprovalApplication.BOB);
			assertThat(revoked.rememberedUntil()).isNull();
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
			approve(way, ApprovalApplication.call("pwd"), ApprovalScope.TOOL, null);
			assertThat(again(way, ApprovalApplication.call("ls"))).isEqualTo("ran");
			context.getBean(ToolHooks.class).endSession("s1", "carol", "clerk");
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
		}, UP_TO_THE_TOOL);
	}

	@ParameterizedTest
	@EnumSource
	void onceIsOnceEvenIfDecisionsAreRememberedOtherwise(Way way) {
		run(way, (context) -> {
			approve(way, ApprovalApplication.CALL, ApprovalScope.ONCE, null);
			assertThat(again(way)).isNull();
			approve(way, ApprovalApplication.CALL, ApprovalScope.CALL, Duration.ofMinutes(5));
			assertThat(again(way)).isEqualTo("ran");
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
			this.later.set(Duration.ofMinutes(6));
			assertThat(again(way)).isNull();
		}, "hooks.approval.remember=session", "hooks.approval.remember_for=8h");
	}

	@ParameterizedTest
	@EnumSource
	void approvalOfTheCallCountsForTheHooksAndRulesThatPeopleWereAskedFor(Way way) {
		run(way, (context) -> {
			approve(way, ApprovalApplication.CALL, ApprovalScope.CALL, null);
			assertThat(again(way)).isEqualTo("ran");
			this.reviews.add("night");
			assertThat(again(way)).as("another hook").isNull();
			String both = approve(way, ApprovalApplication.CALL, ApprovalScope.CALL, null);
			assertThat(SuspendedCallsContract.question(this.application, both).askers())
				.containsExactlyInAnyOrder(new Asker("people", null), new Asker("reviewer", "night"));
			assertThat(again(way)).isEqualTo("ran");
			this.reviews.set(0, "weekend");
			assertThat(again(way)).as("another rule").isNull();
			this.reviews.add("night");
			assertThat(again(way)).as("one rule more").isNull();
			this.reviews.remove("weekend");
			assertThat(again(way)).isEqualTo("ran");
			this.reviews.clear();
			assertThat(again(way)).isEqualTo("ran");
		}, "hooks.approval.max_scope=call", "hooks.approval.remember_for=8h");
	}

	@Test
	void suspendedCallAboutWhichAnotherHookAsksByNowIsNotResumed() {
		run(Way.SUSPENDED, (context) -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			ApprovalRequest unused = this.application.approve(SuspendedCallsContract.question(this.application, id),
					ApprovalApplication.ALICE);
			this.reviews.add("night");
			ResumedTurn turn = this.application.approvals().resume(id);
			assertThat(turn.request().state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(this.application.ran).isEmpty();
		}, "hooks.approval.remember=never");
	}

	@Test
	void callMadeAgainAboutWhichAnotherHookAsksDoesNotGetTheApproval() {
		run(Way.SUSPENDED, (context) -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			ApprovalRequest unused = this.application.approve(SuspendedCallsContract.question(this.application, id),
					ApprovalApplication.ALICE);
			this.reviews.add("night");
			assertThat(again(Way.SUSPENDED)).isNull();
			this.reviews.clear();
			assertThat(again(Way.SUSPENDED)).isEqualTo("ran");
		}, "hooks.approval.remember=never");
	}

	@ParameterizedTest
	@EnumSource
	void ofTwoPeopleTheNarrowerScopeAndTheShorterTimeCount(Way way) {
		ApprovalScope[] scopes = ApprovalScope.values();
		run(way, (context) -> {
			for (ApprovalScope first : scopes) {
				for (ApprovalScope second : scopes) {
					ToolCall call = ApprovalApplication.call(first + " " + second);
					CompletableFuture<ToolResult> waiting = (way == Way.SUSPENDED) ? null
							: this.application.start(call);
					String id = (waiting != null) ? this.application.pending().id()
							: SuspendedCallsContract.suspended(this.application, call);
					this.application.approvals()
						.answer(id, 1, ApprovalAnswer.approve(ApprovalApplication.ALICE, first,
								(first == scopes[0]) ? null : Duration.ofHours(3)));
					ApprovalRequest approved = this.application.approvals()
						.answer(id, 2, ApprovalAnswer.approve(ApprovalApplication.BOB, second,
								(second == scopes[0]) ? null : Duration.ofHours(2)));
					if (waiting != null) {
						ApprovalApplication.resultOf(waiting);
					}
					else {
						ResumedTurn unused = this.application.approvals().resume(id);
					}
					ApprovalScope narrower = first.narrower(second);
					assertThat(approved.scope()).isEqualTo(narrower);
					assertThat(approved.rememberFor())
						.isEqualTo((narrower == ApprovalScope.ONCE) ? null : Duration.ofHours(2));
					assertThat(again(way, call)).isEqualTo((narrower == ApprovalScope.ONCE) ? null : "ran");
					ToolCall other = ApprovalApplication.call("other");
					assertThat(again(way, other)).isEqualTo((narrower == ApprovalScope.TOOL) ? "ran" : null);
					context.getBean(ToolHooks.class).endSession("s1", null, null);
				}
			}
		}, "hooks.approval.max_scope=tool", "hooks.approval.remember_for=8h", "hooks.approval.four_eyes=2");
	}

	@ParameterizedTest
	@EnumSource
	void whatWasDecidedStaysDecidedWhileTheCallRunsAndTheNextOneAsks(Way way) {
		run(way, (context) -> {
			String id = approve(way, ApprovalApplication.CALL, ApprovalScope.TOOL, Duration.ofHours(1));
			this.application.whileRunning = (call) -> {
				if ("revoked meanwhile".equals(call.arguments().get("command"))) {
					ApprovalRequest unused = this.application.approvals().revoke(id, ApprovalApplication.BOB);
				}
				else if ("late".equals(call.arguments().get("command"))) {
					this.later.set(Duration.ofHours(2));
				}
			};
			assertThat(again(way, ApprovalApplication.call("revoked meanwhile"))).isEqualTo("ran");
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
			approve(way, ApprovalApplication.call("pwd"), ApprovalScope.TOOL, Duration.ofHours(1));
			assertThat(again(way, ApprovalApplication.call("late"))).isEqualTo("ran");
			assertThat(again(way, ApprovalApplication.call("ls"))).isNull();
		}, UP_TO_THE_TOOL);
	}

	@ParameterizedTest
	@ValueSource(strings = { "once,CALL,", "call,TOOL,", "call,CALL,9h", "tool,TOOL,9h" })
	void widerScopeOrLongerTimeIsRefused(String written) {
		String[] each = written.split(",", -1);
		run(Way.MEMORY, (context) -> {
			CompletableFuture<ToolResult> waiting = this.application.start(ApprovalApplication.CALL);
			String id = this.application.pending().id();
			Duration time = (each[2].isEmpty()) ? null : DurationStyle.detectAndParse(each[2]);
			assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(() -> this.application.approvals()
				.answer(id, 1, ApprovalAnswer.approve(ApprovalApplication.ALICE, ApprovalScope.valueOf(each[1]), time)))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_ALLOWED));
			assertThat(this.application.pending().revision()).isOne();
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(waiting).succeeded()).isFalse();
		}, "hooks.approval.max_scope=" + each[0],
				(each[0].equals("once")) ? "hooks.approval.remember=never" : "hooks.approval.remember_for=8h");
	}

	@Test
	void whoCorrectsACallDoesNotApproveTheTool() {
		run(Way.MEMORY, (context) -> {
			CompletableFuture<ToolResult> waiting = this.application.start(ApprovalApplication.CALL);
			String id = this.application.pending().id();
			ApprovalAnswer edit = new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.EDIT,
					"{\"command\":\"ls\"}", null, ApprovalScope.TOOL, null);
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> this.application.approvals().answer(id, 1, edit))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_ALLOWED));
			this.application.approvals()
				.answer(id, 1, new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.EDIT,
						"{\"command\":\"ls\"}", null, ApprovalScope.CALL, null));
			ApprovalApplication.resultOf(waiting);
			assertThat(again(Way.MEMORY, ApprovalApplication.call("ls"))).isEqualTo("ran");
			assertThat(again(Way.MEMORY, ApprovalApplication.call("pwd"))).isNull();
		}, UP_TO_THE_TOOL);
	}

	@Test
	void approvalOfTheToolNeedsASession() {
		run(Way.MEMORY, (context) -> {
			ToolCall call = ToolCall.of("run_command", ApprovalApplication.CALL.arguments(),
					CallContext.empty().withUser("carol"));
			CompletableFuture<ToolResult> waiting = this.application.start(call);
			ApprovalRequest asked = this.application.pending();
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> this.application.approvals()
					.answer(asked.id(), 1, ApprovalAnswer.approve(ApprovalApplication.ALICE, ApprovalScope.TOOL, null)))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_ALLOWED));
			this.application.approve(asked, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(waiting).succeeded()).isTrue();
			assertThat(again(Way.MEMORY, call)).isNull();
		}, UP_TO_THE_TOOL);
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.approval.remember=session,hooks.approval.max_scope=once",
			"hooks.approval.max_scope=forever" })
	void scopeThatMeansNothingStopsTheStart(String properties) {
		this.application.asking()
			.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("max_scope"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.approval.remember_for=1h",
			"hooks.approval.remember=session,hooks.approval.remember_for=31d",
			"hooks.approval.remember=session,hooks.approval.retention=2h,hooks.approval.remember_for=3h",
			"hooks.approval.remember=session,hooks.approval.remember_for=0s" })
	void timeThatHasNoEffectOrNoEndStopsTheStart(String properties) {
		this.application.asking()
			.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("remember_for"));
	}

}
