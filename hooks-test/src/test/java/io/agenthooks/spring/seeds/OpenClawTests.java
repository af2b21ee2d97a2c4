package io.agenthooks.spring.seeds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.event.EventListener;

import io.agenthooks.CallContext;
import io.agenthooks.redact.Redactor;
import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent.BudgetExceeded;
import io.agenthooks.toolcall.ToolCallEvent.Started;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What issue #9 of openclaw asks for: {@code beforeToolCall} and {@code afterToolCall}
 * with filters, in the words of its acceptance criteria.
 */
class OpenClawTests {

	private static final String HOOKS = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: blocked-tools
			        config: {deny_tools: ["exec"]}
			      - type: bean
			        match: ["browser_*", "web_search"]
			        except: ["browser_close"]
			        agents: ["research*"]
			        order: 10
			        timeout: 10s
			        config: {bean: abortingScript}
			    post_call:
			      - type: redact
			      - type: bean
			        config: {bean: auditTrail}
			""";

	private final List<ToolOutcome> audit = new ArrayList<>();

	private final ToolHooksTester hooks = ToolHooksTester.ofYaml(HOOKS)
		.withBean("abortingScript", (PreToolHook) (call) -> ToolDecision.deny("aborted by hook"))
		.withBean("auditTrail", (PostToolHook) this.audit::add);

	@Test
	@DisplayName("{ abort: true } skips the call and returns an error result; abort by tool name")
	void callIsDeniedByTheNameOfItsTool() {
		TestedToolCall call = this.hooks.call("exec", Map.of("command", "ls"));
		assertThat(call).isDenied().byHook("blocked-tools").withContentContaining("denies the tool 'exec'");
		assertThat(call.result()).extracting("succeeded").isEqualTo(false);
		assertThat(this.hooks.executor()).hasRunNothing();
	}

	@Test
	@DisplayName("pass-through")
	void callThatNoHookIsForPasses() {
		assertThat(this.hooks.call("read", Map.of("path", "a.txt"))).isApproved().withContent("ran read");
		assertThat(this.hooks.executor()).hasRun("read", Map.of("path", "a.txt"));
	}

	@ParameterizedTest
	@CsvSource({ "researcher, browser_open, true", "researcher, web_search, true", "researcher, browser_close, false",
			"researcher, read, false", "coder, browser_open, false" })
	@DisplayName("filter.tool: allowlist and denylist; filter.agentId")
	void filtersSayForWhichToolsAndAgentsAHookIs(String agent, String tool, boolean asked) {
		TestedToolCall call = this.hooks.asAgent(agent).call(tool, Map.of());
		if (asked) {
			assertThat(call).isDenied().byHook("abortingScript").withReason("aborted by hook");
		}
		else {
			assertThat(call).isApproved();
		}
	}

	@Test
	@DisplayName("error isolation: failures never crash the agent (the fork lets the call pass)")
	void brokenHookCostsTheCallAndNotTheAgent() {
		PreToolHook broken = (call) -> {
			throw new IllegalStateException("boom");
		};
		String entry = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: bean
				        fail_open: FAIL_OPEN
				        config: {bean: broken}
				""";
		ToolHooksTester closed = ToolHooksTester.ofYaml(entry.replace("FAIL_OPEN", "false")).withBean("broken", broken);
		assertThat(closed.call("read", Map.of())).isDenied().content().doesNotContain("boom");
		ToolHooksTester open = ToolHooksTester.ofYaml(entry.replace("FAIL_OPEN", "true")).withBean("broken", broken);
		assertThat(open.call("read", Map.of())).isApproved().hasFailedOpen("broken").withContent("ran read");
	}

	@Test
	@DisplayName("error isolation of afterToolCall")
	void brokenHookAfterTheCallChangesNothing() {
		PostToolHook broken = (outcome) -> {
			throw new IllegalStateException("boom");
		};
		assertThat(this.hooks.withBean("broken", broken).call("read", Map.of())).hasSucceeded().withContent("ran read");
		assertThat(this.audit).hasSize(1);
	}

	@Test
	@DisplayName("afterToolCall: tool name, input, output, duration, status, agentId, sessionKey, meta")
	void hookAfterTheCallHearsEverythingOfIt() {
		this.hooks.executor().forTool("read", (call) -> ToolResult.success("text")).forTool("write", (call) -> {
			throw new IllegalStateException("disk full");
		});
		CallContext context = CallContext.ofSession("s1").withAgent("coder").withAttribute("job", "nightly");
		ToolHooksTester calls = this.hooks.inContext(context);
		calls.call("read", Map.of("path", "a.txt"));
		calls.call("write", Map.of("path", "b.txt"));
		calls.call("exec", Map.of());
		assertThat(this.audit).extracting((outcome) -> outcome.requested().tool(), ToolOutcome::status)
			.containsExactly(tuple("read", ToolCallStatus.SUCCEEDED), tuple("write", ToolCallStatus.FAILED),
					tuple("exec", ToolCallStatus.DENIED));
		assertThat(this.audit).allSatisfy((outcome) -> {
			assertThat(outcome.duration()).isPositive().isLessThan(Duration.ofMinutes(1));
			assertThat(outcome.requested().context()).isEqualTo(context);
		});
		assertThat(this.audit.get(0).requested().arguments()).isEqualTo(Map.of("path", "a.txt"));
		assertThat(this.audit.get(0).result()).isEqualTo(ToolResult.success("text"));
		assertThat(this.audit.get(1).failure()).hasMessage("disk full");
		assertThat(this.audit.get(2).decidedBy()).isEqualTo("blocked-tools");
	}

	@Test
	@DisplayName("toolInput (sanitized), output summary")
	void secretsAreTakenOutBeforeTheAgentAndTheAuditSeeThem() {
		this.hooks.executor().returning("mail to bob@corp.com, password=hunter2");
		String sanitized = "mail to [redacted:email], password=[redacted:password]";
		TestedToolCall call = this.hooks.call("read", Map.of("query", "bob@corp.com"));
		assertThat(call).hasResultReplacedBy("redact#0").withContent(sanitized);
		ToolOutcome outcome = this.audit.get(0);
		assertThat(outcome.result()).isEqualTo(ToolResult.success(sanitized));
		assertThat(Redactor.ofDefaults().redact(outcome.requested().arguments()))
			.isEqualTo(Map.of("query", "[redacted:email]"));
		assertThat(outcome.toString() + call.events()).contains("query").doesNotContain("bob", "hunter2");
	}

	@Test
	@DisplayName("priority: lower runs first")
	void hooksRunInTheirOrder() {
		List<String> asked = new ArrayList<>();
		ToolHooksTester ordered = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - {type: bean, order: 20, config: {bean: second}}
				      - {type: bean, order: 10, config: {bean: first}}
				      - {type: bean, config: {bean: last}}
				""");
		for (String name : List.of("last", "second", "first")) {
			ordered = ordered.withBean(name, (PreToolHook) (call) -> {
				asked.add(name);
				return ToolDecision.approve();
			});
		}
		assertThat(ordered.call("read", Map.of())).isApproved();
		assertThat(asked).containsExactly("first", "second", "last");
	}

	@Test
	@DisplayName("enforce tool-level rate limits")
	void hookMayLimitTheRateOfATool() {
		Map<String, Integer> calls = new ConcurrentHashMap<>();
		PreToolHook limit = (call) -> (calls.merge(call.tool(), 1, Integer::sum) <= 2) ? ToolDecision.approve()
				: ToolDecision.budgetExceeded("Two calls of '" + call.tool() + "' are enough");
		ToolHooksTester limited = ToolHooksTester.ofHooks(limit);
		assertThat(limited.call("web_search", Map.of())).isApproved();
		assertThat(limited.call("web_search", Map.of())).isApproved();
		TestedToolCall third = limited.call("web_search", Map.of());
		assertThat(third).isDenied().withReasonContaining("are enough");
		assertThat(third.events()).hasAtLeastOneElementOfType(BudgetExceeded.class);
		assertThat(limited.call("read", Map.of())).isApproved();
	}

	@Test
	@DisplayName("alert on sensitive tool calls")
	void listenerIsAlertedToSensitiveCalls() {
		Alerts alerts = new Alerts();
		ToolHooksTester alerting = this.hooks.withBean(alerts);
		alerting.call("read", Map.of());
		alerting.call("exec", Map.of("command", "ls"));
		assertThat(alerts.calls).extracting(ToolCall::tool).containsExactly("exec");
	}

	static class Alerts {

		private final List<ToolCall> calls = new ArrayList<>();

		@EventListener(condition = "#event.call().tool() == 'exec'")
		void alert(Started event) {
			this.calls.add(event.call());
		}

	}

}
