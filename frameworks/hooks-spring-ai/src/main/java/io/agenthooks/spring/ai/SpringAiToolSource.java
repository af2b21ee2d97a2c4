package io.agenthooks.spring.ai;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.StaticToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.ai.tool.support.ToolDefinitions;
import org.springframework.ai.tool.support.ToolUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.origin.GuardedTools;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownTools.Kind;
import io.agenthooks.spring.origin.KnownTools.Source;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.ToolSource;

/** The tools of Spring AI: those that are beans, and methods of beans. */
final class SpringAiToolSource implements ToolSource {

	@Override
	public List<String> dynamicTypes() {
		return List.of("io.modelcontextprotocol.", "org.springframework.ai.mcp.");
	}

	@Override
	public boolean isPresent(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent("org.springframework.ai.tool.ToolCallback", classLoader);
	}

	@Override
	public void find(ConfigurableListableBeanFactory beanFactory, KnownTools tools) {
		Beans.find(beanFactory, tools);
	}

	@Override
	public void findMethods(Class<?> type, String bean, KnownTools tools) {
		Beans.findMethods(type, bean, tools);
	}

	/** Loaded only if Spring AI is there. */
	private static final class Beans {

		static void find(ConfigurableListableBeanFactory factory, KnownTools tools) {
			for (Class<?> type : List.of(ToolCallback.class, ToolCallbackProvider.class)) {
				for (String name : factory.getBeanNamesForType(type, true, false)) {
					Object bean = KnownToolsFinder.existing(factory, name);
					List<ToolDefinition> known = (bean != null) ? of(bean) : null;
					if (known == null) {
						tools.addUnknown("only the bean '" + name + "' knows its tools");
					}
					else {
						known.forEach((tool) -> {
							tools.add(tool.name(), tool::inputSchema);
							tools.describe(tool.name(), tool::description);
							tools.addSource(new Source(tool.name(), name, Kind.TOOL_CALLBACK));
						});
					}
				}
			}
			for (Class<?> type : List.of(ToolCallbackResolver.class, ToolCallingManager.class)) {
				for (String name : factory.getBeanNamesForType(type, true, false)) {
					if (!isOfSpringAi(factory, name)) {
						tools.addUnknown("the bean '" + name + "' may know tools of its own");
					}
				}
			}
		}

		private static boolean isOfSpringAi(ConfigurableListableBeanFactory factory, String name) {
			String maker = (factory.containsBeanDefinition(name)) ? factory.getBeanDefinition(name).getFactoryBeanName()
					: null;
			return maker != null && maker.startsWith("org.springframework.ai.");
		}

		/** The tools of a bean, or {@code null} if only the bean knows them. */
		private static @Nullable List<ToolDefinition> of(Object bean) {
			Object tools = (bean instanceof GuardedTools hooked) ? hooked.tools() : bean;
			if (tools instanceof ToolCallback tool) {
				return List.of(tool.getToolDefinition());
			}
			return (tools instanceof MethodToolCallbackProvider || tools instanceof StaticToolCallbackProvider)
					? Arrays.stream(((ToolCallbackProvider) tools).getToolCallbacks())
						.map(ToolCallback::getToolDefinition)
						.toList()
					: null;
		}

		static void findMethods(Class<?> type, String bean, KnownTools tools) {
			for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type, Beans::isTool)) {
				String tool = ToolUtils.getToolName(method);
				tools.add(tool, () -> ToolDefinitions.from(method).inputSchema());
				tools.describe(tool, () -> ToolDefinitions.from(method).description());
				tools.addSource(new Source(tool, bean, Kind.SPRING_AI_METHOD));
			}
		}

		private static boolean isTool(Method method) {
			return !method.isBridge() && AnnotatedElementUtils.hasAnnotation(method, Tool.class);
		}

	}

}
