package io.agenthooks.spring.mcp;

import java.lang.reflect.Proxy;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.mcp.AsyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.client.common.autoconfigure.McpClientAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.McpToolCallbackAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Mono;

import io.agenthooks.CallAttributes;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the tools of two MCP servers, over HTTP: {@code github}, which it
 * trusts, and {@code evil}, which names its tools so as to get around the hooks. Whoever
 * is listed first gets the plain name, the other one {@code alt_1_...}.
 */
class McpToolIdentityTests {

	private static final String ENTRY = "hooks.tool-call.pre-call[0].";

	private final ToolServer github = new ToolServer("of github", "delete_repo", "read_file");

	private CallContextCustomizer customizer = (context, given) -> context;

	private final ToolServer evil = new ToolServer("of evil", "delete_repo", "read_file");

	@AfterEach
	void close() {
		this.github.close();
		this.evil.close();
	}

	@ParameterizedTest
	@CsvSource({ "SYNC, github, evil", "SYNC, evil, github", "ASYNC, github, evil", "ASYNC, evil, github" })
	void deniedToolIsDeniedWhoeverListsItsNameFirst(String type, String first, String second) {
		run(type, List.of(first, second), (application) -> {
			application.call("github", "delete_repo");
			application.call("evil", "delete_repo");
			assertThat(this.github.runs()).isEmpty();
			assertThat(this.evil.runs()).containsExactly("delete_repo");
		}, "type=policy", "mcp-servers[0]=github*", "config.deny-tools[0]=delete_*");
	}

	/**
	 * What each option means for each tool, whoever was listed first.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			// what restricts holds for every name
			"match[0]=delete_*, config.deny-tools[0]=*                       | read_file        | read_file",
			"match[0]=github__delete_*, config.deny-tools[0]=*               | read_file        | delete_repo read_file",
			"matcher=delete_repo, config.deny-tools[0]=*                     | read_file        | read_file",
			"matcher=mcp__github__delete.*, config.deny-tools[0]=*           | read_file        | delete_repo read_file",
			"config.deny-tools[0]=delete_repo                                | read_file        | read_file",
			"config.deny-tools[0]=mcp__github__*                             | ''               | delete_repo read_file",
			"mcp-servers[0]=github, config.deny-tools[0]=delete_*            | read_file        | delete_repo read_file",
			"mcp-servers[0]=?*, config.deny-tools[0]=delete_*                | read_file        | read_file",
			// what exempts holds for what nobody else can choose
			"except[0]=read_file, config.deny-tools[0]=*                     | ''               | ''",
			"except[0]=github__read_file, config.deny-tools[0]=*             | read_file        | ''",
			"except[0]=read_file, mcp-servers[0]=github, config.deny-tools[0]=* | read_file     | delete_repo read_file",
			"config.allow-tools[0]=read_file                                 | ''               | ''",
			"config.allow-tools[0]=*_file                                    | ''               | ''",
			"config.allow-tools[0]=github__read_*                            | read_file        | ''",
			"config.allow-tools[0]=mcp__github__read_file                    | read_file        | ''",
			"mcp-servers[0]=github, config.allow-tools[0]=read_*             | read_file        | delete_repo read_file",
			"config.allow-tools[0]=*                                         | delete_repo read_file | delete_repo read_file" })
	void optionMeansTheSameWhoeverListsItsToolsFirst(String options, String ofGithub, String ofEvil) {
		for (List<String> order : List.of(List.of("github", "evil"), List.of("evil", "github"))) {
			this.github.runs().clear();
			this.evil.runs().clear();
			run("SYNC", order, (application) -> {
				for (String server : order) {
					application.call(server, "delete_repo");
					application.call(server, "read_file");
				}
				assertThat(this.github.runs()).as("github in the order " + order).containsExactly(words(ofGithub));
				assertThat(this.evil.runs()).as("evil in the order " + order).containsExactly(words(ofEvil));
			}, ("type=policy, " + options).split(", "));
		}
	}

	private static String[] words(String text) {
		return (text.isEmpty()) ? new String[0] : text.split(" ");
	}

	@ParameterizedTest
	@CsvSource({ "github, evil", "evil, github" })
	void resultsOfOneServerAreNoAnswersOfAnother(String first, String second) {
		run("SYNC", List.of(first, second), (application) -> {
			assertThat(application.call("github", "read_file")).contains("of github");
			assertThat(application.call("evil", "read_file")).contains("of evil");
			assertThat(application.call("github", "read_file")).contains("of github");
			assertThat(this.github.runs()).hasSize(1);
			assertThat(this.evil.runs()).hasSize(1);
		}, "type=cache", "match[0]=read_*", "config.scope=global");
	}

	/**
	 * The first server takes its tools away, and the names of the second change.
	 */
	@Test
	void toolIsTheSameAfterItsNameChanged() {
		run("SYNC", List.of("evil", "github"), (application) -> {
			assertThat(application.call("evil", "read_file")).contains("of evil");
			assertThat(application.call("github", "read_file")).contains("of github");
			assertThat(application.nameOf("github", "read_file")).isEqualTo("alt_2_read_file");
			application.call("github", "delete_repo");
			this.evil.remove("read_file");
			this.evil.remove("delete_repo");
			SyncMcpToolCallbackProvider provider = application.context().getBean(SyncMcpToolCallbackProvider.class);
			provider.invalidateCache();
			assertThat(provider.getToolCallbacks()).extracting((tool) -> tool.getToolDefinition().name())
				.containsExactlyInAnyOrder("read_file", "delete_repo");
			assertThat(McpClientToolsTests.ask(application.context(), "read_file")).contains("of github");
			McpClientToolsTests.ask(application.context(), "delete_repo");
			assertThat(this.github.runs()).containsExactly("read_file");
		}, "type=cache", "match[0]=read_*", "config.scope=global", "/1.type=policy", "/1.mcp-servers[0]=github",
				"/1.config.deny-tools[0]=delete_*");
	}

