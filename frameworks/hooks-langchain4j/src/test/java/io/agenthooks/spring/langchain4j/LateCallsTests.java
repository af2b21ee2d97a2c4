package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.AiServices;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallAttributes;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.TurnAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tools that run concurrently may call after their invocation was aborted and is over.
 */
class LateCallsTests {

	private final Files files = new Files();

	/** The tasks but the first, which nobody runs yet. */
	private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch over = new CountDownLatch(1);

	/**
	 * Each task waits for others, and the common pool may have one thread only.
	 */
	private static void start(Runnable task) {
		Thread thread = new Thread(task, "late-calls");
		thread.setDaemon(true);
		thread.start();
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void callThatComesAfterItsRunWasAbortedIsRefused(Way way) {
		GuardedApplication.runner().run((context) -> {
			askInVain(way, read("run"), read("late"));
			this.waiting.remove().run();
			assertThat(this.files.read).isEmpty();
			ToolOutcome late = outcomeOf(context, "call-[late]");
			assertThat(late.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(late.decidedBy()).isEqualTo("by-path");
			assertThat(isRemembered(context)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void callThatIsBeingDecidedWhenItsRunEndsDoesNotRun(Way way) {
		PreToolHook slow = (call) -> {
			if (String.valueOf(call.arguments().get("path")).equals("late")) {
				this.reached.countDown();
				await(this.over);
			}
			return ToolDecision.approve();
		};
		GuardedApplication.runner().withBean("slow", PreToolHook.class, () -> slow).run((context) -> {
			CompletableFuture<Void> late = CompletableFuture.runAsync(() -> {
				take().run();
				this.over.countDown();
			}, LateCallsTests::start);
			AfterTheFirst executor = new AfterTheFirst(() -> await(this.reached));
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> ask(way, executor, read("run"), read("late")));
			this.over.countDown();
			late.get(10, TimeUnit.SECONDS);
			assertThat(this.files.read).isEmpty();
			assertThat(isRemembered(context)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void abortThatComesLateIsForgottenToo(Way way) {
		PreToolHook slow = (call) -> {
			if (String.valueOf(call.arguments().get("path")).equals("late")) {
				this.reached.countDown();
				await(this.over);
				return ToolDecision.abortRun("Late");
			}
			return ToolDecision.approve();
		};
		GuardedApplication.runner().withBean("slow", PreToolHook.class, () -> slow).run((context) -> {
			CompletableFuture<Void> late = CompletableFuture.runAsync(() -> take().run(), LateCallsTests::start);
			AfterTheFirst executor = new AfterTheFirst(() -> await(this.reached));
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> ask(way, executor, read("run"), read("late")));
			this.over.countDown();
			late.get(10, TimeUnit.SECONDS);
			assertThat(isRemembered(context)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void lateCallOfARunThatWasNotAbortedRuns(Way way) {
		GuardedApplication.runner().run((context) -> {
			askInVain(way, read("turn"), read("late"));
			this.waiting.remove().run();
			assertThat(this.files.read).containsExactly("late");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void abortOfTheFirstOfTwoEqualCallsEndsTheTurn(Way way) {
		AtomicInteger calls = new AtomicInteger();
		PreToolHook first = (call) -> (calls.getAndIncrement() == 0) ? ToolDecision.abortTurn("Enough")
				: ToolDecision.approve();
		GuardedApplication.withoutHook().withBean("first", PreToolHook.class, () -> first).run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(read("a"), read("a"));
			AiServices<Way.Assistant> service = way.service(model).executeToolsConcurrently(Runnable::run);
			assertThatExceptionOfType(TurnAbortedException.class)
				.isThrownBy(() -> way.ask(service.tools(this.files).build(), "s"));
			assertThat(model.timesAsked()).isOne();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void runThatAHookAbortedBeforeItBeganIsForgotten(Way way) {
		PreRunHook hook = (run) -> RunDecision.abortRun("Stop");
		ApplicationContextRunner runner = GuardedApplication.runner()
			.withConfiguration(
					AutoConfigurations.of(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean(PreRunHook.class, () -> hook);
		runner.run((context) -> {
			assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> ask(way, new AfterTheFirst(() -> {
			}), read("ok")));
			assertThat(context.getBean(AbortedRuns.class).isEmpty()).isTrue();
		});
	}

	private void askInVain(Way way, ToolExecutionRequest... calls) {
		assertThatExceptionOfType(ToolCallAbortedException.class).isThrownBy(() -> ask(way, new AfterTheFirst(() -> {
		}), calls));
	}

	private void ask(Way way, AfterTheFirst executor, ToolExecutionRequest... calls) {
		AiServices<Way.Assistant> service = way.service(ScriptedModel.thatCalls(calls));
		way.ask(service.executeToolsConcurrently(executor).tools(this.files).build(), "s");
	}

	private static ToolExecutionRequest read(String path) {
		return ScriptedModel.call("read", Map.of("path", path));
	}

	private static boolean isRemembered(ApplicationContext context) {
		ToolCall call = context.getBean(Journal.class).outcomes().get(0).requested();
		return context.getBean(AbortedRuns.class).find(call.context()) != null;
	}

	private static ToolOutcome outcomeOf(ApplicationContext context, String id) {
		List<ToolOutcome> outcomes = context.getBean(Journal.class).outcomes();
		return outcomes.stream()
			.filter((outcome) -> id
				.equals(outcome.requested().context().attributes().get(CallAttributes.PROVIDER_CALL_ID)))
			.findFirst()
			.orElseThrow();
	}

	private Runnable take() {
		try {
			return this.waiting.take();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Runs the first task when all others were handed in, which wait.
	 */
	private final class AfterTheFirst implements Executor {

		private final Runnable before;

		private boolean started;

		AfterTheFirst(Runnable before) {
			this.before = before;
		}

		@Override
		public void execute(Runnable task) {
			if (this.started) {
				LateCallsTests.this.waiting.add(task);
				return;
			}
			this.started = true;
			CompletableFuture<?> unused = CompletableFuture.runAsync(() -> {
				this.before.run();
				task.run();
			}, LateCallsTests::start);
		}

	}

}
