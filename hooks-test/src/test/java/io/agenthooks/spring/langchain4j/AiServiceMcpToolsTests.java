package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.mcp.ToolServer;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * AI services with the tools of two MCP servers, over HTTP. The application names them
 * for the model: {@code g_..} those of {@code github}, as they are those of {@code evil}.
 */
class AiServiceMcpToolsTests {

	private static final String ENTRY = "hooks.tool-call.pre-call[0].";

	private final ToolServer github = new ToolServer("of github", "delete_repo", "read_file");

	private final ToolServer evil = new ToolServer("of evil", "delete_repo", "read_file");

	private final List<McpClient> clients = new ArrayList<>();

	private UnaryOperator<ToolExecutor> wrapper = AiServiceMcpToolsTests::traced;

	@AfterEach
	void close() throws Exception {
		for (McpClient client : this.clients) {
			client.close();
		}
		this.github.close();
		this.evil.close();
	}

	@Test
	void toolIsKnownByTheKeyOfTheClient() {
		assertThat(identities("github", "evil")).containsExactly(
				ToolIdentity.onServer("github", "read_file", "g_read_file"),
				ToolIdentity.onServer("evil", "read_file", "read_file"));
	}

	@Test
	void toolBringsWhatItSaysAboutItself() {
		assertThat(identities("github", null)).extracting(ToolIdentity::hints)
			.containsOnly(new ToolHints(null, true, null, null));
	}

	@Test
	void clientWithoutAKeyAndClientsOfOneKeyAreOfAnUnknownServer() {
		assertThat(identities(null, "evil")).containsExactly(ToolIdentity.onUnknownServer("read_file", "g_read_file"),
				ToolIdentity.onServer("evil", "read_file", "read_file"));
		assertThat(identities("same", "same")).containsExactly(ToolIdentity.onUnknownServer("read_file", "g_read_file"),
				ToolIdentity.onUnknownServer("read_file", "read_file"));
	}

	private List<ToolIdentity> identities(@Nullable String first, @Nullable String second) {
		return run(first, second, List.of("g_read_file", "read_file")).stream()
			.map((outcome) -> outcome.requested().identity())
			.toList();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"mcp-servers[0]=github, config.deny-tools[0]=delete_* | read_file              | delete_repo read_file",
			"match[0]=delete_*, config.deny-tools[0]=*            | read_file              | read_file",
			"except[0]=read_file, config.deny-tools[0]=*          | ''                     | ''",
			"config.allow-tools[0]=read_file                      | ''                     | ''",
			"config.allow-tools[0]=github__read_file              | read_file              | ''",
			"mcp-servers[0]=github, config.allow-tools[0]=read_*  | read_file              | delete_repo read_file" })
	void optionMeansTheSameWhateverTheModelCallsTheTool(String options, String ofGithub, String ofEvil) {
		run("github", "evil", List.of("g_delete_repo", "g_read_file", "delete_repo", "read_file"),
				Stream.of(("type=policy, " + options).split(", ")).map(ENTRY::concat).toArray(String[]::new));
		assertThat(String.join(" ", this.github.runs())).isEqualTo(ofGithub);
		assertThat(String.join(" ", this.evil.runs())).isEqualTo(ofEvil);
	}

	/**
	 * Wrappers that keep the tool out of sight, so that it may be one of any server.
	 */
	static Stream<UnaryOperator<ToolExecutor>> hiding() {
		return Stream.of(Late::new, (tool) -> (request, memoryId) -> tool.execute(request, memoryId),
				(tool) -> (request, memoryId) -> "other", (tool) -> new Traced(new Late(tool)));
	}

	@ParameterizedTest
	@MethodSource("hiding")
	void hiddenToolIsDeniedAsOneOfAnUnknownServerOrByItsName(UnaryOperator<ToolExecutor> wrapper) {
		this.wrapper = wrapper;
		run("github", "evil", List.of("g_read_file"), ENTRY + "type=policy", ENTRY + "mcp-servers[0]=github",
				ENTRY + "config.deny-tools[0]=*read_file");
		assertThat(this.github.runs()).isEmpty();
	}

	@Test
	void hiddenToolIsNotAllowedByAName() {
		this.wrapper = Late::new;
		run("github", "evil", List.of("g_read_file"), ENTRY + "type=policy",
				ENTRY + "config.allow-tools[0]=g_read_file", ENTRY + "config.allow-tools[1]=github__*");
		assertThat(this.github.runs()).isEmpty();
	}

	@SuppressWarnings("ReferenceEquality") // of the very client
	private List<ToolOutcome> run(@Nullable String first, @Nullable String second, List<String> tools,
			String... properties) {
		McpClient one = client(first, this.github);
		McpClient other = client(second, this.evil);
		McpToolProvider provider = McpToolProvider.builder()
			.mcpClients(one, other)
			.toolNameMapper((client, tool) -> ((client == one) ? "g_" : "") + tool.name())
			.toolWrapper((tool) -> this.wrapper.apply(tool))
			.build();
		ScriptedModel model = ScriptedModel.thatCalls(tools.stream()
			.map((tool) -> ScriptedModel.call(tool, Map.of("city", "London")))
			.toArray(ToolExecutionRequest[]::new));
		List<ToolOutcome> outcomes = new ArrayList<>();
		GuardedApplication.withoutHook().withPropertyValues(properties).run((context) -> {
			Way.SYNC.ask(Way.SYNC.service(model).toolProvider(provider).build(), "s");
			outcomes.addAll(context.getBean(GuardedApplication.Journal.class).outcomes());
		});
		assertThat(outcomes).hasSize(tools.size());
		return outcomes;
	}

	/**
	 * What an application may put around a tool.
	 */
	private static ToolExecutor traced(ToolExecutor tool) {
		return new Traced(tool);
	}

	private McpClient client(@Nullable String key, ToolServer server) {
		DefaultMcpClient.Builder client = new DefaultMcpClient.Builder()
			.transport(new StreamableHttpMcpTransport.Builder().url(server.url() + "/mcp").build());
		McpClient made = ((key != null) ? client.key(key) : client).build();
		this.clients.add(made);
		return made;
	}

	/**
	 * Says what it wraps.
	 *
	 * @param tool the tool
	 */
	record Traced(ToolExecutor tool) implements ToolExecutor, WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of(this.tool);
		}

		@Override
		public String execute(ToolExecutionRequest request, Object memoryId) {
			return this.tool.execute(request, memoryId);
		}

	}

	/**
	 * Gets itself the tool when it is called.
	 */
	static final class Late implements ToolExecutor {

		private static final Map<String, ToolExecutor> tools = new ConcurrentHashMap<>();

		private @Nullable ToolExecutor tool;

		Late(ToolExecutor tool) {
			tools.put("tool", tool);
		}

		@Override
		public String execute(ToolExecutionRequest request, Object memoryId) {
			ToolExecutor tool = Objects.requireNonNull((this.tool != null) ? this.tool : tools.get("tool"));
			this.tool = tool;
			return tool.execute(request, memoryId);
		}

	}

}
