package io.agenthooks.spring.mcp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import org.springframework.ai.mcp.server.common.autoconfigure.McpServerAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.McpServerJsonMapperAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.McpServerStatelessAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.StatelessToolCallbackConverterAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.ToolCallbackConverterAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.annotations.McpServerAnnotationScannerAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.annotations.McpServerSpecificationFactoryAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.annotations.StatelessServerSpecificationFactoryAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * An application that offers tools over HTTP, as a test sees it while it runs.
 *
 * @param context its context
 * @param tools its tools
 * @param ended how calls ended
 */
record ServingApplication(ApplicationContext context, ServedTools tools, Outcomes ended) {

	static final Map<String, Object> LONDON = Map.of("city", "London");

	static ApplicationContextRunner runner(Kind kind) {
		ServedTools tools = new ServedTools();
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallingAutoConfiguration.class, McpServerAutoConfiguration.class,
					McpServerJsonMapperAutoConfiguration.class, ToolCallbackConverterAutoConfiguration.class,
					McpServerStatelessAutoConfiguration.class, StatelessToolCallbackConverterAutoConfiguration.class,
					McpServerSpecificationFactoryAutoConfiguration.class,
					StatelessServerSpecificationFactoryAutoConfiguration.class,
					McpServerAnnotationScannerAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
					SpringAiToolCallsAutoConfiguration.class, McpToolCallsAutoConfiguration.class))
			.withPropertyValues(kind.properties())
			.withUserConfiguration(beansOf(kind))
			.withBean(ServedTools.class, () -> tools);
	}

	static ApplicationContextRunner runner(Kind kind, PreToolHook hook) {
		return runner(kind).withBean("hook", PreToolHook.class, () -> hook);
	}

	private static Class<?> beansOf(Kind kind) {
		return switch (kind) {
			case SYNC -> SyncBeans.class;
			case ASYNC -> AsyncBeans.class;
			case STATELESS_SYNC -> StatelessSyncBeans.class;
			case STATELESS_ASYNC -> StatelessAsyncBeans.class;
		};
	}

	static void run(ApplicationContextRunner runner, Consumer<ServingApplication> test) {
		runner.run((context) -> test.accept(
				new ServingApplication(context, context.getBean(ServedTools.class), context.getBean(Outcomes.class))));
	}

	/**
	 * A server that the tests of a class share. It knows nothing of the test before.
	 */
	static ServingApplication shared(SharedContexts contexts, Object key, Supplier<ApplicationContextRunner> runner) {
		ApplicationContext context = contexts.get(key, runner);
		ServingApplication shared = new ServingApplication(context, context.getBean(ServedTools.class),
				context.getBean(Outcomes.class));
		shared.tools.forget();
		shared.ended.outcomes.clear();
		return shared;
	}

	/**
	 * A client that is connected.
	 */
	McpSyncClient client(String name) {
		McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder(this.context.getBean(WebServer.class).url()).build())
			.clientInfo(McpSchema.Implementation.builder(name, "1.2").build())
			.build();
		client.initialize();
		return client;
	}

	/**
	 * What a new client gets from a call.
	 */
	CallToolResult call(String tool, Map<String, Object> arguments) {
		try (McpSyncClient client = client("tester")) {
			return call(client, tool, arguments);
		}
	}

	static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
		return client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
	}

	static String text(CallToolResult result) {
		return ServedResult.read(result).content();
	}

	List<ToolOutcome> outcomes() {
		return this.ended.outcomes;
	}

	ToolOutcome outcome() {
		return this.ended.outcome();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		WebServer webServer(HttpServlet transport, ObjectProvider<Filter> filters) {
			return new WebServer(transport, filters.orderedStream().toList());
		}

		@Bean
		ToolCallback callback(ServedTools tools) {
			return tools.callback();
		}

		@Bean
		Outcomes outcomes() {
			return new Outcomes();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StatefulBeans extends Beans {

		@Bean
		HttpServletStreamableServerTransportProvider transport() {
			return HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StatelessBeans extends Beans {

		@Bean
		HttpServletStatelessServerTransport transport() {
			return HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SyncBeans extends StatefulBeans {

		@Bean
		ServedTools.Annotated annotated(ServedTools tools) {
			return new ServedTools.Annotated(tools);
		}

		@Bean
		List<McpServerFeatures.SyncToolSpecification> specified(ServedTools tools) {
			return List.of(tools.sync(ServedTools.SPECIFIED));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsyncBeans extends StatefulBeans {

		@Bean
		ServedTools.AnnotatedAsync annotated(ServedTools tools) {
			return new ServedTools.AnnotatedAsync(tools);
		}

		@Bean
		List<McpServerFeatures.AsyncToolSpecification> specified(ServedTools tools) {
			return List.of(tools.async(ServedTools.SPECIFIED));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StatelessSyncBeans extends StatelessBeans {

		@Bean
		ServedTools.Annotated annotated(ServedTools tools) {
			return new ServedTools.Annotated(tools);
		}

		@Bean
		List<McpStatelessServerFeatures.SyncToolSpecification> specified(ServedTools tools) {
			return List.of(tools.statelessSync(ServedTools.SPECIFIED));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StatelessAsyncBeans extends StatelessBeans {

		@Bean
		ServedTools.AnnotatedAsync annotated(ServedTools tools) {
			return new ServedTools.AnnotatedAsync(tools);
		}

		@Bean
		List<McpStatelessServerFeatures.AsyncToolSpecification> specified(ServedTools tools) {
			return List.of(tools.statelessAsync(ServedTools.SPECIFIED));
		}

	}

	/**
	 * Keeps how calls ended.
	 */
	static class Outcomes implements PostToolHook {

		private final List<ToolOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());

		@Override
		public void postCall(ToolOutcome outcome) {
			this.outcomes.add(outcome);
		}

		ToolOutcome outcome() {
			if (this.outcomes.size() != 1) {
				throw new AssertionError("Not one call but " + this.outcomes.size());
			}
			return this.outcomes.get(0);
		}

	}

}
