package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.Verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: every policy holds for the final arguments.
 */
class ToolHookChainPolicyTests {

	private final GuardedTool tool = new GuardedTool();

	private final List<@Nullable Object> seen = new ArrayList<>();

	private PreToolHook recording(ToolDecision decision) {
		return (call) -> {
			this.seen.add(call.arguments().get("command"));
			return decision;
		};
	}

	@Test // K01
	void executeWhenLaterHookChangesIntoWhatPolicyForbidsDenies() {
		ToolResult result = this.tool.execute(PreToolHook.named("no-rm", Hooks.policyAgainst("rm")),
				Hooks.changingCommandTo("rm"));
		assertThat(result.content()).isEqualTo("Tool call denied by hook 'no-rm': rm is forbidden");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("no-rm");
		assertThat(this.tool.outcome().effective().arguments()).isEqualTo(Map.of("command", "rm"));
	}

	@Test // K09
	void executeWhenLaterHookRenamesArgumentPolicySeesFinalNames() {
		PreToolHook policy = Hooks.policy(
				(call) -> (call.arguments().containsKey("cmd")) ? ToolDecision.deny("cmd") : ToolDecision.approve());
		this.tool.execute(policy, (call) -> ToolDecision.modify(Map.of("cmd", "ls")));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().requested().arguments()).containsOnlyKeys("command");
		assertThat(this.tool.outcome().effective().arguments()).containsOnlyKeys("cmd");
	}

	@Test
	void executeWhenChangeIsFarBehindPolicyDenies() {
		this.tool.execute(Hooks.policyAgainst("rm"), (call) -> ToolDecision.approve(), (call) -> ToolDecision.approve(),
				Hooks.changingCommandTo("rm"), (call) -> ToolDecision.approve());
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenForbiddenChangeIsChangedAgainOnlyFinalArgumentsCount() {
		this.tool.execute(Hooks.policyAgainst("rm"), Hooks.changingCommandTo("rm"), Hooks.changingCommandTo("pwd"));
		assertThat(this.tool.ranArguments()).isEqualTo(Map.of("command", "pwd"));
	}

	@Test
	void executeWhenHookChangesAsksOnlyPoliciesBeforeItAgain() {
		this.tool.execute(Hooks.policy(recording(ToolDecision.approve())), recording(ToolDecision.approve()),
				Hooks.changingCommandTo("pwd"), Hooks.policy(recording(ToolDecision.approve())));
		assertThat(this.seen).containsExactly("ls", "ls", "pwd", "pwd");
	}

	@Test
	void executeWhenNobodyChangesAsksPolicyOnce() {
		this.tool.execute(Hooks.policy(recording(ToolDecision.approve())), (call) -> ToolDecision.approve());
		assertThat(this.seen).containsExactly("ls");
	}

	@Test
	void executeWhenSeveralHooksChangeAsksPolicyAgainOnce() {
		this.tool.execute(Hooks.policy(recording(ToolDecision.approve())), Hooks.changingCommandTo("pwd"),
				Hooks.changingCommandTo("id"));
		assertThat(this.seen).containsExactly("ls", "id");
	}

	@Test
	void executeWhenPolicyBetweenTwoChangesAsksItAboutTheLast() {
		this.tool.execute(Hooks.changingCommandTo("pwd"), Hooks.policyAgainst("rm"), Hooks.changingCommandTo("rm"));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenPolicyAfterChangeForbidsItDenies() {
		this.tool.execute(Hooks.changingCommandTo("rm"), Hooks.policyAgainst("rm"));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenPolicyIsAskedAgainItMayAbort() {
		PreToolHook policy = Hooks.policy((call) -> ("rm".equals(call.arguments().get("command")))
				? ToolDecision.abortRun("stop") : ToolDecision.approve());
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> this.tool.execute(policy, Hooks.changingCommandTo("rm")));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenPolicyFailsTheSecondTimeDenies() {
		AtomicInteger asked = new AtomicInteger();
		PreToolHook policy = Hooks.policy((call) -> {
			if (asked.incrementAndGet() > 1) {
				throw new IllegalStateException();
			}
			return ToolDecision.approve();
		});
		this.tool.execute(PreToolHook.named("flaky", policy), Hooks.changingCommandTo("pwd"));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("flaky");
	}

	@Test
	void executeWhenPolicyRespondsTheSecondTimeToolDoesNotRun() {
		PreToolHook policy = Hooks.policy((call) -> ("rm".equals(call.arguments().get("command")))
				? ToolDecision.respond(ToolResult.success("pretended")) : ToolDecision.approve());
		assertThat(this.tool.execute(policy, Hooks.changingCommandTo("rm")).content()).isEqualTo("pretended");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.ANSWERED);
	}

	@Test
	void executeWhenOnePolicyRespondsTheSecondTimeTheNextMayStillDeny() {
		PreToolHook responding = Hooks.policy((call) -> ("rm".equals(call.arguments().get("command")))
				? ToolDecision.respond(ToolResult.success("pretended")) : ToolDecision.approve());
		this.tool.execute(responding, Hooks.policyAgainst("rm"), Hooks.changingCommandTo("rm"));
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.deny("rm is forbidden"));
	}

	@Test
	void executeWhenPolicyKeepsChangingFinalArgumentsDenies() {
		PreToolHook appending = Hooks
			.policy((call) -> ToolDecision.modify(Map.of("command", call.arguments().get("command") + "!")));
		this.tool.execute(PreToolHook.named("appending", appending), Hooks.changingCommandTo("pwd"));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("appending");
		assertThat(this.tool.outcome().decision().verdict()).isEqualTo(Verdict.DENY);
	}

	@Test
	void executeWhenTwoPoliciesDisagreeAboutFinalArgumentsDeniesInsteadOfLooping() {
		this.tool.execute(Hooks.policy(Hooks.changingCommandTo("a")), Hooks.policy(Hooks.changingCommandTo("b")));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenChangingPolicyIsAloneItIsNotAskedAgain() {
		AtomicInteger asked = new AtomicInteger();
		this.tool
			.execute(Hooks.policy((call) -> ToolDecision.modify(Map.of("command", "n" + asked.incrementAndGet()))));
		assertThat(this.tool.ranArguments()).isEqualTo(Map.of("command", "n1"));
	}

	@Test
	void executeWhenPolicyChangesNothingMoreTheSecondTimeRunsTool() {
		PreToolHook normalizing = Hooks.policy((call) -> {
			Map<String, @Nullable Object> arguments = new HashMap<>(call.arguments());
			arguments.putIfAbsent("cwd", "/workspace");
			return ToolDecision.modify(arguments);
		});
		this.tool.execute(normalizing, (call) -> {
			Map<String, @Nullable Object> arguments = new HashMap<>(call.arguments());
			arguments.put("command", "pwd");
			return ToolDecision.modify(arguments);
		});
		assertThat(this.tool.ranArguments()).isEqualTo(Map.of("command", "pwd", "cwd", "/workspace"));
	}

	@Test
	void executeWhenHookAnswersPoliciesBehindItAreAskedToo() {
		this.tool.execute(Hooks.answering("cached"), PreToolHook.named("no-ls", Hooks.policyAgainst("ls")));
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("no-ls");
	}

	@Test
	void executeWhenHookAnswersPoliciesBeforeItAreNotAskedAgain() {
		this.tool.execute(Hooks.policy(recording(ToolDecision.approve())), Hooks.answering("cached"));
		assertThat(this.seen).hasSize(1);
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.ANSWERED);
	}

	@Test
	void executeWhenChangedCallIsAnsweredPoliciesOnBothSidesSeeFinalArguments() {
		this.tool.execute(Hooks.policy(recording(ToolDecision.approve())), Hooks.changingCommandTo("pwd"),
				Hooks.answering("cached"), recording(ToolDecision.deny("not asked")),
				Hooks.policy(recording(ToolDecision.approve())));
		assertThat(this.seen).containsExactly("ls", "pwd", "pwd");
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.ANSWERED);
	}

	@Test
	void executeWhenPolicyBehindAnswerAnswersTooFirstAnswerStands() {
		assertThat(this.tool.execute(Hooks.answering("first"), Hooks.policy(Hooks.answering("second"))).content())
			.isEqualTo("first");
	}

	@Test
	void executeWhenPolicyBehindAnswerWouldChangeArgumentsAnswerStands() {
		assertThat(this.tool.execute(Hooks.answering("cached"), Hooks.policy(Hooks.changingCommandTo("pwd"))).content())
			.isEqualTo("cached");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().effective()).isSameAs(GuardedTool.CALL);
	}

	@Test
	void executeWhenPolicyBehindAnswerFailsDenies() {
		this.tool.execute(Hooks.answering("cached"), Hooks.policy((call) -> {
			throw new IllegalStateException();
		}));
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeAsksHookWhetherItIsAPolicyOnceOnly() {
		AtomicInteger asked = new AtomicInteger();
		PreToolHook hook = new PreToolHook() {
			@Override
			public ToolDecision preCall(ToolCall call) {
				return ("rm".equals(call.arguments().get("command"))) ? ToolDecision.deny("no")
						: ToolDecision.approve();
			}

			@Override
			public boolean isRepeatable() {
				return asked.getAndIncrement() == 0;
			}
		};
		this.tool.execute(hook, Hooks.changingCommandTo("rm"));
		assertThat(this.tool.ran).isEmpty();
		assertThat(asked).hasValue(1);
	}

}
