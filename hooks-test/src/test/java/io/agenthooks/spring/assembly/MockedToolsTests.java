package io.agenthooks.spring.assembly;

import java.util.Map;

import io.modelcontextprotocol.server.McpSyncServer;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.util.AopTestUtils;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * How a test replaces what runs tools, as {@code docs/start/test-your-hooks.md} has it.
 */
@SpringBootTest(classes = MockedToolsTests.Application.class, properties = { "hooks.tool-call.pre-call[0].type=policy",
		"hooks.tool-call.pre-call[0].config.deny-tools[0]=delete_*", "hooks.tool-call.unguarded=deny" })
class MockedToolsTests {

	private static final ToolCall READ = ToolCall.of("read_file", Map.of());

	private static final ToolCall DELETE = ToolCall.of("delete_file", Map.of());

	@MockitoBean
	private ToolExecutor replaced;

	@MockitoSpyBean("spied")
	private Tools spied;

	@MockitoBean("callback")
	private ToolCallback callback;

	@MockitoBean
	private ToolCallingManager manager;

	@Autowired
	private Agent agent;

	@Autowired
	private Mocked mocked;

	@Test
	void mockTakesThePlaceOfAnExecutor() {
		given(this.replaced.execute(any())).willReturn(ToolResult.success("mocked"));
		assertThat(this.agent.run(READ).content()).isEqualTo("mocked");
		verify(this.replaced).execute(READ);
		verify(this.replaced, never()).execute(DELETE);
	}

	@Test
	void spyIsBehindTheHooks() {
		assertThat(this.spied.execute(READ).content()).isEqualTo("ran");
		assertThat(this.spied.execute(DELETE).content()).contains("denied");
		verify(this.spied).execute(READ);
	}

	@Test
	void mockThatIsABeanOfTheContextIsBehindTheHooks() {
		ToolExecutor behind = AopTestUtils.getUltimateTargetObject(this.mocked.tools());
		given(behind.execute(READ)).willReturn(ToolResult.success("mocked"));
		assertThat(this.mocked.tools().execute(READ).content()).isEqualTo("mocked");
		assertThat(this.mocked.tools().execute(DELETE).content()).contains("denied");
		verify(behind, never()).execute(DELETE);
	}

	@Test
	void mocksOfSpringAiAreTheBeans() {
		given(this.callback.getToolDefinition())
			.willReturn(ToolDefinition.builder().name("t").description("t").inputSchema("{}").build());
		given(this.callback.call("{}")).willReturn("mocked");
		assertThat(this.callback.call("{}")).isEqualTo("mocked");
		verify(this.callback).call("{}");
		verify(this.manager, never()).executeToolCalls(any(), any());
	}

	@Test
	void mocksOfClientsAndServersThatAreBeansDoWhatTheyWereTold() {
		ChatClient client = mock(ChatClient.class);
		ChatClientRequestSpec question = mock(ChatClientRequestSpec.class);
		given(client.prompt()).willReturn(question);
		McpSyncServer server = mock(McpSyncServer.class);
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class,
					SpringAiToolCallsAutoConfiguration.class, McpToolCallsAutoConfiguration.class))
			.withPropertyValues("hooks.tool-call.unguarded=deny")
			.withBean(ChatClient.class, () -> client)
			.withBean(McpSyncServer.class, () -> server)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ChatClient.class).prompt()).isSameAs(question);
				assertThat(context.getBean(McpSyncServer.class)).isSameAs(server);
			});
	}

	record Agent(ToolExecutor tools) {

		ToolResult run(ToolCall call) {
			return this.tools.execute(call);
		}

	}

	record Mocked(ToolExecutor tools) {
	}

	static class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ToolCallHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class,
			SpringAiToolCallsAutoConfiguration.class })
	static class Application {

		@Bean(defaultCandidate = false)
		Tools spied() {
			return new Tools();
		}

		@Bean
		ToolExecutor replaced() {
			return (call) -> ToolResult.success("real");
		}

		@Bean
		Agent agent(ToolExecutor replaced) {
			return new Agent(replaced);
		}

		@Bean(defaultCandidate = false)
		ToolExecutor mockedTools() {
			return mock(ToolExecutor.class);
		}

		@Bean
		Mocked mocked(@org.springframework.beans.factory.annotation.Qualifier("mockedTools") ToolExecutor tools) {
			return new Mocked(tools);
		}

		@Bean
		ToolCallback callback() {
			return mock(ToolCallback.class);
		}

	}

}
