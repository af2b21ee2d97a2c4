package io.agenthooks.spring.audit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolHooks;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What runs is recorded until the last: when the application ends no further call begins,
 * what has begun ends before the audit does, and what does not is said.
 */
class AuditAtTheEndTests {

	private static final String REASON = "shutting down";

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final AtomicInteger ran = new AtomicInteger();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch free = new CountDownLatch(1);

	/** Whether the first call stays in its tool. */
	private volatile boolean held;

	@TempDir
	Path directory;

	@AfterEach
	void stop() {
		this.free.countDown();
		this.callers.shutdownNow();
	}

	static Stream<Arguments> everyWay() {
		return Stream.of(Way.values()).flatMap((way) -> Stream.of(Arguments.of(way, false), Arguments.of(way, true)));
	}

	@ParameterizedTest
	@MethodSource("everyWay")
	void callsOfThreadsThatGoOnAreRecordedOrDoNotRun(Way way, boolean strict) {
		AtomicBoolean closed = new AtomicBoolean();
		List<Future<String>> last = new ArrayList<>();
		run(strict, (context) -> {
			Supplier<String> call = way.calls(context, this::work);
			for (int thread = 0; thread < 3; thread++) {
				last.add(this.callers.submit(() -> callOn(call, closed)));
			}
			Awaitility.await().until(() -> this.ran.get() > 20);
			context.close();
			closed.set(true);
		});
		assertThat(last).allSatisfy((reply) -> assertThat(reply.get(1, TimeUnit.MINUTES)).contains(REASON));
		assertThat(succeeded()).isEqualTo(this.ran.get());
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.toString()).startsWith("node n1: unbroken");
		assertThat(result.isComplete()).isTrue();
		assertThat(lines().get(lines().size() - 1)).contains("\"kind\":\"stop\"");
	}

	/**
	 * Call until the application is closed, and some times more.
	 */
	private static String callOn(Supplier<String> call, AtomicBoolean closed) {
		String reply = "";
		for (int late = 0; late < 20; late += (closed.get()) ? 1 : 0) {
			reply = call.get();
			// Some calls at each moment of the end, not all that the machine can make.
			LockSupport.parkNanos(500_000);
		}
		return reply;
	}

	@ParameterizedTest
	@MethodSource("everyWay")
	void callThatHasBegunIsRecordedBeforeTheAuditEnds(Way way, boolean strict) {
		this.held = true;
		run(strict, (context) -> {
			Supplier<String> call = way.calls(context, this::work);
			CompletableFuture<String> reply = CompletableFuture.supplyAsync(call, this.callers);
			await(this.begun);
			CompletableFuture<Void> close = CompletableFuture.runAsync(context::close, this.callers);
			// Each of these is recorded, too, as long as there is an audit.
			Awaitility.await().until(() -> call.get().contains(REASON));
			assertThat(close).isNotDone();
			this.free.countDown();
			assertThat(reply.orTimeout(1, TimeUnit.MINUTES).join()).contains("done");
			close.orTimeout(1, TimeUnit.MINUTES).join();
		});
		assertThat(succeeded()).isEqualTo(this.ran.get());
		assertThat(lines().stream().filter((line) -> line.contains("\"decided_by\":\"shutdown\""))).isNotEmpty();
		assertThat(TestAudit.verify(this.directory).toString()).startsWith("node n1: unbroken");
	}

	@Test
	void callThatStillRunsWhenTheAuditEndsIsSaid() throws Exception {
		AuditLog log = TestAudit.log(this.directory, "n1", () -> 2);
		TestAudit.add(log, 3);
		log.close(Duration.ofSeconds(1));
		assertThat(lines().stream().filter((line) -> line.contains("\"kind\":\"gap\""))).singleElement()
			.asString()
			.contains("\"dropped\":2", "\"still_running\":true");
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).isTrue();
		assertThat(result.isComplete()).isFalse();
		assertThat(result.toString()).startsWith("node n1: INCOMPLETE").contains("2 calls not recorded");
		Path key = Files.writeString(this.directory.resolve("key"), TestAudit.SECRET + "\n");
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		int status = new AuditTool(new PrintStream(out, true, StandardCharsets.UTF_8), System.err)
			.run(List.of("verify", "--key", "k1=" + key, this.directory.resolve("audit").toString()));
		assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("node n1: INCOMPLETE");
		assertThat(status).isOne();
	}

	/**
	 * Between the last look into the queue and the last record.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "audit-closed", "last-question" })
	void callThatEndsWhileTheAuditEndsIsSaid(String when) {
		AtomicReference<AuditLog> log = new AtomicReference<>();
		AtomicInteger asked = new AtomicInteger();
		log.set(TestAudit.log(this.directory, "n1", () -> {
			boolean byWriter = Thread.currentThread().getName().startsWith("agent-hooks-audit");
			if (byWriter && when.equals("last-question") && asked.incrementAndGet() == 1) {
				TestAudit.add(Objects.requireNonNull(log.get()), 1);
			}
			return 0;
		}));
		Objects.requireNonNull(log.get()).close();
		if (when.equals("audit-closed")) {
			TestAudit.add(Objects.requireNonNull(log.get()), 1);
		}
		boolean inTime = when.equals("last-question");
		assertThat(log.get().dropped()).isOne();
		assertThat(lines().stream().filter((line) -> line.contains("\"kind\":\"gap\""))).hasSize((inTime) ? 1 : 0);
		assertThat(TestAudit.verify(this.directory).isComplete()).isEqualTo(!inTime);
		assertThat(lines().get(lines().size() - 1)).contains("\"kind\":\"stop\"");
	}

	/**
	 * Calls that do not run because of the end come at any moment of it, and are recorded
	 * or not, but never called lost.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "shutdown", "kill-switch" })
	void callsThatDoNotRunAreNeverCalledLost(String decider) throws Exception {
		for (int i = 0; i < 40; i++) {
			Path place = Files.createDirectory(this.directory.resolve("round" + i));
			AuditLog log = TestAudit.log(place, "n1");
			CyclicBarrier together = new CyclicBarrier(3);
			List<Future<?>> others = new ArrayList<>();
			for (int thread = 0; thread < 2; thread++) {
				others.add(this.callers.submit(() -> {
					together.await(1, TimeUnit.MINUTES);
					for (int call = 0; call < 100; call++) {
						log.add(denied(decider));
					}
					return null;
				}));
			}
			together.await(1, TimeUnit.MINUTES);
			log.close();
			for (Future<?> other : others) {
				other.get(1, TimeUnit.MINUTES);
			}
			assertThat(log.dropped()).isZero();
			List<String> lines = TestAudit.lines(place);
			assertThat(lines.get(lines.size() - 1)).contains("\"kind\":\"stop\"");
			assertThat(TestAudit.verify(place).isComplete()).isTrue();
		}
	}

	private static AuditEntry denied(String decider) {
		ToolCall call = ToolCall.of("work", Map.of());
		return ToolEntry.of(new ToolOutcome(call, call, ToolDecision.deny("no"), decider, ToolCallStatus.DENIED, null,
				ToolResult.failure("no"), null, Duration.ZERO, List.of(), List.of(), List.of(), null, List.of()),
				List.of(), 0);
	}

	/**
	 * A web server with a graceful shutdown lets the turns end that have begun.
	 */
	@Test
	void callsOfWhatEndsGracefullyPassAndThoseOfBeansThatAreDestroyedDoNot() {
		List<String> replies = new ArrayList<>();
		ApplicationContextRunner runner = runner(false).withBean("server", Server.class, () -> new Server(replies));
		runner.run((context) -> {
			Server server = context.getBean(Server.class);
			server.tools = context.getBean(ToolExecutor.class);
			context.close();
		});
		assertThat(replies).hasSize(2).element(0).isEqualTo("done");
		assertThat(replies).element(1).asString().contains(REASON);
		assertThat(succeeded()).isOne();
		assertThat(TestAudit.verify(this.directory).toString()).startsWith("node n1: unbroken");
	}

	@Test
	void applicationThatWasOnlyStoppedGoesOn() {
		run(false, (context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			context.stop();
			assertThat(tools.execute(ToolCall.of("work", Map.of())).content()).contains(REASON);
			context.start();
			assertThat(tools.execute(ToolCall.of("work", Map.of())).content()).isEqualTo("done");
		});
	}

	private void run(boolean strict, Consumer<ConfigurableApplicationContext> test) {
		runner(strict).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private ApplicationContextRunner runner(boolean strict) {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class,
					SpringAiToolCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class,
					McpToolCallsAutoConfiguration.class, AuditAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success(work()))
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.strict=" + strict, "hooks.audit.node=n1",
					"hooks.audit.queue-size=1000000", "hooks.audit.file.path=" + this.directory.resolve("audit"),
					"hooks.audit.anchor.file=" + this.directory.resolve("anchors/n1.jsonl"), "hooks.audit.key.id=k1",
					"hooks.audit.key.secret=" + TestAudit.SECRET);
	}

	/**
	 * What each tool does.
	 */
	private String work() {
		if (this.held && this.ran.get() == 0) {
			this.begun.countDown();
			await(this.free);
		}
		this.ran.incrementAndGet();
		return "done";
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<String> lines() {
		return TestAudit.lines(this.directory);
	}

	private int succeeded() {
		return (int) lines().stream()
			.filter((line) -> line.contains("\"kind\":\"tool_call\"") && line.contains("\"outcome\":\"succeeded\""))
			.count();
	}

	/**
	 * The ways to a tool.
	 */
	enum Way {

		OWN_EXECUTOR((context, work) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			return () -> tools.execute(ToolCall.of("work", Map.of())).content();
		}),

		SPRING_AI((context, work) -> {
			ToolCallback tool = context.getBean(SpringAiToolHooks.class)
				.wrap(FunctionToolCallback.builder("work", work).build());
			return () -> tool.call("{}");
		}),

		LANGCHAIN4J((context, work) -> {
			Assistant assistant = AiServices.builder(Assistant.class)
				.chatModel(new Calling())
				.tools(Map.of(ToolSpecification.builder().name("work").build(), (request, memoryId) -> work.get()))
				.build();
			return () -> assistant.chat("Go");
		}),

		MCP((context, work) -> {
			McpStatelessServerFeatures.SyncToolSpecification tool = context.getBean(McpToolHooks.class)
				.wrap(new McpStatelessServerFeatures.SyncToolSpecification(
						McpSchema.Tool.builder("work", Map.of("type", "object")).build(),
						(exchange, request) -> McpSchema.CallToolResult.builder().addTextContent(work.get()).build()));
			return () -> tool.callHandler()
				.apply(McpTransportContext.EMPTY, McpSchema.CallToolRequest.builder("work").build())
				.content()
				.toString();
		});

		@SuppressWarnings("ImmutableEnumChecker") // nothing changes what a constant has
		private final Calls way;

		Way(Calls way) {
			this.way = way;
		}

		Supplier<String> calls(ConfigurableApplicationContext context, Supplier<String> work) {
			return this.way.calls(context, work);
		}

	}

	@FunctionalInterface
	private interface Calls {

		Supplier<String> calls(ConfigurableApplicationContext context, Supplier<String> work);

	}

	interface Assistant {

		String chat(String text);

	}

	/**
	 * A model that calls the tool, and then says what that returned.
	 */
	private static final class Calling implements ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest request) {
			Object last = request.messages().get(request.messages().size() - 1);
			AiMessage reply = (last instanceof ToolExecutionResultMessage result) ? AiMessage.from(result.text())
					: AiMessage.from(ToolExecutionRequest.builder().id("1").name("work").arguments("{}").build());
			return ChatResponse.builder().aiMessage(reply).build();
		}

	}

	/**
	 * Calls a tool when it stops, in the phase in which web servers do, and when it is
	 * destroyed.
	 */
	private static final class Server implements SmartLifecycle, AutoCloseable {

		private final List<String> replies;

		ToolExecutor tools = (call) -> ToolResult.failure("unset");

		private boolean running;

		Server(List<String> replies) {
			this.replies = replies;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			call();
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return SmartLifecycle.DEFAULT_PHASE - 2048;
		}

		@Override
		public void close() {
			call();
		}

		private void call() {
			this.replies.add(this.tools.execute(ToolCall.of("work", Map.of())).content());
		}

	}

}
