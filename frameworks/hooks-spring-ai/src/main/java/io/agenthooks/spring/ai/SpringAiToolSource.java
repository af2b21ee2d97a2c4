package io.agenthooks.spring.ai;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

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
		DeclaredTools.ofMethodsOf(type).forEach((tool, definition) -> {
			tools.add(tool, () -> definition.get().inputSchema());
			tools.describe(tool, () -> definition.get().description());
			tools.addSource(new Source(tool, bean, Kind.SPRING_AI_METHOD));
		});
	}

	/** The code that needs Spring AI. */
	private static final class Beans {

		static void find(ConfigurableListableBeanFactory factory, KnownTools tools) {
			for (Class<?> type : List.of(ToolCallback.class, ToolCallbackProvider.class)) {
				for (String name : factory.getBeanNamesForType(type, true, false)) {
					Object bean = KnownToolsFinder.existing(factory, name);
					List<ToolDefinition> known = (bean != null) ? DeclaredTools.of(bean) : null;
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

	}

}