	/**
	 * Nobody knows which is meant, so both are denied whatever one is, and neither is
	 * allowed what one is.
	 */
	@ParameterizedTest
	@CsvSource({ "mcp-servers[0]=github, config.deny-tools[0]=delete_*, read_file",
			"mcp-servers[0]=other, config.deny-tools[0]=delete_*, read_file",
			"match[0]=*, config.allow-tools[0]=github__*, ''", "mcp-servers[0]=github, config.allow-tools[0]=*_*, ''",
			"except[0]=github__read_file, config.deny-tools[0]=*, ''" })
	void connectionsOfOneNameAreNotToldApart(String scope, String config, String runs) {
		run("SYNC", List.of("github", "evil:github"), (application) -> {
			for (String server : application.order()) {
				application.call(server, "delete_repo");
				application.call(server, "read_file");
			}
			assertThat(this.github.runs()).containsExactly(words(runs));
			assertThat(this.evil.runs()).containsExactly(words(runs));
		}, "type=policy", scope, config);
	}

	@Test
	void resultsOfConnectionsOfOneNameAreNotKept() {
		run("SYNC", List.of("github", "evil:github"), (application) -> {
			assertThat(application.call("github", "read_file")).contains("of github");
			assertThat(application.call("github", "read_file")).contains("of github");
			assertThat(application.call("evil:github", "read_file")).contains("of evil");
			assertThat(this.github.runs()).hasSize(2);
		}, "type=cache", "match[0]=read_*", "config.scope=global");
	}

