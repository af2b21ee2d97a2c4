package io.agenthooks.spring.autoconfigure;

import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.spring.ai.HookedToolCallbacks;

/**
 * Puts the hooks around the beans by which Spring AI calls tools. Managers are guarded
 * always; tools that are beans themselves too, because a {@code ChatClient} that no bean
 * had a part in makes a manager of its own.
 * <p>
 * Tools of MCP servers stay what they are: Spring AI tells them from others by their
 * class, so as not to connect too early, nor to offer them to the clients of its own
 * server. Their calls pass a manager.
 */
final class SpringAiToolGuard implements BeanPostProcessor, PriorityOrdered {

	private static final String MCP = "org.springframework.ai.mcp.";

	private final ObjectProvider<HookedToolCallbacks> hooks;

	private final ToolCallbackResolver fallback;

	private final boolean wrapTools;

	SpringAiToolGuard(ObjectProvider<HookedToolCallbacks> hooks, ToolCallbackResolver fallback, boolean wrapTools) {
		this.hooks = hooks;
		this.fallback = fallback;
		this.wrapTools = wrapTools;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AopInfrastructureBean) {
			// A scoped proxy leads to another bean, which is guarded itself.
			return bean;
		}
		if (bean instanceof ToolCallingManager manager) {
			return this.hooks.getObject().wrap(manager, this.fallback);
		}
		if (!this.wrapTools || isMcp(bean.getClass())) {
			return bean;
		}
		if (bean instanceof ToolCallback tool) {
			return this.hooks.getObject().wrap(tool);
		}
		if (bean instanceof ToolCallbackProvider tools) {
			return this.hooks.getObject().wrap(tools);
		}
		return (bean instanceof ToolCallbackResolver tools) ? this.hooks.getObject().wrap(tools) : bean;
	}

	private static boolean isMcp(Class<?> type) {
		Class<?> superclass = type.getSuperclass();
		return type.getName().startsWith(MCP) || (superclass != null && isMcp(superclass));
	}

	/**
	 * Whether calls through a manager pass the hooks.
	 */
	static boolean isGuarded(Object manager) {
		if (manager instanceof AopInfrastructureBean || HookedToolCallbacks.isHooked(manager)) {
			return true;
		}
		Object target = AopProxyUtils.getSingletonTarget(manager);
		return target != null && isGuarded(target);
	}

}
