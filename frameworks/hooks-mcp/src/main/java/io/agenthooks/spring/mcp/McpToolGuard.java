package io.agenthooks.spring.mcp;

import java.util.List;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.spring.guard.ScopedProxies;
import io.agenthooks.spring.guard.TestDoubles;

/**
 * Also tools in a bean that is a list, as Spring AI has them. Servers are guarded too,
 * but one on standard input reads as soon as it is made, so it is better that its tools
 * are guarded before.
 */
record McpToolGuard(ObjectProvider<McpToolHooks> hooks) implements BeanPostProcessor, PriorityOrdered {

	static final List<Class<?>> SERVERS = List.of(McpSyncServer.class, McpAsyncServer.class,
			McpStatelessSyncServer.class, McpStatelessAsyncServer.class);

	static final List<Class<?>> TOOLS = List.of(McpServerFeatures.SyncToolSpecification.class,
			McpServerFeatures.AsyncToolSpecification.class, McpStatelessServerFeatures.SyncToolSpecification.class,
			McpStatelessServerFeatures.AsyncToolSpecification.class);

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return PlainCollections.replace(bean, McpToolGuard::hasTools,
				(element) -> this.hooks.getObject().wrapIfNeeded(element));
	}

	/**
	 * Most beans have none, and must not make the hooks too early. Neither has a mock.
	 */
	private static boolean hasTools(Object bean) {
		return (GuardedServer.isServer(bean) || TOOLS.stream().anyMatch((type) -> type.isInstance(bean)))
				&& !ScopedProxies.isOne(bean) && !TestDoubles.isMock(bean);
	}

}
