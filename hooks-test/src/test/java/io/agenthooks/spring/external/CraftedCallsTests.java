package io.agenthooks.spring.external;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call that breaks what is asked about it, and only that: with {@code fail_open: true}
 * it must not pass, whatever it breaks and how. What fails at every call is out, and
 * passes.
 */
class CraftedCallsTests {

	private static final String ENTRY = "hooks.tool-call.pre-call[0].";

	private static final Map<String, Object> CRAFTED = Map.of("text", "evil");

	private static final Map<String, Object> PLAIN = Map.of("text", "good");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch over = new CountDownLatch(1);

	private ServerSocket server;

	/** What the server does with a crafted call: an HTTP status, or reset, hang, die. */
	private volatile String work = "200";

	/** Whether the server does that with every call. */
	private volatile boolean always;

	/** Whether it does that with a probe, too. */
	private volatile boolean picky;

	@TempDir
	private Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.threads.execute(() -> {
			try {
				while (true) {
					Socket socket = this.server.accept();
					this.threads.execute(() -> serve(socket));
				}
			}
			catch (IOException ex) {
				// closed
			}
		});
	}

	@AfterEach
	void stop() throws IOException {
		this.over.countDown();
		this.server.close();
		this.threads.shutdownNow();
	}

	private void serve(Socket socket) {
		try (socket) {
			InputStream in = new BufferedInputStream(socket.getInputStream());
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") < 0) {
				head.append((char) in.read());
			}
			int length = Integer.parseInt(
					head.toString().toLowerCase(Locale.ROOT).replaceFirst("(?s).*content-length: (\\d+).*", "$1"));
			String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
			boolean works = !this.always && !body.contains("evil") && !(this.picky && body.contains("hooks_probe"));
			String status = (works) ? "200" : this.work;
			switch (status) {
				case "reset" -> socket.setSoLinger(true, 0);
				case "die" -> this.server.close();
				case "hang" -> this.over.await(1, TimeUnit.MINUTES);
				default -> socket.getOutputStream()
					.write(("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: 21\r\n"
							+ "Connection: close\r\n\r\n{\"verdict\":\"approve\"}")
						.getBytes(StandardCharsets.US_ASCII));
			}
		}
		catch (IOException | InterruptedException ex) {
			// the client went away, or the test is over
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "500", "503", "reset", "hang" })
	void webhookThatACallBreaksDeniesIt(String how) {
		this.work = how;
		webhook("config.circuit-breaker.last-calls=4", "config.circuit-breaker.minimum-calls=2").run((context) -> {
			for (int i = 0; i < 4; i++) {
				assertDenied(context, CRAFTED);
			}
			// The circuit is closed, and others are asked.
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "500", "503", "reset", "hang" })
	void webhookThatFailsAtEveryCallIsOut(String how) {
		this.work = how;
		this.always = true;
		webhook(timeout(how.equals("hang"))).run((context) -> {
			assertPasses(context, CRAFTED);
			assertPasses(context, PLAIN);
		});
	}

	/**
	 * Such as one that reads an argument and does not look whether it is there.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "500", "reset", "hang" })
	void webhookThatFailsWithoutArgumentsDeniesACallThatBreaksIt(String how) {
		this.work = how;
		this.picky = true;
		webhook().run((context) -> {
			assertPasses(context, PLAIN);
			for (int i = 0; i < 2; i++) {
				assertDenied(context, CRAFTED);
			}
			assertPasses(context, PLAIN);
		});
	}

	@Test
	void webhookThatFailsWithoutArgumentsMayBeOut() {
		this.work = "500";
		this.picky = true;
		webhook().run((context) -> {
			assertPasses(context, PLAIN);
			this.always = true;
			assertPasses(context, CRAFTED);
		});
	}

	@Test
	void webhookThatACallKillsDeniesItAndWhatComesNext() {
		this.work = "die";
		webhook().run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, PLAIN);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit 1", "exit 139", "kill -SEGV $$", "sleep 60" })
	void commandThatACallBreaksDeniesIt(String how) {
		command("case \"$(cat)\" in *evil*) " + how + ";; esac").run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, CRAFTED);
			assertPasses(context, PLAIN);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit 1", "kill -SEGV $$" })
	void commandThatFailsWithoutArgumentsDeniesACallThatBreaksIt(String how) {
		command("case \"$(cat)\" in *hooks_probe*|*evil*) " + how + ";; esac").run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, CRAFTED);
			assertPasses(context, PLAIN);
		});
	}

	@Test
	void commandThatProvedADenialAtTheStartDeniesTheVeryFirstCallThatBreaksIt() {
		command("case \"$(cat)\" in *proof*) exit 2;; *hooks_probe*|*evil*) exit 1;; esac")
			.withPropertyValues(ENTRY + "prove.tool=work", ENTRY + "prove.arguments.text=proof")
			.run((context) -> {
				assertDenied(context, CRAFTED);
				assertPasses(context, PLAIN);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit 1", "kill -SEGV $$", "sleep 60" })
	void commandThatFailsAtEveryCallIsOut(String how) {
		command(how).withPropertyValues(ENTRY + timeout(how.startsWith("sleep"))).run((context) -> {
			assertPasses(context, CRAFTED);
			assertPasses(context, PLAIN);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "sys.exit(1)", "os.abort()", "time.sleep(60)",
			"print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'error': {'code': 1}}), flush=True); continue" })
	void processThatACallBreaksDeniesIt(String how) throws IOException {
		process("if 'evil' in line: " + how).run((context) -> {
			assertPasses(context, PLAIN);
			for (int i = 0; i < 2; i++) {
				assertDenied(context, CRAFTED);
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "sys.exit(1)",
			"print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'error': {'code': 1}}), flush=True); continue" })
	void processThatFailsWithoutArgumentsDeniesACallThatBreaksIt(String how) throws IOException {
		process("if 'evil' in line or 'hooks_probe' in line: " + how).run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, CRAFTED);
		});
	}

	@Test
	void processThatCallsHaveKilledForGoodDeniesAll() throws IOException {
		process("if 'evil' in line: sys.exit(1)").withPropertyValues(ENTRY + "config.restart.attempts=2")
			.run((context) -> {
				assertPasses(context, PLAIN);
				for (int i = 0; i < 4; i++) {
					assertDenied(context, CRAFTED);
				}
				assertDenied(context, PLAIN);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "sys.exit(1)", "time.sleep(60)" })
	void processThatFailsAtEveryCallIsOut(String how) throws IOException {
		process(how).withPropertyValues(ENTRY + timeout(how.startsWith("time.sleep")))
			.run((context) -> assertPasses(context, CRAFTED));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void judgeThatACallBreaksDeniesIt(boolean hangs) {
		judge((prompt) -> {
			if (prompt.getContents().contains("evil")) {
				fail(hangs);
			}
			return new ChatResponse(List.of(new Generation(new AssistantMessage("{\"decision\": \"allow\"}"))));
		}).run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, CRAFTED);
		});
	}

	@Test
	void judgeThatFailsWithoutArgumentsDeniesACallThatBreaksIt() {
		judge((prompt) -> {
			if (prompt.getContents().matches("(?s).*(evil|hooks_probe).*")) {
				fail(false);
			}
			return new ChatResponse(List.of(new Generation(new AssistantMessage("{\"decision\": \"allow\"}"))));
		}).run((context) -> {
			assertPasses(context, PLAIN);
			assertDenied(context, CRAFTED);
			assertDenied(context, CRAFTED);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void judgeThatFailsAtEveryCallIsOut(boolean hangs) {
		judge((prompt) -> {
			fail(hangs);
			throw new IllegalStateException("over");
		}).withPropertyValues(ENTRY + timeout(hangs)).run((context) -> assertPasses(context, CRAFTED));
	}

	private void fail(boolean hangs) {
		if (!hangs) {
			throw new IllegalStateException("HTTP 500");
		}
		try {
			this.over.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** What never answers needs no time to do so. */
	private static String timeout(boolean neverAnswers) {
		return "config.timeout=" + ((neverAnswers) ? "300ms" : "4s");
	}

	private ApplicationContextRunner webhook(String... options) {
		return entry("webhook", "config.url=http://localhost:" + this.server.getLocalPort() + "/", "config.timeout=2s")
			.withPropertyValues(List.of(options).stream().map(ENTRY::concat).toArray(String[]::new));
	}

	private ApplicationContextRunner command(String line) {
		return entry("command", "config.command=" + line, "config.timeout=4s");
	}

	private ApplicationContextRunner process(String work) throws IOException {
		Path program = Files.writeString(this.directory.resolve("gate.py"), """
				import json, os, sys, time
				for line in sys.stdin:
				    message = json.loads(line)
				    if message['method'] == 'hook.hello':
				        result = {'protocol_version': 1}
				    else:
				        %s
				        result = {'action': 'continue'}
				    print(json.dumps({'jsonrpc': '2.0', 'id': message.get('id'), 'result': result}), flush=True)
				""".formatted(work));
		return entry("process", "config.command=python3 " + program, "config.intercept=before_tool",
				"config.timeout=4s", "config.hello-timeout=20s", "config.restart.delay=10ms");
	}

	private ApplicationContextRunner judge(ChatModel model) {
		return entry("prompt", "config.prompt=Fine? $INPUT", "config.timeout=3s").withBean("model", ChatModel.class,
				() -> model);
	}

	private static ApplicationContextRunner entry(String type, String... options) {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withPropertyValues(ENTRY + "type=" + type, ENTRY + "config.fail-open=true")
			.withPropertyValues(List.of(options).stream().map(ENTRY::concat).toArray(String[]::new));
	}

	private static void assertPasses(ApplicationContext context, Map<String, Object> arguments) {
		assertThat(call(context, arguments)).isEqualTo("ran");
	}

	private static void assertDenied(ApplicationContext context, Map<String, Object> arguments) {
		assertThat(call(context, arguments)).contains("denied by hook");
	}

	private static String call(ApplicationContext context, Map<String, Object> arguments) {
		return context.getBean(ToolExecutor.class).execute(ToolCall.of("work", arguments)).content();
	}

}
