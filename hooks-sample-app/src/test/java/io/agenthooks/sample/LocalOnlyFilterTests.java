package io.agenthooks.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocalOnlyFilter}, with requests as a browser or an attacker sends
 * them, in the application with its actuator on a port of its own.
 */
@SpringBootTest(webEnvironment = WebEnvironment.DEFINED_PORT,
		properties = { "sample.script=false", "hooks.console.enabled=false", "management.server.port=0",
				"management.server.address=127.0.0.1", "server.forward-headers-strategy=framework" })
class LocalOnlyFilterTests {

	private static final int port = TestSocketUtils.findAvailableTcpPort();

	private static final String CALL = "{\"tool_name\":\"run_command\",\"arguments\":{\"command\":\"echo pwned\"}}";

	private static final String CHAT = "{\"message\":\"run_command {\\\"command\\\": \\\"echo pwned\\\"}\"}";

	private static final List<String> REFUSED = List.of("Host: evil.example", "Host: evil.example:8080",
			"Host: EVIL.EXAMPLE", "Host: evil.example.", "Host: localhost.evil.example", "Host: 127.0.0.1.evil.example",
			"Host: localhost@evil.example", "Host: localhost:8080@evil.example", "Host: evil.example#localhost",
			"Host: localhost.", "Host: evil.localhost", "Host: 0.0.0.0", "Host: 127.1", "Host: 2130706433",
			"Host: 0x7f.0.0.1", "Host: 127.0.0.01", "Host: 127.0.0.256", "Host: 192.168.0.1", "Host: [::]",
			"Host: [::ffff:10.0.0.1]", "Host: [fe80::1]", "Host: ::1", "Host: [::1", "Host: localhost:",
			"Host: localhost:x", "Host: localhost, evil.example", "Host: ", "X-No-Host: localhost",
			"Host: localhost\r\nHost: evil.example", "Host: evil.example\r\nHost: localhost",
			"Host: evil.example\r\nX-Forwarded-Host: localhost", "Host: evil.example\r\nForwarded: host=localhost",
			"Host: evil.example\r\nX-Forwarded-For: 127.0.0.1", "Host: localhost\r\nOrigin: http://evil.example",
			"Host: localhost\r\nOrigin: null", "Host: localhost\r\nOrigin: ",
			"Host: localhost\r\nOrigin: http://localhost.evil.example",
			"Host: localhost\r\nOrigin: http://localhost@evil.example", "Host: localhost\r\nOrigin: file://",
			"Host: localhost\r\nOrigin: chrome-extension://localhost",
			"Host: localhost\r\nOrigin: http://127.0.0.1/evil",
			"Host: localhost\r\nOrigin: http://localhost http://evil.example",
			"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example",
			"Host: localhost\r\nSec-Fetch-Site: cross-site",
			"Host: evil.example\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
					+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
			"Host: evil.example\r\nAccept: text/event-stream");

	private static final List<String> ACCEPTED = List.of("Host: localhost", "Host: LocalHost:8080", "Host: 127.0.0.1",
			"Host: 127.0.0.1:1", "Host: 127.255.255.254", "Host: [::1]", "Host: [::1]:8080",
			"Host: localhost\r\nX-Forwarded-Host: evil.example", "Host: localhost\r\nOrigin: http://localhost:3000",
			"Host: 127.0.0.1\r\nOrigin: HTTP://[::1]:8080", "Host: localhost\r\nOrigin: https://127.0.0.1",
			"Host: localhost\r\nOrigin: http://localhost:3000\r\nSec-Fetch-Site: cross-site",
			"Host: localhost\r\nSec-Fetch-Site: none");

	@TempDir
	private static Path workspace;

	@Autowired
	private SampleJournal journal;

	@LocalManagementPort
	private int managementPort;

	private List<ToolOutcome> callsBefore = List.of();

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry properties) {
		properties.add("server.port", () -> port);
		properties.add("sample.workspace", workspace::toString);
	}

	@BeforeEach
	void rememberCalls() {
		this.callsBefore = List.copyOf(this.journal.last());
	}

	static Stream<String> refused() {
		return REFUSED.stream();
	}

	static Stream<String> accepted() {
		return ACCEPTED.stream();
	}

	@ParameterizedTest
	@MethodSource("refused")
	void foreignRequestIsRefusedOnEveryPath(String headers) throws IOException {
		for (String path : List.of("/api/tool-calls", "/api/chat", "/sample/approvals")) {
			assertRefused(port, post(path, headers, (path.equals("/api/chat")) ? CHAT : CALL));
		}
		for (String path : List.of("/api/tool-calls", "/", "/actuator", "/no/such/page", "/a/../api/tool-calls", "//",
				"/api/tool-calls?x=%ff")) {
			assertRefused(port, get(path, headers));
		}
		assertRefused(this.managementPort, get("/actuator/metrics", headers));
		assertRefused(port, "OPTIONS /api/tool-calls HTTP/1.1\r\n" + headers
				+ "\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n");
		assertThat(this.journal.last()).isEqualTo(this.callsBefore);
	}

	@ParameterizedTest
	@MethodSource("accepted")
	void localRequestIsAnswered(String headers) throws IOException {
		assertThat(send(port, get("/api/tool-calls", headers))).startsWith("HTTP/1.1 200");
		assertThat(send(port, post("/api/tool-calls", headers, CALL))).startsWith("HTTP/1.1 200").contains("pwned");
		assertThat(send(this.managementPort, get("/actuator/health", headers))).startsWith("HTTP/1.1 200");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://evil.example/api/tool-calls", "http://localhost@evil.example/api/tool-calls",
			"//evil.example/api/tool-calls" })
	void foreignHostInTheFirstLineIsRefused(String target) throws IOException {
		assertRefused(port, get(target, "Host: localhost"));
	}

	@Test
	void oldRequestWithoutHostIsRefused() throws IOException {
		assertRefused(port, "GET /api/tool-calls HTTP/1.0\r\n\r\n");
	}

	private static void assertRefused(int port, String request) throws IOException {
		String answer = send(port, request);
		// Netty itself refuses what is no HTTP, without a word.
		if (!answer.matches("HTTP/1\\.1 400 Bad Request\r\n(content-length: 0|connection: close)\r\n[^{]*")) {
			assertThat(answer).matches("(?s)HTTP/1\\.[01] 403 .*").contains("Only this machine may ask");
		}
	}

	private static String get(String path, String headers) {
		return "GET " + path + " HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n";
	}

	private static String post(String path, String headers, String body) {
		return "POST " + path + " HTTP/1.1\r\n" + headers + "\r\nContent-Type: application/json\r\nContent-Length: "
				+ body.length() + "\r\nConnection: close\r\n\r\n" + body;
	}

	private static String send(int port, String request) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			socket.getOutputStream().flush();
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
