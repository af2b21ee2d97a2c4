package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.spring.ai.SpringAiTools.Beans;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SpringAiTools} and {@link ResumedTool}: which tool a call is run with,
 * and for whom.
 */
class SpringAiToolsTests {

	private static final ToolCallbackResolver NOTHING = (name) -> null;

	private static final PreToolHook ASKING = (call) -> ToolDecision.ask("Really?");

	private static final ToolApprover LATER = (call, question) -> question.pendingAs("q-1");

	/** Nobody ever answers, so what runs has not asked. */
	private final ToolHookChain chain = new ToolHookChain(List.of(ASKING), List.of(), LATER);

	private final SpringAiToolHooks hooks = new SpringAiToolHooks(this.chain);

	private final WeatherTools tools = new WeatherTools();

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	private static ToolCall call(String tool, Map<String, Object> arguments) {
		return ToolCall.of(UniqueId.next(), ToolIdentity.ofApplication(tool), arguments,
				CallContext.ofSession("s1").withUser("carol").withAgent("clerk").withRunId("r1"));
	}

	private static ToolCall paris() {
		return call("weather", Map.of("city", "Paris"));
	}

	private SpringAiTools given(ToolCallback... tools) {
		return beans(Stream::empty).with(List.of(tools), null);
	}

	private SpringAiTools beans(Supplier<Stream<ToolCallback>> tools) {
		return new SpringAiTools(this.hooks, new Beans(tools, Stream::empty, NOTHING));
	}

	private static ToolExecutor found(SpringAiTools tools, ToolCall call) {
		return Objects.requireNonNull(tools.find(call));
	}

	@Test
	void givenToolRunsWithoutAskingOnceMore() {
		ToolResult result = found(given(this.hooks.wrap(this.tools.callback())), paris()).execute(paris());
		assertThat(result).isEqualTo(ToolResult.success("\"sunny in Paris\""));
		assertThat(this.tools.cities).containsExactly("Paris");
	}

	@Test
	void toolThatIsABeanIsFound() {
		SpringAiTools tools = beans(() -> Stream.of(this.hooks.wrap(this.tools.callback())));
		assertThat(found(tools, paris()).execute(paris()).succeeded()).isTrue();
	}

	@Test
	void toolOfAProviderIsFoundEvenIfAnotherProviderFails() {
		ToolCallbackProvider broken = () -> {
			throw new IllegalStateException("No connection to {\"password\":\"hunter2\"}");
		};
		ToolCallbackProvider provider = this.hooks.wrap(ToolCallbackProvider.from(this.tools.callback()));
		SpringAiTools tools = new SpringAiTools(this.hooks,
				new Beans(Stream::empty, () -> Stream.of(broken, provider), NOTHING));
		assertThat(found(tools, paris()).execute(paris()).succeeded()).isTrue();
	}

	@Test
	void toolIsResolvedIfTheApplicationWantsThat() {
		SpringAiTools tools = new SpringAiTools(this.hooks, new Beans(Stream::empty, Stream::empty,
				(name) -> (name.equals("weather")) ? this.tools.callback() : null));
		assertThat(tools.find(paris())).isNotNull();
		assertThat(tools.find(call("nonsense", Map.of()))).isNull();
	}

	@Test
	void unknownToolIsNotFound() {
		assertThat(given(this.tools.callback()).find(call("nonsense", Map.of()))).isNull();
	}

	@Test
	void toolOfTheApplicationIsNotTakenForOneOfAServer() {
		ToolCall call = ToolCall.of(UniqueId.next(), ToolIdentity.onServer("files", "weather", "weather"),
				Map.of("city", "Paris"), CallContext.empty());
		assertThat(given(this.tools.callback()).find(call)).isNull();
	}