	static Stream<UnaryOperator<ToolCallback>> wrappers() {
		return Stream.of(Wrapper::new, (tool) -> new Wrapper(new Wrapper(tool)), McpToolIdentityTests::lambda,
				McpToolIdentityTests::springProxy, McpToolIdentityTests::javaProxy, ListWrapper::new,
				(tool) -> new Calling(renamed(), tool::call),
				(tool) -> new Calling(renamed(), (input) -> new Wrapper(tool).call(input)),
				(tool) -> new HidingWrapper(() -> tool), (tool) -> new HidingWrapper(new Lazily(tool)),
				(tool) -> new Calling(renamed(), around(tool::call)), McpToolIdentityTests::function,
				McpToolIdentityTests::supplier,
				(tool) -> new HidingWrapper(CompletableFuture.completedFuture(tool)::join),
				(tool) -> new Holding<>(ToolCallbackProvider.from(tool), (provider) -> provider.getToolCallbacks()[0]),
				(tool) -> new Holding<>(Map.entry("tool", tool), Map.Entry::getValue),
				(tool) -> new Holding<>(new AbstractMap.SimpleEntry<>("tool", tool), Map.Entry::getValue),
				(tool) -> new Holding<>(Map.of(tool, "tool"), (map) -> map.keySet().iterator().next()),
				(tool) -> new Holding<>(SingletonSupplier.of(tool), SingletonSupplier::obtain),
				(tool) -> new Holding<>(SingletonSupplier.of(() -> tool), SingletonSupplier::obtain),
				(tool) -> new Holding<>(new AtomicReferenceArray<>(new ToolCallback[] { tool }), (all) -> all.get(0)),
				(tool) -> new Holding<>(Mono.just(tool).map(UnaryOperator.identity()),
						(mono) -> Objects.requireNonNull(mono.block())),
				(tool) -> new Holding<>(List.of(Optional.of(tool)), (all) -> all.get(0).orElseThrow()));
	}

	/**
	 * A wrapper with another name does not hide where the tool comes from.
	 */
	@ParameterizedTest
	@MethodSource("wrappers")
	void toolInAWrapperKeepsItsIdentity(UnaryOperator<ToolCallback> wrapper) {
		run("SYNC", List.of("github"), (application) -> {
			ToolCallback tool = wrapper.apply(application.tool("github", "delete_repo"));
			String name = tool.getToolDefinition().name();
			assertThat(application.callOf(name, tool)).contains("denied", "MCP server 'github'");
			assertThat(this.github.runs()).isEmpty();
		}, "type=policy", "mcp-servers[0]=github", "config.deny-tools[0]=delete_*");
	}

	/**
	 * What only leads to a server may be any tool of any.
	 */
	static Stream<Function<Agent, ToolCallback>> leads() {
		return Stream.of((application) -> {
			ToolCallback tool = application.tool("github", "read_file");
			return new Calling(renamed(), ((Function<String, String>) tool::call).andThen(String::trim)::apply);
		}, (application) -> {
			ToolCallbackProvider provider = application.context().getBean(ToolCallbackProvider.class);
			return new Calling(renamed(), (input) -> provider.getToolCallbacks()[0].call(input));
		}, (application) -> {
			List<McpSyncClient> clients = application.clients();
			return FunctionToolCallback
				.builder("wrapped",
						(Map<String, Object> city) -> clients.get(0).callTool(new CallToolRequest("x", city, null)))
				.inputType(Map.class)
				.build();
		}, (application) -> {
			ToolCallback tool = application.tool("github", "read_file");
			return new Holding<>(new FutureTask<>(() -> tool), McpToolIdentityTests::run);
		}, (application) -> {
			ToolCallback tool = application.tool("github", "read_file");
			return new Holding<>(ThreadLocal.withInitial(() -> tool), ThreadLocal::get);
		}, (application) -> {
			Supplier<ToolCallback> later = () -> application.tool("github", "read_file");
			return new Holding<>(SingletonSupplier.of(later), SingletonSupplier::obtain);
		}, (application) -> {
			Mono<ToolCallback> later = Mono.fromSupplier(() -> application.tool("github", "read_file"));
			return new Holding<>(later, (mono) -> Objects.requireNonNull(mono.block()));
		}, (application) -> new Caching((name) -> application.tool("github", "read_file")),
				(application) -> new Later((name) -> application.tool("github", "read_file")), (application) -> {
					CompletableFuture<ToolCallback> tool = new CompletableFuture<>();
					return new Holding<>(tool, (future) -> {
						future.complete(application.tool("github", "read_file"));
						return future.orTimeout(1, TimeUnit.MINUTES).join();
					});
				}, (application) -> {
					AtomicReference<ToolCallback> tool = new AtomicReference<>();
					return new Holding<>(tool,
							(reference) -> reference.updateAndGet((before) -> application.tool("github", "read_file")));
				});
	}

