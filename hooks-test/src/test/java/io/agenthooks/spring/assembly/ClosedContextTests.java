package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolHooks;
import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls of threads that go on when their application context ends: whatever
 * they made, and whenever they made it, no tool runs any more.
 */
class ClosedContextTests {

	private final AtomicInteger ran = new AtomicInteger();

	/**
	 * How far the context is.
	 */
	enum Phase {

		RUNNING, CLOSING, CLOSED

	}

	static Stream<Arguments> table() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(Phase.values())
				.flatMap((made) -> Stream.of(Phase.values())
					.filter((called) -> called.compareTo(made) >= 0)
					.map((called) -> Arguments.of(way, made, called))));
	}

	private static List<Runnable> of(Map<Phase, List<Runnable>> steps, Phase phase) {
		return Objects.requireNonNull(steps.get(phase));
	}

	@ParameterizedTest
	@MethodSource("table")
	void toolRunsOnlyWhileTheContextDoes(Way way, Phase made, Phase called) {
		Map<Phase, List<Runnable>> steps = new EnumMap<>(Phase.class);
		Stream.of(Phase.values()).forEach((phase) -> steps.put(phase, new ArrayList<>()));
		runner(() -> of(steps, Phase.CLOSING).forEach(Runnable::run)).run((context) -> {
			assertThat(context).hasNotFailed();
			Maker maker = way.maker(context, this::work);
			List<Supplier<String>> calls = new ArrayList<>();
			of(steps, made).add(() -> attempt(() -> {
				calls.add(maker.make());
				return "made";
			}));
			of(steps, called).add(() -> calls.forEach(ClosedContextTests::attempt));
			of(steps, Phase.RUNNING).forEach(Runnable::run);
			context.close();
			assertThat(this.ran).hasValue((called == Phase.RUNNING) ? 1 : 0);
			of(steps, Phase.CLOSED).forEach(Runnable::run);
			assertThat(this.ran).hasValue((called == Phase.RUNNING) ? 1 : 0);
		});
	}

	@ParameterizedTest
	@EnumSource
	void contextThatClosesShutsNoGateOfAnother(Way way) {
		runner(() -> {
		}).run((first) -> {
			List<Supplier<String>> ofSecond = new ArrayList<>();
			Maker late = way.maker(first, this::work);
			Supplier<String> early = late.make();
			runner(() -> {
			}).run((second) -> ofSecond.add(way.maker(second, this::work).make()));
			attempt(ofSecond.get(0));
			assertThat(this.ran).hasValue(0);
			attempt(early);
			attempt(late.make());
			assertThat(this.ran).hasValue(2);
		});
	}

	/**
	 * Make or call something. How it is refused differs.
	 */
	private static String attempt(Supplier<String> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return "refused: " + ex.getMessage();
		}
	}

	private String work() {
		this.ran.incrementAndGet();
		return "worked";
	}

	private ApplicationContextRunner runner(Runnable closing) {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
					RunHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
					SpringAiModelCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class,
					McpToolCallsAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success(work()))
			.withBean("late", LateExecutor.class, () -> (call) -> ToolResult.success(work()),
					(definition) -> definition.setLazyInit(true))
			.withBean("prototype", PrototypeExecutor.class, () -> (call) -> ToolResult.success(work()),
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
			.withBean("hook", PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.withBean("model", ChatModel.class, AskingModel::new)
			.withBean("last", DisposableBean.class, () -> closing::run);
	}

	/**
	 * The ways to a tool: each takes what it needs of the running context, and makes what
	 * calls later.
	 */
	enum Way {

		OWN_EXECUTOR((context, work) -> {
			ToolExecutor tools = context.getBean("tools", ToolExecutor.class);
			return () -> () -> tools.execute(ToolCall.of("work", Map.of())).content();
		}),

		OWN_EXECUTOR_OF_A_PROVIDER((context, work) -> {
			ObjectProvider<LateExecutor> tools = context.getBeanProvider(LateExecutor.class);
			return () -> () -> tools.getObject().execute(ToolCall.of("work", Map.of())).content();
		}),

		OWN_EXECUTOR_PROTOTYPE((context, work) -> {
			ObjectProvider<PrototypeExecutor> tools = context.getBeanProvider(PrototypeExecutor.class);
			return () -> {
				ToolExecutor tool = tools.getObject();
				return () -> tool.execute(ToolCall.of("work", Map.of())).content();
			};
		}),

		HOOKED_EXECUTOR((context, work) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			return () -> {
				ToolExecutor tools = new HookedToolExecutor((call) -> ToolResult.success(work.get()), chain);
				return () -> tools.execute(ToolCall.of("work", Map.of())).content();
			};
		}),

		HOOKED_EXECUTOR_OF_A_PROVIDER((context, work) -> {
			ObjectProvider<ToolHookChain> chain = context.getBeanProvider(ToolHookChain.class);
			return () -> () -> new HookedToolExecutor((call) -> ToolResult.success(work.get()), chain.getObject())
				.execute(ToolCall.of("work", Map.of()))
				.content();
		}),

		WRAPPED_TOOL((context, work) -> {
			SpringAiToolHooks hooks = context.getBean(SpringAiToolHooks.class);
			return () -> {
				ToolCallback tool = hooks.wrap(tool(work));
				return () -> tool.call("{}");
			};
		}),

		WRAPPED_TOOL_OF_A_PROVIDER((context, work) -> {
			ObjectProvider<SpringAiToolHooks> hooks = context.getBeanProvider(SpringAiToolHooks.class);
			return () -> {
				ToolCallback tool = hooks.getObject().wrap(tool(work));
				return () -> tool.call("{}");
			};
		}),

		TOOL_CALLING_MANAGER((context, work) -> {
			ToolCallingManager manager = context.getBean(ToolCallingManager.class);
			return () -> () -> run(manager, tool(work));
		}),

		TOOL_CALLING_MANAGER_OF_A_PROVIDER((context, work) -> {
			ObjectProvider<ToolCallingManager> manager = context.getBeanProvider(ToolCallingManager.class);
			return () -> () -> run(manager.getObject(), tool(work));
		}),

		CHAT_CLIENT((context, work) -> {
			ObjectProvider<ChatClient.Builder> builder = context.getBeanProvider(ChatClient.Builder.class);
			return () -> {
				ChatClient client = builder.getObject().build();
				return () -> client.prompt("Go").tools(tool(work)).call().content();
			};
		}),

		CREATED_CHAT_CLIENT((context, work) -> {
			ChatModel model = context.getBean(ChatModel.class);
			ToolCallback tool = context.getBean(SpringAiToolHooks.class).wrap(tool(work));
			return () -> {
				ChatClient client = ChatClient.create(model);
				return () -> client.prompt("Go").tools(tool).call().content();
			};
		}),

		AI_SERVICE((context, work) -> () -> {
			Assistant assistant = AiServices.builder(Assistant.class)
				.chatModel(new Asking())
				.tools(Map.of(ToolSpecification.builder().name("work").build(), (request, memoryId) -> work.get()))
				.build();
			return () -> assistant.chat("Go");
		}),

		STREAMING_AI_SERVICE((context, work) -> () -> {
			StreamingAssistant assistant = AiServices.builder(StreamingAssistant.class)
				.streamingChatModel(new StreamAsking())
				.tools(Map.of(ToolSpecification.builder().name("work").build(), (request, memoryId) -> work.get()))
				.build();
			return () -> text(assistant.chat("Go"));
		}),

		AI_SERVICE_WITH_A_PROVIDER((context, work) -> () -> {
			Assistant assistant = AiServices.builder(Assistant.class)
				.chatModel(new Asking())
				.toolProvider((request) -> dev.langchain4j.service.tool.ToolProviderResult.builder()
					.add(ToolSpecification.builder().name("work").build(), (called, memoryId) -> work.get())
					.build())
				.build();
			return () -> assistant.chat("Go");
		}),

		SERVED_TOOL((context, work) -> {
			McpToolHooks hooks = context.getBean(McpToolHooks.class);
			return () -> served(hooks, work);
		}),

		SERVED_TOOL_OF_A_PROVIDER((context, work) -> {
			ObjectProvider<McpToolHooks> hooks = context.getBeanProvider(McpToolHooks.class);
			return () -> served(hooks.getObject(), work);
		});

		@SuppressWarnings("ImmutableEnumChecker") // nothing changes what a constant has
		private final Preparation preparation;

		Way(Preparation preparation) {
			this.preparation = preparation;
		}

		Maker maker(ConfigurableApplicationContext context, Supplier<String> work) {
			return this.preparation.maker(context, work);
		}

		private static ToolCallback tool(Supplier<String> work) {
			return FunctionToolCallback.builder("work", work).build();
		}

		private static String run(ToolCallingManager manager, ToolCallback tool) {
			Prompt prompt = new Prompt("Go", ToolCallingChatOptions.builder().toolCallbacks(tool).build());
			return manager.executeToolCalls(prompt, new AskingModel().call(prompt)).toString();
		}

		private static Supplier<String> served(McpToolHooks hooks, Supplier<String> work) {
			McpStatelessServerFeatures.SyncToolSpecification tool = hooks
				.wrap(new McpStatelessServerFeatures.SyncToolSpecification(
						McpSchema.Tool.builder("work", Map.of("type", "object")).build(),
						(exchange, request) -> McpSchema.CallToolResult.builder().addTextContent(work.get()).build()));
			return () -> tool.callHandler()
				.apply(McpTransportContext.EMPTY, McpSchema.CallToolRequest.builder("work").build())
				.content()
				.toString();
		}

		private static String text(TokenStream stream) {
			CompletableFuture<String> text = new CompletableFuture<>();
			stream.onPartialResponse((partial) -> {
			})
				.onCompleteResponse((response) -> text.complete(response.aiMessage().text()))
				.onError(text::completeExceptionally)
				.start();
			return text.orTimeout(1, TimeUnit.MINUTES).join();
		}

	}

	@FunctionalInterface
	private interface Preparation {

		Maker maker(ConfigurableApplicationContext context, Supplier<String> work);

	}

	@FunctionalInterface
	interface Maker {

		Supplier<String> make();

	}

	@FunctionalInterface
	interface LateExecutor extends ToolExecutor {

	}

	@FunctionalInterface
	interface PrototypeExecutor extends ToolExecutor {

	}

	interface Assistant {

		String chat(String text);

	}

	interface StreamingAssistant {

		TokenStream chat(String text);

	}

	/**
	 * A model of Spring AI that calls the tool, and then says what that returned.
	 */
	private static final class AskingModel implements ChatModel {

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public org.springframework.ai.chat.model.ChatResponse call(Prompt prompt) {
			Message last = prompt.getInstructions().get(prompt.getInstructions().size() - 1);
			AssistantMessage reply = (last instanceof ToolResponseMessage results)
					? new AssistantMessage(results.getResponses().get(0).responseData())
					: AssistantMessage.builder()
						.content("")
						.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "work", "{}")))
						.build();
			return new org.springframework.ai.chat.model.ChatResponse(List.of(new Generation(reply)));
		}

	}

	/**
	 * A model of LangChain4j that calls the tool, and then says what that returned.
	 */
	private static final class Asking implements dev.langchain4j.model.chat.ChatModel {

		@Override
		public ChatResponse doChat(ChatRequest request) {
			Object last = request.messages().get(request.messages().size() - 1);
			AiMessage reply = (last instanceof ToolExecutionResultMessage result) ? AiMessage.from(result.text())
					: AiMessage.from(ToolExecutionRequest.builder().id("1").name("work").arguments("{}").build());
			return ChatResponse.builder().aiMessage(reply).build();
		}

	}

	/**
	 * The same, as a stream.
	 */
	private static final class StreamAsking implements StreamingChatModel {

		private final Asking model = new Asking();

		@Override
		public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
			ChatResponse response = this.model.doChat(request);
			handler.onCompleteResponse(response);
		}

	}

}
