package io.agenthooks.spring.seeds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.OnToolError;
import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The {@code HooksRegistry} of Morphix: six points of a call, and hooks that come and go.
 */
class MorphixTests {

	private static final CallContext CONTEXT = CallContext.ofSession("s1")
		.withRole("user")
		.withWorkspace("research")
		.withAttempt(3);

	/** Its configuration knows one switch; the rest of ours shows what it has in code. */
	private static final String HOOKS = """
			hooks:
			  tool_call:
			    enabled: true
			    pre_call:
			      - type: bean
			        match: ["expensive_*"]
			        config: {bean: tokenBudget}
			      - type: bean
			        roles: ["user"]
			        match: ["send_*"]
			        config: {bean: permission}
			""";

	private final Monitor monitor = new Monitor();

	private final ToolHooksTester hooks = ToolHooksTester.ofYaml(HOOKS)
		.withBean("tokenBudget", (PreToolHook) (call) -> ToolDecision.budgetExceeded("No tokens left"))
		.withBean("permission", (PreToolHook) (call) -> ToolDecision.ask("May I?"))
		.withApprover((call, question) -> ToolDecision.deny("The user says no"))
		.withBean(this.monitor)
		.inContext(CONTEXT);

	@Test
	@DisplayName("on_before_tool")
	void listenerHearsOfACallBeforeItsTool() {
		this.hooks.executor().running((call) -> {
			this.monitor.heard.add("running " + call.tool());
			return ToolResult.success("done");
		});
		this.hooks.call("file_manager", Map.of("path", "a.txt"));
		assertThat(this.monitor.heard).containsExactly("on_before_tool", "running file_manager", "on_after_tool");
	}

	@Test
	@DisplayName("on_after_tool")
	void listenerHearsOfASuccess() {
		this.hooks.executor().returning("text");
		this.hooks.call("file_manager", Map.of("path", "a.txt"));
		ToolOutcome outcome = this.monitor.outcome(ToolCallEvent.Succeeded.class);
		assertThat(outcome.result()).isEqualTo(ToolResult.success("text"));
		assertThat(outcome.duration()).isPositive();
	}

	@Test
	@DisplayName("on_tool_error, also of a tool that reports its failure")
	void listenerHearsOfAFailure() {
		this.hooks.executor().failing("missing_required_param: command").forTool("throwing", (call) -> {
			throw new UncheckedIOException(new IOException("disk full"));
		});
		this.hooks.call("bash_manager", Map.of("command", ""));
		this.hooks.call("throwing", Map.of());
		assertThat(this.monitor.heard).containsExactly("on_before_tool", "on_tool_error", "on_before_tool",
				"method: UncheckedIOException, attempt 3", "on_tool_error");
		assertThat(this.monitor.outcomes.get(0).result())
			.isEqualTo(ToolResult.failure("missing_required_param: command"));
		assertThat(this.monitor.outcomes.get(1).failure()).hasMessageContaining("disk full");
	}

	@Test
	@DisplayName("on_permission_denied")
	void listenerHearsOfADenial() {
		assertThat(this.hooks.call("send_mail", Map.of())).isDenied()
			.hasAskedForApproval("May I?")
			.withReason("The user says no");
		assertThat(this.monitor.heard).containsExactly("on_before_tool", "approval refused", "on_permission_denied");
	}

	@Test
	@DisplayName("on_token_budget_exceeded")
	void listenerHearsOfAnExceededBudget() {
		assertThat(this.hooks.call("expensive_search", Map.of())).isDenied()
			.byHook("tokenBudget")
			.withReason("No tokens left");
		assertThat(this.monitor.heard).containsExactly("on_before_tool", "on_token_budget_exceeded",
				"on_permission_denied");
	}

