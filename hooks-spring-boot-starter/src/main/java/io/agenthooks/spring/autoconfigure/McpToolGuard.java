package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.spring.mcp.HookedMcpTools;

/**
 * Puts the hooks around tools for MCP clients that are beans, or in a bean that is a list
 * of them, which is how Spring AI has them. Servers are guarded too, since they may get
 * tools in other ways; but one that reads its standard input does so as soon as it is
 * made, so it is better that its tools are guarded before.
 */
final class McpToolGuard implements BeanPostProcessor, PriorityOrdered {

	private static final String MCP = "io.modelcontextprotocol.server.";

	private final ObjectProvider<HookedMcpTools> hooks;

	McpToolGuard(ObjectProvider<HookedMcpTools> hooks) {
		this.hooks = hooks;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof List<?> list && list.stream().anyMatch(McpToolGuard::isOfMcpServer)) {
			List<@Nullable Object> guarded = new ArrayList<>(list.size());
			for (Object element : list) {
				guarded.add((isOfMcpServer(element)) ? this.hooks.getObject().wrapIfNeeded(element) : element);
			}
			return guarded;
		}
		return (isOfMcpServer(bean) && !(bean instanceof AopInfrastructureBean))
				? this.hooks.getObject().wrapIfNeeded(bean) : bean;
	}

	/**
	 * Most beans are not, and must not make the hooks too early.
	 */
	private static boolean isOfMcpServer(@Nullable Object bean) {
		if (bean == null) {
			return false;
		}
		Class<?> superclass = bean.getClass().getSuperclass();
		return bean.getClass().getName().startsWith(MCP)
				|| (superclass != null && superclass.getName().startsWith(MCP));
	}

}
