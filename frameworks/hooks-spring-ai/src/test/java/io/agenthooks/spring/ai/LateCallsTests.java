package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import reactor.core.Disposable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tools that a manager of the application runs concurrently may call after their run was
 * aborted and is over.
 */
class LateCallsTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String ROME = "{\"city\": \"Rome\"}";

	private final WeatherTools tools = new WeatherTools();

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch over = new CountDownLatch(1);

	private final BlockingQueue<CompletableFuture<?>> late = new LinkedBlockingQueue<>();

	@ParameterizedTest
	@EnumSource
	void callThatComesAfterItsRunWasAbortedIsRefused(Way way) {
		PreToolHook hook = (call) -> (call.arguments().containsValue("Paris")) ? ToolDecision.abortRun("Stop it")
				: ToolDecision.approve();
		Application.run(Application.runner(hook), (application) -> {
			askInVain(way, application, new Concurrent(() -> await(this.over), () -> {
			}));
			awaitLateCall();
			assertThat(this.tools.cities).isEmpty();
			ToolOutcome refused = application.outcomes().get(1);
			assertThat(refused.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(refused.decidedBy()).isEqualTo("hook");
			assertThat(isRemembered(application)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsBeingDecidedWhenItsRunEndsDoesNotRun(Way way) {
		PreToolHook hook = (call) -> {
			if (call.arguments().containsValue("Paris")) {
				return ToolDecision.abortRun("Stop it");
			}
			this.reached.countDown();
			await(this.over);
			return ToolDecision.approve();
		};
		Application.run(Application.runner(hook), (application) -> {
			askInVain(way, application, new Concurrent(() -> {
			}, () -> await(this.reached)));
			awaitLateCall();
			assertThat(this.tools.cities).isEmpty();
			assertThat(isRemembered(application)).isFalse();
		});
	}

	@Test
	void callsOfAStreamThatIsCancelledWhileTheyAreDecidedDoNotRun() {
		PreToolHook hook = (call) -> {
			this.reached.countDown();
			awaitWhateverInterrupts(this.over);
			return ToolDecision.approve();
		};
		Application.run(Application.runner(hook), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", ROME));
			Disposable stream = application.client()
				.prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content()
				.subscribe();
			await(this.reached);
			stream.dispose();
			this.over.countDown();
			Awaitility.await().until(() -> application.outcomes().size() == 2);
			assertThat(this.tools.cities).isEmpty();
			assertThat(application.outcomes().get(0).status()).isNotEqualTo(ToolCallStatus.SUCCEEDED);
			assertThat(application.outcomes().get(1).status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcomes().get(1).decidedBy()).isEqualTo(BuiltInDecider.CANCELLED.value());
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortThatComesLateIsForgottenToo(Way way) {
		PreToolHook hook = (call) -> {
			if (!call.arguments().containsValue("Paris")) {
				this.reached.countDown();
				await(this.over);
			}
			return ToolDecision.abortRun("Stop it");
		};
		Application.run(Application.runner(hook), (application) -> {
			askInVain(way, application, new Concurrent(() -> {
			}, () -> await(this.reached)));
			awaitLateCall();
			assertThat(this.tools.cities).isEmpty();
			assertThat(isRemembered(application)).isFalse();
		});
	}

	private void askInVain(Way way, Application application, ToolCallingManager manager) {
		ScriptedChatModel model = application.model();
		model.calls(model.call("weather", PARIS), model.call("weather", ROME));
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(
				() -> way.ask(application.client().prompt("Weather?").advisors(new Loop(manager)).tools(this.tools)));
		this.over.countDown();
	}

	private void awaitLateCall() {
		try {
			this.late.take().handle((reply, failure) -> "").get(10, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isRemembered(Application application) {
		return application.context()
			.getBean(AbortedRuns.class)
			.find(application.outcomes().get(0).requested().context()) != null;
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitWhateverInterrupts(CountDownLatch latch) {
		boolean over = false;
		while (!over) {
			try {
				over = latch.await(10, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				// A hook need not care.
			}
		}
	}

	/**
	 * Nobody guards the manager of a class of its own, so it gets guarded tools.
	 */
	private static final class Loop extends ToolCallingAdvisor {

		Loop(ToolCallingManager manager) {
			super(manager, (response) -> response != null && response.hasToolCalls(), DEFAULT_ORDER, true);
		}

	}

	/**
	 * Runs the second of two calls beside the first, and does not wait for it if the
	 * first fails.
	 */
	private final class Concurrent implements ToolCallingManager {

		private final Runnable beforeTheSecond;

		private final Runnable beforeTheFirst;

		Concurrent(Runnable beforeTheSecond, Runnable beforeTheFirst) {
			this.beforeTheSecond = beforeTheSecond;
			this.beforeTheFirst = beforeTheFirst;
		}

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
			return callbacks(chatOptions).map(ToolCallback::getToolDefinition).toList();
		}

		private static Stream<ToolCallback> callbacks(@Nullable ChatOptions options) {
			assertThat(options).isInstanceOf(ToolCallingChatOptions.class);
			List<ToolCallback> callbacks = ((ToolCallingChatOptions) options).getToolCallbacks();
			return (callbacks != null) ? callbacks.stream() : Stream.empty();
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
			ToolCallback tool = callbacks(prompt.getOptions())
				.filter((one) -> one.getToolDefinition().name().equals("weather"))
				.findFirst()
				.orElseThrow();
			AssistantMessage message = chatResponse.getResults().get(0).getOutput();
			List<AssistantMessage.ToolCall> calls = message.getToolCalls();
			CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> {
				this.beforeTheSecond.run();
				return tool.call(calls.get(1).arguments());
			});
			LateCallsTests.this.late.add(second);
			this.beforeTheFirst.run();
			List<ToolResponse> replies = new ArrayList<>();
			replies.add(new ToolResponse("1", "weather", tool.call(calls.get(0).arguments())));
			replies.add(new ToolResponse("2", "weather", second.orTimeout(1, TimeUnit.MINUTES).join()));
			throw new IllegalStateException("The first call must be aborted, but replied " + replies);
		}

	}

}