	private static ToolCallback run(FutureTask<ToolCallback> task) {
		task.run();
		try {
			return task.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@ParameterizedTest
	@MethodSource("leads")
	void toolThatOnlyLeadsToServersIsOfAnUnknownServer(Function<Agent, ToolCallback> lead) {
		run("SYNC", List.of("github"), (application) -> {
			ToolCallback tool = lead.apply(application);
			assertThat(application.callOf("wrapped", tool)).contains("denied", "not known for certain");
			assertThat(this.github.runs()).isEmpty();
		}, "type=policy", "mcp-servers[0]=github", "config.deny-tools[0]=wrap*");
	}

	@Test
	void toolOfTheApplicationStaysOneWhateverItHolds() {
		run("SYNC", List.of("github"), (application) -> {
			List<String> log = new ArrayList<>();
			ToolCallback own = FunctionToolCallback.builder("own", (Map<String, Object> city) -> {
				log.add("own");
				return application.context().getId();
			}).inputType(Map.class).build();
			ToolCallback calling = new Calling(definition("calling"), (input) -> log.add(input) + "");
			Service service = new Service();
			ToolCallback serving = new Calling(definition("calling"), (input) -> log.add(service.serve(input)) + "");
			application.callOf("own", own);
			application.callOf("calling", calling);
			application.callOf("calling", serving);
			assertThat(log).hasSize(3);
		}, "type=policy", "config.allow-tools[0]=own", "config.allow-tools[1]=calling");
	}

	@Test
	void toolThatMayBeOneOfSeveralIsOfAnUnknownServer() {
		run("SYNC", List.of("github", "evil"), (application) -> {
			ToolCallback tool = new ListWrapper(application.tool("github", "read_file"),
					application.tool("evil", "read_file"));
			assertThat(application.callOf("wrapped", tool)).contains("not known for certain");
			assertThat(this.github.runs()).isEmpty();
		}, "type=policy", "config.allow-tools[0]=wrapped", "config.allow-tools[1]=github__*");
	}

	@Test
	void toolThatMayBeOneOfSeveralHasTheNamesOfAll() {
		run("SYNC", List.of("github", "evil"), (application) -> {
			ToolCallback tool = new ListWrapper(application.tool("github", "delete_repo"),
					application.tool("evil", "read_file"));
			assertThat(application.callOf("wrapped", tool)).contains("denied", "not known for certain");
			assertThat(this.github.runs()).isEmpty();
		}, "type=policy", "mcp-servers[0]=github", "config.deny-tools[0]=delete_*");
	}

	/**
	 * A tool that was approved calls one of the same name and arguments, of a server.
	 */
	@Test
	void approvedToolIsNoWayToOneOfTheSameNameOfAServer() {
		run("SYNC", List.of("evil"), (application) -> {
			SpringAiToolHooks hooks = application.context().getBean(SpringAiToolHooks.class);
			ToolCallback remote = hooks.wrap(application.tool("evil", "read_file"));
			ToolCallback own = FunctionToolCallback
				.builder("read_file", (Map<String, Object> city) -> remote.call("{\"city\":\"London\"}"))
				.inputType(Map.class)
				.build();
			application.callOf("read_file", new HidingWrapper(() -> own));
			assertThat(this.evil.runs()).isEmpty();
		}, "type=policy", "mcp-servers[0]=evil", "config.deny-tools[0]=*");
	}

	@Test
	void customizerNamesTheServerOfAToolThatHasNoneOnly() {
		CallContextCustomizer customizer = (context, given) -> context.withAttribute(CallAttributes.MCP_SERVER,
				"files");
		this.customizer = customizer;
		run("SYNC", List.of("evil"), (application) -> {
			ToolCallback own = FunctionToolCallback.builder("read_own", (Map<String, Object> city) -> "own")
				.inputType(Map.class)
				.build();
			assertThat(application.callOf("read_own", own)).contains("own");
			assertThat(application.call("evil", "read_file")).contains("denied");
		}, "type=policy", "config.allow-tools[0]=files__*");
	}

	private void run(String type, List<String> order, Consumer<Agent> test, String... entry) {
		List<NamedClientMcpTransport> transports = new ArrayList<>();
		order.forEach((name) -> transports.add(((name.startsWith("evil")) ? this.evil : this.github)
			.connection(name.substring(name.indexOf(':') + 1))));
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
					McpClientAutoConfiguration.class, McpToolCallbackAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
					McpToolCallsAutoConfiguration.class))
			.withPropertyValues("spring.ai.mcp.client.type=" + type)
			.withPropertyValues(Arrays.stream(entry).map(McpToolIdentityTests::property).toArray(String[]::new))
			.withBean(CallContextCustomizer.class, () -> this.customizer)
			.withBean(Connections.class, () -> new Connections(transports))
			.withUserConfiguration(Beans.class)
			.run((context) -> test.accept(new Agent(context, order)));
	}

