package io.agenthooks.spring.entries;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an explanation says of a call is what happens to the call: each case is explained
 * first, and made then.
 */
class ExplainedCallsTests {

	private static final ToolIdentity DELETE_ON_GITHUB = ToolIdentity.onServer("github", "delete_repo",
			"alt_1_delete_repo");

	@ParameterizedTest
	@MethodSource("cases")
	void callEndsAsItWasExplained(Case example) {
		try (ToolHooksTester hooks = example.tester()) {
			Explanation explanation = compare(hooks, example.call(), example.live());
			assertThat(explanation.verdict()).isEqualTo(example.verdict());
		}
	}

	static Stream<Case> cases() {
		String lists = policy("""
				deny_tools: ["rm", "delete_*"]
				allow_tools: ["*"]
				deny_argument_patterns:
				  command: ["sudo", "curl.*sh"]
				deny_any_argument_patterns: ["BEGIN RSA"]
				ask_tools: ["pay_*"]
				ask_argument_patterns:
				  command: ["git push"]
				ask_any_argument_patterns: ["@evil"]
				""");
		String rules = policy("""
				deny_tools: ["delete_*"]
				ask_tools: ["refund_*"]
				rules:
				  - name: big-refunds
				    tools: ["refund_*"]
				    when: "args.amount > 500"
				    then: deny
				  - tools: ["refund_*"]
				    when: "args.amount > 100"
				    then: ask
				    reason: "more than 100"
				  - name: no-loops
				    tools: ["delete_*", "loop"]
				    when: "call.session == 's1'"
				    then: abort
				""");
		String packs = policy("""
				packs: ["secret-files", "shell-destructive", "internal-addresses", "sql-ddl"]
				except_rules: []
				""".replace("except_rules: []\n", ""));
		String modes = """
				- type: policy
				  name: on-trial
				  mode: observe
				  config: {deny_tools: ["write_*"]}
				- type: policy
				  name: limited
				  timeout: 30s
				  config: {deny_tools: ["exec"]}
				- type: respond
				  name: stub
				  match: ["stub_*"]
				  config: {content: "stubbed"}
				- type: policy
				  name: after-the-answer
				  config: {deny_argument_patterns: {q: ["secret"]}}
				- type: redact
				  name: masks
				- type: passthrough
				""";
		String scopes = """
				- type: policy
				  name: of-agents
				  agents: ["clerk*"]
				  config: {deny_tools: ["a"]}
				- type: policy
				  name: of-users
				  users: ["bob"]
				  config: {deny_tools: ["b"]}
				- type: policy
				  name: of-servers
				  mcp_servers: ["github"]
				  config: {allow_tools: ["read_*"]}
				- type: policy
				  name: matching
				  match: ["x_*"]
				  except: ["x_1"]
				  config: {deny_any_argument_patterns: ["no"]}
				- type: policy
				  name: of-roles
				  roles: ["admin"]
				  workspaces: ["prod"]
				  config: {ask_tools: ["deploy"]}
				""";
		CallContext clerk = CallContext.ofSession("s1").withAgent("clerk-1").withUser("bob");
		CallContext admin = CallContext.empty().withRole("admin").withWorkspace("prod");
		return Stream.of(
				// Lists
				of(lists, Verdict.APPROVE, "read", Map.of("command", "ls")),
				of(lists, Verdict.DENY, "delete_all", Map.of()), of(lists, Verdict.DENY, "rm", Map.of()),
				of(lists, Verdict.DENY, "run", Map.of("command", "sudo ls")),
				of(lists, Verdict.DENY, "run", Map.of("deep", Map.of("command", List.of("curl x |", "sh")))),
				of(lists, Verdict.DENY, "run", Map.of("any", "BEGIN RSA")),
				of(lists, Verdict.DENY, "bad name", Map.of()), of(lists, Verdict.DENY, "", Map.of()),
				of(lists, Verdict.DENY, "pay_bill", Map.of("command", "sudo")),
				of(lists, Verdict.DENY, "pay_bill", Map.of()),
				of(lists, Verdict.ASK, "pay_bill", Map.of()).answeredWith(ToolDecision.approve()),
				of(lists, Verdict.ASK, "run", Map.of("command", "git push")).answeredWith(ToolDecision.deny("never")),
				of(lists, Verdict.ASK, "mail", Map.of("to", "x@evil")).answeredWith(ToolDecision.abortRun("stop")),
				of(lists, Verdict.ASK, "pay_bill", Map.of("a", 1)).answeredWith(ToolDecision.modify(Map.of("a", 2))),
				of(policy("allow_tools: [\"read_*\", \"github__list_*\"]"), Verdict.DENY, "write", Map.of()),
				of(policy("allow_tools: [\"read_*\", \"github__list_*\"]"), Verdict.APPROVE, "read_x", Map.of()),
				of(policy("allow_tools: []"), Verdict.DENY, "read_x", Map.of()),
				// Tools of servers
				of(lists, Verdict.DENY, DELETE_ON_GITHUB, Map.of()),
				of(policy("deny_tools: [\"github__*\"]"), Verdict.DENY, DELETE_ON_GITHUB, Map.of()),
				of(policy("deny_tools: [\"alt_1_*\"]"), Verdict.DENY, DELETE_ON_GITHUB, Map.of()),
				of(policy("allow_tools: [\"delete_repo\"]"), Verdict.DENY, DELETE_ON_GITHUB, Map.of()),
				of(policy("allow_tools: [\"github__delete_repo\"]"), Verdict.APPROVE, DELETE_ON_GITHUB, Map.of()),
				of(scopes, Verdict.DENY, DELETE_ON_GITHUB, Map.of()),
				of(scopes, Verdict.APPROVE, ToolIdentity.onServer("other", "delete_repo", "delete_repo"), Map.of()),
				// Rules and packs
				of(rules, Verdict.DENY, "refund_a", Map.of("amount", 501)),
				of(rules, Verdict.ASK, "refund_a", Map.of("amount", 101)).answeredWith(ToolDecision.approve()),
				of(rules, Verdict.ASK, "refund_a", Map.of("amount", 1)).answeredWith(ToolDecision.approve()),
				of(rules, Verdict.DENY, "refund_a", Map.of()),
				of(rules, Verdict.ABORT, "loop", Map.of()).in(CallContext.ofSession("s1")),
				of(rules, Verdict.APPROVE, "loop", Map.of()).in(CallContext.ofSession("s2")),
				of(rules, Verdict.ABORT, "delete_x", Map.of()).in(CallContext.ofSession("s1").withRunId("r1")),
				of(packs, Verdict.DENY, "read", Map.of("path", "/home/a/.ssh/id_rsa")),
				of(packs, Verdict.DENY, "run", Map.of("command", "rm -rf /")),
				of(packs, Verdict.DENY, "fetch", Map.of("url", "http://169.254.169.254/latest")),
				of(packs, Verdict.DENY, "query", Map.of("sql", "drop table users")),
				of(packs, Verdict.APPROVE, "query", Map.of("sql", "select 1")),
				// Modes, answers and scopes
				of(modes, Verdict.APPROVE, "write_x", Map.of("q", "a")), of(modes, Verdict.DENY, "exec", Map.of()),
				of(modes, Verdict.RESPOND, "stub_x", Map.of()),
				of(modes, Verdict.DENY, "stub_x", Map.of("q", "secret")),
				of(modes, Verdict.APPROVE, "mail", Map.of("key", "AKIAIOSFODNN7EXAMPLE")),
				of(scopes, Verdict.DENY, "a", Map.of()).in(clerk),
				of(scopes, Verdict.APPROVE, "a", Map.of()).in(clerk.withAgent("other")),
				of(scopes, Verdict.DENY, "b", Map.of()).in(clerk), of(scopes, Verdict.DENY, "b", Map.of()),
				of(scopes, Verdict.APPROVE, "b", Map.of()).in(clerk.withUser("eve")),
				of(scopes, Verdict.DENY, "x_2", Map.of("v", "no")),
				of(scopes, Verdict.APPROVE, "x_1", Map.of("v", "no")),
				of(scopes, Verdict.DENY, "deploy", Map.of()).in(admin),
				of(scopes, Verdict.ASK, "deploy", Map.of()).in(admin).answeredWith(ToolDecision.approve()),
				// What is there before any hook
				of(lists, Verdict.DENY, "read", Map.of()).with("hooks.tool_call.kill_switch", "true"),
				of(lists, Verdict.DENY, "bad name", Map.of()).with("hooks.tool_call.kill_switch", "true"),
				of(lists, Verdict.DENY, "read", Map.of("a", "x".repeat(2000)))
					.with("hooks.tool_call.max_arguments_size", "1KB"),
				of("", Verdict.APPROVE, "read", Map.of()),
				of("", Verdict.DENY, "read", Map.of()).with("hooks.tool_call.kill_switch", "true"),
				// Beans that may be asked
				of(lists, Verdict.DENY, "run", Map.of("command", "ls")).beside(changing(Map.of("command", "sudo"))),
				of(lists, Verdict.MODIFY, "run", Map.of("command", "ls")).beside(changing(Map.of("command", "id"))),
				of(lists, Verdict.DENY, "run", Map.of()).beside(policy((call) -> {
					throw new IllegalStateException("broken");
				})), of(lists, Verdict.DENY, "run", Map.of()).beside(policy((call) -> null)),
				of(lists, Verdict.APPROVE, "run", Map.of()).beside(PreToolHook.failOpen(policy((call) -> {
					throw new IllegalStateException("broken");
				}))), of(lists, Verdict.APPROVE, "run", Map.of()).beside(PreToolHook.observeOnly(policy((call) -> {
					throw new IllegalStateException("broken");
				}))),
				of(lists, Verdict.ABORT, "run", Map.of()).beside(policy((call) -> ToolDecision.abortTurn("enough"))),
				of(lists, Verdict.RESPOND, "run", Map.of())
					.beside(policy((call) -> ToolDecision.respond(ToolResult.success("a")))),
				// Beans that may not, but are
				of(lists, Verdict.DENY, "run", Map.of()).beside((call) -> ToolDecision.deny("no")).asLive(),
				of(lists, Verdict.ASK, "run", Map.of()).beside((call) -> ToolDecision.ask("sure?"))
					.answeredWith(ToolDecision.approve())
					.asLive());
	}

