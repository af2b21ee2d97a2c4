package io.agenthooks.spring.mcp;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.mcp.McpToolUtils;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.McpToolParam;
import org.springframework.ai.mcp.annotation.provider.tool.SyncMcpToolProvider;
import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients get from the tools of a server, whose own side this does not fake.
 */
class McpServerToolsTests {

	@RegisterExtension
	static final SharedContexts contexts = new SharedContexts();

	private static final Map<String, Object> LONDON = ServingApplication.LONDON;

	private static final List<String> TOOLS = List.of(ServedTools.ANNOTATED, ServedTools.CALLBACK,
			ServedTools.SPECIFIED);

	static Stream<Arguments> everyToolOfEveryKind() {
		return Stream.of(Kind.values()).flatMap((kind) -> TOOLS.stream().map((tool) -> Arguments.of(kind, tool)));
	}

	@ParameterizedTest
	@EnumSource
	void toolsAreListedAsTheyAre(Kind kind) {
		runShared(kind, "plain", () -> ServingApplication.runner(kind), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				assertThat(client.listTools().tools()).extracting(McpSchema.Tool::name)
					.containsExactlyInAnyOrderElementsOf(TOOLS);
			}
			assertThat(application.outcomes()).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void approvedCallRunsOnceAndIsDecidedOnce(Kind kind, String tool) {
		runShared(kind, "plain", () -> ServingApplication.runner(kind), (application) -> {
			CallToolResult result = application.call(tool, LONDON);
			assertThat(result.isError()).isNotEqualTo(true);
			assertThat(ServingApplication.text(result)).contains("Sunny in London");
			assertThat(application.tools().runs()).containsExactly(tool + " London");
			ToolOutcome outcome = application.outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED);
			assertThat(outcome.effective().tool()).isEqualTo(tool);
			assertThat(outcome.effective().arguments()).isEqualTo(LONDON);
		});
	}

