package io.agenthooks.spring.seeds;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmExecutor;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;
import io.agenthooks.toolcall.TurnAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * PicoClaw's hooks: observers, tool interceptors with their actions, and approvers.
 */
class PicoClawTests {

	/**
	 * Its {@code py_review_gate} as a bean, a built-in hook with options of its own, and
	 * the three uses of {@code respond}.
	 */
	private static final String HOOKS = """
			hooks:
			  tool_call:
			    enabled: true
			    pre_call:
			      - type: bean
			        name: review_gate
			        enabled: true
			        order: 100
			        timeout: 5s
			        config: {bean: reviewGate}
			      - type: respond
			        name: plugin
			        match: ["my_plugin_tool"]
			        order: 110
			        config: {content: "Plugin tool executed successfully"}
			      - type: respond
			        name: mock
			        match: ["broken_tool"]
			        order: 110
			        config: {content: "no such city", is_error: true}
			      - type: cache
			        name: reads
			        match: ["read_*"]
			        order: 120
			        config: {ttl: 10m, scope: session}
			""";

	private final List<String> reviewed = new ArrayList<>();

	private final ToolHooksTester hooks = ToolHooksTester.ofYaml(HOOKS)
		.withBean("reviewGate", (PreToolHook) this::review)
		.inSession("s1");

	@Test
	@DisplayName("observer: tool_exec_start, tool_exec_end, tool_exec_skipped")
	void listenerObservesCallsAndChangesNothing() {
		Observer observer = new Observer();
		ToolHooksTester observed = this.hooks.withBean(observer);
		assertThat(observed.call("search", Map.of())).isApproved();
		assertThat(observed.call("shell", Map.of("command", "sudo ls"))).isDenied();
		assertThat(observer.heard).containsExactly("tool_exec_start search", "tool_exec_end search",
				"tool_exec_start shell", "tool_exec_skipped shell");
	}

	@Test
	@DisplayName("before_tool: continue")
	void interceptorLetsACallPass() {
		assertThat(this.hooks.call("search", Map.of("q", "x"))).isApproved();
		assertThat(this.hooks.executor()).hasRun("search", Map.of("q", "x"));
		assertThat(this.reviewed).containsExactly("search");
	}

	@Test
	@DisplayName("before_tool: modify")
	void interceptorRewritesArguments() {
		PreToolHook normalising = (call) -> ToolDecision.modify(Map.of("path", "/work/a.txt"));
		ToolHooksTester tester = ToolHooksTester.ofHooks(normalising);
		assertThat(tester.call("write_file", Map.of("path", "a.txt"))).isModified()
			.toArguments(Map.of("path", "/work/a.txt"));
		assertThat(tester.executor()).hasRun("write_file", Map.of("path", "/work/a.txt"));
	}

	@Test
	@DisplayName("after_tool: modify")
	void interceptorRewritesTheResult() {
		ToolResultHook rewriting = ToolResultHook
			.replacing((call, result) -> ToolResult.success(result.content().toUpperCase(Locale.ROOT)));
		ToolHooksTester tester = ToolHooksTester.ofHooks().withBean("rewriting", rewriting);
		tester.executor().returning("text");
		assertThat(tester.call("read_file", Map.of())).hasResultReplacedBy("rewriting").withContent("TEXT");
	}

	@Test
	@DisplayName("approve_tool: allow, deny, and no approver")
	void approverAllowsOrDenies() {
		PreToolHook gate = PreToolHook.forTools("shell"::equals, (call) -> ToolDecision.ask("Run a shell?"));
		ToolHooksTester tester = ToolHooksTester.ofHooks(gate);
		assertThat(tester.approving().call("shell", Map.of())).isApproved().hasAskedForApproval("Run a shell?");
		assertThat(tester.withApprover((call, question) -> ToolDecision.deny("not now")).call("shell", Map.of()))
			.isDenied()
			.withReason("not now");
		assertThat(tester.withApprover((call, question) -> {
			throw new IllegalStateException("boom");
		}).call("shell", Map.of())).isDenied().withReasonContaining("approver failed");
		assertThat(tester.call("shell", Map.of())).isDenied().withReasonContaining("nobody to ask");
	}

