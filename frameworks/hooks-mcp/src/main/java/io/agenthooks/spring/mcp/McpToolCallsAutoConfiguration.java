package io.agenthooks.spring.mcp;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.assembly.ConditionalOnHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;

/**
 * Lets calls of tools that the application offers as an MCP server pass the hooks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ToolCallHooksAutoConfiguration.class)
@ConditionalOnClass(McpServerFeatures.class)
@ConditionalOnBean(ToolExecutorGuard.class)
@ConditionalOnHooks(Kind.TOOL_CALL)
@ImportRuntimeHints(McpToolCallsAutoConfiguration.ServerHints.class)
public final class McpToolCallsAutoConfiguration {

	@Bean
	static McpToolGuard mcpToolGuard(ObjectProvider<McpToolHooks> hooks) {
		return new McpToolGuard(hooks);
	}

	@Bean
	static StandardInputGuard mcpStandardInputGuard(ApplicationContext context) {
		return new StandardInputGuard(context);
	}

	@Bean
	static GuardedType guardedMcpServers() {
		return new GuardedType("MCP server", McpToolGuard.SERVERS, McpToolHooks::isGuarded, McpToolHooks::provedTools,
				null);
	}

	/** Each client of a server says itself which agent it is. */
	@Bean
	NameSource mcpClientNames(ConfigurableListableBeanFactory beanFactory) {
		return (names) -> {
			if (Stream.concat(McpToolGuard.SERVERS.stream(), McpToolGuard.TOOLS.stream())
				.anyMatch((type) -> beanFactory.getBeanNamesForType(type, true, false).length > 0)) {
				names.mayBeSaid(Named.AGENT);
				names.comeFromFramework();
			}
		};
	}

	@Bean
	static GuardedType guardedMcpTools() {
		return new GuardedType("MCP tool specification", McpToolGuard.TOOLS, McpToolHooks::isGuarded,
				McpToolHooks::provedTools, null);
	}

	@Bean
	McpToolHooks mcpToolHooks(ObjectProvider<ToolExecutorGuard> guard,
			ObjectProvider<CallContextCustomizer> customizers, ConfigurableEnvironment environment) {
		Supplier<List<CallContextCustomizer>> ordered = () -> customizers.orderedStream().toList();
		return new McpToolHooks(SingletonSupplier.of(() -> guard.getObject().chain())::obtain,
				SingletonSupplier.of(ordered)::obtain,
				CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()));
	}

	static final class ServerHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (Class<?> type : List.of(McpSyncServer.class, McpStatelessSyncServer.class)) {
				register(type, "asyncServer", hints);
				register(type, "immediateExecution", hints);
			}
			register(McpAsyncServer.class, "tools", hints);
			register(McpStatelessAsyncServer.class, "tools", hints);
			register(StdioServerTransportProvider.class, "inputStream", hints);
			hints.reflection()
				.registerTypeIfPresent(classLoader,
						ServedMethods.OF_ANNOTATIONS + "method.tool.AbstractMcpToolMethodCallback",
						MemberCategory.ACCESS_DECLARED_FIELDS);
		}

		private static void register(Class<?> type, String field, RuntimeHints hints) {
			hints.reflection().registerField(Objects.requireNonNull(ReflectionUtils.findField(type, field)));
		}

	}

}
