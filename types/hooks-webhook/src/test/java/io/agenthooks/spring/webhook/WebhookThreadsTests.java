package io.agenthooks.spring.webhook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the threads on which {@link WebhookToolHook} waits, and for its end.
 */
class WebhookThreadsTests {

	@Test
	void preCallWorksOnReactorThreads() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false")) {
			Callable<ToolDecision> call = () -> hook.preCall(Webhooks.CALL);
			for (var scheduler : List.of(Schedulers.parallel(), Schedulers.single(), Schedulers.boundedElastic())) {
				List<CompletableFuture<ToolDecision>> decisions = new ArrayList<>();
				for (int i = 0; i < 16; i++) {
					decisions.add(Mono.fromCallable(call).subscribeOn(scheduler).toFuture());
				}
				for (CompletableFuture<ToolDecision> decision : decisions) {
					assertThat(decision.get(10, TimeUnit.SECONDS)).isEqualTo(ToolDecision.approve());
				}
			}
		}
	}

	@Test
	void preCallOnReactorThreadsHasItsTimeout() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=300ms", "fail_open=false")) {
			List<CompletableFuture<ToolDecision>> decisions = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				decisions.add(Mono.fromCallable(() -> hook.preCall(Webhooks.CALL))
					.subscribeOn(Schedulers.parallel())
					.toFuture());
			}
			for (CompletableFuture<ToolDecision> decision : decisions) {
				assertDenied(decision.get(20, TimeUnit.SECONDS));
			}
		}
	}

	@Test
	void preCallWorksOnEventLoopOfReactorNetty() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook("http://localhost:" + server.port() + "/", "fail_open=false")) {
			var web = HttpServer.create().host("127.0.0.1").port(0).handle((request, response) -> {
				assertThat(Schedulers.isInNonBlockingThread()).isTrue();
				return response.sendString(Mono.just(hook.preCall(Webhooks.CALL).verdict().value()));
			}).bindNow();
			try {
				for (int i = 0; i < 8; i++) {
					assertThat(HttpClient.newConnection()
						.get()
						.uri("http://127.0.0.1:" + web.port() + "/")
						.responseContent()
						.aggregate()
						.asString()
						.block(Duration.ofSeconds(10))).isEqualTo("approve");
				}
			}
			finally {
				web.disposeNow();
			}
		}
	}

	// W25
	@Test
	void preCallOnInterruptedThreadIsDeniedAndNotSent() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true")) {
			Thread.currentThread().interrupt();
			ToolDecision decision = hook.preCall(Webhooks.CALL);
			assertThat(Thread.interrupted()).isTrue();
			assertDenied(decision);
			assertThat(server.received()).isEmpty();
		}
	}

	// W25
	@Test
	void preCallThatIsInterruptedWhileItWaitsIsDenied() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true", "timeout=30s")) {
			AtomicBoolean executed = new AtomicBoolean();
			AtomicBoolean interrupted = new AtomicBoolean();
			CompletableFuture<ToolResult> result = new CompletableFuture<>();
			Thread caller = new Thread(() -> {
				ToolHookChain chain = new ToolHookChain(List.of(hook), List.of());
				result.complete(chain.execute(Webhooks.CALL, (call) -> {
					executed.set(true);
					return ToolResult.success("ran");
				}));
				interrupted.set(Thread.currentThread().isInterrupted());
			});
			caller.start();
			server.take();
			caller.interrupt();
			assertThat(result.get(5, TimeUnit.SECONDS).succeeded()).isFalse();
			caller.join(5000);
			assertThat(executed).isFalse();
			assertThat(interrupted).isTrue();
		}
	}

	// W25
	@Test
	void preCallThatIsInterruptedWhileItWaitsForASlotIsDenied() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=60s", "max_concurrent=1")) {
			callers.execute(() -> hook.preCall(Webhooks.CALL));
			server.take();
			// Again, if the machine was too busy to interrupt it while it waited.
			Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
				CompletableFuture<ToolDecision> decision = new CompletableFuture<>();
				Thread caller = new Thread(() -> decision.complete(hook.preCall(Webhooks.CALL)));
				caller.start();
				caller.interrupt();
				assertThat(decision.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.deny("The call was interrupted"));
			});
		}
		finally {
			callers.shutdownNow();
		}
	}

	// S01
	@Test
	void closeDeniesCallsThatWaitAndCallsThatCome() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true", "timeout=300s",
						"max_concurrent=3")) {
			List<Future<ToolDecision>> waiting = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				waiting.add(callers.submit(() -> hook.preCall(Webhooks.CALL)));
			}
			for (int i = 0; i < 3; i++) {
				server.take();
			}
			long start = System.nanoTime();
			List<Future<ToolDecision>> withoutSlot = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				withoutSlot.add(callers.submit(() -> hook.preCall(Webhooks.CALL)));
			}
			close(hook);
			// Those that waited longer for a slot have passed before, as in any outage.
			if (System.nanoTime() - start < WebhookEndpoint.MAX_WAIT_FOR_SLOT.toNanos()) {
				waiting.addAll(withoutSlot);
			}
			for (Future<ToolDecision> call : waiting) {
				assertDenied(call.get(2, TimeUnit.MINUTES));
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
			assertDenied(hook.preCall(Webhooks.CALL));
			for (Future<ToolDecision> call : withoutSlot) {
				assertThat(call).succeedsWithin(Duration.ofMinutes(2));
			}
			assertThat(server.received()).hasSize(3);
		}
		finally {
			callers.shutdownNow();
		}
	}

	// S07
	@Test
	void closeTwiceDoesNoHarm() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE)) {
			WebhookToolHook used = Webhooks.hook(server.url());
			used.preCall(Webhooks.CALL);
			used.close();
			used.close();
			WebhookToolHook unused = Webhooks.hook(server.url());
			unused.close();
			unused.close();
			assertThat(List.of(used, unused))
				.allSatisfy((hook) -> assertThat(hook.preCall(Webhooks.CALL).verdict()).isEqualTo(Verdict.DENY));
		}
	}

	@Test
	void closeEndsThreads() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE)) {
			List<Thread> ofOthers = threads("hooks-guard");
			WebhookToolHook hook = Webhooks.hook(server.url());
			hook.preCall(Webhooks.CALL);
			List<Thread> threads = new ArrayList<>(threads("hooks-guard"));
			threads.removeAll(ofOthers);
			assertThat(threads).isNotEmpty().allMatch(Thread::isDaemon);
			hook.close();
			for (Thread thread : threads) {
				thread.join(60_000);
				assertThat(thread.isAlive()).isFalse();
			}
		}
	}

	private static List<Thread> threads(String prefix) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(prefix))
			.toList();
	}

	private static void close(WebhookToolHook hook) {
		hook.close();
	}

	private static void assertDenied(ToolDecision decision) {
		assertThat(decision.verdict()).isEqualTo(Verdict.DENY);
	}

}