	@Test
	@DisplayName("approve_tool is asked after before_tool")
	void approverSeesTheArgumentsAsTheToolWillGetThem() {
		PreToolHook gate = (call) -> ToolDecision.ask("Run it?");
		PreToolHook changing = (call) -> ToolDecision.modify(Map.of("command", "ls"));
		List<ToolCall> asked = new ArrayList<>();
		ToolHooksTester tester = ToolHooksTester.ofHooks(gate, changing).withApprover((call, question) -> {
			asked.add(call);
			return ToolDecision.approve();
		});
		assertThat(tester.call("shell", Map.of("command", "rm x"))).isModified();
		assertThat(asked).singleElement()
			.satisfies((call) -> assertThat(call.arguments()).isEqualTo(Map.of("command", "ls")));
	}

	@Test
	@DisplayName("respond: plugin tool injection")
	void hookIsAToolThatExistsOnlyAsHook() {
		assertThat(this.hooks.call("my_plugin_tool", Map.of())).isAnswered()
			.byHook("plugin")
			.withContent("Plugin tool executed successfully");
		assertThat(this.hooks.executor()).hasRunNothing();
	}

	@Test
	@DisplayName("respond: result caching")
	void hookAnswersARepeatedCall() {
		this.hooks.executor().returning("text");
		assertThat(this.hooks.call("read_file", Map.of("path", "a"))).hasSucceeded().withContent("text");
		this.hooks.executor().returning("other text");
		assertThat(this.hooks.call("read_file", Map.of("path", "a"))).isAnswered().byHook("reads").withContent("text");
		assertThat(this.hooks.inSession("s2").call("read_file", Map.of("path", "a"))).withContent("other text");
	}

	@Test
	@DisplayName("respond: tool mocking, is_error")
	void hookAnswersInPlaceOfATool() {
		assertThat(this.hooks.call("broken_tool", Map.of())).isAnswered().byHook("mock").withContent("no such city");
		assertThat(this.hooks.call("broken_tool", Map.of()).result()).isEqualTo(ToolResult.failure("no such city"));
	}