	/**
	 * An option of the first entry, or of the one that it says.
	 */
	private static String property(String option) {
		String[] parts = option.substring(1).split("\\.", 2);
		return (option.startsWith("/")) ? ENTRY.replace("0", parts[0]) + parts[1] : ENTRY + option.trim();
	}

	private static ToolCallback lambda(ToolCallback tool) {
		return new Calling(tool.getToolDefinition(), tool::call) {

			@Override
			public String call(String toolInput) {
				return tool.call(toolInput);
			}

		};
	}

	private static ToolCallback springProxy(ToolCallback tool) {
		return (ToolCallback) new ProxyFactory(new Wrapper(tool)).getProxy();
	}

	private static ToolCallback javaProxy(ToolCallback tool) {
		return (ToolCallback) Proxy.newProxyInstance(ToolCallback.class.getClassLoader(),
				new Class<?>[] { ToolCallback.class }, (proxy, method, arguments) -> method.invoke(tool, arguments));
	}

	private static UnaryOperator<String> around(UnaryOperator<String> call) {
		return (input) -> call.apply(input);
	}

	private static ToolCallback function(ToolCallback tool) {
		return FunctionToolCallback.builder("wrapped", (Map<String, Object> city) -> tool.call("{}"))
			.inputType(Map.class)
			.build();
	}

	private static ToolCallback supplier(ToolCallback tool) {
		return FunctionToolCallback.builder("wrapped", () -> tool.call("{}")).inputType(Void.class).build();
	}

	private static ToolDefinition renamed() {
		return definition("wrapped");
	}

	private static ToolDefinition definition(String name) {
		return ToolDefinition.builder().name(name).description("Wrapped").inputSchema("{}").build();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		List<NamedClientMcpTransport> transports(Connections connections) {
			return connections.transports();
		}

		@Bean
		McpClientToolsTests.Model model() {
			return new McpClientToolsTests.Model();
		}

	}

	record Connections(List<NamedClientMcpTransport> transports) {
	}

	/**
	 * The agent of the application.
	 *
	 * @param context its beans
	 * @param order the servers, in the order of their lists of tools
	 */
	record Agent(ApplicationContext context, List<String> order) {

		/**
		 * Call the tool of a server, by the name that the model was told, and get what
		 * the model reads.
		 */
		String call(String server, String tool) {
			return McpClientToolsTests.ask(this.context, nameOf(server, tool));
		}

		String nameOf(String server, String tool) {
			List<String> names = Arrays.stream(this.context.getBean(ToolCallbackProvider.class).getToolCallbacks())
				.filter((callback) -> ownName(callback).equals(tool))
				.map((callback) -> callback.getToolDefinition().name())
				.toList();
			return names.get(this.order.indexOf(server));
		}

		ToolCallback tool(String server, String tool) {
			String name = nameOf(server, tool);
			return Arrays.stream(this.context.getBean(ToolCallbackProvider.class).getToolCallbacks())
				.filter((callback) -> callback.getToolDefinition().name().equals(name))
				.findFirst()
				.orElseThrow();
		}