	@Test
	@DisplayName("on_tools_disabled")
	void listenerHearsOfACallWhileToolsAreSwitchedOff() {
		this.hooks.getBean(ToolHooks.class).disableTools();
		assertThat(this.hooks.call("file_manager", Map.of())).isDisabled();
		assertThat(this.monitor.heard).containsExactly("on_before_tool", "on_tools_disabled");
		this.hooks.getBean(ToolHooks.class).enableTools();
		assertThat(this.hooks.call("file_manager", Map.of())).hasSucceeded();

		ToolHooksTester off = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    tools_enabled: false
				""");
		assertThat(off.call("file_manager", Map.of())).isDisabled();
		assertThat(off.executor()).hasRunNothing();
	}

	@Test
	@DisplayName("HookContext: tool_name, parameters, role, workspace, session_id, attempt, result, duration")
	void hooksKnowWhoCallsWhatAndHowItEnded() {
		List<ToolCall> before = new ArrayList<>();
		List<ToolOutcome> after = new ArrayList<>();
		PreToolHook asked = (call) -> {
			before.add(call);
			return ToolDecision.approve();
		};
		PostToolHook told = after::add;
		ToolHooksTester.ofHooks(asked, told).inContext(CONTEXT).call("file_manager", Map.of("path", "a.txt"));
		ToolCall call = before.get(0);
		assertThat(call.tool()).isEqualTo("file_manager");
		assertThat(call.arguments()).isEqualTo(Map.of("path", "a.txt"));
		assertThat(call.context().role()).isEqualTo("user");
		assertThat(call.context().workspace()).isEqualTo("research");
		assertThat(call.context().sessionId()).isEqualTo("s1");
		assertThat(call.context().attempt()).isEqualTo(3);
		ToolOutcome outcome = after.get(0);
		assertThat(outcome.requested()).isEqualTo(call);
		assertThat(outcome.result()).isEqualTo(ToolResult.success("ran file_manager"));
		assertThat(outcome.failure()).isNull();
		assertThat(outcome.duration()).isPositive();
	}

	@Test
	@DisplayName("HookContext defaults: role agent, workspace main, attempt 1, no session")
	void callOfNobodyInParticularHasDefaults() {
		CallContext context = ToolCall.of("file_manager", Map.of()).context();
		assertThat(context.role()).isEqualTo("agent");
		assertThat(context.workspace()).isEqualTo("main");
		assertThat(context.attempt()).isEqualTo(1);
		assertThat(context.sessionId()).isNull();
	}

	@Test
	@DisplayName("register, unregister, list_hooks, also without hooks at the start")
	void hooksComeAndGoAtRunTime() {
		ToolHooksTester empty = ToolHooksTester.ofHooks();
		ToolHooks registry = empty.getBean(ToolHooks.class);
		PreToolHook denying = (call) -> ToolDecision.deny("No");
		registry.register("temp", denying);
		assertThat(registry.list()).extracting(ActiveHooks.Listed::name, ActiveHooks.Listed::phase)
			.containsExactly(tuple("temp", ActiveHooks.Phase.PRE_CALL));
		assertThat(empty.call("file_manager", Map.of())).isDenied().byHook("temp");

		assertThat(registry.unregister("temp")).isTrue();
		assertThat(registry.unregister("temp")).isFalse();
		assertThat(registry.list()).isEmpty();
		assertThat(empty.call("file_manager", Map.of())).isApproved();

		try (ActiveHooks.Registration registration = registry.register("temp", denying)) {
			assertThat(registration).isNotNull();
			assertThat(empty.call("file_manager", Map.of())).isDenied();
		}
		assertThat(empty.call("file_manager", Map.of())).isApproved();
	}

	@Test
	@DisplayName("a function is registered once")
	void nameIsRegisteredOnce() {
		ToolHooks registry = this.hooks.getBean(ToolHooks.class);
		PostToolHook hook = (outcome) -> {
		};
		registry.register("monitor", hook);
		assertThatIllegalArgumentException().isThrownBy(() -> registry.register("monitor", hook))
			.withMessageContaining("'monitor'");
	}

	@Test
	@DisplayName("clear: not the hooks of the application")
	void hooksOfTheConfigurationStay() {
		ToolHooks registry = this.hooks.getBean(ToolHooks.class);
		registry.register("temp", (PreToolHook) (call) -> ToolDecision.deny("No"));
		assertThat(registry.clear(ToolHooks.RUN_TIME)).isEqualTo(1);
		assertThat(registry.unregister("tokenBudget")).isFalse();
		assertThat(registry.list()).extracting(ActiveHooks.Listed::name).contains("tokenBudget").doesNotContain("temp");
		assertThat(this.hooks.call("expensive_search", Map.of())).isDenied();
	}

	@Test
	@DisplayName("global hooks and workspaces/<name>/hooks, cleared on workspace switch")
	void hooksOfAWorkspaceAreForItsCallsAndGoWithIt() {
		ToolHooks registry = this.hooks.getBean(ToolHooks.class);
		List<String> heard = new ArrayList<>();
		registry.register("audit", hearing("global", heard));
		for (String workspace : List.of("research", "prod")) {
			HookOptions options = HookOptions.defaults().workspaces(workspace);
			registry.register(workspace + "-audit", hearing(workspace, heard), options, "workspace:" + workspace);
			registry.register(workspace + "-second", hearing(workspace + " 2", heard), options,
					"workspace:" + workspace);
		}
		this.hooks.call("read", Map.of());
		assertThat(heard).containsExactly("global", "research", "research 2");
		heard.clear();
		this.hooks.inContext(CONTEXT.withWorkspace("prod")).call("read", Map.of());
		assertThat(heard).containsExactly("global", "prod", "prod 2");
		heard.clear();

		assertThat(registry.clear("workspace:research")).isEqualTo(2);
		this.hooks.call("read", Map.of());
		assertThat(heard).containsExactly("global");
		assertThat(registry.list()).extracting(ActiveHooks.Listed::name).contains("prod-audit");
	}

	@Test
	@DisplayName("sync and async hooks")
	void asynchronousHookIsWaitedFor() {
		PreToolHook asynchronous = PreToolHook.async(Duration.ofSeconds(30), (call) -> CompletableFuture
			.supplyAsync(() -> (call.tool().equals("send")) ? ToolDecision.deny("No") : ToolDecision.approve()));
		ToolHooksTester async = ToolHooksTester.ofHooks(asynchronous);
		assertThat(async.call("send", Map.of())).isDenied();
		assertThat(async.call("read", Map.of())).isApproved();
	}

	@Test
	@DisplayName("async hook on_after_tool")
	void listenerMayHearOnAnotherThread() throws Exception {
		LaterListener listener = new LaterListener();
		ToolHooksTester async = ToolHooksTester.ofHooks().withBean(listener).withConfiguration(Asynchronous.class);
		assertThat(async.call("read", Map.of())).hasSucceeded();
		assertThat(listener.heard.get(30, TimeUnit.SECONDS)).isNotEqualTo(Thread.currentThread().getName());
	}

	@Test
	@DisplayName("hooks never break the tool execution pipeline")
	void observersThatThrowChangeNothing() {
		List<String> heard = new ArrayList<>();
		PostToolHook broken = (outcome) -> {
			throw new IllegalStateException("boom");
		};
		PostToolHook next = hearing("next hook", heard);
		ToolHooksTester observed = ToolHooksTester.ofHooks(broken, next)
			.withBean(new BrokenListener())
			.withBean(new LastListener(heard));
		assertThat(observed.call("read", Map.of())).hasSucceeded().withContent("ran read");
		// Listeners are Spring's: one that throws keeps the event from those after it
		assertThat(heard).containsExactly("next hook");
	}

	@Test
	@DisplayName("ctx.parameters: Morphix lets a hook change them in place")
	void hookCannotChangeTheArgumentsInPlace() {
		PreToolHook mutating = (call) -> {
			call.arguments().put("path", "/etc");
			return ToolDecision.approve();
		};
		ToolHooksTester tester = ToolHooksTester.ofHooks(mutating);
		assertThat(tester.call("read", new LinkedHashMap<>(Map.of("path", "a.txt")))).isDenied();
		assertThat(tester.executor()).hasRunNothing();
	}

	@Test
	@DisplayName("hooks_enabled: false")
	void allHooksAreSwitchedOff() {
		ToolHooksTester off = ToolHooksTester.ofYaml(HOOKS.replace("enabled: true", "enabled: false"))
			.withBean("tokenBudget", (PreToolHook) (call) -> ToolDecision.budgetExceeded("No tokens left"))
			.withBean("permission", (PreToolHook) (call) -> ToolDecision.ask("May I?"));
		assertThat(off.call("expensive_search", Map.of())).isApproved();
	}

	@Test
	@DisplayName("my_monitor.py: statistics for each tool")
	void monitorOfTheGuideCountsCallsSuccessesAndFailures() {
		this.hooks.executor().forTool("bash", (call) -> ToolResult.failure("exit 1"));
		for (String tool : List.of("read", "bash", "read", "expensive_search")) {
			TestedToolCall call = this.hooks.call(tool, Map.of());
			assertThat(call.events()).isNotEmpty();
		}
		assertThat(this.monitor.calls).isEqualTo(4);
		assertThat(this.monitor.successes).isEqualTo(2);
		assertThat(this.monitor.failures).isEqualTo(1);
	}

	private static PostToolHook hearing(String who, List<String> heard) {
		return (outcome) -> heard.add(who);
	}

	/**
	 * The monitor of its guide, for all six points.
	 */
	static class Monitor {

		private final List<String> heard = new ArrayList<>();

		private final List<ToolOutcome> outcomes = new ArrayList<>();

		private @Nullable ToolCallEvent last;

		private int calls;

		private int successes;

		private int failures;

		@EventListener
		void onBeforeTool(ToolCallEvent.Started event) {
			this.heard.add("on_before_tool");
			this.calls++;
		}

		@EventListener
		void onAfterTool(ToolCallEvent.Succeeded event) {
			this.heard.add("on_after_tool");
			this.successes++;
		}

		@EventListener
		void onToolError(ToolCallEvent.Failed event) {
			this.heard.add("on_tool_error");
			this.failures++;
		}

		@OnToolError
		void onException(ToolCall call, UncheckedIOException failure) {
			this.heard.add("method: " + failure.getClass().getSimpleName() + ", attempt " + call.context().attempt());
		}

		@EventListener
		void onApproval(ToolCallEvent.ApprovalSettled event) {
			this.heard.add((event.answer() instanceof ToolDecision.Deny) ? "approval refused" : "approved");
		}

		@EventListener
		void onPermissionDenied(ToolCallEvent.Denied event) {
			this.heard.add("on_permission_denied");
		}

		@EventListener
		void onTokenBudgetExceeded(ToolCallEvent.BudgetExceeded event) {
			this.heard.add("on_token_budget_exceeded");
		}

		@EventListener
		void onToolsDisabled(ToolCallEvent.ToolsDisabled event) {
			this.heard.add("on_tools_disabled");
		}

		@EventListener
		void onEnd(ToolCallEvent.Ended event) {
			this.last = event;
			this.outcomes.add(event.outcome());
		}

		ToolOutcome outcome(Class<? extends ToolCallEvent.Ended> type) {
			assertThat(this.last).isInstanceOf(type);
			return this.outcomes.get(this.outcomes.size() - 1);
		}

	}

	static class BrokenListener {

		@EventListener
		@Order(1)
		void on(ToolCallEvent event) {
			throw new IllegalStateException("boom");
		}

	}

	record LastListener(List<String> heard) {

		@EventListener
		@Order(2)
		void on(ToolCallEvent event) {
			this.heard.add("last listener");
		}

	}

	static class LaterListener {

		private final CompletableFuture<String> heard = new CompletableFuture<>();

		@Async
		@EventListener
		void on(ToolCallEvent.Succeeded event) {
			this.heard.complete(Thread.currentThread().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

	}

}