	@Test
	@DisplayName("respond bypasses approve_tool and later hooks: the hole that PicoClaw documents")
	void answerIsNoWayAroundADenial() {
		ToolHook answering = (PreToolHook) (call) -> ToolDecision.respond(ToolResult.success("answer"));
		String policyBehind = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {deny_tools: ["bash"]}
				""";
		ToolHooksTester tester = ToolHooksTester.ofYaml(policyBehind).withBean("answering", answering);
		assertThat(tester.call("bash", Map.of())).isDenied().byHook("policy#0").content().doesNotContain("answer");
		assertThat(tester.call("read_file", Map.of())).isAnswered();

		PreToolHook gate = (call) -> ToolDecision.ask("Answer it?");
		ToolHooksTester asked = ToolHooksTester.ofHooks(gate).withBean("answering", answering);
		assertThat(asked.call("bash", Map.of())).isDenied().withReasonContaining("nobody to ask");
		assertThat(asked.approving().call("bash", Map.of())).isAnswered().hasAskedForApproval("Answer it?");
	}

	@Test
	@DisplayName("deny_tool")
	void denialIsAnErrorForTheAgentWhichGoesOn() {
		assertThat(this.hooks.call("shell", Map.of("command", "sudo ls"))).isDenied()
			.byHook("review_gate")
			.withContent("Tool call denied by hook 'review_gate': sudo not allowed");
		assertThat(this.hooks.call("shell", Map.of("command", "ls"))).isApproved();
	}

	@Test
	@DisplayName("abort_turn")
	void abortedTurnEndsWithItsCall() {
		assertThat(this.hooks.call("stop_turn", Map.of())).isAborted(AbortScope.TURN)
			.byHook("review_gate")
			.withReason("enough for now")
			.exception()
			.isInstanceOf(TurnAbortedException.class);
		assertThat(this.hooks.call("search", Map.of())).isApproved();
		assertThat(this.hooks.executor()).hasRunOnly("search");
	}

	@Test
	@DisplayName("hard_abort")
	void abortedRunRefusesLaterCallsUntilItEnds() {
		CallContext run = CallContext.ofSession("s1").withRunId("r1");
		ToolHooksTester running = this.hooks.inContext(run);
		assertThat(running.call("stop_run", Map.of())).isAborted(AbortScope.RUN)
			.exception()
			.isInstanceOf(RunAbortedException.class);
		this.reviewed.clear();
		assertThat(running.call("search", Map.of())).isAborted(AbortScope.RUN).byHook("review_gate");
		assertThat(this.reviewed).isEmpty();
		assertThat(this.hooks.executor()).hasRunNothing();
		assertThat(this.hooks.inContext(run.withRunId("r2")).call("search", Map.of())).isApproved();
		assertThat(this.hooks.getBean(ToolHooks.class).endRun("r1")).isTrue();
		assertThat(running.call("search", Map.of())).isApproved();
	}

	@Test
	@DisplayName("after_tool: abort_turn")
	void interceptorOfTheResultMayAbort() {
		ToolResultHook aborting = (call, result) -> ToolDecision.abortTurn("poisoned result");
		ToolHooksTester tester = ToolHooksTester.ofHooks(aborting);
		assertThat(tester.call("read_file", Map.of())).isAborted(AbortScope.TURN).withReason("poisoned result");
		assertThat(tester.executor()).hasRun("read_file");
	}

	@Test
	@DisplayName("order: in-process hooks first, then by priority, lower first")
	void hooksAreAskedByPriorityAndBeansFirst() {
		ToolHooksTester tester = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - {type: named, name: late, order: 200}
				      - {type: named, name: unordered-1}
				      - {type: named, name: early, order: 100}
				      - {type: named, name: unordered-2}
				""")
			.withBean("factory",
					ToolHookFactory.of("named", NoOptions.class, (name, config) -> (PreToolHook) (call) -> note(name)))
			.withBean("inProcess", (PreToolHook) (call) -> note("bean"));
		assertThat(tester.call("search", Map.of())).isApproved();
		assertThat(this.reviewed).containsExactly("early", "late", "bean", "unordered-1", "unordered-2");
	}

	@Test
	@DisplayName("interceptor_timeout_ms: PicoClaw skips the hook")
	void interceptorThatOverrunsItsTimeoutDenies() {
		CountDownLatch released = new CountDownLatch(1);
		PreToolHook hanging = (call) -> {
			await(released);
			return ToolDecision.approve();
		};
		String entry = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: bean
				        timeout: 200ms
				        fail_open: FAIL_OPEN
				        config: {bean: hanging}
				""";
		try (ToolHooksTester closed = ToolHooksTester.ofYaml(entry.replace("FAIL_OPEN", "false"))
			.withBean("hanging", hanging);
				ToolHooksTester open = ToolHooksTester.ofYaml(entry.replace("FAIL_OPEN", "true"))
					.withBean("hanging", hanging)) {
			assertThat(closed.call("search", Map.of())).isDenied().byHook("hanging");
			assertThat(open.call("search", Map.of())).isApproved().hasFailedOpen("hanging");
			released.countDown();
		}
	}

	@Test
	@DisplayName("hooks.enabled and hooks.<...>.enabled")
	void hooksAreSwitchedOffOneByOneOrAllTogether() {
		Map<String, String> sudo = Map.of("command", "sudo ls");
		String oneOff = HOOKS.replace("        enabled: true", "        enabled: false");
		ToolHooksTester one = ToolHooksTester.ofYaml(oneOff).withBean("reviewGate", (PreToolHook) this::review);
		assertThat(one.call("shell", sudo)).isApproved();
		assertThat(one.call("my_plugin_tool", Map.of())).isAnswered();

		ToolHooksTester all = ToolHooksTester
			.ofYaml(HOOKS.replace("    enabled: true\n    pre", "    enabled: false\n    pre"))
			.withBean("reviewGate", (PreToolHook) this::review);
		assertThat(all.call("shell", sudo)).isApproved();
		assertThat(all.call("my_plugin_tool", Map.of())).hasSucceeded();
	}

	@Test
	@DisplayName("hooks.builtin.<name>: enabled, priority, config")
	void hookOfTheApplicationGetsPlaceAndOptionsFromTheConfiguration() {
		ToolHooksTester tester = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: forbidden_words
				        name: words
				        order: 5
				        config: {words: ["sudo", "rm"]}
				""")
			.withBean(ToolHookFactory.of("forbidden_words", Words.class,
					(config) -> (PreToolHook) (
							call) -> (config.words().stream().anyMatch(call.arguments().toString()::contains))
									? ToolDecision.deny("forbidden") : ToolDecision.approve()));
		assertThat(tester.call("shell", Map.of("command", "rm x"))).isDenied().byHook("words");
		assertThat(tester.call("shell", Map.of("command", "ls"))).isApproved();
	}

	@Test
	@DisplayName("modify: PicoClaw lets a hook rename the tool")
	void hookCannotTurnACallIntoThatOfAnotherTool() {
		PreToolHook modifying = (call) -> ToolDecision.modify(Map.of("tool", "bash"));
		ToolHooksTester tester = ToolHooksTester.ofHooks(modifying);
		assertThat(tester.call("read_file", Map.of())).isModified();
		assertThat(tester.executor()).hasRunOnly("read_file");
	}

	@Test
	@DisplayName("an interceptor that fails: PicoClaw skips it")
	void interceptorThatThrowsDenies() {
		AtomicInteger later = new AtomicInteger();
		PreToolHook broken = (call) -> {
			throw new IllegalStateException("boom");
		};
		PreToolHook next = (call) -> {
			later.incrementAndGet();
			return ToolDecision.approve();
		};
		assertThat(ToolHooksTester.ofHooks(broken, next).call("search", Map.of())).isDenied();
		assertThat(later).hasValue(0);
	}

	@Test
	@DisplayName("before_llm and after_llm of a process hook")
	void programIsAskedBeforeAndAfterTheModel() {
		try (ToolHooksTester tester = ToolHooksTester.ofYaml("""
				hooks:
				  llm_call:
				    pre_call:
				      - type: process
				        config: {command: [python3, %s], intercept: [before_llm, after_llm], hello_timeout: 20s}
				"""
			.formatted(Path.of("../types/hooks-programs/src/test/resources/programs/llm_gate.py").toAbsolutePath()))) {
			LlmHookChain models = tester.getBean(LlmHookChain.class);
			LlmExecutor echo = (call) -> LlmResponse
				.of("A secret of " + call.model() + ": " + call.messages().get(0).text());
			assertThat(models.execute(LlmCall.of(LlmMessage.user("my secret")), echo).text())
				.isEqualTo("A *** of small: my ***");
			assertThatExceptionOfType(LlmCallAbortedException.class)
				.isThrownBy(() -> models.execute(LlmCall.of(LlmMessage.user("abort_turn")), echo))
				.satisfies((ex) -> assertThat(ex.getScope()).isEqualTo(AbortScope.TURN));
		}
	}

	private ToolDecision review(ToolCall call) {
		this.reviewed.add(call.tool());
		return switch (call.tool()) {
			case "stop_turn" -> ToolDecision.abortTurn("enough for now");
			case "stop_run" -> ToolDecision.abortRun("enough");
			default -> (call.arguments().toString().contains("sudo")) ? ToolDecision.deny("sudo not allowed")
					: ToolDecision.approve();
		};
	}

	private ToolDecision note(String hook) {
		this.reviewed.add(hook);
		return ToolDecision.approve();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	record NoOptions() {
	}

	record Words(List<String> words) {
	}

	static class Observer {

		private final List<String> heard = new ArrayList<>();

		@EventListener
		void on(ToolCallEvent.Started event) {
			this.heard.add("tool_exec_start " + event.call().tool());
		}

		@EventListener({ ToolCallEvent.Succeeded.class, ToolCallEvent.Failed.class })
		void on(ToolCallEvent.Ended event) {
			this.heard.add("tool_exec_end " + event.call().tool());
		}

		@EventListener
		void on(ToolCallEvent.Denied event) {
			this.heard.add("tool_exec_skipped " + event.call().tool());
		}

	}

}
