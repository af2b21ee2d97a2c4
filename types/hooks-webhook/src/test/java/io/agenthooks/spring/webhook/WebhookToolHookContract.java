package io.agenthooks.spring.webhook;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.ClientRequest;
import tools.jackson.databind.JsonNode;

import io.agenthooks.Verdict;
import io.agenthooks.chain.FailMode;
import io.agenthooks.spring.webhook.FaultyServer.Behaviour;
import io.agenthooks.spring.webhook.FaultyServer.Received;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link WebhookToolHook}, against a real server, with each client.
 */
@Timeout(60)
abstract class WebhookToolHookContract {

	private static final String APPROVE = "{\"verdict\":\"approve\"}";

	private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

	@Test
	void preCallPostsTheCall() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url() + "?key=v%20w", "auth_header=Bearer s3cret")) {
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			Received received = server.take();
			assertThat(received.line()).isEqualTo("POST /hook?key=v%20w HTTP/1.1");
			assertThat(received.headers()).containsEntry("content-type", "application/json")
				.containsEntry("accept", "application/json")
				.containsEntry("authorization", "Bearer s3cret")
				.containsEntry("host", "127.0.0.1:" + server.port())
				.doesNotContainKeys("cookie", "webhook-id", "webhook-timestamp", "webhook-signature", "upgrade",
						"http2-settings", "expect", "transfer-encoding");
			JsonNode json = received.json();
			assertThat(json.get("tool_name").asString()).isEqualTo("run_command");
			assertThat(json.get("arguments").toString()).isEqualTo("{\"command\":\"ls -la\"}");
			assertThat(json.get("session_id").asString()).isEmpty();
			assertThat(json.get("call_id").asString()).isEqualTo(Webhooks.CALL.id());
			assertThat(json.has("event")).isFalse();
		}
	}

	@Test
	void argumentsThatSomeServersTakeForOneAnotherAreDeniedUnsent() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			ToolCall call = ToolCall.of("run_command", Map.of("options", Map.of("path", "/etc", "Path", "/tmp")));
			assertThat(hook.preCall(call))
				.isEqualTo(ToolDecision.deny("The call has arguments whose names differ in case only"));
			hook.preCall(Webhooks.CALL);
			assertThat(server.take().json().get("arguments").toString()).isEqualTo("{\"command\":\"ls -la\"}");
		}
	}

	@Test
	void preCallWithoutAuthHeaderSendsNone() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "auth_header=")) {
			hook.preCall(Webhooks.CALL);
			assertThat(server.take().headers()).doesNotContainKey("authorization");
		}
	}

	@Test
	void preCallWithSecretSigns() throws Exception {
		String secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), "signing_secret=whsec_" + secret)) {
			hook.preCall(Webhooks.CALL);
			Received received = server.take();
			Map<String, String> headers = received.headers();
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
			byte[] signature = mac
				.doFinal((headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "." + received.body())
					.getBytes(StandardCharsets.UTF_8));
			assertThat(headers.get("webhook-signature"))
				.isEqualTo("v1," + Base64.getEncoder().encodeToString(signature));
			assertThat(Long.parseLong(headers.get("webhook-timestamp"))).isCloseTo(System.currentTimeMillis() / 1000,
					within(60L));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "approve", "deny", "modify", "respond", "ask", "abort" })
	void preCallReturnsTheVerdict(String verdict) {
		Behaviour behaviour = FaultyServer.json("{\"verdict\":\"" + verdict
				+ "\",\"reasoning\":\"because\",\"modified_arguments\":{},\"result\":\"r\"}");
		try (FaultyServer server = new FaultyServer(behaviour); WebhookToolHook hook = Webhooks.hook(server.url())) {
			assertThat(hook.preCall(Webhooks.CALL).verdict().value()).isEqualTo(verdict);
		}
	}

	@ParameterizedTest
	@MethodSource("validAnswers")
	void preCallWithValidAnswerApproves(String situation, Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false")) {
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
		}
	}

	static Stream<Arguments> validAnswers() {
		return Stream.of(Arguments.of("200", FaultyServer.APPROVE),
				Arguments.of("201", FaultyServer.status(201, APPROVE)),
				Arguments.of("202", FaultyServer.status(202, APPROVE)),
				Arguments.of("charset", FaultyServer.contentType("application/json; charset=UTF-8", APPROVE)),
				Arguments.of("charset quoted", FaultyServer.contentType("application/json;charset=\"utf-8\"", APPROVE)),
				Arguments.of("case", FaultyServer.contentType("Application/JSON", APPROVE)),
				Arguments.of("suffix", FaultyServer.contentType("application/vnd.acme.v1+json", APPROVE)),
				Arguments.of("gzip",
						FaultyServer.gzipped(FaultyServer.gzip(APPROVE.getBytes(StandardCharsets.UTF_8), 1))),
				Arguments.of("chunked", write(HEAD
						+ "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"ver\r\n10\r\ndict\":\"approve\"}\r\n0\r\n\r\n")),
				Arguments.of("until close", FaultyServer.writeAndClose(HEAD + "\r\n" + APPROVE)),
				Arguments.of("cookie and close",
						FaultyServer.writeAndClose(
								HEAD + "Set-Cookie: a=b\r\nConnection: close\r\nContent-Length: 21\r\n\r\n" + APPROVE)),
				Arguments.of("100 first",
						write("HTTP/1.1 100 Continue\r\n\r\n" + HEAD + "Content-Length: 21\r\n\r\n" + APPROVE)));
	}

	@Test
	void preCallSendsNoCookieBack() throws Exception {
		Behaviour behaviour = write(HEAD + "Set-Cookie: a=b; Path=/\r\nContent-Length: 21\r\n\r\n" + APPROVE);
		try (FaultyServer server = new FaultyServer(behaviour); WebhookToolHook hook = Webhooks.hook(server.url())) {
			hook.preCall(Webhooks.CALL);
			hook.preCall(Webhooks.CALL);
			server.take();
			assertThat(server.take().headers()).doesNotContainKey("cookie");
		}
	}

	@ParameterizedTest
	@MethodSource("outages")
	void preCallDuringOutageFailsOpenIfConfigured(String situation, Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook open = Webhooks.hook(server.url(), "timeout=400ms", "fail_open=true");
				WebhookToolHook closed = Webhooks.hook(server.url(), "timeout=400ms", "fail_open=false")) {
			assertFailedOpen(open.preCall(Webhooks.CALL));
			assertDenied(closed.preCall(Webhooks.CALL));
		}
	}

	static Stream<Arguments> outages() {
		String partial = HEAD + "Content-Length: 100\r\n\r\n{\"verdict\":\"approve\"}";
		return Stream.of(Arguments.of("hang", FaultyServer.writeAndHang("")), // W19
				Arguments.of("hang in head", FaultyServer.writeAndHang("HTTP/1.1 200 OK\r\nContent-Ty")),
				Arguments.of("hang in body", FaultyServer.writeAndHang(partial)),
				Arguments.of("drip", FaultyServer.writeAndDrip(HEAD + "Content-Length: 100000\r\n\r\n" + APPROVE)),
				Arguments.of("close", FaultyServer.writeAndClose("")),
				Arguments.of("close in head", FaultyServer.writeAndClose("HTTP/1.1 200 OK\r\nContent-Ty")),
				Arguments.of("close in body", FaultyServer.writeAndClose(partial)),
				Arguments.of("close in chunk",
						FaultyServer
							.writeAndClose(HEAD + "Transfer-Encoding: chunked\r\n\r\n15\r\n" + APPROVE + "\r\n")),
				Arguments.of("reset", FaultyServer.writeAndReset("")),
				Arguments.of("reset in body", FaultyServer.writeAndReset(partial)),
				Arguments.of("500", FaultyServer.status(500, APPROVE)),
				Arguments.of("500 html", FaultyServer.answer("HTTP/1.1 500 Oops", "text/html", new byte[0])),
				Arguments.of("500 problem",
						FaultyServer.status(500, "{\"status\":500,\"title\":\"Denied\",\"result\":{}}")),
				Arguments.of("500 with denials in a text and in a list",
						FaultyServer.status(500,
								"{\"trace\":{\"verdict\":\"deny\"},\"all\":[{\"verdict\":\"deny\"}]}")),
				Arguments.of("500 of ten megabytes",
						FaultyServer.answer("HTTP/1.1 500 Oops", "text/html", new byte[10_000_000])),
				Arguments.of("502", FaultyServer.status(502, "")), Arguments.of("503", FaultyServer.status(503, "")),
				Arguments.of("504", FaultyServer.status(504, "")), Arguments.of("599", FaultyServer.status(599, "")),
				Arguments.of("503 drip", FaultyServer.writeAndDrip(
						"HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")));
	}

	@ParameterizedTest
	@MethodSource
	void denialInAnAnswerThatFailsDenies(String situation, Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=2s", "fail_open=true")) {
			assertDenied(hook.preCall(Webhooks.CALL));
		}
	}

	static Stream<Arguments> denialInAnAnswerThatFailsDenies() {
		String deny = "{\"verdict\":\"deny\",\"reasoning\":\"no\"}";
		String half = deny.substring(0, 17);
		String head = HEAD + "Content-Length: 100\r\n\r\n";
		String chunked = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
		String chunk = Integer.toHexString(deny.length()) + "\r\n" + deny + "\r\n";
		return Stream.of(Arguments.of("500", FaultyServer.status(500, deny)),
				Arguments.of("503", FaultyServer.status(503, deny)),
				Arguments.of("429", FaultyServer.status(429, deny)),
				Arguments.of("500 as HTML",
						FaultyServer.answer("HTTP/1.1 500 Oops", "text/html", deny.getBytes(StandardCharsets.UTF_8))),
				Arguments.of("500 with another spelling", FaultyServer.status(500, "{\"Verdict\":\"DENIED\"}")),
				Arguments.of("500 with two verdicts",
						FaultyServer.status(500, "{\"verdict\":\"approve\",\"verdict\":\"deny\"}")),
				Arguments.of("500 that breaks off in its verdict", FaultyServer.status(500, "{\"verdict\":\"den")),
				Arguments.of("500 that breaks off before its verdict", FaultyServer.status(500, "{\"id\":\"x")),
				Arguments.of("body that breaks off before its verdict", FaultyServer.writeAndClose(head + "{\"i")),
				Arguments.of("body that hangs before its verdict", FaultyServer.writeAndHang(head + "{ ")),
				Arguments.of("500 with an abort", FaultyServer.status(500, "{\"verdict\":\"abort\"}")),
				Arguments.of("500 with a decision in an object",
						FaultyServer.status(500, "{\"x\":[{}],\"result\":{\"allowed\":false}}")),
				Arguments.of("500 that hangs",
						FaultyServer
							.writeAndHang("HTTP/1.1 500 Oops\r\nContent-Type: application/json\r\n\r\n" + deny)),
				Arguments.of("bytes missing", FaultyServer.writeAndClose(head + deny)),
				Arguments.of("bytes missing, reset", FaultyServer.writeAndReset(head + deny)),
				Arguments.of("end of the object missing", FaultyServer.writeAndClose(head + half)),
				Arguments.of("chunk missing", FaultyServer.writeAndClose(chunked + chunk)),
				Arguments.of("half a chunk", FaultyServer.writeAndClose(chunked + "64\r\n" + deny)),
				Arguments.of("hang", FaultyServer.writeAndHang(head + deny)),
				Arguments.of("hang before the last chunk", FaultyServer.writeAndHang(chunked + chunk)),
				Arguments.of("drip", FaultyServer.writeAndDrip(HEAD + "Content-Length: 100000\r\n\r\n" + deny)));
	}

	@Test
	void preCallWhenConnectionIsRefusedFailsOpenIfConfigured() throws IOException {
		int port;
		try (ServerSocket socket = FaultyServer.listen()) {
			port = socket.getLocalPort();
		}
		assertOutage("http://127.0.0.1:" + port + "/");
		assertOutage("https://127.0.0.1:" + port + "/");
	}

	@Test
	void preCallWhenHostIsUnknownFailsOpenIfConfigured() {
		assertOutage("http://there-is-no-such-host.invalid/hook");
	}

	// W19
	@Test
	void preCallWhenNobodyAcceptsFailsOpenIfConfigured() throws IOException {
		try (ServerSocket socket = FaultyServer.listen()) {
			assertOutage("http://127.0.0.1:" + socket.getLocalPort() + "/");
			assertOutage("https://127.0.0.1:" + socket.getLocalPort() + "/");
		}
	}

	private static void assertOutage(String url) {
		try (WebhookToolHook open = Webhooks.hook(url, "timeout=400ms");
				WebhookToolHook closed = Webhooks.hook(url, "timeout=400ms", "fail_open=false")) {
			assertFailedOpen(open.preCall(Webhooks.CALL));
			assertDenied(closed.preCall(Webhooks.CALL));
		}
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void preCallWithoutValidVerdictIsDeniedInAnyCase(String situation, Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=180s", "fail_open=true")) {
			long start = System.nanoTime();
			assertDenied(hook.preCall(Webhooks.CALL));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
		}
	}

	static Stream<Arguments> refusals() {
		byte[] approve = APPROVE.getBytes(StandardCharsets.UTF_8);
		byte[] large = ("{\"verdict\":\"approve\",\"x\":\"" + "x".repeat(300_000) + "\"}")
			.getBytes(StandardCharsets.UTF_8);
		byte[] zeros = new byte[1_000_000];
		Stream.Builder<Arguments> refusals = Stream.builder();
		for (int status : new int[] { 203, 204, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 305, 307, 308, 400,
				401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 413, 415, 418, 422, 425, 426, 428, 429, 430, 431, 451,
				499, 600, 700, 999 }) {
			refusals.add(Arguments.of("" + status, FaultyServer.status(status, APPROVE))); // W09
		}
		for (int status : new int[] { 101, 102, 103, 199 }) {
			refusals.add(Arguments.of("" + status, FaultyServer.writeAndHang("HTTP/1.1 " + status
					+ " X\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n" + APPROVE)));
		}
		for (String type : new String[] { "", "text/html", "text/plain", "text/json", "application/javascript", // W11
				"application/octet-stream", "application/json-seq", "application/x-ndjson", "application/jsonx", "json",
				"application/json; charset=utf-16", "application/json; charset=iso-8859-1",
				"application/json; charset=nonsense", "application/json, text/html", "*/*", "application/*",
				"text/html; application/json", "application/json\r\nContent-Type: text/html",
				"text/html\r\nContent-Type: application/json" }) {
			refusals.add(Arguments.of(type, FaultyServer.contentType(type, APPROVE)));
		}
		return refusals
			// W07
			.add(Arguments.of("302 to metadata",
					write("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n")))
			.add(Arguments.of("empty", FaultyServer.json("")))
			.add(Arguments.of("no length, no body", FaultyServer.writeAndClose(HEAD + "\r\n")))
			.add(Arguments.of("half the JSON, then closed",
					FaultyServer.writeAndClose(HEAD + "\r\n{\"verdict\":\"appro")))
			.add(Arguments.of("not JSON", FaultyServer.json("approve")))
			.add(Arguments.of("unknown verdict", FaultyServer.json("{\"verdict\":\"aprove\"}"))) // W01
			.add(Arguments.of("another call", FaultyServer.json("{\"verdict\":\"approve\",\"call_id\":\"x\"}"))) // W27
			.add(Arguments.of("bad UTF-8",
					FaultyServer.answer("HTTP/1.1 200 OK", "application/json", new byte[] { (byte) 0xC3, 0x28 })))
			.add(Arguments.of("oversized", FaultyServer.answer("HTTP/1.1 200 OK", "application/json", large)))
			.add(Arguments.of("announces too much",
					FaultyServer.writeAndHang(HEAD + "Content-Length: 262145\r\n\r\n" + APPROVE)))
			.add(Arguments.of("endless", endless()))
			.add(Arguments.of("oversized when inflated", FaultyServer.gzipped(FaultyServer.gzip(large, 1))))
			.add(Arguments.of("gzip bomb", FaultyServer.gzipped(FaultyServer.gzip(zeros, 100)))) // W17
			.add(Arguments.of("not gzip", FaultyServer.gzipped(approve)))
			.add(Arguments.of("half a gzip", FaultyServer.gzipped(FaultyServer.gzip(zeros, 1))))
			.add(Arguments.of("unknown encoding",
					write(HEAD + "Content-Encoding: snappyish\r\nContent-Length: 5\r\n\r\nabcde")))
			.add(Arguments.of("403 drip",
					FaultyServer.writeAndDrip(
							"HTTP/1.1 403 No\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")))
			.add(Arguments.of("302 drip",
					FaultyServer.writeAndDrip(
							"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 100000\r\n\r\n")))
			.add(Arguments.of("html drip",
					FaultyServer
						.writeAndDrip("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")))
			.add(Arguments.of("not HTTP", FaultyServer.writeAndHang("SSH-2.0-OpenSSH_9.6\r\n\r\n")))
			.add(Arguments.of("HTTP/2", FaultyServer.writeAndHang("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
			.add(Arguments.of("endless header",
					FaultyServer.writeAndHang("HTTP/1.1 200 OK\r\nX: " + "x".repeat(100_000) + "\r\n\r\n")))
			.add(Arguments.of("bad length", FaultyServer.writeAndHang(HEAD + "Content-Length: x\r\n\r\n" + APPROVE)))
			.add(Arguments.of("two lengths",
					FaultyServer.writeAndHang(HEAD + "Content-Length: 21\r\nContent-Length: 5\r\n\r\n" + APPROVE)))
			.add(Arguments.of("bad chunk",
					FaultyServer.writeAndHang(HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")))
			.build();
	}

	private static Behaviour endless() {
		return (received, socket) -> {
			FaultyServer.write(socket, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
			while (!socket.isClosed()) {
				FaultyServer.write(socket, "1000\r\n" + " ".repeat(0x1000) + "\r\n");
			}
		};
	}

	private static Behaviour write(String text) {
		return (received, socket) -> FaultyServer.write(socket, text);
	}

	@Test
	void preCallReadsAnswerUpToTheConfiguredSize() {
		String padded = APPROVE + " ".repeat(1024 - APPROVE.length());
		try (FaultyServer server = new FaultyServer(FaultyServer.json(padded));
				WebhookToolHook enough = Webhooks.hook(server.url(), "max_response_size=1KB");
				WebhookToolHook tooSmall = Webhooks.hook(server.url(), "max_response_size=1023B")) {
			assertThat(enough.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			assertDenied(tooSmall.preCall(Webhooks.CALL));
		}
	}

	// W07
	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void preCallFollowsNoRedirect(int status) {
		try (FaultyServer target = new FaultyServer(FaultyServer.APPROVE);
				FaultyServer server = new FaultyServer(write("HTTP/1.1 " + status + " Moved\r\nLocation: "
						+ target.url() + "\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n" + APPROVE));
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			assertDenied(hook.preCall(Webhooks.CALL));
			assertThat(target.received()).isEmpty();
		}
	}

	@ParameterizedTest
	@MethodSource
	void preCallIsOverWhenTheTimeoutIs(String situation, Behaviour behaviour) {
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "timeout=300ms")) {
			hook.preCall(Webhooks.CALL);
			long start = System.nanoTime();
			hook.preCall(Webhooks.CALL);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(290),
					Duration.ofMinutes(2));
		}
	}

	static Stream<Arguments> preCallIsOverWhenTheTimeoutIs() {
		return Stream.of(Arguments.of("hang", FaultyServer.writeAndHang("")),
				Arguments.of("drip", FaultyServer.writeAndDrip(HEAD + "Content-Length: 100000\r\n\r\n")),
				Arguments.of("drip in head", FaultyServer.writeAndDrip("HTTP/1.1 200 OK\r\nX: ")));
	}

	// W29
	@Test
	void preCallOfHungWebhookHoldsUpNoOther() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		try (FaultyServer hung = new FaultyServer(FaultyServer.writeAndHang(""));
				FaultyServer healthy = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hungHook = Webhooks.hook(hung.url(), "timeout=60s", "max_concurrent=8",
						"fail_open=false");
				WebhookToolHook healthyHook = Webhooks.hook(healthy.url(), "timeout=5s", "fail_open=false")) {
			List<Future<ToolDecision>> waiting = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				waiting.add(callers.submit(() -> hungHook.preCall(Webhooks.CALL)));
			}
			for (int i = 0; i < 8; i++) {
				hung.take();
			}
			for (int i = 0; i < 20; i++) {
				assertThat(healthyHook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			}
			assertThat(hung.received()).hasSize(8);
			assertThat(hung.connections()).isEqualTo(8);
			// The others may have been denied by then: no slot became free.
			assertThat(waiting.stream().filter((call) -> !call.isDone()).count()).isGreaterThanOrEqualTo(8);
			close(hungHook);
			for (Future<ToolDecision> call : waiting) {
				assertDenied(call.get(30, TimeUnit.SECONDS));
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test
	void preCallThatFindsNoSlotInTimeIsDenied() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		CountDownLatch answer = new CountDownLatch(1);
		Behaviour behaviour = (received, socket) -> {
			answer.await();
			FaultyServer.APPROVE.answer(received, socket);
		};
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook open = Webhooks.hook(server.url(), "timeout=3s", "max_concurrent=1");
				WebhookToolHook closed = Webhooks.hook(server.url(), "timeout=3s", "max_concurrent=1",
						"fail_open=false")) {
			List<Future<ToolDecision>> first = new ArrayList<>();
			List<Future<ToolDecision>> second = new ArrayList<>();
			for (WebhookToolHook hook : List.of(open, closed)) {
				first.add(callers.submit(() -> hook.preCall(Webhooks.CALL)));
				server.take();
				second.add(callers.submit(() -> hook.preCall(Webhooks.CALL)));
			}
			for (Future<ToolDecision> call : second) {
				assertThat(call.get(1, TimeUnit.MINUTES))
					.isEqualTo(ToolDecision.deny("The webhook is busy with other calls"));
			}
			for (Future<ToolDecision> call : first) {
				call.get(1, TimeUnit.MINUTES);
			}
			answer.countDown();
			assertThat(open.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test
	void preCallAfterOutageWorksAgain() {
		AtomicInteger calls = new AtomicInteger();
		Behaviour behaviour = (received, socket) -> {
			if (calls.incrementAndGet() <= 3) {
				FaultyServer.writeAndReset("").answer(received, socket);
			}
			else {
				FaultyServer.APPROVE.answer(received, socket);
			}
		};
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false", "max_concurrent=1")) {
			for (int i = 0; i < 3; i++) {
				assertDenied(hook.preCall(Webhooks.CALL));
			}
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(server.received()).hasSize(4);
		}
	}

	@Test
	void preCallUsesConnectionsAgain() {
		Set<Integer> ports = ConcurrentHashMap.newKeySet();
		Behaviour behaviour = (received, socket) -> {
			ports.add(socket.getPort());
			FaultyServer.APPROVE.answer(received, socket);
		};
		try (FaultyServer server = new FaultyServer(behaviour); WebhookToolHook hook = Webhooks.hook(server.url())) {
			for (int i = 0; i < 50; i++) {
				assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			}
			assertThat(ports).hasSizeLessThan(10);
		}
	}

	@Test
	void preCallThatIsTooLargeNeverFailsOpen() {
		ToolCall large = ToolCall.of("t", Map.of("a", "x".repeat(FailMode.MAX_SIZE_TO_PASS)));
		for (Behaviour behaviour : List.of(FaultyServer.status(500, ""), FaultyServer.writeAndReset(""),
				FaultyServer.status(413, ""))) {
			try (FaultyServer server = new FaultyServer(behaviour);
					WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=true")) {
				assertDenied(hook.preCall(large));
			}
		}
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			assertThat(hook.preCall(large)).isEqualTo(ToolDecision.approve());
			assertThat(server.received().get(0).json().get("arguments").get("a").asString())
				.isEqualTo(large.arguments().get("a"));
		}
	}

	@Test
	void preCallWhenServerClosedIdleConnectionOpensAnother() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch closed = new CountDownLatch(1);
		Behaviour behaviour = (received, socket) -> {
			FaultyServer.APPROVE.answer(received, socket);
			if (calls.incrementAndGet() == 1) {
				socket.shutdownOutput();
				// The client closes its side once it knows.
				if (socket.getInputStream().read() < 0) {
					closed.countDown();
				}
				socket.close();
			}
		};
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookToolHook hook = Webhooks.hook(server.url(), "fail_open=false")) {
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			closed.await();
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void customizersChangeTheClientInOrder() throws Exception {
		List<WebhookClientCustomizer> customizers = List.of(
				(hook, builder) -> builder.defaultHeader("X-Hook", hook).defaultHeader("X-Order", "1"),
				(hook, builder) -> builder.defaultHeader("X-Order", "2")
					.filter((request, next) -> next
						.exchange(ClientRequest.from(request).header("X-Filter", "yes").build())));
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook hook = Webhooks.hook(server.url(), customizers, "auth_header=Bearer x")) {
			assertThat(hook.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(server.take().headers()).containsEntry("x-hook", "guard")
				.containsEntry("x-order", "2")
				.containsEntry("x-filter", "yes")
				.containsEntry("authorization", "Bearer x");
		}
	}

	@Test
	void preCallWhenClientHasABugIsDenied() {
		WebhookClientCustomizer broken = (hook, builder) -> builder.filter((request, next) -> {
			throw new IllegalStateException("bug");
		});
		WebhookClientCustomizer brokenLater = (hook, builder) -> builder
			.filter((request, next) -> next.exchange(request).map((response) -> {
				throw new UnsupportedOperationException("bug");
			}));
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookToolHook first = Webhooks.hook(server.url(), List.of(broken), "fail_open=true");
				WebhookToolHook second = Webhooks.hook(server.url(), List.of(brokenLater), "fail_open=true")) {
			assertDenied(first.preCall(Webhooks.CALL));
			assertDenied(second.preCall(Webhooks.CALL));
		}
	}

	// K01
	@Test
	void webhookThatModifiesCannotEvadePolicyBeforeIt() {
		try (FaultyServer server = new FaultyServer(
				FaultyServer.json("{\"verdict\":\"modify\",\"modified_arguments\":{\"command\":\"rm -rf /\"}}"));
				WebhookToolHook hook = Webhooks.hook(server.url())) {
			ToolHookChain chain = new ToolHookChain(List.of(new NoRemoving(), hook), List.of());
			ToolResult result = chain.execute(Webhooks.CALL, (call) -> ToolResult.success("ran"));
			assertThat(result.succeeded()).isFalse();
			assertThat(result.content()).contains("no removing");
		}
	}

	private static void close(WebhookToolHook hook) {
		hook.close();
	}

	private static void assertFailedOpen(ToolDecision decision) {
		assertThat(decision).isInstanceOfSatisfying(ToolDecision.Approve.class,
				(approval) -> assertThat(approval.failure()).startsWith("The webhook "));
	}

	private static void assertDenied(ToolDecision decision) {
		assertThat(decision.verdict()).isEqualTo(Verdict.DENY);
	}

	private static final class NoRemoving implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return String.valueOf(call.arguments().get("command")).contains("rm") ? ToolDecision.deny("no removing")
					: ToolDecision.approve();
		}

		@Override
		public boolean isRepeatable() {
			return true;
		}

	}

}
