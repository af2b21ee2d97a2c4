package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what hooks learn about a call of Spring AI, and what tools do not.
 */
class SpringAiCallContextTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final ApplicationContextRunner RUNNER = Application.runner((call) -> ToolDecision.approve());

	private final WeatherTools tools = new WeatherTools();

	@AfterEach
	void logout() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@EnumSource
	void hooksLearnWhoAsksInWhichConversation(Way way) {
		login("alice");
		Application.run(RUNNER, (application) -> {
			application.model().calls("weather", PARIS).calls("report", PARIS).calls("weather", PARIS);
			ChatClient client = application.context()
				.getBean(ChatClient.Builder.class)
				.defaultAdvisors((advisors) -> advisors.param(AgentHooks.AGENT, "forecaster"))
				.build();
			way.ask(client.prompt("Weather?")
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "conversation-1"))
				.tools(this.tools));
			way.ask(client.prompt("Weather?").tools(this.tools));
			List<CallContext> contexts = contexts(application);
			assertThat(contexts).extracting(CallContext::sessionId)
				.containsExactly("conversation-1", "conversation-1", null);
			assertThat(contexts).extracting(CallContext::agent).containsOnly("forecaster");
			assertThat(contexts).extracting(CallContext::user).containsOnly("alice");
			assertThat(contexts.get(0).runId()).isNotBlank().isEqualTo(contexts.get(1).runId());
			assertThat(contexts.get(2).runId()).isNotBlank().isNotEqualTo(contexts.get(0).runId());
		});
	}

	@ParameterizedTest
	@EnumSource
	void anonymousIsNobodyAndTheApplicationMaySayWhoTheUserIs(Way way) {
		SecurityContextHolder.getContext()
			.setAuthentication(new AnonymousAuthenticationToken("key", "anonymousUser",
					AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")));
		Application.run(RUNNER, (application) -> {
			application.model().calls("weather", PARIS).says("ok").calls("weather", PARIS);
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			way.ask(application.client()
				.prompt("Weather?")
				.advisors((advisors) -> advisors.param(AgentHooks.USER, "bob"))
				.tools(this.tools));
			assertThat(contexts(application)).extracting(CallContext::user).containsExactly(null, "bob");
		});
	}

	@Test
	void userOfAReactiveApplicationIsKnown() {
		Application.run(RUNNER, (application) -> {
			application.model().calls("weather", PARIS);
			application.client()
				.prompt("Weather?")
				.tools(this.tools)
				.stream()
				.content()
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("carol")))
				.blockLast();
			assertThat(contexts(application)).extracting(CallContext::user).containsExactly("carol");
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolsGetOnlyTheContextThatTheApplicationGaveThem(Way way) {
		login("alice");
		Application.run(RUNNER, (application) -> {
			ContextTool tool = new ContextTool();
			application.model().calls("context", "{}");
			way.ask(application.client()
				.prompt("Weather?")
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "conversation-1"))
				.toolContext(Map.of("tenant", "acme"))
				.tools(tool));
			assertThat(tool.given).isEqualTo(Map.of("tenant", "acme"));
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.SUCCEEDED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void customizersAddWhatTheyKnow(Way way) {
		ApplicationContextRunner runner = RUNNER.withBean(CallContextCustomizer.class,
				() -> (context, given) -> context.withRole("traveller")
					.withWorkspace(String.valueOf(given.get("tenant")))
					.withAttribute("locale", Objects.requireNonNull(given.get("locale"))));
		Application.run(runner, (application) -> {
			application.model().calls("weather", PARIS);
			way.ask(application.client()
				.prompt("Weather?")
				.advisors((advisors) -> advisors.param("locale", "fr"))
				.toolContext(Map.of("tenant", "acme"))
				.tools(this.tools));
			CallContext context = contexts(application).get(0);
			assertThat(context.role()).isEqualTo("traveller");
			assertThat(context.workspace()).isEqualTo("acme");
			assertThat(context.attributes())
				.isEqualTo(Map.of("locale", "fr", CallAttributes.PROVIDER_CALL_ID, "call-1"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void callIsDeniedIfACustomizerFails(Way way) {
		ApplicationContextRunner runner = RUNNER.withBean(CallContextCustomizer.class, () -> (context, given) -> {
			throw new IllegalStateException("secret");
		});
		Application.run(runner, (application) -> {
			application.model().calls("weather", PARIS);
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(this.tools.cities).isEmpty();
			assertThat(application.outcome().decidedBy()).isEqualTo("context");
			assertThat(application.model().replies()).singleElement().asString().doesNotContain("secret");
		});
	}

	@ParameterizedTest
	@EnumSource
	void agentThatIsAToolWorksForTheSameUserInARunOfItsOwn(Way way) {
		login("alice");
		Application.run(RUNNER, (application) -> {
			ToolCallback agent = FunctionToolCallback.builder("researcher", () -> {
				way.ask(application.client()
					.prompt("Research")
					.advisors((advisors) -> advisors.param(AgentHooks.AGENT, "inner"))
					.tools(this.tools));
				return "asked";
			}).build();
			application.model().calls("researcher", "{}").calls("weather", PARIS).says("found");
			way.ask(application.client()
				.prompt("Ask")
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "conversation-1")
					.param(AgentHooks.AGENT, "outer"))
				.tools(agent));
			List<CallContext> contexts = contexts(application);
			assertThat(contexts).extracting(CallContext::agent).containsExactly("inner", "outer");
			assertThat(contexts).extracting(CallContext::sessionId).containsOnly("conversation-1");
			assertThat(contexts).extracting(CallContext::user).containsOnly("alice");
			assertThat(contexts).extracting(CallContext::runId).doesNotHaveDuplicates();
		});
	}

	@ParameterizedTest
	@EnumSource
	void runOfTheApplicationIsAbortedUntilItEnds(Way way) {
		Application.run(Application.runner((call) -> ToolDecision.abortRun("Stop it")), (application) -> {
			for (int i = 0; i < 2; i++) {
				application.model().calls("weather", PARIS);
				assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> way.ask(application.client()
					.prompt("Weather?")
					.advisors((advisors) -> advisors.param(AgentHooks.RUN_ID, "run-1"))
					.tools(this.tools)));
			}
			assertThat(contexts(application)).extracting(CallContext::runId).containsExactly("run-1", "run-1");
			assertThat(application.context().getBean(ToolHooks.class).endRun("run-1")).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void runThatIsOverIsForgotten(Way way) {
		Application.run(Application.runner((call) -> ToolDecision.abortRun("Stop it")), (application) -> {
			application.model().calls("weather", PARIS);
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> way.ask(application.client().prompt("Weather?").tools(this.tools)));
			String run = Objects.requireNonNull(contexts(application).get(0).runId());
			assertThat(application.context().getBean(ToolHooks.class).endRun(run)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolOfAnMcpServerIsKnownByTheNameOfTheConnection(Way way) {
		login("alice");
		McpServer server = new McpServer();
		Application.run(Application.runner(
				(call) -> (call.arguments().containsValue("no")) ? ToolDecision.deny("No") : ToolDecision.approve()),
				(application) -> {
					ScriptedChatModel model = application.model();
					model.calls(model.call("search", "{\"text\": \"yes\"}"),
							model.call("search", "{\"text\": \"no\"}"));
					way.ask(application.client()
						.prompt("Search")
						.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "conversation-1"))
						.toolContext(Map.of("tenant", "acme"))
						.tools(SyncMcpToolCallbackProvider.builder().mcpClients(server.client("github")).build()));
					assertThat(contexts(application)).hasSize(2)
						.allSatisfy((context) -> assertThat(context.attributes())
							.containsOnlyKeys(CallAttributes.MCP_SERVER, CallAttributes.MCP_TOOL,
									CallAttributes.PROVIDER_CALL_ID)
							.containsEntry(CallAttributes.MCP_SERVER, "github")
							.containsEntry(CallAttributes.MCP_TOOL, "search"));
					assertThat(server.calls).singleElement().satisfies((call) -> {
						assertThat(call.arguments()).isEqualTo(Map.of("text", "yes"));
						assertThat(call.meta()).isEqualTo(Map.of("tenant", "acme"));
					});
					assertThat(model.replies()).hasSize(2);
				});
	}

	private static List<CallContext> contexts(Application application) {
		return application.outcomes().stream().map(ToolOutcome::requested).map((call) -> call.context()).toList();
	}

	private static void login(String user) {
		SecurityContextHolder.getContext().setAuthentication(authentication(user));
	}

	private static TestingAuthenticationToken authentication(String user) {
		return new TestingAuthenticationToken(user, "secret", "ROLE_USER");
	}

	static class ContextTool {

		private Map<String, Object> given = Map.of();

		@Tool(description = "Look at the context")
		String context(ToolContext context) {
			this.given = context.getContext();
			return "seen";
		}

	}

}
