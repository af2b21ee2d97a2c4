package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.spring.WrapsNoTool;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.mcp.ToolServer;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ResumableTool} and {@link AiServiceTools}.
 */
class ResumableToolTests {

	private static final CallContext CLERK = CallContext.ofSession("42")
		.withUser("carol")
		.withAuthorities(List.of("ROLE_CLERK"))
		.withAgent("Clerk");

	private final Notes notes = new Notes();

	@Test
	void toolOfAServiceThatTheStartMadeRunsForWhomTheCallWasMade() {
		started((service) -> service.tools(this.notes)).run((context) -> {
			assertThat(run(context, call("note", CLERK))).isEqualTo(ToolResult.success("noted", null));
			assertThat(this.notes.noted).containsExactly("text");
			Caller caller = Objects.requireNonNull(this.notes.caller);
			assertThat(caller.context().user()).isEqualTo("carol");
			assertThat(caller.context().sessionId()).isEqualTo("42");
			assertThat(caller.login().user()).isEqualTo("carol");
		});
	}

	@Test
	void callOfNobodyIsNotThatOfWhoeverResumesIt() {
		started((service) -> service.tools(this.notes)).run((context) -> {
			Caller person = Caller.of(CallContext.empty().withUser("alice"), Login.UNKNOWN);
			person.execute(() -> run(context, call("note", CallContext.empty().withAgent("Clerk"))));
			Caller caller = Objects.requireNonNull(this.notes.caller);
			assertThat(caller.login().user()).isNull();
			assertThat(caller.login().known()).isTrue();
		});
	}

	@Test
	void serviceThatIsNotOfTheStartIsNotKnown() {
		GuardedApplication.withoutHook().run((context) -> {
			Clerk later = service((service) -> service.tools(this.notes));
			assertThat(find(context, call("note", CLERK))).isNull();
			assertThat(later).isNotNull();
		});
	}