	@Test
	void toolOfAServerIsTakenForThatServerOnly() {
		McpServer server = new McpServer();
		ToolCallbackProvider provider = SyncMcpToolCallbackProvider.builder()
			.mcpClients(server.client("github"))
			.build();
		SpringAiTools tools = new SpringAiTools(this.hooks,
				new Beans(Stream::empty, () -> Stream.of(provider), NOTHING));
		ToolCall call = ToolCall.of(UniqueId.next(), ToolIdentity.onServer("github", "search", "search"),
				Map.of("text", "hooks"), CallContext.empty());
		assertThat(found(tools, call).execute(call).content()).contains("found");
		assertThat(server.calls).singleElement()
			.satisfies((request) -> assertThat(request.arguments()).isEqualTo(Map.of("text", "hooks")));
		assertThat(tools.find(ToolCall.of(UniqueId.next(), ToolIdentity.onServer("gitlab", "search", "search"),
				Map.of(), CallContext.empty())))
			.isNull();
		assertThat(tools.find(call("search", Map.of()))).isNull();
	}

	/**
	 * A client without a configured name: the application named the server in the context
	 * of the call, and so the question is about a tool of this server.
	 */
	@Test
	void toolWhoseServerOnlyTheContextOfTheCallNamesIsFound() {
		McpServer server = new McpServer();
		ToolCallback tool = SyncMcpToolCallbackProvider.builder()
			.mcpClients(server.client(""))
			.build()
			.getToolCallbacks()[0];
		ToolIdentity unknown = ToolIdentity.onUnknownServer("search", "search");
		CallContext named = CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "github");
		ToolCall call = ToolCall.of(UniqueId.next(), unknown.completedBy(named), Map.of("text", "hooks"), named);
		assertThat(call.identity().server()).isEqualTo("github");
		assertThat(found(given(tool), call).execute(call).content()).contains("found");
		assertThat(server.calls).hasSize(1);
		ToolCallback certain = SyncMcpToolCallbackProvider.builder()
			.mcpClients(new McpServer().client("github"))
			.build()
			.getToolCallbacks()[0];
		assertThat(found(given(tool, certain), call).execute(call).content()).contains("found");
		assertThat(server.calls).hasSize(1);
		assertThat(given(tool).find(ToolCall.of(UniqueId.next(), unknown, Map.of(), CallContext.empty()))).isNotNull();
	}

	@Test
	void noneOfSeveralDifferentToolsIsTaken() {
		ToolCallback other = FunctionToolCallback.builder("weather", (Map<String, Object> input) -> "rain")
			.description("Another tool")
			.inputType(Map.class)
			.build();
		assertSeveral(beans(() -> Stream.of(this.tools.callback(), other)), paris());
		assertSeveral(given(this.tools.callback(), other), paris());
		assertThat(beans(() -> Stream.of(this.tools.callback(), this.tools.callback())).find(paris())).isNotNull();
	}

	@Test
	void toolsOfTwoObjectsOfOneClassAreDifferent() {
		assertSeveral(beans(() -> Stream.of(this.tools.callback(), new WeatherTools().callback())), paris());
		FunctionToolCallback.Builder<Map<String, Object>, String> function = FunctionToolCallback
			.builder("weather", (Map<String, Object> input) -> "rain")
			.inputType(Map.class);
		assertSeveral(beans(() -> Stream.of(function.build(), function.build())), paris());
		ToolCallback one = function.build();
		assertThat(beans(() -> Stream.of(one, this.hooks.wrap(one))).find(paris())).isNotNull();
	}

	@Test
	void toolOfAServerThatTwoProvidersListIsOne() {
		McpServer server = new McpServer();
		McpSyncClient client = server.client("github");
		Supplier<ToolCallbackProvider> provider = () -> SyncMcpToolCallbackProvider.builder()
			.mcpClients(client)
			.build();
		SpringAiTools tools = new SpringAiTools(this.hooks,
				new Beans(Stream::empty, () -> Stream.of(provider.get(), provider.get()), NOTHING));
		assertThat(tools.find(ToolCall.of(UniqueId.next(), ToolIdentity.onServer("github", "search", "search"),
				Map.of("text", "hooks"), CallContext.empty())))
			.isNotNull();
	}

	@Test
	void toolsOfTwoConnectionsOfOneNameAreDifferent() {
		McpServer server = new McpServer();
		McpServer other = new McpServer();
		SpringAiTools tools = new SpringAiTools(this.hooks,
				new Beans(Stream::empty,
						() -> Stream.of(server.client("github"), other.client("github"))
							.map((client) -> SyncMcpToolCallbackProvider.builder().mcpClients(client).build()),
						NOTHING));
		assertSeveral(tools, ToolCall.of(UniqueId.next(), ToolIdentity.onServer("github", "search", "search"),
				Map.of("text", "hooks"), CallContext.empty()));
	}

	private static void assertSeveral(SpringAiTools tools, ToolCall call) {
		assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(() -> tools.find(call))
			.withMessageStartingWith("Several tools")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_TOOL));
	}

	@Test
	void argumentsMustFitTheTool() {
		ToolExecutor tool = found(given(this.tools.callback()), paris());
		assertThat(tool.objection(paris())).isNull();
		assertThat(tool.objection(call("weather", Map.of("town", "Paris")))).isNotNull();
	}

	@Test
	void toolWorksForWhomTheCallWasMadeAndNotForWhoIsLoggedIn() {
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("approver", "secret", "ROLE_APPROVER"));
		Callers callers = new Callers();
		ToolCallback[] tool = ToolCallbacks.from(callers);
		ToolCall call = call("whoami", Map.of());
		found(given(tool), call).execute(call);
		CallContext context = Objects.requireNonNull(callers.last).context();
		assertThat(context.user()).isEqualTo("carol");
		assertThat(context.authorities()).isEmpty();
		assertThat(context.sessionId()).isEqualTo("s1");
		ToolCall ofNobody = ToolCall.of("whoami", Map.of());
		found(given(tool), ofNobody).execute(ofNobody);
		assertThat(Objects.requireNonNull(callers.last).login().known()).isTrue();
		assertThat(Objects.requireNonNull(callers.last).login().user()).isNull();
	}

	@Test
	void toolThatNeedsAContextGetsTheGivenOne() {
		ToolCallback[] callbacks = ToolCallbacks.from(new Tenants());
		ToolCall call = call("tenant", Map.of());
		SpringAiTools tools = beans(Stream::empty).with(List.of(callbacks), new ToolContext(Map.of("tenant", "acme")));
		assertThat(found(tools, call).execute(call).content()).isEqualTo("\"acme\"");
	}

	@Test
	void whateverTheToolThrowsIsAResultWithoutItsSecrets() {
		ToolExecutor known = found(given(ToolCallbacks.from(this.tools)), call("broken", Map.of("city", "Paris")));
		assertThat(run(known, call("broken", Map.of("city", "Paris")))).isEqualTo("no network in Paris");
		ToolExecutor contextless = found(given(ToolCallbacks.from(new Tenants())), call("tenant", Map.of()));
		assertThat(run(contextless, call("tenant", Map.of())))
			.isEqualTo("Exception occurred in tool: tenant (IllegalArgumentException)");
	}

	@Test
	void agentInsideOfTheToolThatWaitsIsAResult() {
		ToolCallback inner = this.hooks.wrap(this.tools.callback());
		ToolCallback agent = FunctionToolCallback.builder("agent", () -> inner.call("{\"city\":\"Oslo\"}")).build();
		ToolCall call = call("agent", Map.of());
		assertThat(run(found(given(agent), call), call))
			.isEqualTo("The tool did not finish: The turn waits for the approval of people (request q-1).");
		assertThat(this.tools.cities).isEmpty();
	}

	/**
	 * Let a chain without hooks run a tool.
	 */
	private static String run(ToolExecutor tool, ToolCall call) {
		ToolResult result = new ToolHookChain(List.of((any) -> ToolDecision.approve()), List.of()).execute(call, tool);
		assertThat(result.succeeded()).isFalse();
		return result.content();
	}

	/**
	 * A tool that remembers who called it.
	 */
	static final class Callers {

		private @Nullable Caller last;

		@Tool(description = "Who calls")
		String whoami() {
			this.last = Caller.ofThread();
			return "done";
		}

	}

	/**
	 * A tool that needs a context.
	 */
	static final class Tenants {

		@Tool(description = "The tenant")
		String tenant(ToolContext context) {
			return String.valueOf(context.getContext().get("tenant"));
		}

	}

}
