package io.agenthooks.spring.ai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.spring.guard.ScopedProxies;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Puts the hooks around the beans by which Spring AI calls tools: managers of Spring AI's
 * own class, and tools, because a client that no bean had a part in makes a manager of
 * its own.
 * <p>
 * Tools of MCP servers stay what they are: Spring AI tells them from others by their
 * class, so as not to connect too early, nor to offer them to the clients of its own
 * server. Their calls pass a manager.
 */
record SpringAiToolGuard(ObjectProvider<SpringAiToolHooks> hooks, ToolCallbackResolver fallback,
		boolean wrapTools) implements BeanPostProcessor, PriorityOrdered {

	private static final String MCP = "org.springframework.ai.mcp.";

	SpringAiToolGuard {
		GuardedToolCallingManager.KNOWN.warn();
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return PlainCollections.replace(bean, this::isToBeWrapped, this::wrap);
	}

	private boolean isToBeWrapped(Object bean) {
		boolean own = bean instanceof ToolCallingManager manager && GuardedToolCallingManager.isOfSpringAi(manager);
		// A scoped proxy leads to another bean, which is guarded itself.
		return (own || (this.wrapTools && hasTools(bean))) && !ScopedProxies.isOne(bean);
	}

	private static boolean hasTools(Object bean) {
		return (bean instanceof ToolCallback || bean instanceof ToolCallbackProvider
				|| bean instanceof ToolCallbackResolver) && !isMcp(bean.getClass());
	}

	private Object wrap(Object bean) {
		if (bean instanceof ToolCallingManager manager) {
			return this.hooks.getObject().wrap(manager, this.fallback);
		}
		if (bean instanceof ToolCallback tool) {
			return this.hooks.getObject().wrap(tool);
		}
		if (bean instanceof ToolCallbackProvider tools) {
			return this.hooks.getObject().wrap(tools);
		}
		return this.hooks.getObject().wrap((ToolCallbackResolver) bean);
	}

	static boolean isMcp(Class<?> type) {
		Class<?> superclass = type.getSuperclass();
		return type.getName().startsWith(MCP) || (superclass != null && isMcp(superclass));
	}

	/** Whether calls pass the hooks, or it is one that stays what it is. */
	static boolean isGuarded(Object bean) {
		return isMcp(bean.getClass()) || guarded(bean) != null;
	}

	private static @Nullable Object guarded(Object bean) {
		if (SpringAiToolHooks.isGuarded(bean)) {
			return bean;
		}
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return (target != null) ? guarded(target) : null;
	}

	static int prove(Object bean, ToolHookChain chain) {
		Object guarded = guarded(bean);
		if (guarded == null) {
			return 0;
		}
		return (SpringAiToolHooks.isProved(guarded, chain)) ? 1 : GuardedType.Proof.FAILED;
	}

}