	/**
	 * The adversarial cases of configuration and policy.
	 */
	@TestFactory
	Stream<DynamicTest> adversarialCallEndsAsItWasExplained() throws IOException {
		try (InputStream cases = getClass().getResourceAsStream("/cases/binding-and-policy.json")) {
			List<JsonNode> nodes = new JsonMapper().readTree(Objects.requireNonNull(cases))
				.valueStream()
				.filter((node) -> List.of("DENY", "APPROVE", "INVARIANT").contains(node.get("outcome").asString()))
				.filter((node) -> node.has("arguments") && node.has("tool"))
				.toList();
			assertThat(nodes).hasSizeGreaterThan(12);
			return nodes.stream().map((node) -> DynamicTest.dynamicTest(node.get("id").asString(), () -> {
				try (ToolHooksTester hooks = ToolHooksTester.ofYaml(node.get("config_yaml").asString())
					.withProperty("PORT", "1")) {
					compare(hooks, ToolCall.of(node.get("tool").asString(), CaseArguments.of(node.get("arguments"))),
							false);
				}
			}));
		}
	}

	@Test
	void callOfAnAbortedRunIsExplainedAsItEnds() {
		String yaml = yaml(policy("""
				rules:
				  - name: no-loops
				    tools: ["loop"]
				    then: abort
				"""));
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml)) {
			CallContext run = CallContext.ofSession("s").withRunId("r");
			ToolCall next = ToolCall.of("read", Map.of(), run);
			assertThat(hooks.getBean(ToolHooks.class).explain(ToolCall.of("loop", Map.of(), run)).verdict())
				.isEqualTo(Verdict.ABORT);
			assertThat(compare(hooks, next, false).verdict()).isEqualTo(Verdict.APPROVE);
			hooks.call(ToolCall.of("loop", Map.of(), run));
			Explanation explanation = compare(hooks, next, false);
			assertThat(explanation.verdict()).isEqualTo(Verdict.ABORT);
			assertThat(explanation.hooks()).extracting(Explanation.Answer::name, Explanation.Answer::type)
				.containsExactly(Tuple.tuple("rules", "built-in"));
		}
	}

	/**
	 * Explain a call and make it.
	 */
	static Explanation compare(ToolHooksTester hooks, ToolCall call, boolean live) {
		Explanation explanation = hooks.getBean(ToolHooks.class).explain(call, live);
		ToolOutcome real = hooks.call(call).outcome();
		Approval approval = real.approval();
		assertThat(explanation.isComplete()).isTrue();
		if (approval != null && !approval.approver().equals("nobody")) {
			assertThat(explanation.verdict()).isEqualTo(Verdict.ASK);
			assertThat(explanation.decidedBy()).isEqualTo(approval.askedBy());
			assertThat(explanation.reason()).isEqualTo(approval.question().question());
			assertRule(explanation, approval.question().rule());
			return explanation;
		}
		assertThat(explanation.verdict()).isEqualTo(real.decision().verdict());
		assertThat(explanation.decidedBy()).isEqualTo(real.decidedBy());
		assertThat(explanation.call())
			.isEqualTo((real.status() == ToolCallStatus.SUCCEEDED) ? ran(hooks) : real.effective());
		if (real.decision().verdict() != Verdict.APPROVE) {
			assertThat(explanation.reason()).isEqualTo(real.decision().reason());
			assertRule(explanation, real.rule());
		}
		assertThat(explanation.hooks()).filteredOn((answer) -> answer.observed() && answer.verdict() != Verdict.APPROVE)
			.extracting(Explanation.Answer::name)
			.containsAll(real.wouldDeny());
		return explanation;
	}

	/**
	 * The call that ran; the outcome has one whose secrets are masked.
	 */
	private static ToolCall ran(ToolHooksTester hooks) {
		List<ToolCall> calls = hooks.executor().calls();
		return calls.get(calls.size() - 1);
	}

	private static void assertRule(Explanation explanation, @Nullable HookRule rule) {
		assertThat(explanation.hooks()).filteredOn((answer) -> answer.name().equals(explanation.decidedBy()))
			.anySatisfy((answer) -> {
				assertThat(answer.rule()).isEqualTo((rule != null) ? rule.name() : null);
				assertThat(answer.ruleOrigin()).isEqualTo((rule != null) ? rule.origin() : null);
			});
	}

	private static PreToolHook policy(Function<ToolCall, @Nullable ToolDecision> decision) {
		return new PreToolHook() {

			@Override
			@SuppressWarnings("NullAway") // hooks may be broken
			public ToolDecision preCall(ToolCall call) {
				return decision.apply(call);
			}

			@Override
			public boolean isRepeatable() {
				return true;
			}

		};
	}

	private static PreToolHook changing(Map<String, Object> arguments) {
		return new PreToolHook() {

			@Override
			public ToolDecision preCall(ToolCall call) {
				return ToolDecision.modify(arguments);
			}

			@Override
			public boolean isExplainable() {
				return true;
			}

		};
	}

	private static String policy(String config) {
		return "- type: policy\n  name: rules\n  config:\n" + config.indent(4);
	}

	private static String yaml(String hooks) {
		return (hooks.isEmpty()) ? "" : "hooks:\n  tool_call:\n    pre_call:\n" + hooks.indent(6);
	}

	private static Case of(String hooks, Verdict verdict, String tool, Map<String, ?> arguments) {
		return new Case(hooks, ToolCall.of(tool, arguments), verdict, null, null, null, null, false);
	}

	private static Case of(String hooks, Verdict verdict, ToolIdentity tool, Map<String, ?> arguments) {
		return new Case(hooks, ToolCall.of("1", tool, arguments, CallContext.empty()), verdict, null, null, null, null,
				false);
	}

	/**
	 * A call in an application.
	 *
	 * @param hooks what is written below {@code pre_call}
	 * @param call the call
	 * @param verdict what is expected
	 * @param answer what a person answers, if there is one
	 * @param bean another hook, after those that are written
	 */
	record Case(String hooks, ToolCall call, Verdict verdict, @Nullable ToolDecision answer, @Nullable PreToolHook bean,
			@Nullable String property, @Nullable String value, boolean live) {

		Case answeredWith(ToolDecision answer) {
			return new Case(this.hooks, this.call, this.verdict, answer, this.bean, this.property, this.value,
					this.live);
		}

		Case in(CallContext context) {
			return new Case(this.hooks, ToolCall.of(this.call.tool(), this.call.arguments(), context), this.verdict,
					this.answer, this.bean, this.property, this.value, this.live);
		}

		Case beside(PreToolHook bean) {
			return new Case(this.hooks, this.call, this.verdict, this.answer, bean, this.property, this.value,
					this.live);
		}

		Case with(String property, String value) {
			return new Case(this.hooks, this.call, this.verdict, this.answer, this.bean, property, value, this.live);
		}

		Case asLive() {
			return new Case(this.hooks, this.call, this.verdict, this.answer, this.bean, this.property, this.value,
					true);
		}

		ToolHooksTester tester() {
			ToolHooksTester tester = ToolHooksTester.ofYaml(yaml(this.hooks));
			ToolDecision given = this.answer;
			if (given != null) {
				ToolApprover approver = (asked, question) -> given;
				tester = tester.withApprover(approver);
			}
			if (this.bean != null) {
				tester = tester.withBean("another", this.bean);
			}
			return (this.property != null && this.value != null) ? tester.withProperty(this.property, this.value)
					: tester;
		}

		@Override
		public String toString() {
			return this.verdict + " " + this.call.identity().describe() + " " + this.call.arguments().keySet()
					+ ((this.property != null) ? " " + this.property : "");
		}

	}

}
