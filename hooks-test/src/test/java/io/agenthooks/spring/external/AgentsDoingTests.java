package io.agenthooks.spring.external;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpServer;
import org.awaitility.Awaitility;
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

import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every type of hook that asks something outside, with {@code fail_open: true}: what the
 * other side does lets calls pass, and what an agent can bring about (too many calls at
 * once, too large a message, a judge that it confuses) never does.
 */
class AgentsDoingTests {

	private static final String ENTRY = "hooks.tool-call.pre-call[0].";

	private static final Map<String, Object> LARGE = Map.of("text", "x".repeat(300_000));

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final CountDownLatch inside = new CountDownLatch(1);

	private final CountDownLatch free = new CountDownLatch(1);

	/** How many questions fail only once all of them are there. */
	private CountDownLatch together = new CountDownLatch(0);

	private HttpServer server;

	@TempDir
	Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.callers);
		this.server.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			String path = exchange.getRequestURI().getPath();
			if (path.equals("/hold")) {
				this.inside.countDown();
				await(this.free);
			}
			if (path.equals("/500") && this.together.getCount() > 0) {
				this.together.countDown();
				await(this.together);
			}
			byte[] body = "{\"verdict\": \"approve\"}".getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders((path.equals("/hold")) ? 200 : Integer.parseInt(path.substring(1)),
					body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.free.countDown();
		this.server.stop(0);
		this.callers.shutdownNow();
	}

	@Test
	void webhookThatIsOutPasses() throws IOException {
		int closed;
		try (ServerSocket socket = new ServerSocket(0)) {
			closed = socket.getLocalPort();
		}
		for (String url : List.of("http://localhost:" + closed + "/", "http://no-such-host.invalid/", url("503"),
				url("500"))) {
			entry("webhook", "config.url=" + url).run((context) -> assertPasses(tools(context), Map.of()));
		}
	}

	@Test
	void webhookThatIsSlowPasses() {
		entry("webhook", "config.url=" + url("hold"), "config.timeout=300ms")
			.run((context) -> assertPasses(tools(context), Map.of()));
	}

	@Test
	void webhookThatIsFullDenies() {
		entry("webhook", "config.url=" + url("hold"), "config.timeout=30s", "config.max-concurrent=1")
			.run((context) -> assertFurtherCallIsDenied(tools(context)));
	}

	/**
	 * It answers too slowly for so many, and neither they nor those behind them pass.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "webhook", "command", "prompt" })
	void deciderThatIsLateBesideOthersDenies(String type) {
		ApplicationContextRunner runner = switch (type) {
			case "webhook" -> entry(type, "config.url=" + url("hold"), "config.circuit-breaker.last-calls=2",
					"config.circuit-breaker.minimum-calls=2");
			case "command" -> entry(type, "config.command=sleep 60");
			default -> judge((prompt) -> {
				await(this.free);
				return reply("{\"decision\": \"allow\"}");
			});
		};
		runner.withPropertyValues(ENTRY + "config.timeout=3s").run((context) -> {
			ToolExecutor tools = tools(context);
			List<CompletableFuture<String>> calls = IntStream.range(0, 4).mapToObj((i) -> callLater(tools)).toList();
			assertThat(calls).allSatisfy((call) -> assertThat(call.orTimeout(1, TimeUnit.MINUTES).join())
				.contains("denied by hook", "had others to answer"));
			assertDenied(tools, Map.of(), "had others to answer");
		});
	}

	@Test
	void webhookThatFailsBesideOthersDenies() {
		this.together = new CountDownLatch(4);
		entry("webhook", "config.url=" + url("500"), "config.circuit-breaker.last-calls=2",
				"config.circuit-breaker.minimum-calls=2", "config.timeout=60s")
			.run((context) -> {
				ToolExecutor tools = tools(context);
				List<CompletableFuture<String>> calls = IntStream.range(0, 4)
					.mapToObj((i) -> callLater(tools))
					.toList();
				assertThat(calls).allSatisfy((call) -> assertThat(call.orTimeout(1, TimeUnit.MINUTES).join())
					.contains("denied by hook", "had others to answer"));
				assertDenied(tools, Map.of(), "had others to answer");
			});
	}

	/**
	 * Else an outage would never be one where much is going on.
	 */
	@Test
	void webhookThatFailedAQuestionWithoutOthersIsOutForAll() {
		entry("webhook", "config.url=" + url("500"), "config.timeout=60s").run((context) -> {
			ToolExecutor tools = tools(context);
			assertPasses(tools, Map.of());
			this.together = new CountDownLatch(4);
			List<CompletableFuture<String>> calls = IntStream.range(0, 4).mapToObj((i) -> callLater(tools)).toList();
			assertThat(calls)
				.allSatisfy((call) -> assertThat(call.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo("ran"));
		});
	}

	@Test
	void webhookIsLateBesideTheQuestionsOfAnotherEntryToTheSameServer() {
		String second = "hooks.tool-call.pre-call[1].";
		entry("webhook", "config.url=" + url("hold"), "config.timeout=50s", "match=work")
			.withPropertyValues(second + "type=webhook", second + "config.fail-open=true", second + "match=other",
					second + "config.url=" + url("hold") + "?again", second + "config.timeout=1s")
			.run((context) -> {
				ToolExecutor tools = tools(context);
				CompletableFuture<String> first = callLater(tools);
				assertThat(this.inside.await(1, TimeUnit.MINUTES)).isTrue();
				assertThat(tools.execute(ToolCall.of("other", Map.of())).content()).contains("denied by hook",
						"had others to answer");
				this.free.countDown();
				assertThat(first.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo("ran");
			});
	}

	@Test
	void processThatWasKilledForWhatTheAgentDidDeniesUntilItRunsAgain() throws IOException {
		String work = "sys.stdout.write('x' * 20000000 + '\\n'); sys.stdout.flush()";
		for (String restart : List.of("attempts=0", "delay=5m")) {
			process(work, "5s")
				.withPropertyValues(ENTRY + "config.restart." + restart, ENTRY + "config.restart.max-delay=5m")
				.run((context) -> {
					ToolExecutor tools = tools(context);
					assertDenied(tools, Map.of(), "The process");
					assertDenied(tools, Map.of(), "The process is");
				});
		}
	}

	@Test
	void webhookThatIsAskedTooOftenDenies() {
		entry("webhook", "config.url=" + url("429"))
			.run((context) -> assertDenied(tools(context), Map.of(), "status 429"));
	}

	@Test
	void webhookThatFailsAtALargeMessageDenies() {
		entry("webhook", "config.url=" + url("503"))
			.run((context) -> assertDenied(tools(context), LARGE, "status 503"));
	}

	/**
	 * Else an agent could switch off the webhook for all calls.
	 */
	@Test
	void circuitIsNotOpenedByLargeMessagesNorByAFullWebhook() {
		String[] breaker = { "config.circuit-breaker.last-calls=4", "config.circuit-breaker.minimum-calls=2" };
		entry("webhook", "config.url=" + url("503"), breaker[0], breaker[1]).run((context) -> {
			ToolExecutor tools = tools(context);
			for (int i = 0; i < 10; i++) {
				assertDenied(tools, LARGE, "status 503");
			}
			// Still asked: else it would say that the circuit is open.
			assertDenied(tools, LARGE, "status 503");
		});
		entry("webhook", "config.url=" + url("hold"), "config.timeout=30s", "config.max-concurrent=1", breaker[0],
				breaker[1])
			.run((context) -> {
				for (int i = 0; i < 4; i++) {
					assertFurtherCallIsDenied(tools(context));
				}
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit 1", "kill -KILL $$", "sleep 60" })
	void commandThatFailsPasses(String command) {
		entry("command", "config.command=" + command, "config.timeout=2s")
			.run((context) -> assertPasses(tools(context), Map.of()));
	}

	@Test
	void commandThatIsFullDenies() {
		Path held = this.directory.resolve("held");
		String hold = "touch %s; while [ ! -e %s ]; do sleep 0.02; done".formatted(held,
				this.directory.resolve("free"));
		entry("command", "config.command=" + hold, "config.timeout=4s", "config.max-concurrent=1").run((context) -> {
			CompletableFuture<String> first = callLater(tools(context));
			Awaitility.await().until(() -> Files.exists(held));
			// It finds no slot, or gets one when its time is over.
			assertDenied(tools(context), Map.of(), "command");
			Files.createFile(this.directory.resolve("free"));
			first.get(1, TimeUnit.MINUTES);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "yes", "head -c 3000000 /dev/zero" })
	void commandThatWritesTooMuchDenies(String command) {
		entry("command", "config.command=" + command)
			.run((context) -> assertDenied(tools(context), Map.of(), "wrote more than it may"));
	}

	@Test
	void commandThatFailsAtALargeMessageDenies() {
		entry("command", "config.command=cat > /dev/null; exit 1")
			.run((context) -> assertDenied(tools(context), LARGE, "exit code 1"));
	}

	@Test
	void processThatIsSilentPasses() throws IOException {
		process("time.sleep(60)", "1s").run((context) -> assertPasses(tools(context), Map.of()));
	}

	/**
	 * It answers one call after the other, and has too many of them.
	 */
	@Test
	void processThatIsFullDenies() throws IOException {
		process("time.sleep(0.4)", "1s").run((context) -> {
			ToolExecutor tools = tools(context);
			List<CompletableFuture<String>> calls = IntStream.range(0, 12).mapToObj((i) -> callLater(tools)).toList();
			List<String> replies = calls.stream().map((call) -> call.orTimeout(1, TimeUnit.MINUTES).join()).toList();
			assertThat(replies).filteredOn("ran"::equals).hasSizeLessThan(6);
			assertThat(replies).filteredOn((reply) -> !reply.equals("ran"))
				.allSatisfy((reply) -> assertThat(reply).containsAnyOf("busy with other calls", "had others"));
		});
	}

	@Test
	void processThatWritesTooLongALineDenies() throws IOException {
		process("sys.stdout.write('x' * 20000000 + '\\n'); sys.stdout.flush()", "20s")
			.run((context) -> assertDenied(tools(context), Map.of(), "a line that is too long"));
	}

	@Test
	void judgeThatCannotBeReachedPasses() {
		for (Supplier<RuntimeException> failure : List.<Supplier<RuntimeException>>of(
				() -> new UncheckedIOException(new ConnectException("refused")),
				() -> new TransientAiException("HTTP 503"), () -> new IllegalStateException("no route"))) {
			judge(failure).run((context) -> assertPasses(tools(context), Map.of()));
		}
	}

	@Test
	void judgeThatRefusesTheQuestionDenies() {
		for (Supplier<RuntimeException> failure : List.<Supplier<RuntimeException>>of(
				() -> new NonTransientAiException("HTTP 400"), () -> new RateLimitException("HTTP 429"),
				() -> new IllegalStateException(new ContentFilteredException("no")))) {
			judge(failure).run((context) -> assertDenied(tools(context), Map.of(), "The judge cannot be asked"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Sure, go ahead", "{\"decision\": \"maybe\"}" })
	void judgeThatIsConfusedDenies(String answer) {
		judge((prompt) -> reply(answer))
			.run((context) -> assertDenied(tools(context), Map.of(), "The answer of the judge"));
	}

	@Test
	void judgeThatIsFullDenies() {
		judge((prompt) -> {
			this.inside.countDown();
			await(this.free);
			return reply("{\"decision\": \"allow\"}");
		}).withPropertyValues(ENTRY + "config.max-concurrent=1", ENTRY + "config.timeout=3s")
			.run((context) -> assertFurtherCallIsDenied(tools(context)));
	}

	@Test
	void hookThatIsLateBesideOthersDenies() {
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> AgentsDoingTests::work)
			.run((context) -> {
				PreToolHook slow = (call) -> {
					await(this.free);
					return ToolDecision.approve();
				};
				context.getBean(ToolHooks.class)
					.register("slow", slow, HookOptions.defaults().timeout(Duration.ofSeconds(2)).failOpen(true));
				ToolExecutor tools = tools(context);
				assertPasses(tools, Map.of());
				List<CompletableFuture<String>> calls = IntStream.range(0, 4)
					.mapToObj((i) -> callLater(tools))
					.toList();
				assertThat(calls).allSatisfy((call) -> assertThat(call.orTimeout(1, TimeUnit.MINUTES).join())
					.contains("busy with other calls"));
			});
	}

	@Test
	void hookWithATimeoutThatIsFullDenies() throws Exception {
		CountDownLatch all = new CountDownLatch(64);
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> AgentsDoingTests::work)
			.run((context) -> {
				PreToolHook slow = (call) -> {
					all.countDown();
					await(this.free);
					return ToolDecision.approve();
				};
				context.getBean(ToolHooks.class)
					.register("slow", slow, HookOptions.defaults().timeout(Duration.ofSeconds(5)).failOpen(true));
				ToolExecutor tools = tools(context);
				List<CompletableFuture<String>> calls = IntStream.range(0, 64)
					.mapToObj((i) -> callLater(tools))
					.toList();
				assertThat(all.await(1, TimeUnit.MINUTES)).isTrue();
				assertDenied(tools, Map.of(), "busy with other calls");
				this.free.countDown();
				calls.forEach((call) -> call.orTimeout(1, TimeUnit.MINUTES).join());
			});
	}

	private static ToolExecutor tools(ApplicationContext context) {
		return context.getBean(ToolExecutor.class);
	}

	private String url(String path) {
		return "http://localhost:" + this.server.getAddress().getPort() + "/" + path;
	}

	private ApplicationContextRunner entry(String type, String... options) {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> AgentsDoingTests::work)
			.withPropertyValues(ENTRY + "type=" + type, ENTRY + "config.fail-open=true")
			.withPropertyValues(List.of(options).stream().map(ENTRY::concat).toArray(String[]::new));
	}

	private ApplicationContextRunner process(String work, String timeout) throws IOException {
		Path program = Files.writeString(this.directory.resolve("gate.py"), """
				import json, sys, time
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
				"config.timeout=" + timeout);
	}

	private ApplicationContextRunner judge(Supplier<RuntimeException> failure) {
		return judge((prompt) -> {
			throw failure.get();
		});
	}

	private ApplicationContextRunner judge(ChatModel model) {
		return entry("prompt", "config.prompt=Fine? $INPUT").withBean("model", ChatModel.class, () -> model);
	}

	private static ChatResponse reply(String text) {
		return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
	}

	private static ToolResult work(ToolCall call) {
		return ToolResult.success("ran");
	}

	private static String call(ToolExecutor tools, Map<String, Object> arguments) {
		return tools.execute(ToolCall.of("work", arguments)).content();
	}

	private CompletableFuture<String> callLater(ToolExecutor tools) {
		return CompletableFuture.supplyAsync(() -> call(tools, Map.of()), this.callers);
	}

	private static void assertPasses(ToolExecutor tools, Map<String, Object> arguments) {
		assertThat(call(tools, arguments)).isEqualTo("ran");
	}

	private static void assertDenied(ToolExecutor tools, Map<String, Object> arguments, String reason) {
		assertThat(call(tools, arguments)).contains("denied by hook", reason);
	}

	/**
	 * One call is asked about and held, when another comes. That finds no place, or gets
	 * the place of the first when little time is left: both are too many calls at once.
	 */
	private void assertFurtherCallIsDenied(ToolExecutor tools) throws Exception {
		if (this.inside.getCount() > 0) {
			assertThat(callLater(tools)).isNotNull();
			await(this.inside);
		}
		assertDenied(tools, Map.of(), "");
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** As Spring AI has them, which is not needed for this. */
	private static final class TransientAiException extends RuntimeException {

		TransientAiException(String message) {
			super(message);
		}

	}

	private static final class NonTransientAiException extends RuntimeException {

		NonTransientAiException(String message) {
			super(message);
		}

	}

	private static final class RateLimitException extends RuntimeException {

		RateLimitException(String message) {
			super(message);
		}

	}

	private static final class ContentFilteredException extends RuntimeException {

		ContentFilteredException(String message) {
			super(message);
		}

	}

}
