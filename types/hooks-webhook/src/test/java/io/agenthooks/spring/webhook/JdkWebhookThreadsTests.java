package io.agenthooks.spring.webhook;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link WebhookThreadsTests} with the HTTP client of the JDK, which applications use
 * that do not bring Reactor Netty.
 */
class JdkWebhookThreadsTests extends WebhookThreadsTests {

	@BeforeAll
	static void useJdk() {
		Webhooks.useJdk(true);
	}

	/**
	 * The threads of the JDK's client end once nobody has it any more. What waits for an
	 * answer ends at once.
	 */
	@Override
	@Test
	void closeEndsThreads() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""))) {
			WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=180s", "fail_open=true");
			CompletableFuture<ToolDecision> decision = new CompletableFuture<>();
			Thread caller = new Thread(() -> decision.complete(hook.preCall(Webhooks.CALL)));
			caller.start();
			server.take();
			hook.close();
			assertThat(decision.get(1, TimeUnit.MINUTES).verdict()).isEqualTo(Verdict.DENY);
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().startsWith("HttpClient-"))
				.isNotEmpty()
				.allMatch(Thread::isDaemon);
		}
	}

	@AfterAll
	static void useNettyAgain() {
		Webhooks.useJdk(false);
	}

}
