package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.approval.ApprovalRules.Edited;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ShownArguments;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for people who decide about calls: {@link PeopleApprover},
 * {@link SharedApprovals}, {@link EditCheck}, {@link ApprovalFingerprint} and
 * {@link ApprovalToolHook}, in whole applications.
 */
@ExtendWith(OutputCaptureExtension.class)
class PeopleApproverTests {

	private static final String DENY_SUDO = "hooks.tool_call.pre_call[1].config.deny_argument_patterns.command[0]=sudo";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	@Test
	void approvedCallRunsOnceAndItsOutcomeNamesThePerson() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.askedBy()).isEqualTo("people");
			assertThat(question.reason()).isEqualTo("A person has to approve calls of the tool 'run_command'");
			assertThat(question.arguments()).isEqualTo("{\"command\":\"rm -r build\"}");
			assertThat(question.sessionId()).isEqualTo("s1");
			assertThat(question.runId()).isEqualTo("r1");
			assertThat(question.user()).isEqualTo("carol");
			assertThat(question.agent()).isEqualTo("clerk");
			assertThat(question.callId()).isEqualTo(ApprovalApplication.CALL.id());
			assertThat(question.fingerprint()).matches("[0-9a-f]{128}");
			assertThat(Duration.between(question.askedAt(), question.expiresAt())).isEqualTo(Duration.ofSeconds(30));
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.approve(question, ApprovalApplication.ALICE).state())
				.isEqualTo(ApprovalState.APPROVED);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(this.application.commands()).containsExactly("rm -r build");
			assertThat(this.application.outcomes).singleElement().satisfies((outcome) -> {
				assertThat(approval(outcome).person()).isEqualTo("alice");
				assertThat(approval(outcome).approver()).isEqualTo("people");
				assertThat(approval(outcome).askedBy()).isEqualTo("people");
				assertThat(approval(outcome).answer()).isEqualTo(Verdict.APPROVE);
			});
			assertThat(this.application.events).extracting(ApprovalRequest::state)
				.containsExactly(ApprovalState.PENDING, ApprovalState.APPROVED, ApprovalState.CLAIMED);
			assertThat(this.application.approvals().settled(10)).singleElement()
				.satisfies((settled) -> assertThat(settled.state()).isEqualTo(ApprovalState.CLAIMED));
		});
	}

	@Test
	void deniedCallDoesNotRunAndTheModelReadsTheReason() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "not\non a\u202E Friday");
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			assertThat(ApprovalApplication.resultOf(result).content())
				.contains("A person denied this call: not on a Friday");
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.outcomes).singleElement()
				.satisfies((outcome) -> assertThat(approval(outcome).person()).isEqualTo("alice"));
		});
	}

	@Test
	void editedCallRunsWithTheArgumentsOfThePerson() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			ApprovalRequest edited = this.application.edit(question, ApprovalApplication.ALICE,
					"{ \"command\" : \"ls\" }");
			assertThat(edited.arguments()).isEqualTo("{\"command\":\"ls\"}");
			assertThat(edited.fingerprint()).isNotEqualTo(question.fingerprint());
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(this.application.commands()).containsExactly("ls");
			assertThat(this.application.outcomes).singleElement().satisfies((outcome) -> {
				assertThat(outcome.requested().arguments()).isEqualTo(ApprovalApplication.CALL.arguments());
				assertThat(approval(outcome).answer()).isEqualTo(Verdict.MODIFY);
				assertThat(approval(outcome).person()).isEqualTo("alice");
			});
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"command":"sudo ls"}           | 'house' denies the call
			{"command":""}                  | 'command' must not be empty
			{"command":"ls","command":"rm"} | twice
			[1]                             | object
			{}x                             | not valid JSON
			``                              | missing
			""")
	void editThatCannotBeUsedIsRefusedAndTheQuestionStays(String arguments, String mistake) {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			ApprovalRefusedException refused = catchThrowableOfType(ApprovalRefusedException.class,
					() -> this.application.edit(question, ApprovalApplication.ALICE, arguments));
			assertThat(refused.reason()).isEqualTo(Reason.INVALID_EDIT);
			assertThat(refused.mistakes()).singleElement().asString().containsIgnoringCase(mistake);
			assertThat(refused).hasMessageNotContaining("sudo");
			assertThat(this.application.pending()).isEqualTo(question);
			this.application.deny(question, ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
		}, "hooks.tool_call.pre_call[1].type=policy", "hooks.tool_call.pre_call[1].name=house", DENY_SUDO);
	}

	@Test
	void editThatAPolicyDeniesDoesNotRunWhoeverLetItIn() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			// As if another node with another configuration had checked it.
			String arguments = "{\"command\":\"sudo ls\"}";
			String fingerprint = context.getBean(ApprovalAutoConfiguration.ApprovalBinding.class)
				.fingerprint()
				.of(ApprovalApplication.CALL.withArguments(Map.of("command", "sudo ls")), arguments, question);
			ApprovalRequest edited = ApprovalRules.answered(question,
					new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.EDIT, arguments, null),
					new Edited(arguments, fingerprint, null), Instant.now());
			assertThat(this.application.store().replace(question, edited, Instant.now())).isTrue();
			ToolResult denied = ApprovalApplication.resultOf(result);
			assertThat(denied.succeeded()).isFalse();
			assertThat(denied.content()).contains("'house' denies the call");
			assertThat(this.application.ran).isEmpty();
		}, "hooks.tool_call.pre_call[1].type=policy", "hooks.tool_call.pre_call[1].name=house", DENY_SUDO);
	}

	@Test
	void identicalCallsOfOneBatchAreOneQuestionAndOneOfThemRuns() {
		this.application.run((context) -> {
			List<CompletableFuture<ToolResult>> results = List.of(
					this.application.start(ApprovalApplication.call("ls")),
					this.application.start(ApprovalApplication.call("ls")),
					this.application.start(ApprovalApplication.call("ls")));
			ApprovalRequest question = this.application.pending();
			WaitingCalls waiting = context.getBean(ApprovalAutoConfiguration.ApprovalBinding.class).waiting();
			Awaitility.await().until(() -> waiting.of(question.id()).size() == 3);
			this.application.approve(question, ApprovalApplication.ALICE);
			int succeeded = 0;
			for (CompletableFuture<ToolResult> result : results) {
				succeeded += (ApprovalApplication.resultOf(result).succeeded()) ? 1 : 0;
			}
			assertThat(succeeded).isEqualTo(1);
			assertThat(this.application.commands()).containsExactly("ls");
			assertThat(results.stream().map(CompletableFuture::join).filter((result) -> !result.succeeded()))
				.allSatisfy((result) -> assertThat(result.content()).contains("another one got the approval"));
		});
	}

	@Test
	void callsOfSessionsAndUsersAreQuestionsOfTheirOwn() {
		this.application.run((context) -> {
			ToolCall anonymous = ToolCall.of("run_command", Map.of("command", "ls"));
			List<CompletableFuture<ToolResult>> results = List.of(
					this.application.start(ApprovalApplication.call("ls")),
					this.application.start(ToolCall.of("run_command", Map.of("command", "ls"),
							ApprovalApplication.CONTEXT.withSessionId("s2"))),
					this.application.start(ToolCall.of("run_command", Map.of("command", "ls"),
							ApprovalApplication.CONTEXT.withUser("dave"))),
					this.application.start(anonymous),
					this.application.start(ToolCall.of("run_command", Map.of("command", "ls"))));
			Awaitility.await().until(() -> this.application.approvals().pending(10).size() == 5);
			this.application.approvals()
				.pending(10)
				.forEach((question) -> this.application.deny(question, ApprovalApplication.ALICE, "no"));
			for (CompletableFuture<ToolResult> result : results) {
				assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			}
		});
	}

	@Test
	void callThatNobodyDecidesAboutInTimeIsDeniedAndStaysSo() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			assertThat(ApprovalApplication.resultOf(result).content())
				.contains("Nobody approved this call within 600 ms");
			ApprovalRequest question = this.application.events.get(0);
			assertThat(this.application.inState(question.id(), ApprovalState.EXPIRED)).isNotNull();
			assertRefused(Reason.SETTLED, () -> this.application.approve(question, ApprovalApplication.ALICE));
			assertRefused(Reason.SETTLED,
					() -> this.application.edit(question, ApprovalApplication.ALICE, "{\"command\":\"ls\"}"));
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.approvals().pending(10)).isEmpty();
		}, "hooks.approval.timeout=600ms");
	}

	@Test
	void timeOfTheEntryHoldsOverThatOfTheSection() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			assertThat(ApprovalApplication.resultOf(result).content())
				.contains("Nobody approved this call within 150 ms");
		}, "hooks.tool_call.pre_call[0].config.timeout=150ms");
	}

	@Test
	void timeOfOtherApproversDoesNotCutOffPeople() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> !result.isDone());
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
		}, "hooks.tool_call.approval_timeout=50ms");
	}

	@Test
	void killSwitchVoidsTheQuestion() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			context.getBean(ToolHooks.class).disableTools();
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			assertThat(this.application.inState(question.id(), ApprovalState.CANCELLED)).isNotNull();
			assertRefused(Reason.SETTLED, () -> this.application.approve(question, ApprovalApplication.ALICE));
			assertThat(this.application.ran).isEmpty();
		});
	}

	@ParameterizedTest
	@CsvSource({ "TOOL, run_*, The tool is switched off", "AGENT, clerk, Tools are switched off for this agent" })
	void killSwitchOfAToolOrAnAgentVoidsTheQuestion(ToolSwitch.Part.Kind kind, String glob, String why) {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			ToolSwitch tools = context.getBean(ToolSwitch.class);
			tools.switchTools(false, new ToolSwitch.Part(ToolSwitch.Part.Kind.TOOL, "other"), null, "test");
			tools.switchTools(false, new ToolSwitch.Part(kind, glob), null, "test");
			assertThat(ApprovalApplication.resultOf(result).content()).contains(why);
			assertThat(this.application.inState(question.id(), ApprovalState.CANCELLED)).isNotNull();
			assertRefused(Reason.SETTLED, () -> this.application.approve(question, ApprovalApplication.ALICE));
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void killSwitchOfAnotherToolLeavesTheQuestion() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			context.getBean(ToolSwitch.class)
				.switchTools(false, new ToolSwitch.Part(ToolSwitch.Part.Kind.TOOL, "other"), null, "test");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
		});
	}

	@Test
	void killSwitchDeniesACallThatIsJustApproved() {
		this.application.listener = (request) -> {
			if (request.state() == ApprovalState.CLAIMED) {
				this.application.context().getBean(ToolHooks.class).disableTools();
			}
		};
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			assertThat(this.application.ran).isEmpty();
			assertThat(this.application.outcomes).singleElement()
				.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(ToolCallStatus.DISABLED));
		});
	}

	@Test
	void abortOfTheRunVoidsTheQuestion() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			context.getBean(AbortedRuns.class).remember(ApprovalApplication.CONTEXT, "enough", "budget");
			assertThat(ApprovalApplication.resultOf(result).content()).contains("aborted while this call waited");
			assertThat(this.application.inState(question.id(), ApprovalState.CANCELLED)).isNotNull();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void abortOfTheRunStopsACallThatIsJustApproved() {
		this.application.listener = (request) -> {
			if (request.state() == ApprovalState.CLAIMED) {
				this.application.context()
					.getBean(AbortedRuns.class)
					.remember(ApprovalApplication.CONTEXT, "enough", "budget");
			}
		};
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(catchThrowable(() -> ApprovalApplication.resultOf(result)))
				.hasStackTraceContaining("RunAbortedException")
				.hasStackTraceContaining("enough");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void approvalOfOtherArgumentsIsVoid() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			ApprovalRequest approved = ApprovalRules.answered(question,
					new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.APPROVE, null, null), null,
					Instant.now());
			this.application.store()
				.replace(question, withArguments(approved, "{\"command\":\"rm -r /\"}"), Instant.now());
			assertThat(ApprovalApplication.resultOf(result).content()).contains("is not this call any more");
			assertThat(this.application.inState(question.id(), ApprovalState.CANCELLED)).isNotNull();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void approvalBeforeAChangeOfTheHooksIsVoid() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			context.getBean(ToolHooks.class).register("late", (PreToolHook) (call) -> ToolDecision.approve());
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).content()).contains("is not this call any more");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void approvedCallIsAskedAboutAgainWhenItComesAgain() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(ApprovalApplication.call("ls"));
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isTrue();
			CompletableFuture<ToolResult> second = this.application.start(ApprovalApplication.call("ls"));
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "once is enough");
			assertThat(ApprovalApplication.resultOf(second).succeeded()).isFalse();
			assertThat(this.application.ran).hasSize(1);
		});
	}

	@Test
	void fourEyesNeedTwoPeople() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest once = this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(once.state()).isEqualTo(ApprovalState.PENDING);
			assertRefused(Reason.NOT_ALLOWED, () -> this.application.approve(once, ApprovalApplication.ALICE));
			assertThat(result).isNotDone();
			this.application.approve(once, ApprovalApplication.BOB);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
			assertThat(approval(this.application.outcomes.get(0)).person()).isEqualTo("alice, bob");
		}, "hooks.approval.four_eyes=2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "alice", "ALICE", " alice ", "\uFF41lice" })
	void userOfTheCallMayNotDecide(String user) {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application
				.start(ToolCall.of("run_command", Map.of("command", "ls"), ApprovalApplication.CONTEXT.withUser(user)));
			ApprovalRequest question = this.application.pending();
			assertThat(this.application.approvals().mayDecide(question, ApprovalApplication.ALICE)).isFalse();
			assertRefused(Reason.NOT_ALLOWED, () -> this.application.approve(question, ApprovalApplication.ALICE));
			this.application.approve(question, ApprovalApplication.BOB);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		});
	}

	@Test
	void userOfTheCallMayDecideWhereThatIsAllowed() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(
					ToolCall.of("run_command", Map.of("command", "ls"), ApprovalApplication.CONTEXT.withUser("alice")));
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		}, "hooks.approval.prevent_self_approval=false");
	}

	@Test
	void personWithoutAuthorityLearnsNothingAndDecidesNothing() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(this.application.approvals().mayDecide(question, ApprovalApplication.GUEST)).isFalse();
			assertRefused(Reason.NOT_ALLOWED, () -> this.application.approve(question, ApprovalApplication.GUEST));
			assertRefused(Reason.NOT_ALLOWED, () -> this.application.deny(question, ApprovalApplication.GUEST, "no"));
			assertRefused(Reason.NOT_ALLOWED, () -> this.application.approvals()
				.answer("unknown", 0,
						new ApprovalAnswer(ApprovalApplication.GUEST, ApprovalAnswer.Verdict.DENY, null, null)));
			assertRefused(Reason.UNKNOWN, () -> this.application.approvals()
				.answer("unknown", 0,
						new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.DENY, null, null)));
			this.application.deny(question, ApprovalApplication.ALICE, "no");
			ApprovalApplication.resultOf(result);
		});
	}

	@Test
	void answerToAnEarlierRevisionIsRefused() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			this.application.edit(question, ApprovalApplication.ALICE, "{\"command\":\"ls\"}");
			assertRefused(Reason.CHANGED, () -> this.application.approve(question, ApprovalApplication.BOB));
			this.application.approvals()
				.answer(question.id(), 0,
						new ApprovalAnswer(ApprovalApplication.BOB, ApprovalAnswer.Verdict.APPROVE, null, null));
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
			assertThat(this.application.commands()).containsExactly("ls");
		}, "hooks.approval.four_eyes=2");
	}

	@Test
	void callWhoseArgumentsDoNotFitBesideThoseThatWaitIsDeniedWithAReason() {
		this.application.run((context) -> {
			String large = "x".repeat(900_000);
			int many = (int) (MemoryApprovalStore.MAX_BYTES / 1_800_000);
			List<CompletableFuture<ToolResult>> waiting = new ArrayList<>();
			for (int i = 0; i < many; i++) {
				waiting.add(this.application.start(ApprovalApplication.call(i + large)));
			}
			Awaitility.await().until(() -> this.application.approvals().pending(200).size() == many);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(ApprovalApplication.call("more" + large)).content())
				.contains("leave no room for one with arguments of this size");
			assertThat(this.application.approvals().pending(200)).hasSize(many);
			for (ApprovalRequest request : this.application.approvals().pending(200)) {
				this.application.deny(request, ApprovalApplication.ALICE, "no");
			}
			for (CompletableFuture<ToolResult> result : waiting) {
				assertThat(ApprovalApplication.resultOf(result).content()).contains("A person denied this call: no");
			}
		}, "hooks.approval.max_pending_per_session=100");
	}

	@Test
	void rememberedApprovalIsForTheSameCallOfTheSameSessionOnly() {
		this.application.run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			CompletableFuture<ToolResult> first = this.application.start(number("s1", "carol", "1"));
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isTrue();
			assertThat(tools.execute(number("s1", "carol", "1")).succeeded()).isTrue();
			assertThat(approval(this.application.outcomes.get(1)).person()).isEqualTo("alice");
			for (ToolCall other : List.of(number("s1", "carol", "1.0"), number("s1", "carol", "2"),
					number("s2", "carol", "1"), number("s1", "dave", "1"))) {
				CompletableFuture<ToolResult> result = this.application.start(other);
				this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
				assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			}
			assertThat(this.application.ran).hasSize(2);
		}, "hooks.approval.remember=session");
	}

	@Test
	void rememberedApprovalIsNoneForAnotherTenantAgentRoleOrWorkspace() {
		CallContext acme = CallContext.ofSession("s1").withUser("admin").withClaims(Map.of("tenant", "acme"));
		this.application.run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(list(acme));
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(first).succeeded()).isTrue();
			for (CallContext other : List.of(acme.withClaims(Map.of("tenant", "other")), acme.withAgent("other"),
					acme.withRole("other"), acme.withWorkspace("other"))) {
				CompletableFuture<ToolResult> result = this.application.start(list(other));
				this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
				assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			}
			assertThat(ApprovalApplication.resultOf(this.application.start(list(acme))).succeeded()).isTrue();
			assertThat(this.application.ran).hasSize(2);
		}, "hooks.approval.remember=session");
	}

	private static ToolCall list(CallContext context) {
		return ToolCall.of("run_command", Map.of("command", "ls"), context);
	}

	private static ToolCall number(String session, String user, String number) {
		return ToolCall.of("run_command", Map.of("n", new java.math.BigDecimal(number)),
				CallContext.ofSession(session).withUser(user));
	}

	@Test
	void endOfTheApplicationDoesNotWaitForPeople() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			ApprovalStore store = this.application.store();
			context.close();
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			assertThat(this.application.ran).isEmpty();
			assertThat(store.find(question.id()).orElseThrow().state()).isEqualTo(ApprovalState.CANCELLED);
		});
	}

	@Test
	void callIsDeniedWhenTooManyWait() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> first = this.application.start(ApprovalApplication.call("a"));
			CompletableFuture<ToolResult> second = this.application.start(ApprovalApplication.call("b"));
			Awaitility.await().until(() -> this.application.approvals().pending(10).size() == 2);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(ApprovalApplication.call("c")).content()).contains("Too many calls already wait");
			CompletableFuture<ToolResult> other = this.application.start(ToolCall.of("run_command",
					Map.of("command", "c"), ApprovalApplication.CONTEXT.withSessionId("s2")));
			Awaitility.await().until(() -> this.application.approvals().pending(10).size() == 3);
			assertThat(tools
				.execute(ToolCall.of("run_command", Map.of("command", "c"),
						ApprovalApplication.CONTEXT.withSessionId("s3")))
				.content()).contains("Too many calls already wait");
			this.application.approvals()
				.pending(10)
				.forEach((question) -> this.application.deny(question, ApprovalApplication.ALICE, "no"));
			ApprovalApplication.resultOf(first);
			ApprovalApplication.resultOf(second);
			ApprovalApplication.resultOf(other);
			assertThat(this.application.ran).isEmpty();
		}, "hooks.approval.max_pending=3", "hooks.approval.max_pending_per_session=2");
	}

	@Test
	void personSeesEveryCharacterOfTheArguments() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application
				.start(ApprovalApplication.call("rm \u202Etxt.exe\u200B" + "x".repeat(5000)));
			ApprovalRequest question = this.application.pending();
			assertThat(ShownArguments.of(question.arguments()))
				.isEqualTo("{\n  \"command\": \"rm \\u{202E}txt.exe\\u{200B}" + "x".repeat(5000) + "\"\n}");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
			assertThat(this.application.commands()).containsExactly("rm \u202Etxt.exe\u200B" + "x".repeat(5000));
		});
	}

	@Test
	void argumentsAndReasonsAreInNoLogAndNoText(CapturedOutput output) {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.call("s3cret-argument"));
			ApprovalRequest question = this.application.pending();
			assertThat(question).asString().doesNotContain("s3cret");
			assertThat(catchThrowable(
					() -> this.application.edit(question, ApprovalApplication.ALICE, "{\"command\":\"s3cret\"")))
				.asString()
				.doesNotContain("s3cret");
			assertThat(new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.EDIT, "{\"a\":\"s3cret\"}",
					"s3cret"))
				.asString()
				.doesNotContain("s3cret");
			assertThat(this.application.edit(question, ApprovalApplication.ALICE, "{\"command\":\"s3cret-edit\"}"))
				.asString()
				.doesNotContain("s3cret");
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		});
		assertThat(output).doesNotContain("s3cret");
	}

	@Test
	void earlierCallsOfTheRunAreShown() {
		this.application.run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			for (int i = 0; i < 25; i++) {
				tools.execute(ToolCall.of("read", Map.of(), ApprovalApplication.CONTEXT));
			}
			tools.execute(ToolCall.of("read", Map.of(), ApprovalApplication.CONTEXT.withRunId("r2")));
			tools.execute(ToolCall.of("list", Map.of(), ApprovalApplication.CONTEXT));
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.earlierCalls()).hasSize(20).startsWith("read").endsWith("read", "list");
			this.application.deny(question, ApprovalApplication.ALICE, "no");
			ApprovalApplication.resultOf(result);
		}, "hooks.tool_call.pre_call[0].match[0]=run_command");
	}

	@Test
	void ruleThatAsksIsNamed() {
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			ApprovalRequest question = this.application.pending();
			assertThat(question.askedBy()).isEqualTo("house");
			assertThat(question.rule()).isEqualTo("ask_tools");
			assertThat(question.reason()).contains("run_command");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		}, "hooks.tool_call.pre_call[0].type=policy", "hooks.tool_call.pre_call[0].name=house",
				"hooks.tool_call.pre_call[0].config.ask_tools[0]=run_command");
	}

	@Test
	void listenerThatFailsChangesNothing(CapturedOutput output) {
		this.application.listener = (request) -> {
			throw new IllegalStateException("s3cret");
		};
		this.application.run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isTrue();
		});
		assertThat(output).contains("A listener to questions to people failed with java.lang.IllegalStateException")
			.doesNotContain("s3cret");
	}

	@Test
	void explanationAsksNobody() {
		this.application.run((context) -> {
			assertThat(context.getBean(ToolHooks.class).explain(ApprovalApplication.CALL).verdict())
				.isEqualTo(Verdict.ASK);
			assertThat(this.application.approvals().pending(10)).isEmpty();
			assertThat(this.application.events).isEmpty();
		});
	}

	private static ApprovalRequest withArguments(ApprovalRequest request, String arguments) {
		return new ApprovalRequest(request.id(), request.state(), request.revision(), request.tool(), arguments,
				request.fingerprint(), request.callId(), request.sessionId(), request.runId(), request.agent(),
				request.user(), request.askedBy(), request.rule(), request.reason(), request.earlierCalls(),
				request.askedAt(), request.expiresAt(), request.approvals(), request.votes());
	}

	private static void assertRefused(Reason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable answer) {
		ApprovalRefusedException refused = catchThrowableOfType(ApprovalRefusedException.class, answer);
		assertThat(refused.reason()).isEqualTo(reason);
	}

	private static Approval approval(ToolOutcome outcome) {
		return Objects.requireNonNull(outcome.approval());
	}

}
