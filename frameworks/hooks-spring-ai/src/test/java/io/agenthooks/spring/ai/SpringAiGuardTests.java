package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.RefusalText;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for which beans of Spring AI are guarded, and that nothing happens without it.
 */
class SpringAiGuardTests {

	private static final ApplicationContextRunner RUNNER = Application.runner((call) -> ToolDecision.deny("No"));

	private static final ApplicationContextRunner WITHOUT_SPRING_AI = new ApplicationContextRunner()
		.withConfiguration(
				HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class))
		.withBean("hook", PreToolHook.class, () -> (call) -> ToolDecision.deny("No"));

	@Test
	void applicationWithoutSpringAiStartsAndKnowsNothingOfIt() {
		WITHOUT_SPRING_AI.withClassLoader(new FilteredClassLoader("org.springframework.ai", "io.modelcontextprotocol"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanDefinitionNames())
					.noneMatch((name) -> name.contains("springAi") || name.contains("springAiToolHooks"));
			});
	}

	@Test
	void applicationWithoutChatClientMcpAndMetricsIsGuarded() {
		WITHOUT_SPRING_AI
			.withClassLoader(new FilteredClassLoader(ChatClient.class, SyncMcpToolCallback.class, MeterRegistry.class))
			.withBean(ToolCallingManager.class, () -> DefaultToolCallingManager.builder().build())
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(SpringAiToolHooks.isGuarded(context.getBean(ToolCallingManager.class))).isTrue();
				assertThat(context).hasSingleBean(UnguardedTools.class);
			});
	}

	@Test
	void applicationThatSwitchesTheHooksOffIsUntouched() {
		Application.runner()
			.withPropertyValues("hooks.tool_call.enabled=false")
			.withBean("tool", ToolCallback.class, SpringAiGuardTests::tool)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ToolCallingManager.class)).isInstanceOf(DefaultToolCallingManager.class);
				assertThat(context.getBean("tool")).isInstanceOf(FunctionToolCallback.class);
				assertThat(context).doesNotHaveBean(ChatClientBuilderCustomizer.class);
				assertThat(context).doesNotHaveBean(UnguardedTools.class);
			});
	}

	@Test
	void applicationThatExcludesTheHooksIsUntouched() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SpringAiToolCallsAutoConfiguration.class))
			.withBean(ToolCallingManager.class, () -> DefaultToolCallingManager.builder().build())
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ToolCallingManager.class)).isInstanceOf(DefaultToolCallingManager.class);
				assertThat(context).doesNotHaveBean(SpringAiToolHooks.class);
			});
	}

	@Test
	void toolsThatAreBeansAreUntouchedIfTheApplicationWantsThat() {
		RUNNER.withPropertyValues("hooks.tool_call.wrap_tool_callbacks=false")
			.withBean("tool", FunctionToolCallback.class, SpringAiGuardTests::tool)
			.run((context) -> {
				assertThat(context.getBean("tool")).isInstanceOf(FunctionToolCallback.class);
				assertThat(context.getBean(ToolCallbackResolver.class).resolve("now"))
					.isInstanceOf(FunctionToolCallback.class);
				assertThat(SpringAiToolHooks.isGuarded(context.getBean(ToolCallingManager.class))).isTrue();
			});
	}

	@Test
	void toolsThatAreBeansKeepWhatTheySayOfThemselves() {
		RUNNER.withBean("tool", ToolCallback.class, SpringAiGuardTests::tool).run((context) -> {
			ToolCallback tool = context.getBean("tool", ToolCallback.class);
			assertThat(SpringAiToolHooks.isGuarded(tool)).isTrue();
			assertThat(tool.getToolMetadata().returnDirect()).isTrue();
			assertThat(tool.getToolDefinition().description()).isEqualTo("The time");
			assertThat(tool.getToolDefinition().inputSchema()).isEqualTo(tool().getToolDefinition().inputSchema());
			assertThat(tool.call("{}")).isEqualTo(RefusalText.DEFAULT);
			ToolCallback resolved = context.getBean(ToolCallbackResolver.class).resolve("now");
			assertThat(resolved).isSameAs(tool);
			assertThat(context.getBean(ToolCallingManager.class)
				.resolveToolDefinitions(ToolCallingChatOptions.builder().toolCallbacks(tool).build()))
				.containsExactly(tool.getToolDefinition());
		});
	}

	@Test
	void toolsOfMcpServersStayWhatTheyAre() {
		SyncMcpToolCallbackProvider provider = SyncMcpToolCallbackProvider.builder()
			.mcpClients(new McpServer().client("github"))
			.build();
		RUNNER.withBean("provider", SyncMcpToolCallbackProvider.class, () -> provider)
			.withBean("mcpTool", ToolCallback.class, () -> provider.getToolCallbacks()[0])
			.run((context) -> {
				assertThat(context.getBean("provider")).isSameAs(provider);
				assertThat(context.getBean("mcpTool")).isInstanceOf(SyncMcpToolCallback.class);
			});
	}

	@Test
	void toolOfAMcpServerBringsWhatItSaysAboutItself() {
		ToolCallback tool = SyncMcpToolCallbackProvider.builder()
			.mcpClients(new McpServer().client("github"))
			.build()
			.getToolCallbacks()[0];
		assertThat(McpOrigin.identityOf(tool, "search", List::of).hints())
			.isEqualTo(new ToolHints(true, null, null, null));
	}

	@Test
	void managerThatAnotherPostProcessorNeedsIsGuarded() {
		RUNNER.withUserConfiguration(EagerPostProcessor.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(EagerPostProcessor.manager).isNotNull()
				.satisfies((manager) -> assertThat(SpringAiToolHooks.isGuarded(manager)).isTrue());
		});
	}

	@Test
	void startFailsWhenABeanFactoryPostProcessorMadeTheManager() {
		RUNNER
			.withInitializer((context) -> context
				.addBeanFactoryPostProcessor((beanFactory) -> beanFactory.getBean("toolCallingManager")))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("would not pass the hooks")
				.hasMessageContaining("'toolCallingManager'"));
	}

	@Test
	void startFailsWhenTheManagerWasRegisteredReadyMade() {
		RUNNER
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("ready", DefaultToolCallingManager.builder().build()))
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("'ready'"));
	}

	@Test
	void hookThatAsksAModelIsNoCircle() {
		Application.runner()
			.withUserConfiguration(JudgeConfiguration.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void toolsAreGuardedWithoutSpring() {
		ToolHookChain chain = new ToolHookChain(List.of((call) -> ToolDecision.deny("No")), List.of());
		SpringAiToolHooks hooks = new SpringAiToolHooks(chain);
		ToolCallingManager manager = hooks.wrap(DefaultToolCallingManager.builder().build());
		Prompt prompt = new Prompt("Time?", ToolCallingChatOptions.builder().toolCallbacks(tool()).build());
		ScriptedChatModel model = new ScriptedChatModel().calls("now", "{}");
		assertThat(manager.executeToolCalls(prompt, model.call(prompt)).conversationHistory().toString())
			.contains(RefusalText.DEFAULT);
		assertThat(hooks.wrap(manager)).isSameAs(manager);
		assertThat(hooks.wrap(hooks.wrap(tool())).call("{}")).isEqualTo(RefusalText.DEFAULT);
	}

	@Test
	void callWithoutANameIsRefusedAndTheOthersGoOn() {
		SpringAiToolHooks hooks = new SpringAiToolHooks(
				new ToolHookChain(List.of((call) -> ToolDecision.approve()), List.of()));
		ToolCallingManager manager = hooks.wrap(DefaultToolCallingManager.builder().build());
		Prompt prompt = new Prompt("Time?", ToolCallingChatOptions.builder().toolCallbacks(tool()).build());
		ScriptedChatModel model = new ScriptedChatModel();
		model.calls(model.call("", "{}"), model.call("now", "{}"));
		assertThat(manager.executeToolCalls(prompt, model.call(prompt)).conversationHistory().toString())
			.contains("There is no tool of this name", "noon");
	}

	@Test
	void optionsWhoseCopyKeepsOtherToolsRunNone() {
		SpringAiToolHooks hooks = new SpringAiToolHooks(
				new ToolHookChain(List.of((call) -> ToolDecision.deny("No")), List.of()));
		ToolCallingManager manager = hooks.wrap(DefaultToolCallingManager.builder().build());
		Prompt prompt = new Prompt("Time?", new KeepingOptions(List.of(tool())));
		ChatResponse response = new ScriptedChatModel().calls("now", "{}").call(new Prompt("Time?"));
		assertThatExceptionOfType(UnguardedToolException.class)
			.isThrownBy(() -> manager.executeToolCalls(prompt, response))
			.withMessageContainingAll("KeepingOptions", "toolCallbacks(List)");
	}

	private static FunctionToolCallback<Void, String> tool() {
		return FunctionToolCallback.builder("now", () -> "noon")
			.description("The time")
			.toolMetadata(ToolMetadata.builder().returnDirect(true).build())
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	static class EagerPostProcessor {

		private static @Nullable ToolCallingManager manager;

		@Bean
		static BeanPostProcessor needy(ToolCallingManager toolCallingManager) {
			manager = toolCallingManager;
			return new BeanPostProcessor() {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JudgeConfiguration {

		@Bean
		PreToolHook judge(ChatClient.Builder builder) {
			ChatClient client = builder.build();
			return (call) -> ("yes".equals(client.prompt("May it?").call().content())) ? ToolDecision.approve()
					: ToolDecision.deny("No");
		}

	}

	/** Options that add tools to those that they have. */
	private static final class KeepingOptions extends DefaultToolCallingChatOptions {

		private KeepingOptions(List<ToolCallback> tools) {
			super(tools, null, null, null, null, null, null, null, null, null);
		}

		@Override
		public ToolCallingChatOptions.Builder<?> mutate() {
			return new KeepingBuilder(Objects.requireNonNull(getToolCallbacks()));
		}

	}

	private static final class KeepingBuilder extends DefaultToolCallingChatOptions.Builder<KeepingBuilder> {

		private KeepingBuilder(List<ToolCallback> tools) {
			super.toolCallbacks(tools);
		}

		@Override
		public KeepingBuilder toolCallbacks(@Nullable List<ToolCallback> more) {
			return toolCallbacks(Objects.requireNonNull(more).toArray(ToolCallback[]::new));
		}

	}

}
