package io.agenthooks.spring.annotation;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for annotated methods that promise their decision.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class PromisedDecisionTests {

	@Test
	void stageOfEachKindDecides() {
		try (HookedContext context = HookedContext.of(Stages.class)) {
			Stages stages = context.bean(Stages.class);
			assertThat(context.call("t").content()).isEqualTo("ran t");
			stages.decision = ToolDecision.deny("no");
			assertThat(context.call("t").content()).isEqualTo("Tool call denied by hook 'decision': no");
			stages.decision = ToolDecision.approve();
			stages.allowed = false;
			assertThat(context.call("t").content())
				.isEqualTo("Tool call denied by hook 'allowed': 'allowed' does not allow this call");
			stages.allowed = true;
			stages.failure = new IllegalStateException("broken");
			assertThat(context.call("t").content()).isEqualTo("Tool call denied by hook 'nothing': The hook failed");
		}
	}

	@Test
	void stageThatBringsNullDenies() {
		try (HookedContext context = HookedContext.of(Stages.class)) {
			Stages stages = context.bean(Stages.class);
			stages.allowed = null;
			assertThat(context.call("t").content())
				.isEqualTo("Tool call denied by hook 'allowed': The hook decided nothing");
			stages.allowed = true;
			stages.decision = null;
			assertThat(context.call("t").content())
				.isEqualTo("Tool call denied by hook 'decision': The hook decided nothing");
		}
	}

	@Test
	void monoOfEachKindDecides() {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			Monos monos = context.bean(Monos.class);
			assertThat(context.call("t").content()).isEqualTo("ran t");
			monos.decision = Mono.just(ToolDecision.respond(ToolResult.success("an answer")));
			assertThat(context.call("t").content()).isEqualTo("an answer");
			monos.decision = Mono.just(ToolDecision.approve());
			monos.allowed = Mono.just(false);
			assertThat(context.call("t").content()).contains("'allowed' does not allow this call");
			monos.allowed = Mono.just(true);
			monos.nothing = Mono.error(new IllegalStateException("broken"));
			assertThat(context.call("t").content()).isEqualTo("Tool call denied by hook 'nothing': The hook failed");
		}
	}

	@Test
	void emptyMonoIsNoObjectionOnlyIfItPromisesNothing() {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			Monos monos = context.bean(Monos.class);
			monos.nothing = Mono.empty();
			assertThat(context.call("t").succeeded()).isTrue();
			monos.allowed = Mono.empty();
			assertThat(context.call("t").content())
				.isEqualTo("Tool call denied by hook 'allowed': The hook decided nothing");
			monos.allowed = Mono.just(true);
			monos.decision = Mono.empty();
			assertThat(context.call("t").content())
				.isEqualTo("Tool call denied by hook 'decision': The hook decided nothing");
		}
	}

	@Test
	void monoMayDecideOnAnotherThread() {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			Monos monos = context.bean(Monos.class);
			monos.allowed = Mono.fromCallable(() -> Thread.currentThread().getName().startsWith("parallel"))
				.subscribeOn(Schedulers.parallel());
			assertThat(context.call("t").succeeded()).isTrue();
		}
	}

	@Test
	void monoThatNeverDecidesDeniesInTimeAndIsCancelled() {
		try (HookedContext context = HookedContext.of(Slow.class)) {
			Slow slow = context.bean(Slow.class);
			assertThat(context.call("mono").content())
				.isEqualTo("Tool call denied by hook 'promisedDecisionTests.Slow.mono': The hook failed");
			assertThat(slow.cancelled).isTrue();
			PreToolHook hook = (PreToolHook) context.hooks.hooks().get(0).hook();
			assertThatIllegalStateException().isThrownBy(() -> hook.preCall(ToolCall.of("mono", Map.of())))
				.withMessage("No decision within 100 ms");
		}
	}

	@Test
	void stageThatNeverDecidesDeniesInTimeButStaysForOthers() {
		try (HookedContext context = HookedContext.of(Slow.class)) {
			Slow slow = context.bean(Slow.class);
			assertThat(context.call("stage").succeeded()).isFalse();
			assertThat(slow.shared).isNotDone();
			slow.shared.complete(true);
			assertThat(context.call("stage").succeeded()).isTrue();
		}
	}

	@Test
	void lateDecisionChangesNothing() {
		try (HookedContext context = HookedContext.of(Slow.class)) {
			Slow slow = context.bean(Slow.class);
			List<String> ran = new ArrayList<>();
			context.call("stage", (call) -> {
				ran.add(call.tool());
				return ToolResult.success("ran");
			});
			slow.shared.complete(true);
			assertThat(ran).isEmpty();
		}
	}

	@Test
	void promiseIsBoundedEvenIfTheAnnotationDoesNotSaySo() {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			assertThat(context.hooks.hooks()).hasSize(3).allSatisfy((found) -> {
				assertThat(found.options().timeout()).isEqualTo(Duration.ofSeconds(30));
				assertThat(found.ownTimeout()).isTrue();
			});
		}
	}

	@Test
	void interruptWhileWaitingDeniesAndTheThreadStaysInterrupted() throws Exception {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			CountDownLatch waiting = new CountDownLatch(1);
			AtomicBoolean cancelled = new AtomicBoolean();
			context.bean(Monos.class).allowed = Mono.<Boolean>never()
				.doOnSubscribe((subscription) -> waiting.countDown())
				.doOnCancel(() -> cancelled.set(true));
			CompletableFuture<String> denied = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				ToolResult result = context.call("t");
				denied.complete(result.content() + ", interrupted: " + Thread.currentThread().isInterrupted());
			});
			caller.start();
			assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
			caller.interrupt();
			assertThat(denied.get(10, TimeUnit.SECONDS))
				.isEqualTo("Tool call denied by hook 'allowed': The hook failed, interrupted: true");
			assertThat(cancelled).isTrue();
		}
	}

	@Test
	void methodThatReturnsNoPromiseOrThrowsInsteadDenies(CapturedOutput output) {
		try (HookedContext context = HookedContext.of(BrokenPromises.class)) {
			assertThat(context.call("null").content()).endsWith("The hook failed");
			assertThat(context.call("throws").content()).endsWith("The hook failed");
			assertThat(context.call("completes with an exception").content()).endsWith("The hook failed");
			assertThat(context.call("no decision at all").content()).endsWith("The hook failed");
			assertThat(context.call("cancelled").content()).endsWith("The hook failed");
		}
		assertThat(output).contains("failed with java.io.IOException", "failed with java.lang.ClassCastException")
			.doesNotContain("CompletionException");
	}

	@Test
	void manyCallsWaitAtOnce() throws Exception {
		try (HookedContext context = HookedContext.of(Monos.class)) {
			context.bean(Monos.class).allowed = Mono.delay(Duration.ofMillis(1)).map((tick) -> true);
			context.bean(Monos.class).decision = Mono
				.fromFuture(() -> CompletableFuture.supplyAsync(() -> ToolDecision.deny("no")));
			ExecutorService executor = Executors.newFixedThreadPool(32);
			List<Future<ToolResult>> calls = new ArrayList<>();
			for (int i = 0; i < 2_000; i++) {
				calls.add(executor.submit(() -> context.call("t")));
			}
			for (Future<ToolResult> call : calls) {
				assertThat(call.get().content()).isEqualTo("Tool call denied by hook 'decision': no");
			}
			executor.shutdown();
		}
	}

	@Test
	void stageDecidesWithoutReactor() throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String element : StringUtils.delimitedListToStringArray(System.getProperty("java.class.path"),
				File.pathSeparator)) {
			if (!element.contains("reactor") && !element.contains("reactive-streams")) {
				classPath.add(Path.of(element).toUri().toURL());
			}
		}
		try (URLClassLoader classLoader = new URLClassLoader(classPath.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			assertThatExceptionOfType(ClassNotFoundException.class)
				.isThrownBy(() -> classLoader.loadClass("reactor.core.publisher.Mono"));
			Callable<?> test = (Callable<?>) classLoader.loadClass(WithoutReactor.class.getName())
				.getDeclaredConstructor()
				.newInstance();
			assertThat(test.call()).isEqualTo("ran t");
		}
	}

	/**
	 * Loaded where there is no Reactor.
	 */
	public static class WithoutReactor implements Callable<String> {

		@Override
		public String call() {
			try (HookedContext context = HookedContext.of(Stages.class)) {
				return context.call("t").content();
			}
		}

	}

	static class Stages {

		volatile @Nullable ToolDecision decision = ToolDecision.approve();

		volatile @Nullable Boolean allowed = true;

		volatile @Nullable Throwable failure;

		@BeforeToolCall(name = "decision", order = 3)
		CompletableFuture<@Nullable ToolDecision> decision() {
			return CompletableFuture.supplyAsync(() -> this.decision);
		}

		@BeforeToolCall(name = "allowed", order = 2)
		CompletionStage<@Nullable Boolean> allowed() {
			return CompletableFuture.completedStage(this.allowed);
		}

		@BeforeToolCall(name = "nothing", order = 1)
		CompletionStage<@Nullable Void> nothing() {
			return (this.failure != null) ? CompletableFuture.failedStage(this.failure)
					: CompletableFuture.completedStage(null);
		}

	}

	static class Monos {

		volatile Mono<? extends ToolDecision> decision = Mono.just(ToolDecision.approve());

		volatile Mono<Boolean> allowed = Mono.just(true);

		volatile Mono<Void> nothing = Mono.empty();

		@BeforeToolCall(name = "decision", order = 3)
		Mono<? extends ToolDecision> decision() {
			return this.decision;
		}

		@BeforeToolCall(name = "allowed", order = 2)
		Mono<Boolean> allowed() {
			return this.allowed;
		}

		@BeforeToolCall(name = "nothing", order = 1)
		Mono<Void> nothing() {
			return this.nothing;
		}

	}

	static class Slow {

		final CompletableFuture<Boolean> shared = new CompletableFuture<>();

		final AtomicBoolean cancelled = new AtomicBoolean();

		@BeforeToolCall(tools = "mono", timeout = "100ms")
		Mono<ToolDecision> mono() {
			return Mono.<ToolDecision>never().doOnCancel(() -> this.cancelled.set(true));
		}

		@BeforeToolCall(tools = "stage", timeout = "100ms")
		CompletionStage<Boolean> stage() {
			return this.shared;
		}

	}

	static class BrokenPromises {

		@BeforeToolCall
		@SuppressWarnings({ "unchecked", "rawtypes" })
		@Nullable CompletionStage<Boolean> check(ToolCall call) throws IOException {
			return switch (call.tool()) {
				case "null" -> null;
				case "throws" -> throw new IOException("broken");
				case "completes with an exception" ->
					CompletableFuture.failedFuture(new CompletionException(new IOException("broken")));
				case "cancelled" -> {
					CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
					cancelled.cancel(true);
					yield cancelled;
				}
				default -> (CompletionStage) CompletableFuture.completedFuture("yes");
			};
		}

	}

}
