package io.agenthooks.spring.observation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link MdcWatch}.
 */
class MdcWatchTests {

	private final Map<String, Map<String, String>> seen = Collections.synchronizedMap(new LinkedHashMap<>());

	private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				HooksObservationAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> {
			see("tool");
			if (call.tool().equals("throw")) {
				throw new IllegalStateException("thrown");
			}
			return ToolResult.success("");
		})
		.withBean("pre", PreToolHook.class, () -> (call) -> {
			see("pre");
			return (call.tool().equals("ask")) ? ToolDecision.ask("May it?") : ToolDecision.approve();
		})
		.withBean("result", ToolResultHook.class, () -> (call, result) -> {
			see("result");
			return ToolDecision.approve();
		})
		.withBean("post", PostToolHook.class, () -> (outcome) -> see("post"))
		.withBean(ToolApprover.class, () -> (call, question) -> {
			see("approver");
			return ToolDecision.approve();
		})
		.withBean("model", PreLlmHook.class, () -> (call) -> {
			see("model");
			return io.agenthooks.llmcall.LlmDecision.approve();
		});

	private void see(String who) {
		this.threads.add(Thread.currentThread());
		this.seen.put(who, context());
	}

	private static Map<String, String> context() {
		@Nullable Map<String, String> context = MDC.getCopyOfContextMap();
		return (context != null) ? context : Map.of();
	}

	@AfterEach
	void clear() {
		MDC.clear();
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession("s1").withRunId("r1"));
	}

	private static Map<String, String> idsOf(ToolCall call) {
		return Map.of("hooks.call_id", call.id(), "hooks.session_id", "s1", "hooks.run_id", "r1");
	}

	@Test
	void everybodyWhoWorksForACallLogsItsIds() {
		this.contextRunner.run((context) -> {
			ToolCall call = call("ask");
			context.getBean(ToolExecutor.class).execute(call);
			assertThat(this.seen).containsOnlyKeys("pre", "approver", "tool", "result", "post")
				.allSatisfy((who, ids) -> assertThat(ids).isEqualTo(idsOf(call)));
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void hooksOnOtherThreadsLogThemToo() {
		this.contextRunner
			.withPropertyValues("hooks.tool-call.pre-call[0].type=bean", "hooks.tool-call.pre-call[0].config.bean=pre",
					"hooks.tool-call.pre-call[0].timeout=1m", "hooks.tool-call.post-call[0].type=bean",
					"hooks.tool-call.post-call[0].config.bean=post", "hooks.tool-call.post-call[0].timeout=1m")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				ToolCall call = call("read");
				context.getBean(ToolExecutor.class).execute(call);
				assertThat(this.seen).containsOnlyKeys("pre", "tool", "result", "post")
					.allSatisfy((who, ids) -> assertThat(ids).isEqualTo(idsOf(call)));
				assertThat(this.threads).contains(Thread.currentThread())
					.filteredOn((thread) -> !thread.equals(Thread.currentThread()))
					.hasSize(2);
			});
	}

	@Test
	void whatWasThereBeforeIsThereAfterwards() {
		this.contextRunner.run((context) -> {
			MDC.put("request", "42");
			MDC.put("hooks.session_id", "of the application");
			Map<String, String> before = context();
			for (String tool : List.of("read", "throw")) {
				Throwable unused = catchThrowable(() -> context.getBean(ToolExecutor.class).execute(call(tool)));
				assertThat(context()).isEqualTo(before);
				assertThat(this.seen).allSatisfy((who, ids) -> assertThat(ids).containsEntry("request", "42")
					.containsEntry("hooks.session_id", "s1"));
			}
		});
	}

	@Test
	void callWithinACallHasItsOwnIds() {
		AtomicReference<ToolExecutor> tools = new AtomicReference<>();
		ToolCall inner = ToolCall.of("read", Map.of());
		this.contextRunner.withBean("outer", ToolExecutor.class, () -> (call) -> {
			see("before");
			ToolResult unused = Objects.requireNonNull(tools.get()).execute(inner);
			see("after");
			return ToolResult.success("");
		}).run((context) -> {
			tools.set(context.getBean("tools", ToolExecutor.class));
			ToolCall call = call("outer");
			context.getBean("outer", ToolExecutor.class).execute(call);
			assertThat(this.seen.get("before")).isEqualTo(idsOf(call)).isEqualTo(this.seen.get("after"));
			assertThat(this.seen.get("tool")).isEqualTo(Map.of("hooks.call_id", inner.id()));
		});
	}

	@Test
	void idsAreCleanAndBounded() {
		this.contextRunner.run((context) -> {
			context.getBean(ToolExecutor.class)
				.execute(ToolCall.of("read", Map.of(),
						CallContext.ofSession("s1\r\n2026-11-23 INFO all is well\u001b[31m\u202e")
							.withRunId("r".repeat(10_000))));
			Map<String, String> ids = Objects.requireNonNull(this.seen.get("tool"));
			assertThat(ids.get("hooks.session_id")).isEqualTo("s1 2026-11-23 INFO all is well [31m");
			assertThat(Objects.requireNonNull(ids.get("hooks.run_id")).length()).isLessThanOrEqualTo(256);
		});
	}

	@Test
	void hooksOfModelCallsLogTheIdsOfTheirCall() {
		this.contextRunner.run((context) -> {
			LlmCall call = LlmCall.of(LlmMessage.user("hi"));
			context.getBean(LlmHookChain.class).execute(call, (asked) -> LlmResponse.of("hello"));
			assertThat(this.seen.get("model")).isEqualTo(Map.of("hooks.call_id", call.id()));
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void propertySwitchesItOff() {
		this.contextRunner.withPropertyValues("hooks.observation.mdc=false").run((context) -> {
			context.getBean(ToolExecutor.class).execute(call("read"));
			assertThat(this.seen).allSatisfy((who, ids) -> assertThat(ids).isEmpty());
		});
	}

}
