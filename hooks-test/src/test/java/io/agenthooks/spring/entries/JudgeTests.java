package io.agenthooks.spring.entries;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how the type {@code prompt} asks its model, with models that no server can
 * be.
 */
@Timeout(60)
class JudgeTests {

	private static final String ALLOW = "{\"decision\": \"allow\"}";

	private static final ToolCall CALL = ToolCall.of("t", Map.of());

	private final AtomicInteger asked = new AtomicInteger();

	/** Holds those that ask a model that hangs. */
	private final Semaphore entered = new Semaphore(0);

	private final CountDownLatch released = new CountDownLatch(1);

	private final List<Thread> threads = new ArrayList<>();

	@AfterEach
	void release() {
		this.released.countDown();
	}

	private static ToolHooksTester hooks(ChatModel model, String options) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: prompt
				        name: judge
				        config: {prompt: "Fine? $TOOL_INPUT"%s}
				""".formatted((options.isEmpty()) ? "" : ", " + options)).withBean("model", model);
	}

	private ToolHooksTester saying(String text, String options) {
		return hooks(answering((prompt) -> text), options);
	}

	private ChatModel answering(Function<Prompt, String> answer) {
		return (prompt) -> {
			this.asked.incrementAndGet();
			return new ChatResponse(List.of(new Generation(new AssistantMessage(answer.apply(prompt)))));
		};
	}

	/**
	 * A model that hangs and does not care who wants it to stop.
	 */
	private ChatModel hanging() {
		return answering((prompt) -> {
			synchronized (this.threads) {
				this.threads.add(Thread.currentThread());
			}
			this.entered.release();
			boolean interrupted = false;
			while (this.released.getCount() > 0) {
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return ALLOW;
		});
	}

	@Test
	void modelThatHangsHoldsNoCallAndOnlySoManyThreads() {
		try (ToolHooksTester hooks = hooks(hanging(), "timeout: 1s, max_concurrent: 2")) {
			for (int i = 0; i < 2; i++) {
				assertThat(hooks.call("t", Map.of())).isDenied().withReason("The judge did not answer within 1000 ms");
			}
			assertThat(hooks.call("t", Map.of())).isDenied().withReason("The judge is busy with other calls");
			assertThat(this.threads).hasSize(2);
			assertThat(this.asked).hasValue(2);
		}
	}

	@Test
	void threadsThatComeBackAreUsedAgain() throws Exception {
		try (ToolHooksTester hooks = hooks(hanging(), "timeout: 5s, max_concurrent: 1")) {
			CompletableFuture<TestedToolCall> first = CompletableFuture.supplyAsync(() -> hooks.call("t", Map.of()));
			this.entered.acquire();
			CompletableFuture<TestedToolCall> second = CompletableFuture.supplyAsync(() -> hooks.call("t", Map.of()));
			this.released.countDown();
			assertThat(first.get()).isApproved();
			assertThat(second.get()).isApproved();
		}
	}

	@Test
	void interruptOfTheCallerDeniesAndStays() throws Exception {
		try (ToolHooksTester hooks = hooks(hanging(), "fail_open: true")) {
			hooks.start();
			CompletableFuture<TestedToolCall> call = new CompletableFuture<>();
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				call.complete(hooks.call("t", Map.of()));
				interrupted.complete(Thread.currentThread().isInterrupted());
			});
			caller.start();
			this.entered.acquire();
			caller.interrupt();
			assertThat(call.get()).isDenied().withReason("The call was interrupted");
			assertThat(interrupted.get()).isTrue();
		}
	}

	@Test
	void callsThatWaitAreDeniedWhenTheApplicationEnds() throws Exception {
		ToolHooksTester hooks = hooks(hanging(), "fail_open: true, max_concurrent: 1");
		ToolHookChain chain = hooks.getBean(ToolHookChain.class);
		FutureTask<ToolResult> asking = new FutureTask<>(() -> chain.execute(CALL, hooks.executor()));
		new Thread(asking).start();
		this.entered.acquire();
		FutureTask<ToolResult> waiting = new FutureTask<>(() -> chain.execute(CALL, hooks.executor()));
		Thread waiter = new Thread(waiting);
		waiter.start();
		while (waiter.getState() != Thread.State.TIMED_WAITING && waiter.isAlive()) {
			Thread.onSpinWait();
		}
		hooks.close();
		for (FutureTask<ToolResult> call : List.of(asking, waiting)) {
			assertThat(call.get().content()).contains("The application is shutting down");
		}
		assertThat(chain.execute(CALL, hooks.executor()).content()).contains("The application is shutting down");
		assertThat(hooks.executor()).hasRunNothing();
		assertThat(this.asked).hasValue(1);
		this.released.countDown();
		for (Thread thread : this.threads) {
			thread.join();
		}
	}

	@Test
	void keptVerdictHoldsNoLongerThanTheApplication() {
		ToolHooksTester hooks = saying(ALLOW, "cache: {ttl: 10m}");
		assertThat(hooks.call("t", Map.of())).isApproved();
		ToolHookChain chain = hooks.getBean(ToolHookChain.class);
		hooks.close();
		assertThat(chain.execute(CALL, hooks.executor()).content()).contains("The application is shutting down");
	}

	@Test
	void questionThatIsTooLongIsDeniedAndNotCut() {
		try (ToolHooksTester hooks = saying(ALLOW, "fail_open: true, cache: {ttl: 10m}")) {
			String text = "x".repeat(250 * 1024);
			assertThat(hooks.call("t", Map.of("a", text))).isApproved();
			assertThat(hooks.call("t", Map.of("a", text + text))).isDenied()
				.withReason("The question is too long for the judge");
			assertThat(hooks.call("t", Map.of("a", "é".repeat(140 * 1024)))).isDenied();
			assertThat(hooks.call("t", Map.of("a", "<".repeat(50 * 1024)))).isDenied();
			assertThat(this.asked).hasValue(1);
		}
	}

	@Test
	void exceptionOfTheModelIsAFailureAndAnErrorNeverPasses() {
		ChatModel broken = answering((prompt) -> {
			throw new IllegalStateException("sEcReT");
		});
		try (ToolHooksTester hooks = hooks(broken, "fail_open: true")) {
			assertThat(hooks.call("t", Map.of())).isApproved().hasFailedOpen("judge");
		}
		ChatModel sick = answering((prompt) -> {
			throw new StackOverflowError();
		});
		try (ToolHooksTester hooks = hooks(sick, "fail_open: true")) {
			assertThat(hooks.call("t", Map.of())).isDenied().byHook("judge");
		}
	}

	@Test
	void modelWithoutAnyOptionsJudges() {
		try (ToolHooksTester hooks = saying(ALLOW, "")) {
			assertThat(hooks.call("t", Map.of())).isApproved();
		}
	}

	@Test
	void verdictsAreNotKeptUnlessThatIsWritten() {
		try (ToolHooksTester hooks = saying(ALLOW, "")) {
			hooks.call("t", Map.of());
			hooks.call("t", Map.of());
			assertThat(this.asked).hasValue(2);
		}
	}

	@Test
	void verdictHoldsForEqualQuestions() {
		try (ToolHooksTester hooks = saying("{\"decision\": \"deny\", \"reason\": \"No\"}", "cache: {ttl: 10m}")) {
			assertThat(hooks.call("t", Map.of("a", 1, "b", 2))).isDenied().withReason("No");
			Map<String, Object> turned = new LinkedHashMap<>();
			turned.put("b", 2);
			turned.put("a", 1);
			assertThat(hooks.asUser("eve").call("other", turned)).isDenied().withReason("No");
			assertThat(this.asked).hasValue(1);
			hooks.call("t", Map.of("a", 1, "b", "2"));
			hooks.call("t", Map.of("a", 1));
			assertThat(this.asked).hasValue(3);
		}
	}

	@Test
	void whatTheJudgeReadsIsPartOfTheKey() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: prompt
				        config: {prompt: "Fine? $INPUT", cache: {ttl: 10m}}
				""").withBean("model", answering((prompt) -> ALLOW));
		try (hooks) {
			hooks.asUser("ann").call("t", Map.of());
			hooks.asUser("ann").call("t", Map.of());
			assertThat(this.asked).hasValue(1);
			hooks.asUser("eve").call("t", Map.of());
			hooks.asUser("ann").asAgent("a").call("t", Map.of());
			hooks.asUser("ann").call("t2", Map.of());
			assertThat(this.asked).hasValue(4);
			hooks.asUser("ann").onMcpServer("github").call("t2", Map.of());
			hooks.asUser("ann").onMcpServer("evil").call("t2", Map.of());
			assertThat(this.asked).hasValue(6);
		}
	}

	@Test
	void failuresAreNotKept() {
		try (ToolHooksTester hooks = saying("{\"decision\": \"deny\"", "cache: {ttl: 10m}, fail_open: true")) {
			hooks.call("t", Map.of());
			hooks.call("t", Map.of());
			assertThat(this.asked).hasValue(2);
		}
		try (ToolHooksTester hooks = saying("?", "cache: {ttl: 10m}, fail_open: true")) {
			assertThat(hooks.call("t", Map.of())).isDenied();
			assertThat(hooks.call("t", Map.of())).isDenied();
			assertThat(this.asked).hasValue(4);
		}
	}

	@Test
	void promptTellsNobodyWhatItSays() {
		List<String> prompts = new ArrayList<>();
		ChatModel model = answering((prompt) -> {
			prompts.add(prompt.toString());
			return ALLOW;
		});
		try (ToolHooksTester hooks = hooks(model, "")) {
			hooks.call("t", Map.of("a", "sEcReT"));
		}
		assertThat(prompts).containsExactly("Prompt[***]");
	}

	@Test
	void startWithoutTheModelDoesNotSucceed() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> ToolHooksTester
				.ofYaml("hooks: {tool_call: {pre_call: [{type: prompt, config: {prompt: $INPUT}}]}}")
				.start())
			.withMessageContaining("there is no ChatModel bean");
	}

}