	@ParameterizedTest
	@EnumSource
	void hooksSeeWhatAToolSaysAboutItself(Kind kind) {
		runShared(kind, "plain", () -> ServingApplication.runner(kind), (application) -> {
			application.call(ServedTools.SPECIFIED, LONDON);
			assertThat(application.outcome().effective().identity().hints())
				.isEqualTo(new ToolHints(true, null, null, true));
		});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void textOfAToolThatThrowsPassesTheResultHooks(Kind kind, String tool) {
		runShared(kind, "redacting",
				() -> ServingApplication.runner(kind)
					.withBean("redact", ToolResultHook.class, () -> new RedactToolHook(RedactConfig.defaults())),
				(application) -> {
					CallToolResult result = application.call(tool, Map.of("city", ServedTools.NOWHERE));
					assertThat(result.isError()).isTrue();
					assertThat(ServingApplication.text(result)).contains("=[redacted:password]")
						.doesNotContain("hunter2");
					assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.FAILED);
				});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void deniedCallDoesNotRunAndTellsWhy(Kind kind, String tool) {
		runShared(kind, "denying", () -> ServingApplication.runner(kind, (call) -> ToolDecision.deny("Not today")),
				(application) -> {
					CallToolResult result = application.call(tool, LONDON);
					assertThat(result.isError()).isTrue();
					assertThat(ServingApplication.text(result)).contains("Not today");
					assertThat(application.tools().runs()).isEmpty();
					assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
				});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void toolGetsTheArgumentsThatHooksChanged(Kind kind, String tool) {
		runShared(kind, "changing",
				() -> ServingApplication.runner(kind, (call) -> ToolDecision.modify(Map.of("city", "Paris"))),
				(application) -> {
					assertThat(ServingApplication.text(application.call(tool, LONDON))).contains("Sunny in Paris");
					assertThat(application.tools().runs()).containsExactly(tool + " Paris");
					assertThat(application.outcome().requested().arguments()).isEqualTo(LONDON);
				});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void changedArgumentsThatBreakTheSchemaAreRefused(Kind kind, String tool) {
		runShared(kind, "breaking",
				() -> ServingApplication.runner(kind, (call) -> ToolDecision.modify(Map.of("city", 7))),
				(application) -> {
					CallToolResult result = application.call(tool, LONDON);
					assertThat(result.isError()).isTrue();
					assertThat(ServingApplication.text(result)).contains("break the schema", "/city");
					assertThat(application.tools().runs()).isEmpty();
					assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
				});
	}

	@ParameterizedTest
	@EnumSource
	void argumentsThatBreakTheSchemaDoNotReachATool(Kind kind) {
		runShared(kind, "plain", () -> ServingApplication.runner(kind), (application) -> {
			for (String tool : TOOLS) {
				assertThat(application.call(tool, Map.of("city", 7)).isError()).isTrue();
			}
			assertThat(application.tools().runs()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void textThatAMethodWouldReadAsJsonDoesNotReachIt(Kind kind) {
		List<URI> opened = new CopyOnWriteArrayList<>();
		Object tools = (kind == Kind.SYNC || kind == Kind.STATELESS_SYNC) ? new Pages(opened) : new PagesAsync(opened);
		run(ServingApplication.runner(kind).withBean("pages", Object.class, () -> tools), (application) -> {
			assertThat(application.call("open", Map.of("page", "http://example.com")).isError()).isFalse();
			CallToolResult result = application.call("open", Map.of("page", "\"http:\\u002f\\u002flocalhost\""));
			assertThat(result.isError()).isTrue();
			assertThat(ServingApplication.text(result)).contains("'arguments'", "/page: a text that is JSON itself");
			assertThat(opened).containsExactly(URI.create("http://example.com"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void textThatAToolBehindASpecificationWouldReadAsJsonDoesNotReachIt(Kind kind) {
		List<URI> opened = new CopyOnWriteArrayList<>();
		ToolCallback tool = ToolCallbacks.from(new Bookmarks(opened))[0];
		run(ServingApplication.runner(kind), (application) -> {
			addConverted(kind, application, tool);
			assertThat(application.call("bookmark", Map.of("page", "http://example.com")).isError()).isFalse();
			CallToolResult result = application.call("bookmark", Map.of("page", "\"http:\\u002f\\u002flocalhost\""));
			assertThat(result.isError()).isTrue();
			assertThat(ServingApplication.text(result)).contains("/page: a text that is JSON itself");
			assertThat(opened).containsExactly(URI.create("http://example.com"));
			assertThat(application.outcomes()).extracting(ToolOutcome::decidedBy).containsExactly(null, "arguments");
		});
	}

	/**
	 * No hook stands for its rule, as it is no bean.
	 */
	@ParameterizedTest
	@EnumSource
	void ruleOfAClassCountsForToolsThatItInherits(Kind kind) {
		List<URI> opened = new CopyOnWriteArrayList<>();
		ToolCallback tool = ToolCallbacks.from(new RuledBookmarks(opened))[0];
		run(ServingApplication.runner(kind), (application) -> {
			addConverted(kind, application, tool);
			CallToolResult result = application.call("keep", Map.of("page", "http://example.com"));
			assertThat(result.isError()).isTrue();
			assertThat(ServingApplication.text(result)).contains("not among the hooks");
			assertThat(opened).isEmpty();
		});
	}

	private static void addConverted(Kind kind, ServingApplication application, ToolCallback tool) {
		switch (kind) {
			case SYNC ->
				application.context().getBean(McpSyncServer.class).addTool(McpToolUtils.toSyncToolSpecification(tool));
			case ASYNC -> application.context()
				.getBean(McpAsyncServer.class)
				.addTool(McpToolUtils.toAsyncToolSpecification(tool))
				.block();
			case STATELESS_SYNC -> application.context()
				.getBean(McpStatelessSyncServer.class)
				.addTool(McpToolUtils.toStatelessSyncToolSpecification(tool, null));
			case STATELESS_ASYNC -> application.context()
				.getBean(McpStatelessAsyncServer.class)
				.addTool(McpToolUtils.toStatelessAsyncToolSpecification(tool, null))
				.block();
		}
	}

	@Test
	void textThatAWrappedMethodWouldReadAsJsonDoesNotReachIt() {
		List<URI> opened = new CopyOnWriteArrayList<>();
		McpServerFeatures.SyncToolSpecification bare = new SyncMcpToolProvider(List.of(new Pages(opened)))
			.getToolSpecifications()
			.get(0);
		run(ServingApplication.runner(Kind.SYNC), (application) -> {
			application.context()
				.getBean(McpSyncServer.class)
				.addTool(new McpServerFeatures.SyncToolSpecification(bare.tool(),
						(exchange, request) -> bare.callHandler().apply(exchange, request)));
			assertThat(application.call("open", Map.of("page", "\"http:\\u002f\\u002flocalhost\"")).isError()).isTrue();
			assertThat(opened).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void answerOfAHookIsTheResult(Kind kind) {
		run(ServingApplication.runner(kind, (call) -> ToolDecision.respond(ToolResult.success("Foggy"))),
				(application) -> {
					CallToolResult result = application.call(ServedTools.SPECIFIED, LONDON);
					assertThat(result.isError()).isFalse();
					assertThat(ServingApplication.text(result)).isEqualTo("Foggy");
					assertThat(application.tools().runs()).isEmpty();
				});
	}

	@ParameterizedTest
	@EnumSource
	void personIsAskedAndHisNoIsTold(Kind kind) {
		ToolApprover nobodyGoesToParis = (call, question) -> (call.arguments().containsValue("Paris"))
				? ToolDecision.deny("No") : ToolDecision.approve();
		ApplicationContextRunner runner = ServingApplication.runner(kind, (call) -> ToolDecision.ask("May I?"))
			.withBean(ToolApprover.class, () -> nobodyGoesToParis);
		run(runner, (application) -> {
			assertThat(application.call(ServedTools.SPECIFIED, LONDON).isError()).isNotEqualTo(true);
			assertThat(application.call(ServedTools.SPECIFIED, Map.of("city", "Paris")).isError()).isTrue();
			assertThat(application.tools().runs()).containsExactly("specified London");
		});
	}

	@ParameterizedTest
	@EnumSource
	void hooksThatReplaceResultsLeaveWhatIsNotTheirs(Kind kind) {
		ApplicationContextRunner runner = ServingApplication.runner(kind)
			.withPropertyValues("hooks.tool-call.post-call[0].type=redact",
					"hooks.tool-call.post-call[0].config.detectors=email");
		run(runner, (application) -> {
			CallToolResult result = application.call(ServedTools.SPECIFIED, LONDON);
			assertThat(ServingApplication.text(result)).contains("Sunny in London, ask ").doesNotContain("bob@");
			assertThat(result.content()).hasSize(2);
			assertThat(result.content().get(0)).isInstanceOf(McpSchema.ImageContent.class);
		});
	}

	@Test
	void hooksThatReplaceResultsReadObjectsInStructuredContent() {
		ApplicationContextRunner runner = ServingApplication.runner(Kind.SYNC)
			.withBean(Staff.class, Staff::new)
			.withPropertyValues("hooks.tool-call.post-call[0].type=redact",
					"hooks.tool-call.post-call[0].config.detectors=email");
		run(runner, (application) -> assertThat(application.call("person", Map.of()).structuredContent())
			.isEqualTo(Map.of("name", "Bob", "mail", "[redacted:email]")));
	}

	@ParameterizedTest
	@EnumSource
	void resultThatNobodyReplacedStaysWhatItIs(Kind kind) {
		runShared(kind, "plain", () -> ServingApplication.runner(kind), (application) -> {
			CallToolResult result = application.call(ServedTools.SPECIFIED, LONDON);
			assertThat(result.content().get(0))
				.isEqualTo(McpSchema.ImageContent.builder("cGl4ZWxz", "image/png").build());
			assertThat(result.meta()).containsEntry("trace", "1");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void abortedRunRefusesAllFurtherCallsOfItsSessionOnly(Kind kind) {
		PreToolHook hook = (call) -> (call.tool().equals(ServedTools.ANNOTATED)) ? ToolDecision.abortRun("Enough")
				: ToolDecision.approve();
		run(ServingApplication.runner(kind, hook), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				for (String tool : TOOLS) {
					CallToolResult result = ServingApplication.call(client, tool, LONDON);
					assertThat(result.isError()).isTrue();
					assertThat(ServingApplication.text(result)).isEqualTo("Enough");
				}
			}
			assertThat(application.tools().runs()).isEmpty();
			assertThat(application.call(ServedTools.CALLBACK, LONDON).isError()).isNotEqualTo(true);
		});
	}

	@ParameterizedTest
	@EnumSource
	void abortedTurnRefusesTheCall(Kind kind) {
		run(ServingApplication.runner(kind, (call) -> ToolDecision.abortTurn("Enough")), (application) -> {
			CallToolResult result = application.call(ServedTools.CALLBACK, LONDON);
			assertThat(result.isError()).isTrue();
			assertThat(ServingApplication.text(result)).isEqualTo("Enough");
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.ABORTED);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void callsOfTwoClientsAtOnceAreToldApart(Kind kind) {
		CyclicBarrier both = new CyclicBarrier(2);
		PreToolHook hook = (call) -> {
			try {
				both.await(10, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			return ("one".equals(call.context().agent())) ? ToolDecision.deny("Not you") : ToolDecision.approve();
		};
		run(ServingApplication.runner(kind, hook), (application) -> {
			try (McpSyncClient one = application.client("one"); McpSyncClient two = application.client("two")) {
				CompletableFuture<CallToolResult> first = CompletableFuture
					.supplyAsync(() -> ServingApplication.call(one, ServedTools.CALLBACK, LONDON));
				CallToolResult second = ServingApplication.call(two, ServedTools.CALLBACK, LONDON);
				assertThat(first.orTimeout(1, TimeUnit.MINUTES).join().isError()).isTrue();
				assertThat(second.isError()).isNotEqualTo(true);
			}
			assertThat(application.outcomes()).extracting((outcome) -> outcome.requested().context().sessionId())
				.doesNotHaveDuplicates()
				.doesNotContainNull();
			assertThat(application.tools().runs()).containsExactly("callback London");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void hooksLearnWhatTheClientSaysOfItself(Kind kind) {
		run(ServingApplication.runner(kind), (application) -> {
			application.call(ServedTools.ANNOTATED, LONDON);
			CallContext context = application.outcome().requested().context();
			assertThat(context.agent()).isEqualTo("tester");
			assertThat(context.sessionId()).isNotBlank();
			assertThat(context.attributes()).containsEntry(CallAttributes.MCP_CLIENT, "tester")
				.containsEntry(CallAttributes.MCP_CLIENT_VERSION, "1.2");
		});
	}

	@ParameterizedTest
	@EnumSource
	void customizerAddsToTheContextAndDeniesIfItFails(Kind kind) {
		AtomicBoolean broken = new AtomicBoolean();
		CallContextCustomizer customizer = (context, given) -> {
			if (broken.get()) {
				throw new IllegalStateException("broken");
			}
			return context.withWorkspace((given.containsKey("exchange")) ? "remote" : "here");
		};
		run(ServingApplication.runner(kind).withBean(CallContextCustomizer.class, () -> customizer), (application) -> {
			application.call(ServedTools.CALLBACK, LONDON);
			assertThat(application.outcome().requested().context().workspace()).isEqualTo("remote");
			broken.set(true);
			assertThat(application.call(ServedTools.ANNOTATED, LONDON).isError()).isTrue();
			assertThat(application.tools().runs()).containsExactly("callback London");
		});
	}

	@ParameterizedTest
	@MethodSource("everyToolOfEveryKind")
	void customizerIsGivenTheMetaOfTheRequest(Kind kind, String tool) {
		List<Map<String, Object>> seen = new ArrayList<>();
		CallContextCustomizer customizer = (context, given) -> {
			seen.add(new HashMap<>(given));
			return (given.get("_meta") instanceof Map<?, ?> meta)
					? context.withAttribute("tenant", String.valueOf(meta.get("example.com/tenant"))) : context;
		};
		run(ServingApplication.runner(kind).withBean(CallContextCustomizer.class, () -> customizer), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				client.callTool(McpSchema.CallToolRequest.builder(tool)
					.arguments(LONDON)
					.meta(Map.of("example.com/tenant", "acme", "trace", Map.of("id", 7)))
					.build());
				ServingApplication.call(client, tool, LONDON);
			}
			assertThat(seen).hasSize(2);
			assertThat(seen.get(0)).containsKey("exchange")
				.extractingByKey("_meta")
				.satisfies((meta) -> assertThat((Map<?, ?>) meta)
					.isEqualTo(Map.of("example.com/tenant", "acme", "trace", Map.of("id", 7))));
			assertThat(seen.get(1)).containsOnlyKeys("exchange");
			assertThat(application.outcomes()).extracting((outcome) -> outcome.requested().context().attributes())
				.first()
				.satisfies((attributes) -> assertThat(attributes).containsEntry("tenant", "acme"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatIsAddedLaterIsGuarded(Kind kind) {
		run(ServingApplication.runner(kind, deny("later")), (application) -> {
			addLater(kind, application);
			CallToolResult result = application.call("later", LONDON);
			assertThat(ServingApplication.text(result)).contains("Denied later");
			assertThat(application.tools().runs()).isEmpty();
			assertThat(application.outcomes()).hasSize(1);
		});
	}

	private static void addLater(Kind kind, ServingApplication application) {
		ServedTools tools = application.tools();
		switch (kind) {
			case SYNC -> application.context().getBean(McpSyncServer.class).addTool(tools.sync("later"));
			case ASYNC -> application.context().getBean(McpAsyncServer.class).addTool(tools.async("later")).block();
			case STATELESS_SYNC ->
				application.context().getBean(McpStatelessSyncServer.class).addTool(tools.statelessSync("later"));
			case STATELESS_ASYNC -> application.context()
				.getBean(McpStatelessAsyncServer.class)
				.addTool(tools.statelessAsync("later"))
				.block();
		}
	}

	@Test
	void toolThatIsAddedToTheServerBelowIsGuarded() {
		run(ServingApplication.runner(Kind.SYNC, deny("later")), (application) -> {
			McpAsyncServer below = application.context().getBean(McpSyncServer.class).getAsyncServer();
			below.addTool(application.tools().async("later")).block();
			assertThat(application.call("later", LONDON).isError()).isTrue();
			assertThat(application.tools().runs()).isEmpty();
		});
	}

	@ParameterizedTest
	@FieldSource("immediately")
	void toolOfACustomizerIsGuarded(boolean immediately) {
		ServedTools hidden = new ServedTools();
		McpSyncServerCustomizer customizer = (server) -> server.immediateExecution(immediately)
			.tools(hidden.sync("hidden"));
		run(ServingApplication.runner(Kind.SYNC, deny("hidden"))
			.withBean(McpSyncServerCustomizer.class, () -> customizer), (application) -> {
				assertThat(application.call("hidden", LONDON).isError()).isTrue();
				assertThat(hidden.runs()).isEmpty();
				for (String tool : TOOLS) {
					assertThat(application.call(tool, LONDON).isError()).isNotEqualTo(true);
				}
				assertThat(application.tools().runs()).hasSize(3);
				assertThat(application.outcomes()).hasSize(4);
			});
	}

	static final List<Boolean> immediately = List.of(true, false);

	@Test
	void toolsOfAServerThatTheApplicationMakesAreGuarded() {
		ApplicationContextRunner runner = ServingApplication.runner(Kind.SYNC, deny("hidden"))
			.withPropertyValues("spring.ai.mcp.server.enabled=false")
			.withUserConfiguration(OwnServer.class);
		run(runner, (application) -> {
			assertThat(application.call("hidden", LONDON).isError()).isTrue();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.tools().runs()).isEmpty();
		});
	}

	@Test
	void toolOfAServerThatTheApplicationKeptFromBeforeItWasABeanIsNotGuarded() {
		ApplicationContextRunner runner = ServingApplication.runner(Kind.SYNC, deny("later"))
			.withPropertyValues("spring.ai.mcp.server.enabled=false")
			.withUserConfiguration(OwnServer.class);
		run(runner, (application) -> {
			McpSyncServer kept = application.context().getBean(OwnServer.class).kept.get(0);
			kept.addTool(application.tools().sync("later"));
			assertThat(application.call("later", LONDON).isError()).isNotEqualTo(true);
			assertThat(application.tools().runs()).hasSize(1);
			assertThat(application.outcomes()).isEmpty();
		});
	}

	@Test
	void roomIsInertWithoutMcp() {
		new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, McpToolCallsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol", "org.springframework.ai"))
			.withBean(ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("mcpToolHooks")
				.doesNotHaveBean("mcpToolGuard"));
	}

	@Test
	void hooksThatAreSwitchedOffLeaveTheServerAsItIs() {
		run(ServingApplication.runner(Kind.SYNC, deny("callback")).withPropertyValues("hooks.tool-call.enabled=false"),
				(application) -> assertThat(application.call(ServedTools.CALLBACK, LONDON).isError())
					.isNotEqualTo(true));
	}

	private static PreToolHook deny(String tool) {
		return (call) -> (call.tool().equals(tool)) ? ToolDecision.deny("Denied " + tool) : ToolDecision.approve();
	}

	private static void runShared(Kind kind, String hooks, Supplier<ApplicationContextRunner> runner,
			Consumer<ServingApplication> test) {
		test.accept(ServingApplication.shared(contexts, List.of(kind, hooks), runner));
	}

	private static void run(ApplicationContextRunner runner, Consumer<ServingApplication> test) {
		ServingApplication.run(runner, test);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnServer {

		private final List<McpSyncServer> kept = new ArrayList<>();

		@Bean
		McpSyncServer ownServer(HttpServletStreamableServerTransportProvider transport, ServedTools tools) {
			McpSyncServer server = McpServer.sync(transport)
				.capabilities(ServerCapabilities.builder().tools(false).build())
				.tools(tools.sync("hidden"))
				.build();
			this.kept.add(server);
			return server;
		}

	}

	record Person(String name, String mail) {
	}

	static final class Staff {

		@McpTool(name = "person", description = "Finds a person")
		CallToolResult person(McpSchema.CallToolRequest request) {
			return CallToolResult.builder()
				.addTextContent("Found")
				.structuredContent(new Person("Bob", "bob@example.com"))
				.build();
		}

	}

	record Pages(List<URI> opened) {

		@McpTool(name = "open", description = "Opens a page")
		String open(@McpToolParam(description = "page", required = true) URI page) {
			this.opened.add(page);
			return "Opened";
		}

	}

	record Bookmarks(List<URI> opened) {

		@Tool
		String bookmark(URI page) {
			this.opened.add(page);
			return "Kept";
		}

	}

	interface Bookmarking {

		List<URI> opened();

		@Tool
		default String keep(URI page) {
			opened().add(page);
			return "Kept";
		}

	}

	@ToolPolicy(deny = "true")
	record RuledBookmarks(List<URI> opened) implements Bookmarking {
	}

	record PagesAsync(List<URI> opened) {

		@McpTool(name = "open", description = "Opens a page")
		Mono<String> open(@McpToolParam(description = "page", required = true) URI page) {
			return Mono.fromCallable(() -> {
				this.opened.add(page);
				return "Opened";
			});
		}

	}

}