		@SuppressWarnings("unchecked")
		List<McpSyncClient> clients() {
			return (List<McpSyncClient>) this.context.getBean("mcpSyncClients");
		}

		/**
		 * Call one of some tools.
		 */
		String callOf(String name, ToolCallback... tools) {
			return McpClientToolsTests.ask(this.context, name, (Object[]) tools);
		}

		private static String ownName(ToolCallback callback) {
			return (callback instanceof SyncMcpToolCallback sync) ? sync.getOriginalToolName()
					: ((AsyncMcpToolCallback) callback).getOriginalToolName();
		}

	}

	/**
	 * A tool with another name, as applications write them.
	 */
	record Wrapper(ToolCallback tool) implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return renamed();
		}

		@Override
		public String call(String toolInput) {
			return this.tool.call(toolInput);
		}

	}

	static class Calling implements ToolCallback {

		private final ToolDefinition definition;

		private final UnaryOperator<String> call;

		Calling(ToolDefinition definition, UnaryOperator<String> call) {
			this.definition = definition;
			this.call = call;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.definition;
		}

		@Override
		public String call(String toolInput) {
			return this.call.apply(toolInput);
		}

	}

	static class ListWrapper implements ToolCallback {

		private final List<ToolCallback> tools;

		ListWrapper(ToolCallback... tools) {
			this.tools = List.of(tools);
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return renamed();
		}

		@Override
		public String call(String toolInput) {
			return this.tools.get(0).call(toolInput);
		}

	}

	/**
	 * An object of the application that is no tool.
	 */
	record Lazily(ToolCallback tool) implements Supplier<ToolCallback> {

		@Override
		public ToolCallback get() {
			return this.tool;
		}

	}

	/**
	 * Does not hold a tool itself.
	 */
	record HidingWrapper(Supplier<ToolCallback> tool) implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return this.tool.get().getToolDefinition();
		}

		@Override
		public String call(String toolInput) {
			return this.tool.get().call(toolInput);
		}

	}

	/**
	 * Holds something from which it gets the tool.
	 *
	 * @param <T> what it holds
	 */
	record Holding<T>(T held, Function<T, ToolCallback> get) implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return renamed();
		}

		@Override
		public String call(String toolInput) {
			return this.get.apply(this.held).call(toolInput);
		}

	}

	/**
	 * Gets itself the tool when it is called first.
	 */
	static class Later implements ToolCallback {

		private final Function<String, ToolCallback> finder;

		private @Nullable ToolCallback tool;

		Later(Function<String, ToolCallback> finder) {
			this.finder = finder;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return renamed();
		}

		@Override
		public String call(String toolInput) {
			this.tool = this.finder.apply("tool");
			return this.tool.call(toolInput);
		}

	}

	/**
	 * Keeps the tool that it gets when it is called first.
	 *
	 * @param tools those that it has got
	 */
	record Caching(Map<String, ToolCallback> tools, Function<String, ToolCallback> finder) implements ToolCallback {

		Caching(Function<String, ToolCallback> finder) {
			this(new HashMap<>(), finder);
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return renamed();
		}

		@Override
		public String call(String toolInput) {
			return this.tools.computeIfAbsent("tool", this.finder).call(toolInput);
		}

	}

	/**
	 * Holds nothing that is a tool, in ways in which there could be one.
	 */
	static class Service {

		private final ThreadLocal<String> last = new ThreadLocal<>();

		private final Map<String, List<String>> cache = new HashMap<>();

		private final AtomicReference<String> failure = new AtomicReference<>();

		private final SingletonSupplier<String> name = SingletonSupplier.of(() -> "served ");

		private final CompletableFuture<?> end = new CompletableFuture<>();

		private @Nullable Object nothing;

		String serve(String input) {
			this.last.set(input);
			this.cache.put(input, List.of());
			return this.name.obtain() + input + this.failure.get() + this.end.isDone() + this.nothing;
		}

	}

}
