package io.agenthooks.spring.mcp;

import java.util.List;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.mcp.McpToolNamePrefixGenerator;
import org.springframework.ai.mcp.client.common.autoconfigure.McpClientAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.McpToolCallbackAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.AopTestUtils;

import io.agenthooks.CallAttributes;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose agent has the tools of another one, over HTTP, by the connection
 * {@code github}.
 */
class McpClientToolsTests {

	private static final String POLICY = "hooks.tool-call.pre-call[0].type=policy";

	private static final String DENY = "hooks.tool-call.pre-call[0].config.deny-tools[0]=specified";

	private static final String SERVERS = "hooks.tool-call.pre-call[0].mcp-servers[0]=";

	@ParameterizedTest
	@ValueSource(strings = { "SYNC", "ASYNC" })
	void hooksOfBothSidesSeeTheCall(String type) {
		ServingApplication.run(ServingApplication.runner(Kind.SYNC),
				(server) -> runner(server).withPropertyValues("spring.ai.mcp.client.type=" + type).run((context) -> {
					assertThat(ask(context, ServedTools.SPECIFIED)).contains("Sunny in London");
					ToolOutcome here = outcome(context);
					assertThat(here.effective().context().attributes())
						.containsEntry(CallAttributes.MCP_SERVER, "github")
						.containsEntry(CallAttributes.MCP_TOOL, ServedTools.SPECIFIED);
					assertThat(here.effective().context().sessionId()).isNull();
					ToolOutcome there = server.outcome();
					assertThat(there.effective().context().agent()).endsWith(" - github");
					assertThat(there.effective().tool()).isEqualTo(ServedTools.SPECIFIED);
				}));
	}

	@ParameterizedTest
	@CsvSource({ "git*, false", "jira, true" })
	void policyHoldsForTheServersThatItNames(String servers, boolean runs) {
		ServingApplication.run(ServingApplication.runner(Kind.SYNC),
				(server) -> runner(server).withPropertyValues(POLICY, DENY, SERVERS + servers).run((context) -> {
					String reply = ask(context, ServedTools.SPECIFIED);
					assertThat(reply.contains("Sunny in London")).isEqualTo(runs);
					assertThat(server.tools().runs()).hasSize((runs) ? 1 : 0);
				}));
	}

	/**
	 * A prefix is the application's matter; rules have {@code server__name} in any case.
	 */
	@Test
	void ruleWithTheServerBeforeTheNameNeedsNoPrefix() {
		McpToolNamePrefixGenerator prefix = (connection, tool) -> connection.clientInfo().title() + "__" + tool.name();
		ServingApplication.run(ServingApplication.runner(Kind.SYNC), (server) -> {
			ApplicationContextRunner runner = runner(server).withPropertyValues(POLICY,
					"hooks.tool-call.pre-call[0].match[0]=github__*",
					"hooks.tool-call.pre-call[0].config.allow-tools[0]=other");
			runner.run((context) -> assertThat(ask(context, "specified")).contains("does not allow"));
			runner.withBean(McpToolNamePrefixGenerator.class, () -> prefix)
				.run((context) -> assertThat(ask(context, "github__specified")).contains("does not allow"));
			runner(server).run((context) -> assertThat(ask(context, "specified")).contains("Sunny in London"));
			assertThat(server.tools().runs()).hasSize(1);
		});
	}

	@Test
	void modelReadsWhyTheServerDenied() {
		ServingApplication.run(ServingApplication.runner(Kind.SYNC, (call) -> ToolDecision.deny("Not today")),
				(server) -> runner(server).run((context) -> {
					assertThat(ask(context, ServedTools.SPECIFIED)).contains("Not today");
					assertThat(server.tools().runs()).isEmpty();
				}));
	}

	@Test
	void errorOfAServerPassesTheResultHooks() {
		ServingApplication.run(
				ServingApplication.runner(Kind.SYNC, (call) -> ToolDecision.deny("Not with token=hunter2hunter2")),
				(server) -> runner(server)
					.withBean("redact", ToolResultHook.class, () -> new RedactToolHook(RedactConfig.defaults()))
					.run((context) -> {
						assertThat(ask(context, ServedTools.SPECIFIED)).contains("Not with token=[redacted:password]")
							.doesNotContain("hunter2");
						assertThat(outcome(context).failure()).hasMessageContaining("hunter2hunter2");
					}));
	}

	private static ApplicationContextRunner runner(ServingApplication server) {
		String url = server.context().getBean(WebServer.class).url();
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
					McpClientAutoConfiguration.class, McpToolCallbackAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
					McpToolCallsAutoConfiguration.class))
			.withUserConfiguration(Beans.class)
			.withBean("url", String.class, () -> url);
	}

	/**
	 * Let the model call the tool, and tell what it got to read.
	 */
	static String ask(ApplicationContext context, String tool) {
		return ask(context, tool, context.getBean(ToolCallbackProvider.class));
	}

	static String ask(ApplicationContext context, String tool, Object... tools) {
		Model model = AopTestUtils.getUltimateTargetObject(context.getBean(Model.class));
		model.tool = tool;
		context.getBean(ChatClient.Builder.class).build().prompt("Weather?").tools(tools).call().content();
		return model.reply;
	}

	private static ToolOutcome outcome(ApplicationContext context) {
		return context.getBean(ServingApplication.Outcomes.class).outcome();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		List<NamedClientMcpTransport> transports(String url) {
			return List
				.of(new NamedClientMcpTransport("github", HttpClientStreamableHttpTransport.builder(url).build()));
		}

		@Bean
		Model model() {
			return new Model();
		}

		@Bean
		ServingApplication.Outcomes outcomes() {
			return new ServingApplication.Outcomes();
		}

	}

	/**
	 * Calls the tool once, and remembers what it said.
	 */
	static class Model implements ChatModel {

		private String tool = "";

		private String reply = "";

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			Message last = prompt.getInstructions().get(prompt.getInstructions().size() - 1);
			if (!(last instanceof ToolResponseMessage replies)) {
				return say(AssistantMessage.builder()
					.content("")
					.toolCalls(List
						.of(new AssistantMessage.ToolCall("call-1", "function", this.tool, "{\"city\":\"London\"}")))
					.build());
			}
			this.reply = replies.getResponses().get(0).responseData();
			return say(new AssistantMessage("done"));
		}

		private static ChatResponse say(AssistantMessage message) {
			return new ChatResponse(List.of(new Generation(message)));
		}

	}

}
