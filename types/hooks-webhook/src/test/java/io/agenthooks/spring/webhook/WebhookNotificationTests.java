package io.agenthooks.spring.webhook;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

import io.agenthooks.spring.webhook.FaultyServer.Behaviour;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WebhookNotifyingToolHook} and {@link WebhookNotifier}, against a real
 * server.
 */
@Timeout(60)
class WebhookNotificationTests {

	@Test
	void webhookThatDecidesLearnsHowTheCallEnded() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookNotifyingToolHook hook = hook(server, "auth_header=Bearer x",
						"signing_secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")) {
			ToolHookChain chain = new ToolHookChain(List.of(hook), List.of(hook));
			chain.execute(Webhooks.CALL, (call) -> ToolResult.success("done"));
			FaultyServer.Received question = server.take();
			FaultyServer.Received notification = server.take();
			assertThat(question.json().has("event")).isFalse();
			JsonNode json = notification.json();
			assertThat(json.get("event").asString()).isEqualTo("post_call");
			assertThat(json.get("call_id")).isEqualTo(question.json().get("call_id"));
			assertThat(json.get("success").asBoolean()).isTrue();
			assertThat(json.get("result").asString()).isEqualTo("done");
			assertThat(notification.headers()).containsEntry("authorization", "Bearer x")
				.containsKey("webhook-signature");
			assertThat(notification.headers().get("webhook-id")).isNotEqualTo(question.headers().get("webhook-id"));
			assertThat(hook.droppedNotifications()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 201, 202, 204, 299 })
	void notificationsArriveInOrder(int status) throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(status, (status != 204) ? "ignored" : ""));
				WebhookNotifyingToolHook hook = hook(server)) {
			for (int i = 0; i < 100; i++) {
				hook.postCall(outcome("" + i));
			}
			for (int i = 0; i < 100; i++) {
				assertThat(server.take().json().get("result").asString()).isEqualTo("" + i);
			}
			assertThat(hook.droppedNotifications()).isZero();
		}
	}

	@Test
	void postCallNeverWaitsAndDropsWhatDoesNotFit() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookNotifierOf notifier = new WebhookNotifierOf(server, "timeout=300s")) {
			notifier.enqueue(new byte[10]);
			server.take();
			long start = System.nanoTime();
			for (int i = 0; i < WebhookNotifier.CAPACITY + 7; i++) {
				notifier.enqueue(new byte[10]);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
			assertThat(notifier.dropped()).isEqualTo(7);
		}
	}

	@Test
	void notificationThatDoesNotArriveIsCountedApart() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(500, ""));
				WebhookNotifierOf notifier = new WebhookNotifierOf(server, "timeout=5s")) {
			for (int i = 0; i < 3; i++) {
				notifier.enqueue(new byte[10]);
			}
			Awaitility.await().untilAsserted(() -> assertThat(notifier.notifier.failedNotifications()).isEqualTo(3));
			assertThat(notifier.dropped()).isZero();
		}
	}

	@Test
	void waitingNotificationsAreBoundedInBytes() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookNotifierOf notifier = new WebhookNotifierOf(server, "timeout=300s")) {
			notifier.enqueue(new byte[10]);
			server.take();
			notifier.enqueue(new byte[WebhookNotifier.MAX_BYTES + 1]);
			assertThat(notifier.dropped()).isZero();
			notifier.enqueue(new byte[1]);
			assertThat(notifier.dropped()).isEqualTo(1);
		}
	}

	@Test
	void hungReceiverDelaysNoDecision() throws Exception {
		Behaviour behaviour = (received, socket) -> {
			if (received.body().contains("post_call")) {
				new CountDownLatch(1).await();
			}
			FaultyServer.APPROVE.answer(received, socket);
		};
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false", "timeout=10s",
						"max_concurrent=1")) {
			ToolHookChain chain = new ToolHookChain(List.of(hook), List.of((WebhookNotifyingToolHook) hook));
			long start = System.nanoTime();
			for (int i = 0; i < 50; i++) {
				assertThat(chain.execute(Webhooks.CALL, (call) -> ToolResult.success("ran")).succeeded()).isTrue();
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
		}
	}

	@Test
	void whatCannotBeDeliveredIsCountedAndTheNextIsSent() throws Exception {
		List<Behaviour> behaviours = new ArrayList<>(List.of(FaultyServer.status(500, ""), FaultyServer.status(404, ""),
				FaultyServer.status(302, ""), FaultyServer.writeAndReset(""), FaultyServer.writeAndHang("")));
		Behaviour behaviour = (received,
				socket) -> ((behaviours.isEmpty()) ? FaultyServer.APPROVE : behaviours.remove(0)).answer(received,
						socket);
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookNotifyingToolHook hook = hook(server, "timeout=3s")) {
			for (int i = 0; i < 6; i++) {
				hook.postCall(outcome("" + i));
			}
			for (int i = 0; i < 6; i++) {
				assertThat(server.take().json().get("result").asString()).isEqualTo("" + i);
			}
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.untilAsserted(() -> assertThat(hook.failedNotifications()).isEqualTo(5));
		}
	}

	@Test
	void unreachableReceiverIsCounted() throws IOException {
		String url;
		try (ServerSocket socket = FaultyServer.listen()) {
			url = "http://127.0.0.1:" + socket.getLocalPort() + "/";
		}
		try (WebhookToolHook hook = Webhooks.hook(url)) {
			((WebhookNotifyingToolHook) hook).postCall(outcome("x"));
			Awaitility.await()
				.untilAsserted(() -> assertThat(((WebhookNotifyingToolHook) hook).failedNotifications()).isEqualTo(1));
		}
	}

	// S03
	@Test
	void closeSendsWhatWaits() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		Behaviour behaviour = (received, socket) -> {
			release.await();
			FaultyServer.APPROVE.answer(received, socket);
		};
		try (FaultyServer server = new FaultyServer(behaviour)) {
			WebhookNotifyingToolHook hook = hook(server);
			for (int i = 0; i < 50; i++) {
				hook.postCall(outcome("" + i));
			}
			server.take();
			release.countDown();
			hook.close();
			assertThat(server.received()).hasSize(50);
			assertThat(hook.droppedNotifications()).isZero();
			hook.postCall(outcome("too late"));
			assertThat(hook.droppedNotifications()).isEqualTo(1);
			assertThat(server.received()).hasSize(50);
		}
	}

	// S03
	@Test
	void closeCountsWhatIsLeftAfterTheGrace() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndHang(""));
				WebhookNotifierOf notifier = new WebhookNotifierOf(server, "timeout=300s")) {
			for (int i = 0; i < 50; i++) {
				notifier.enqueue(new byte[10]);
			}
			server.take();
			long start = System.nanoTime();
			notifier.notifier.close(Duration.ofMillis(200));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
			Awaitility.await().untilAsserted(() -> assertThat(notifier.dropped()).isEqualTo(50));
			assertThat(server.received()).hasSize(1);
		}
	}

	@Test
	void closeWithoutNotificationsIsImmediate() {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookNotifierOf notifier = new WebhookNotifierOf(server, "timeout=300s")) {
			long start = System.nanoTime();
			notifier.notifier.close(Duration.ofMinutes(3));
			notifier.notifier.close(Duration.ofMinutes(3));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
		}
	}

	@Test
	void postCallDoesNotThrow() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookNotifyingToolHook hook = hook(server)) {
			ToolCall call = ToolCall.of("t\ud800\u0000", Map.of("\udc00", "\ud800"));
			hook.postCall(ToolOutcome.of(call, ToolCallStatus.FAILED, null, new StackOverflowError(), Duration.ZERO));
			assertThat(server.take().json().get("error").asString()).isEqualTo("java.lang.StackOverflowError");
		}
	}

	private static WebhookNotifyingToolHook hook(FaultyServer server, String... options) {
		return (WebhookNotifyingToolHook) Webhooks.hook(server.url(), options);
	}

	private static ToolOutcome outcome(String result) {
		ToolCall call = ToolCall.of("t", Map.of());
		return ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success(result), null, Duration.ofMillis(1));
	}

	/**
	 * A notifier with a client, closed without grace.
	 */
	private static final class WebhookNotifierOf implements AutoCloseable {

		private final WebhookClient client;

		private final WebhookNotifier notifier;

		WebhookNotifierOf(FaultyServer server, String... options) {
			WebhookSettings settings = WebhookSettings.of(Webhooks.config(server.url(), options));
			this.client = new WebhookClient("guard", settings, new NettyConnections("guard", settings),
					WebClient.builder(), List.of());
			this.notifier = new WebhookNotifier("guard", this.client, settings.timeout());
		}

		void enqueue(byte[] notification) {
			this.notifier.send(notification);
		}

		long dropped() {
			return this.notifier.droppedNotifications();
		}

		@Override
		public void close() {
			this.notifier.close(Duration.ZERO);
			this.client.close();
		}

	}

}
