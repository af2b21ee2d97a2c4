package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallEvent.Aborted;
import io.agenthooks.toolcall.ToolCallEvent.Answered;
import io.agenthooks.toolcall.ToolCallEvent.ApprovalRequested;
import io.agenthooks.toolcall.ToolCallEvent.ApprovalSettled;
import io.agenthooks.toolcall.ToolCallEvent.BudgetExceeded;
import io.agenthooks.toolcall.ToolCallEvent.Denied;
import io.agenthooks.toolcall.ToolCallEvent.Ended;
import io.agenthooks.toolcall.ToolCallEvent.Failed;
import io.agenthooks.toolcall.ToolCallEvent.FailedOpen;
import io.agenthooks.toolcall.ToolCallEvent.HookFailed;
import io.agenthooks.toolcall.ToolCallEvent.Modified;
import io.agenthooks.toolcall.ToolCallEvent.ResultReplaced;
import io.agenthooks.toolcall.ToolCallEvent.Started;
import io.agenthooks.toolcall.ToolCallEvent.Succeeded;
import io.agenthooks.toolcall.ToolCallEvent.ToolsDisabled;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HookEventPublisher}: what {@code @EventListener} methods hear.
 */
class ToolCallEventsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean(Listener.class, Listener::new)
		.withBean("tools", ToolExecutor.class, () -> ToolCallEventsTests::execute);

	@ParameterizedTest
	@MethodSource
	void listenerHearsEveryStepAndExactlyOneEnd(String tool, List<Class<? extends ToolCallEvent>> expected) {
		withHooks().run((context) -> {
			if (tool.equals("disabled")) {
				context.getBean(ToolHooks.class).disableTools();
			}
			call(context.getBean(ToolExecutor.class), tool);
			Listener listener = context.getBean(Listener.class);
			assertThat(listener.events).extracting(Object::getClass).containsExactlyElementsOf(expected);
			assertThat(listener.events).allSatisfy((event) -> assertThat(event.call().tool()).isEqualTo(tool));
			assertThat(listener.ends).singleElement().isSameAs(listener.events.get(listener.events.size() - 1));
			assertThat(listener.events.toString()).doesNotContain("secret");
		});
	}

	static Stream<Arguments> listenerHearsEveryStepAndExactlyOneEnd() {
		return Stream.of(heard("succeed", List.of(Succeeded.class)), heard("fail", List.of(Failed.class)),
				heard("throw", List.of(Failed.class)), heard("deny", List.of(Denied.class)),
				heard("respond", List.of(Answered.class)), heard("abort", List.of(Aborted.class)),
				heard("disabled", List.of(ToolsDisabled.class)),
				heard("modify", List.of(Modified.class, Succeeded.class)),
				heard("replace", List.of(ResultReplaced.class, Succeeded.class)),
				heard("ask", List.of(ApprovalRequested.class, ApprovalSettled.class, Succeeded.class)),
				heard("refuse", List.of(ApprovalRequested.class, ApprovalSettled.class, Denied.class)),
				heard("budget", List.of(BudgetExceeded.class, Denied.class)),
				heard("broken", List.of(HookFailed.class, Denied.class)),
				heard("open", List.of(FailedOpen.class, Succeeded.class)), heard("post", List.of(Succeeded.class)),
				heard("withhold", List.of(HookFailed.class, ResultReplaced.class, Succeeded.class)),
				heard("abort-result", List.of(Aborted.class)));
	}

	private static Arguments heard(String tool, List<Class<? extends ToolCallEvent>> events) {
		List<Class<? extends ToolCallEvent>> all = new ArrayList<>(List.of(Started.class));
		all.addAll(events);
		return Arguments.of(tool, all);
	}

	@Test
	void postCallHookThatFailsIsHeardBeforeTheEnd() {
		this.contextRunner.withBean("listening", PostToolHook.class, () -> (outcome) -> {
			throw new IllegalStateException("secret");
		}).run((context) -> {
			call(context.getBean(ToolExecutor.class), "succeed");
			assertThat(context.getBean(Listener.class).events).extracting(Object::getClass)
				.containsExactly(Started.class, HookFailed.class, Succeeded.class);
		});
	}

	@Test
	void callsAreToldEvenWithoutHooks() {
		this.contextRunner.run((context) -> {
			call(context.getBean(ToolExecutor.class), "succeed");
			assertThat(context.getBean(Listener.class).events).extracting(Object::getClass)
				.containsExactly(Started.class, Succeeded.class);
		});
	}

	@Test
	void callInsideOfACallIsToldOnItsOwn() {
		this.contextRunner.withBean("nesting", ToolExecutor.class, () -> (call) -> ToolResult.success("outer"))
			.withBean("calling", PostToolHook.class, () -> (outcome) -> {
			})
			.run((context) -> {
				ToolExecutor inner = context.getBean("tools", ToolExecutor.class);
				context.getBean(ToolHooks.class).register("calling-tools", (PreToolHook) (call) -> {
					if (call.tool().equals("outer")) {
						call(inner, "succeed");
					}
					return ToolDecision.approve();
				});
				call(context.getBean("nesting", ToolExecutor.class), "outer");
				assertThat(context.getBean(Listener.class).ends).extracting((end) -> end.call().tool())
					.containsExactly("succeed", "outer");
			});
	}

	@Test
	void listenerThatThrowsChangesNothing() {
		withHooks().withBean("throwing", ThrowingListener.class, ThrowingListener::new).run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(ToolCall.of("succeed", Map.of())).content()).isEqualTo("ran");
			assertThat(tools.execute(ToolCall.of("modify", Map.of())).content()).isEqualTo("ran");
			assertThat(tools.execute(ToolCall.of("deny", Map.of())).succeeded()).isFalse();
			assertThat(tools.execute(ToolCall.of("respond", Map.of())).content()).isEqualTo("answer");
		});
	}

	@Test
	void everyCallOfManyThreadsEndsOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<String> paths = List.of("succeed", "fail", "throw", "deny", "respond", "abort", "modify", "ask");
		withHooks().run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			List<Future<?>> calls = paths.stream()
				.<Future<?>>map(
						(path) -> threads.submit(() -> IntStream.range(0, 500).forEach((i) -> call(tools, path))))
				.toList();
			for (Future<?> call : calls) {
				call.get(1, TimeUnit.MINUTES);
			}
			Listener listener = context.getBean(Listener.class);
			assertThat(listener.ends).hasSize(4_000);
			assertThat(listener.ends.stream().map((end) -> end.call().id()).distinct()).hasSize(4_000);
			assertThat(listener.events.stream().filter(Started.class::isInstance)).hasSize(4_000);
		});
		threads.shutdown();
	}

	@Test
	void callAfterTheApplicationIsClosedIsDeniedAndToldToNobody() {
		withHooks().run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			Listener listener = context.getBean(Listener.class);
			context.close();
			assertThat(tools.execute(ToolCall.of("deny", Map.of())).succeeded()).isFalse();
			assertThat(tools.execute(ToolCall.of("succeed", Map.of())).content()).contains("shutting down");
			assertThat(listener.events).isEmpty();
		});
	}

	private static void call(ToolExecutor tools, String tool) {
		try {
			tools.execute(ToolCall.of(tool, Map.of("password", "secret"),
					CallContext.empty().withAttribute("token", "secret")));
		}
		catch (RuntimeException ex) {
			assertThat(tool).isIn("throw", "abort", "abort-result");
		}
	}

	private static ToolResult execute(ToolCall call) {
		return switch (call.tool()) {
			case "fail" -> ToolResult.failure("secret");
			case "throw" -> throw new IllegalStateException("secret");
			default -> ToolResult.success("ran");
		};
	}

	private ApplicationContextRunner withHooks() {
		return this.contextRunner.withBean("deciding", PreToolHook.class, () -> ToolCallEventsTests::decide)
			.withBean("open", PreToolHook.class,
					() -> PreToolHook.forTools("open"::equals, PreToolHook.failOpen((call) -> {
						throw new IllegalStateException("secret");
					})))
			.withBean("replacing", ToolResultHook.class, () -> ToolCallEventsTests::decideResult)
			.withBean(ToolApprover.class, () -> (call, question) -> (call.tool().equals("ask")) ? ToolDecision.approve()
					: ToolDecision.deny("no"));
	}

	private static ToolDecision decide(ToolCall call) {
		return switch (call.tool()) {
			case "deny" -> ToolDecision.deny("no");
			case "respond" -> ToolDecision.respond(ToolResult.success("answer"));
			case "abort" -> new ToolDecision.Abort("enough", AbortScope.TURN, null, null);
			case "modify" -> ToolDecision.modify(Map.of("password", "other secret"));
			case "ask", "refuse" -> ToolDecision.ask("May I?");
			case "budget" -> ToolDecision.budgetExceeded("used up");
			case "broken" -> throw new IllegalStateException("secret");
			default -> ToolDecision.approve();
		};
	}

	private static ToolDecision decideResult(ToolCall call, ToolResult result) {
		return switch (call.tool()) {
			case "replace" -> ToolDecision.respond(ToolResult.success("secret"));
			case "withhold" -> throw new IllegalStateException("secret");
			case "abort-result" -> new ToolDecision.Abort("enough", AbortScope.TURN, null, null);
			default -> ToolDecision.approve();
		};
	}

	static class Listener {

		private final List<ToolCallEvent> events = Collections.synchronizedList(new ArrayList<>());

		private final List<Ended> ends = Collections.synchronizedList(new ArrayList<>());

		@EventListener
		void on(ToolCallEvent event) {
			this.events.add(event);
		}

		@EventListener
		void onEnd(Ended end) {
			this.ends.add(end);
		}

	}

	static class ThrowingListener {

		@EventListener
		void on(ToolCallEvent event) {
			throw new StackOverflowError();
		}

	}

}
