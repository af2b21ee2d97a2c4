package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: a hook asks, and a {@link ToolApprover} answers.
 */
class ToolHookChainApprovalTests {

	private static final PreToolHook ASKING = PreToolHook.named("careful", (call) -> ToolDecision.ask("Really?"));

	private final GuardedTool tool = new GuardedTool();

	private final List<ToolCall> shown = new ArrayList<>();

	private final List<String> questions = new ArrayList<>();

	private ToolResult execute(ToolDecision answer, PreToolHook... hooks) {
		return this.tool.withApprover((call, question) -> {
			this.shown.add(call);
			this.questions.add(question.question());
			return answer;
		}).execute(hooks);
	}

	@Test
	void executeWhenHookAsksAndNobodyAnswersDenies() {
		ToolResult result = new GuardedTool().execute(ASKING);
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).startsWith("Tool call denied by hook 'careful': ").contains("nobody to ask");
		ToolHookChain chain = new ToolHookChain(List.of(ASKING), List.of());
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isFalse();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenApproverApprovesRunsTool() {
		assertThat(execute(ToolDecision.approve(), ASKING).content()).isEqualTo("ran ls");
		assertThat(this.questions).containsExactly("Really?");
		assertThat(this.shown).singleElement().isSameAs(GuardedTool.CALL);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.SUCCEEDED);
	}

	@Test
	void executeWhenNobodyAsksApproverIsNotBothered() {
		execute(ToolDecision.deny("never"), (call) -> ToolDecision.approve());
		assertThat(this.shown).isEmpty();
		assertThat(this.tool.ran).hasSize(1);
	}

	@Test
	void executeWhenApproverDeniesGivesItsReason() {
		assertThat(execute(ToolDecision.deny("not today"), ASKING).content())
			.isEqualTo("Tool call denied by hook 'careful': not today");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("careful");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void executeWhenNameOfApproverCannotBeReadStillEndsTheCall(boolean throwing) {
		List<ToolOutcome> outcomes = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of(ASKING), List.of(PostToolHook.named("post", outcomes::add)),
				new Nameless(throwing));
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).content()).isEqualTo("ran ls");
		assertThat(outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.approval()).isNotNull();
			assertThat(outcome.approval().approver()).isEqualTo("Nameless");
		});
	}

	@Test
	void executeWithAnApproverOfItsOwnGivesItsAnswerToNoOtherCall() {
		List<ToolOutcome> outcomes = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of(ASKING), List.of(PostToolHook.named("post", outcomes::add)));
		List<ToolResult> inside = new ArrayList<>();
		ToolApprover person = new ToolApprover() {

			@Override
			public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
				inside.add(chain.execute(call, ToolHookChainApprovalTests.this.tool::run));
				return ToolDecision.approve().answeredBy("alice");
			}

			@Override
			public String name() {
				return "desk";
			}

		};
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run, person).content()).isEqualTo("ran ls");
		assertThat(inside).singleElement().satisfies((result) -> assertThat(result.succeeded()).isFalse());
		assertThat(this.tool.ran).hasSize(1);
		assertThat(outcomes).hasSize(2).last().satisfies((outcome) -> {
			assertThat(outcome.approval()).isNotNull();
			assertThat(outcome.approval().approver()).isEqualTo("desk");
			assertThat(outcome.approval().person()).isEqualTo("alice");
		});
	}

	@Test
	void executeWithAnApproverOfItsOwnStillDeniesWhatHooksDeny() {
		ToolHookChain chain = new ToolHookChain(List.of(ASKING, Hooks.policyAgainst("ls")), List.of());
		ToolApprover person = (call, question) -> {
			this.shown.add(call);
			return ToolDecision.approve();
		};
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run, person).succeeded()).isFalse();
		assertThat(this.shown).isEmpty();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenApproverAbortsThrows() {
		assertThatExceptionOfType(TurnAbortedException.class)
			.isThrownBy(() -> execute(ToolDecision.abortTurn("go home"), ASKING))
			.satisfies((ex) -> assertThat(ex.getHook()).isEqualTo("careful"));
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.ABORTED);
	}

	@Test
	void executeWhenApproverModifiesRunsChangedCall() {
		execute(ToolDecision.modify(Map.of("command", "pwd")), ASKING);
		assertThat(this.tool.ranArguments()).isEqualTo(Map.of("command", "pwd"));
		assertThat(this.tool.outcome().decision().verdict()).isEqualTo(Verdict.MODIFY);
	}

	@Test
	void executeWhenApproverModifiesIntoWhatPolicyForbidsDenies() {
		execute(ToolDecision.modify(Map.of("command", "rm")), Hooks.policyAgainst("rm"), ASKING,
				(call) -> ToolDecision.approve());
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.deny("rm is forbidden"));
	}

	@Test
	void executeWhenApproverModifiesPoliciesBehindTheAskingHookHoldToo() {
		execute(ToolDecision.modify(Map.of("command", "rm")), ASKING, Hooks.policyAgainst("rm"));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenApproverModifiesIsNotAskedAboutItsOwnChange() {
		execute(ToolDecision.modify(Map.of("command", "pwd")), Hooks.policy(ASKING));
		assertThat(this.questions).hasSize(1);
		assertThat(this.tool.ranArguments()).isEqualTo(Map.of("command", "pwd"));
	}

	@Test
	void executeWhenApproverReturnsNullDenies() {
		this.tool.withApprover(NullDecisions.approver()).execute(ASKING);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("careful");
	}

	@Test
	void executeWhenApproverThrowsDenies() {
		this.tool.withApprover((call, question) -> {
			throw new IllegalStateException("secret");
		});
		assertThat(this.tool.execute(ASKING).content())
			.isEqualTo("Tool call denied by hook 'careful': The approver failed");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenApproverThrowsErrorDenies() {
		this.tool.withApprover((call, question) -> {
			throw new NoClassDefFoundError();
		}).execute(ASKING);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenApproverRunsOutOfMemoryThrowsItAfterPostCallHooks() {
		OutOfMemoryError error = new OutOfMemoryError("simulated");
		this.tool.withApprover((call, question) -> {
			throw error;
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.tool.execute(ASKING)).isSameAs(error);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().failure()).isSameAs(error);
	}

	@Test
	void executeWhenApproverAsksBackDenies() {
		execute(ToolDecision.ask("You really mean it?"), ASKING);
		assertThat(this.questions).hasSize(1);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenApproverRespondsDenies() {
		execute(ToolDecision.respond(ToolResult.success("mine")), ASKING);
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenApproverFailsOpenMarksIt() {
		execute(ToolDecision.failedOpen("nobody at the desk"), ASKING);
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).containsExactly("careful");
	}

	@Test
	void executeWhenTwoHooksAskApproverGetsOneQuestion() {
		execute(ToolDecision.deny("no"), ASKING,
				PreToolHook.named("other", (call) -> ToolDecision.ask("Is it worth it?")));
		assertThat(this.questions).containsExactly("Really?; Is it worth it?");
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("careful");
	}

	@Test
	void executeWhenTwoHooksAskTheSameApproverGetsItOnce() {
		execute(ToolDecision.approve(), ASKING, ASKING);
		assertThat(this.questions).containsExactly("Really?");
	}

	@Test
	void executeWhenManyHooksAskQuestionStaysBounded() {
		PreToolHook[] hooks = new PreToolHook[20];
		for (int i = 0; i < hooks.length; i++) {
			String question = i + "?".repeat(500);
			hooks[i] = (call) -> ToolDecision.ask(question);
		}
		execute(ToolDecision.approve(), hooks);
		assertThat(this.questions).singleElement()
			.satisfies((question) -> assertThat(question).hasSizeLessThanOrEqualTo(SafeText.MAX_REASON_BYTES));
	}

	@Test
	void executeWhenHookAsksLaterHooksAreAskedToo() {
		execute(ToolDecision.approve(), ASKING, (call) -> ToolDecision.deny("no"));
		assertThat(this.shown).isEmpty();
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.deny("no"));
	}

	@Test
	void executeWhenLaterHookAbortsApproverIsNotBothered() {
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> execute(ToolDecision.approve(), ASKING, (call) -> ToolDecision.abortRun("stop")));
		assertThat(this.shown).isEmpty();
	}

	@Test
	void executeWhenLaterHookFailsApproverIsNotBothered() {
		execute(ToolDecision.approve(), ASKING, (call) -> {
			throw new IllegalStateException();
		});
		assertThat(this.shown).isEmpty();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenPolicyForbidsFinalArgumentsApproverIsNotBothered() {
		execute(ToolDecision.approve(), Hooks.policyAgainst("rm"), ASKING, Hooks.changingCommandTo("rm"));
		assertThat(this.shown).isEmpty();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenHookAsksBeforeAChangeApproverSeesFinalArguments() {
		execute(ToolDecision.approve(), ASKING, Hooks.changingCommandTo("pwd"), Hooks.changingCommandTo("id"));
		assertThat(this.shown).singleElement().satisfies((call) -> {
			assertThat(call.arguments()).isEqualTo(Map.of("command", "id"));
			assertThat(call).isSameAs(this.tool.ran.get(0));
		});
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.modify(Map.of("command", "id")));
	}

	@Test
	void executeWhenPolicyAsksOnlyAboutFinalArgumentsApproverIsAsked() {
		PreToolHook policy = Hooks.policy((call) -> ("rm".equals(call.arguments().get("command")))
				? ToolDecision.ask("Really rm?") : ToolDecision.approve());
		execute(ToolDecision.deny("no"), policy, Hooks.changingCommandTo("rm"));
		assertThat(this.questions).containsExactly("Really rm?");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenPolicyNoLongerAsksAboutFinalArgumentsQuestionStands() {
		PreToolHook policy = Hooks.policy((call) -> ("ls".equals(call.arguments().get("command")))
				? ToolDecision.ask("Really ls?") : ToolDecision.approve());
		execute(ToolDecision.deny("no"), policy, Hooks.changingCommandTo("pwd"));
		assertThat(this.questions).containsExactly("Really ls?");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenAskedCallIsAnsweredAnswerNeedsApproval() {
		assertThat(execute(ToolDecision.approve(), ASKING, Hooks.answering("cached")).content()).isEqualTo("cached");
		assertThat(this.questions).hasSize(1);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.ANSWERED);
	}

	@Test
	void executeWhenAskedCallIsAnsweredApproverMayDeny() {
		execute(ToolDecision.deny("no"), ASKING, Hooks.answering("cached"));
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenAskedCallIsAnsweredApproverCannotMakeTheToolRun() {
		execute(ToolDecision.modify(Map.of("command", "pwd")), ASKING, Hooks.answering("cached"),
				(call) -> ToolDecision.deny("never asked"));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenPolicyBehindAnswerAsksApproverIsAsked() {
		execute(ToolDecision.deny("no"), Hooks.answering("cached"), Hooks.policy(ASKING));
		assertThat(this.questions).hasSize(1);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeAsksAboutEachCallAnew() {
		ToolHookChain chain = this.tool.withApprover((call, question) -> {
			this.shown.add(call);
			return (this.shown.size() == 1) ? ToolDecision.approve() : ToolDecision.deny("only once");
		}).chain(ASKING);
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isTrue();
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isFalse();
		assertThat(this.tool.ran).hasSize(1);
	}

	/**
	 * An approver whose name is none.
	 */
	private record Nameless(boolean throwing) implements ToolApprover {

		@Override
		public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
			return ToolDecision.approve();
		}

		@Override
		@SuppressWarnings("NullAway") // approvers may be broken
		public String name() {
			if (this.throwing) {
				throw new IllegalStateException("no name");
			}
			return null;
		}

	}

}
