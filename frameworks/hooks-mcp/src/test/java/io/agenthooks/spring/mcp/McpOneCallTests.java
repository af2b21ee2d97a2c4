package io.agenthooks.spring.mcp;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which of the calls of clients an approved one is, on its way from the server to a tool
 * of Spring AI: that one alone, whoever else calls meanwhile, in whichever session.
 */
class McpOneCallTests {

	private static final String SCHEMA = """
			{"type": "object", "properties": {"city": {"type": "string"}, "note": {"type": "string"}}}""";

	private static final Map<String, Object> ROME = Map.of("city", "Rome");

	private static final Map<String, Object> NOTED = Map.of("city", "Rome", "note", "by boat");

	private final List<String> ran = new CopyOnWriteArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	/** The first call of the tool "pay" is approved, all others are denied. */
	private final PreToolHook onePayment = (call) -> (call.tool().equals("pay") && this.asked.getAndIncrement() > 0)
			? ToolDecision.deny("You pay once") : ToolDecision.approve();

	static Stream<Arguments> everyKindWithOneClientAndWithTwo() {
		return Stream.of(Kind.values())
			.flatMap((kind) -> Stream.of(Arguments.of(kind, true), Arguments.of(kind, false)));
	}

	/**
	 * While the approved call of one client is on its way to its tool, a tool that
	 * another one calls makes the same call itself.
	 */
	@ParameterizedTest
	@MethodSource("everyKindWithOneClientAndWithTwo")
	void callThatAToolMakesIsNotTheApprovedOneOfAnother(Kind kind, boolean sameClient) {
		CountDownLatch held = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		run(kind, (application, pay) -> {
			add(kind, application, "pay", (exchange, request) -> {
				held.countDown();
				await(free);
				return pay(pay, exchange, request.arguments());
			});
			add(kind, application, "shop", (exchange, request) -> pay(pay, exchange, request.arguments()));
			try (McpSyncClient one = application.client("one"); McpSyncClient two = application.client("two")) {
				CompletableFuture<CallToolResult> approved = CompletableFuture
					.supplyAsync(() -> ServingApplication.call(one, "pay", ROME));
				await(held);
				CallToolResult other = ServingApplication.call((sameClient) ? one : two, "shop", ROME);
				assertThat(ServingApplication.text(other)).contains("You pay once");
				assertThat(this.ran).isEmpty();
				free.countDown();
				assertThat(ServingApplication.text(approved.orTimeout(1, TimeUnit.MINUTES).join())).isEqualTo("paid");
			}
			finally {
				free.countDown();
			}
			assertThat(this.ran).containsExactly("Rome");
			assertThat(application.outcomes()).extracting(ToolOutcome::status)
				.containsExactlyInAnyOrder(ToolCallStatus.DENIED, ToolCallStatus.SUCCEEDED, ToolCallStatus.SUCCEEDED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsHandedOnOnAnotherThreadIsDecidedOnce(Kind kind) {
		run(kind, (application, pay) -> {
			add(kind, application, "pay",
					(exchange, request) -> CompletableFuture.supplyAsync(() -> pay(pay, exchange, request.arguments()))
						.orTimeout(1, TimeUnit.MINUTES)
						.join());
			assertThat(ServingApplication.text(application.call("pay", ROME))).isEqualTo("paid");
			assertThat(application.outcomes()).hasSize(1);
		});
	}

	@ParameterizedTest
	@EnumSource
	void callWithFewerArgumentsOrOthersIsAnother(Kind kind) {
		run(kind, (application, pay) -> {
			List<String> replies = new ArrayList<>();
			add(kind, application, "pay", (exchange, request) -> {
				for (Map<String, Object> other : List.<Map<String, Object>>of(ROME, Map.of(),
						Map.of("city", "Rome", "note", "by plane"),
						Map.of("city", "Rome", "note", "by boat", "more", "wine"))) {
					replies.add(ServingApplication.text(pay(pay, exchange, other)));
				}
				return pay(pay, exchange, request.arguments());
			});
			assertThat(ServingApplication.text(application.call("pay", NOTED))).isEqualTo("paid");
			assertThat(replies).hasSize(4).allSatisfy((reply) -> assertThat(reply).contains("You pay once"));
			assertThat(this.ran).containsExactly("Rome by boat");
		});
	}

	@ParameterizedTest
	@EnumSource
	void approvedCallIsHandedOnOnce(Kind kind) {
		run(kind, (application, pay) -> {
			add(kind, application, "pay", (exchange, request) -> {
				pay(pay, exchange, request.arguments());
				return pay(pay, exchange, request.arguments());
			});
			assertThat(ServingApplication.text(application.call("pay", ROME))).contains("You pay once");
			assertThat(this.ran).containsExactly("Rome");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsMadeWhenTheApprovedOneIsOverIsAnother(Kind kind) {
		List<Object> kept = new CopyOnWriteArrayList<>();
		run(kind, (application, pay) -> {
			add(kind, application, "pay", (exchange, request) -> {
				kept.add(exchange);
				return CallToolResult.builder().addTextContent("later").build();
			});
			application.call("pay", ROME);
			assertThat(ServingApplication.text(pay(pay, kept.get(0), ROME))).contains("You pay once");
			assertThat(this.ran).isEmpty();
		});
	}

	private void run(Kind kind, Test test) {
		ApplicationContextRunner runner = ServingApplication.runner(kind, this.onePayment);
		ServingApplication.run(runner, (application) -> test.run(application,
				application.context().getBean(SpringAiToolHooks.class).wrap(new Pay(this.ran))));
	}

	private static CallToolResult pay(ToolCallback tool, Object exchange, Map<String, Object> arguments) {
		String text = tool.call(ToolArguments.write(arguments), new ToolContext(Map.of("exchange", exchange)));
		return CallToolResult.builder().addTextContent(text).build();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void add(Kind kind, ServingApplication application, String name,
			BiFunction<Object, CallToolRequest, CallToolResult> work) {
		McpSchema.Tool tool = McpSchema.Tool.builder(name, Map.of("type", "object", "properties",
				Map.of("city", Map.of("type", "string"), "note", Map.of("type", "string"))))
			.build();
		switch (kind) {
			case SYNC -> application.context()
				.getBean(McpSyncServer.class)
				.addTool(new McpServerFeatures.SyncToolSpecification(tool, work::apply));
			case ASYNC -> application.context()
				.getBean(McpAsyncServer.class)
				.addTool(new McpServerFeatures.AsyncToolSpecification(tool,
						(exchange, request) -> later(() -> work.apply(exchange, request))))
				.block();
			case STATELESS_SYNC -> application.context()
				.getBean(McpStatelessSyncServer.class)
				.addTool(new McpStatelessServerFeatures.SyncToolSpecification(tool, work::apply));
			case STATELESS_ASYNC -> application.context()
				.getBean(McpStatelessAsyncServer.class)
				.addTool(new McpStatelessServerFeatures.AsyncToolSpecification(tool,
						(exchange, request) -> later(() -> work.apply(exchange, request))))
				.block();
		}
	}

	private static Mono<CallToolResult> later(Callable<CallToolResult> work) {
		return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
	}

	private interface Test {

		void run(ServingApplication application, ToolCallback pay);

	}

	private record Pay(List<String> ran) implements ToolCallback, WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of();
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder().name("pay").description("Pays").inputSchema(SCHEMA).build();
		}

		@Override
		public String call(String toolInput) {
			Map<String, Object> arguments = new TreeMap<>();
			ToolArguments.parse(toolInput, 1000).forEach((name, value) -> arguments.put(name, String.valueOf(value)));
			this.ran.add(String.join(" ", arguments.values().stream().map(String::valueOf).toList()));
			return "paid";
		}

	}

}
