package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.test.util.AopTestUtils;
import org.springframework.test.util.ReflectionTestUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * A thing that runs tools, such as an executor, a callback or a server.
 */
enum GuardedThing {

	EXECUTOR(ToolExecutor.class) {

		@Override
		Object make(AtomicInteger runs) {
			return new Tools(runs);
		}

		@Override
		void call(Object bean) {
			((ToolExecutor) bean).execute(ToolCall.of("t", Map.of()));
		}

	},

	CALLBACK(ToolCallback.class) {

		@Override
		Object make(AtomicInteger runs) {
			return callback(runs);
		}

		@Override
		void call(Object bean) {
			((ToolCallback) bean).call("{}");
		}

	},

	PROVIDER(ToolCallbackProvider.class) {

		@Override
		Object make(AtomicInteger runs) {
			return ToolCallbackProvider.from(callback(runs));
		}

		@Override
		void call(Object bean) {
			((ToolCallbackProvider) bean).getToolCallbacks()[0].call("{}");
		}

	},

	RESOLVER(ToolCallbackResolver.class) {

		@Override
		Object make(AtomicInteger runs) {
			return new StaticToolCallbackResolver(List.of(callback(runs)));
		}

		@Override
		void call(Object bean) {
			ToolCallback tool = ((ToolCallbackResolver) bean).resolve("t");
			if (tool == null) {
				throw new AssertionError("No tool");
			}
			tool.call("{}");
		}

	},

	MANAGER(ToolCallingManager.class) {

		@SuppressWarnings("ImmutableEnumChecker") // one test uses it at a time
		private @Nullable ToolCallback tool;

		@Override
		Object make(AtomicInteger runs) {
			this.tool = callback(runs);
			return ToolCallingManager.builder().build();
		}

		@Override
		void call(Object bean) {
			ToolCallback tool = this.tool;
			if (tool == null) {
				throw new AssertionError("No tool");
			}
			AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("1", "function", "t", "{}");
			((ToolCallingManager) bean).executeToolCalls(
					new Prompt("?", ToolCallingChatOptions.builder().toolCallbacks(List.of(tool)).build()),
					new ChatResponse(List
						.of(new Generation(AssistantMessage.builder().content("").toolCalls(List.of(call)).build()))));
		}

	},

	MCP_TOOL(McpServerFeatures.SyncToolSpecification.class) {

		@Override
		Object make(AtomicInteger runs) {
			return new McpServerFeatures.SyncToolSpecification(McpSchema.Tool.builder("t", Map.of()).build(),
					(exchange, request) -> {
						runs.incrementAndGet();
						return McpSchema.CallToolResult.builder().addTextContent("ran").build();
					});
		}

		@Override
		@SuppressWarnings("NullAway")
		void call(Object bean) {
			Objects.requireNonNull(((McpServerFeatures.SyncToolSpecification) bean).callHandler()
				.apply(null, new McpSchema.CallToolRequest("t", Map.of(), null)));
		}

	},

	MCP_SERVER(McpStatelessSyncServer.class) {

		@Override
		Object make(AtomicInteger runs) {
			return McpServer.sync(HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build())
				.tools(new McpStatelessServerFeatures.SyncToolSpecification(
						McpSchema.Tool.builder("t", Map.of()).build(), (context, request) -> {
							runs.incrementAndGet();
							return McpSchema.CallToolResult.builder().addTextContent("ran").build();
						}))
				.build();
		}

		@Override
		void call(Object bean) {
			ServerTools.call(bean, new McpSchema.CallToolRequest("t", Map.of(), null));
		}

	};

	static final String NAME = "thing";

	final Class<?> type;

	GuardedThing(Class<?> type) {
		this.type = type;
	}

	abstract Object make(AtomicInteger runs);

	abstract void call(Object bean);

	private static ToolCallback callback(AtomicInteger runs) {
		return FunctionToolCallback.builder("t", (Map<String, Object> input) -> {
			runs.incrementAndGet();
			return "ran";
		}).description("t").inputType(Map.class).build();
	}

	void register(AtomicInteger runs, GenericApplicationContext context, Consumer<RootBeanDefinition> customizer) {
		register(runs, context, Function.identity(), ResolvableType.forClass(this.type), customizer);
	}

	void register(AtomicInteger runs, GenericApplicationContext context, Function<Object, Object> around,
			ResolvableType type, Consumer<RootBeanDefinition> customizer) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(type);
		definition.setInstanceSupplier(() -> around.apply(make(runs)));
		customizer.accept(definition);
		context.registerBeanDefinition(NAME, definition);
	}

	/**
	 * Calls the only tool of a server as a client would.
	 */
	static final class ServerTools {

		private ServerTools() {
		}

		static void call(Object server, McpSchema.CallToolRequest request) {
			Object async = read(AopTestUtils.getUltimateTargetObject(server), "asyncServer");
			List<?> tools = (List<?>) read(async, "tools");
			((McpStatelessServerFeatures.AsyncToolSpecification) tools.get(0)).callHandler()
				.apply(McpTransportContext.EMPTY, request)
				.block();
		}

		private static Object read(Object object, String name) {
			return Objects.requireNonNull(ReflectionTestUtils.getField(object, name));
		}

	}

	static class Tools implements ToolExecutor {

		private final AtomicInteger runs;

		Tools(AtomicInteger runs) {
			this.runs = runs;
		}

		@Override
		public ToolResult execute(ToolCall call) {
			this.runs.incrementAndGet();
			return ToolResult.success("ran");
		}

	}

}