	@Test
	void toolThatTwoServicesHaveIsRefusedAndThatOfNoneOrOfAnotherAgentIsNotKnown() {
		started((service) -> service.tools(this.notes))
			.withBean("second", Clerk.class, () -> service((service) -> service.tools(new Notes(), new Numbers())))
			.run((context) -> {
				assertThatExceptionOfType(ApprovalRefusedException.class)
					.isThrownBy(() -> find(context, call("note", CLERK)))
					.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_TOOL));
				assertThat(find(context, call("other", CLERK))).isNull();
				assertThat(find(context, call("byNumber", CLERK))).isNotNull();
				assertThat(find(context, call("byNumber", CLERK.withAgent("Other")))).isNull();
				assertThat(find(context, call("byNumber", CLERK.withAgent(null)))).isNull();
			});
	}

	@Test
	void toolOfAnotherOriginIsNotKnown() {
		started((service) -> service.tools(this.notes)).run((context) -> {
			ToolIdentity remote = ToolIdentity.onServer("mail", "note", "note");
			assertThat(find(context, ToolCall.of("id", remote, Map.of("text", "text"), CLERK))).isNull();
		});
	}

	@Test
	void givenToolIsNotTakenForOneOfAServer() {
		started((service) -> service.tools(this.notes)).run((context) -> {
			GuardedToolService given = new GuardedToolService(AiServiceContext.create(ResumableToolTests.class),
					context.getBean(AiServiceGuard.class));
			given.tools(List.of(this.notes));
			Map<String, Object> arguments = Map.of("text", "text");
			ToolIdentity remote = ToolIdentity.onServer("mail", "note", "note");
			assertThat(ResumableTool.find(given, ToolCall.of("id", remote, arguments, CLERK), true)).isNull();
			assertThat(ResumableTool.find(given, call("note", CLERK), true)).isNotNull();
		});
	}

	@Test
	@SuppressWarnings("try") // an interrupt while the client closes ends the test
	void toolOfAnMcpServerIsKnownByItsServer() throws Exception {
		try (ToolServer server = new ToolServer("of github", "read_file");
				McpClient client = new DefaultMcpClient.Builder().key("github")
					.transport(new StreamableHttpMcpTransport.Builder().url(server.url() + "/mcp").build())
					.build()) {
			started((service) -> service.toolProvider(McpToolProvider.builder().mcpClients(client).build()))
				.run((context) -> {
					assertThat(
							run(context, remote(ToolIdentity.onServer("github", "read_file", "read_file"))).content())
						.contains("of github");
					assertThat(server.runs()).containsExactly("read_file");
					assertThat(find(context, remote(ToolIdentity.onServer("evil", "read_file", "read_file")))).isNull();
					assertThat(find(context, remote(ToolIdentity.onUnknownServer("read_file", "read_file")))).isNull();
					assertThat(find(context, remote(ToolIdentity.ofApplication("read_file")))).isNull();
				});
		}
	}

	@Test
	@SuppressWarnings("try") // an interrupt while the client closes ends the test
	void toolWhoseServerOnlyTheContextOfTheCallNamesIsFound() throws Exception {
		try (ToolServer server = new ToolServer("of github", "read_file");
				McpClient client = new DefaultMcpClient.Builder()
					.transport(new StreamableHttpMcpTransport.Builder().url(server.url() + "/mcp").build())
					.build()) {
			started((service) -> service.toolProvider(McpToolProvider.builder().mcpClients(client).build()))
				.run((context) -> {
					CallContext named = CLERK.withAttribute(CallAttributes.MCP_SERVER, "github");
					ToolIdentity tool = ToolIdentity.onUnknownServer("read_file", "read_file").completedBy(named);
					assertThat(tool.server()).isEqualTo("github");
					assertThat(run(context, ToolCall.of("id", tool, Map.of(), named)).content()).contains("of github");
				});
		}
	}

	@Test
	@SuppressWarnings("try") // an interrupt while a client closes ends the test
	void toolThatMayBeThatOfTwoServersIsRefused() throws Exception {
		try (ToolServer first = new ToolServer("of github", "read_file");
				ToolServer second = new ToolServer("of evil", "read_file");
				McpClient one = unnamed(first);
				McpClient other = unnamed(second)) {
			started((service) -> service.toolProviders(McpToolProvider.builder().mcpClients(one).build(),
					McpToolProvider.builder().mcpClients(other).build()))
				.run((context) -> {
					CallContext named = CLERK.withAttribute(CallAttributes.MCP_SERVER, "github");
					ToolIdentity tool = ToolIdentity.onUnknownServer("read_file", "read_file").completedBy(named);
					assertThatExceptionOfType(ApprovalRefusedException.class)
						.isThrownBy(() -> find(context, ToolCall.of("id", tool, Map.of(), named)))
						.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_TOOL));
				});
		}
	}

	private static McpClient unnamed(ToolServer server) {
		return new DefaultMcpClient.Builder()
			.transport(new StreamableHttpMcpTransport.Builder().url(server.url() + "/mcp").build())
			.build();
	}

	private static ToolCall remote(ToolIdentity tool) {
		return ToolCall.of("id", tool, Map.of(), CLERK);
	}

	@Test
	void toolsOfProvidersAreKnown() {
		ToolSpecification tool = ToolSpecification.builder().name("provided").build();
		ToolExecutor executor = (ToolExecutor & WrapsNoTool) (request, memoryId) -> "provided for " + memoryId;
		started((service) -> service.toolProvider((request) -> new ToolProviderResult(Map.of(tool, executor))))
			.run((context) -> {
				assertThat(run(context, call("provided", CLERK)).content()).isEqualTo("provided for 42");
				assertThat(run(context, call("provided", CallContext.empty().withAgent("Clerk"))).content())
					.isEqualTo("provided for default");
			});
	}

	@Test
	void memoryIdIsTheSessionInTheTypeOfTheTool() {
		UUID id = UUID.randomUUID();
		started((service) -> service.tools(new Numbers())).run((context) -> {
			assertThat(run(context, call("byNumber", CLERK)).content()).isEqualTo("42");
			assertThat(run(context, call("byId", CallContext.ofSession(id.toString()).withAgent("Clerk"))).content())
				.isEqualTo(id.toString());
		});
	}

	@Test
	void schemaAndHandlersAreThoseOfTheService() {
		started((service) -> service.tools(new Failing())
			.toolExecutionErrorHandler(
					(error, context) -> ToolErrorHandlerResult.text("Handled " + error.getMessage())))
			.run((context) -> {
				ToolCall call = call("fail", CLERK);
				io.agenthooks.toolcall.ToolExecutor tool = Objects.requireNonNull(find(context, call));
				assertThat(tool.objection(call)).isNull();
				assertThat(tool.objection(call.withArguments(Map.of("text", 1)))).contains("string expected");
				assertThat(tool.failureText(new IllegalStateException("Full"))).isEqualTo("Handled Full");
			});
	}

	@Test
	void invocationHasNoParametersAnyMore() {
		started((service) -> service.tools(new Parametric()))
			.run((context) -> assertThat(run(context, call("count", CLERK)).content()).isEqualTo("0"));
	}

	private ApplicationContextRunner started(Consumer<AiServices<Clerk>> customizer) {
		return GuardedApplication.withoutHook().withBean("clerk", Clerk.class, () -> service(customizer));
	}

	private static Clerk service(Consumer<AiServices<Clerk>> customizer) {
		AiServices<Clerk> service = AiServices.builder(Clerk.class).chatModel(ScriptedModel.thatCalls());
		customizer.accept(service);
		return service.build();
	}

	private static ToolResult run(AssertableApplicationContext context, ToolCall call) {
		return Objects.requireNonNull(find(context, call)).execute(call);
	}

	private static io.agenthooks.toolcall.@Nullable ToolExecutor find(AssertableApplicationContext context,
			ToolCall call) {
		return new AiServiceTools(context.getBean(AiServiceGuard.class)).find(call);
	}

	private static ToolCall call(String tool, CallContext context) {
		return ToolCall.of(tool, Map.of("text", "text"), context);
	}

	interface Clerk {

		String chat(String text);

	}

	static final class Notes {

		final List<String> noted = new ArrayList<>();

		@Nullable Caller caller;

		@Tool
		String note(String text) {
			this.caller = Caller.ofThread();
			this.noted.add(text);
			return "noted";
		}

	}

	static final class Numbers {

		@Tool
		String byNumber(String text, @ToolMemoryId long memory) {
			return String.valueOf(memory);
		}

		@Tool
		String byId(String text, @ToolMemoryId UUID memory) {
			return memory.toString();
		}

	}

	static final class Failing {

		@Tool
		String fail(String text) {
			throw new IllegalStateException("Full");
		}

	}

	static final class Parametric {

		@Tool
		String count(String text, InvocationParameters parameters) {
			return String.valueOf(parameters.asMap().size());
		}

	}

}
