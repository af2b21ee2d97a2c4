package io.agenthooks.spring.origin;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.internal.JsonSchemaElementJsonUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.origin.KnownTools.Kind;
import io.agenthooks.spring.origin.KnownTools.Source;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Finds the tools that are known once all singletons exist: the names that executors
 * give, tools that are beans, and methods of beans that are tools. No bean is created for
 * it, and no server is asked: a bean that may ask one only says that there may be other
 * tools.
 *
 * @since 0.1.0
 */
public final class KnownToolsFinder {

	/** Types of beans that bring tools as they please. */
	private static final List<String> DYNAMIC = List.of("io.modelcontextprotocol.", "org.springframework.ai.mcp.",
			"dev.langchain4j.mcp.", "dev.langchain4j.service.tool.ToolProvider");

	private final KnownTools tools = new KnownTools();

	private KnownToolsFinder() {
	}

	/**
	 * Find the tools of an application.
	 * @param beanFactory its beans, and those of the contexts above it
	 * @return the tools
	 */
	public static KnownTools findIn(ConfigurableListableBeanFactory beanFactory) {
		KnownToolsFinder finder = new KnownToolsFinder();
		ConfigurableListableBeanFactory factory = beanFactory;
		while (factory != null) {
			finder.find(factory);
			factory = (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
					: null;
		}
		return finder.tools;
	}

	/**
	 * Whether there is a bean that may bring tools of MCP servers.
	 * @param beanFactory the beans of an application, and of the contexts above it
	 * @return whether there is
	 */
	public static boolean mayHaveServers(ConfigurableListableBeanFactory beanFactory) {
		ConfigurableListableBeanFactory factory = beanFactory;
		while (factory != null) {
			for (Iterator<String> names = factory.getBeanNamesIterator(); names.hasNext();) {
				String name = names.next();
				if (isDynamic(factory, name, typeOf(factory, name))) {
					return true;
				}
			}
			factory = (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
					: null;
		}
		return false;
	}

	private void find(ConfigurableListableBeanFactory factory) {
		ClassLoader classLoader = factory.getBeanClassLoader();
		boolean springAi = ClassUtils.isPresent("org.springframework.ai.tool.ToolCallback", classLoader);
		boolean langChain4j = ClassUtils.isPresent("dev.langchain4j.agent.tool.ToolSpecifications", classLoader);
		findExecutors(factory);
		if (springAi) {
			SpringAi.find(factory, this.tools);
		}
		for (Iterator<String> names = factory.getBeanNamesIterator(); names.hasNext();) {
			String name = names.next();
			Class<?> type = typeOf(factory, name);
			if (isDynamic(factory, name, type)) {
				this.tools.addUnknown("the bean '" + name + "' may bring tools at any time");
			}
			else if (type != null && (springAi || langChain4j) && !type.getName().startsWith("org.springframework.")) {
				findMethods(ClassUtils.getUserClass(type), name, springAi, langChain4j);
			}
		}
	}

	private static @Nullable Class<?> typeOf(ConfigurableListableBeanFactory factory, String name) {
		try {
			return factory.getType(name, false);
		}
		catch (BeansException ex) {
			// Nobody could use it either.
			return null;
		}
	}

	/**
	 * A bean, if it is made already. What a factory bean makes may not be.
	 */
	private static @Nullable Object existing(ConfigurableListableBeanFactory factory, String name) {
		Object singleton = factory.getSingleton(name);
		return (singleton instanceof FactoryBean) ? null : singleton;
	}

	private void findExecutors(ConfigurableListableBeanFactory factory) {
		for (String name : factory.getBeanNamesForType(ToolExecutor.class, true, false)) {
			Set<String> names = (existing(factory, name) instanceof ToolExecutor executor) ? namesOf(executor)
					: Set.of();
			if (names.isEmpty()) {
				this.tools.addUnknown("the executor '" + name + "' does not say its tools at the start");
			}
			for (String tool : names) {
				this.tools.add(tool);
				this.tools.addSource(new Source(tool, name, Kind.EXECUTOR));
			}
		}
	}

	private static Set<String> namesOf(ToolExecutor executor) {
		try {
			return Objects.requireNonNullElse(executor.toolNames(), Set.of());
		}
		catch (RuntimeException ex) {
			return Set.of();
		}
	}

	private static boolean isDynamic(ConfigurableListableBeanFactory factory, String name, @Nullable Class<?> type) {
		String declared = (factory.containsBeanDefinition(name))
				? factory.getMergedBeanDefinition(name).getResolvableType().toString() : "";
		return DYNAMIC.stream().anyMatch((prefix) -> declared.contains(prefix) || isA(type, prefix));
	}

	private static boolean isA(@Nullable Class<?> type, String prefix) {
		if (type == null) {
			return false;
		}
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			if (each.getName().startsWith(prefix)) {
				return true;
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.anyMatch((each) -> each.getName().startsWith(prefix));
	}

	private void findMethods(Class<?> type, String bean, boolean springAi, boolean langChain4j) {
		try {
			if (springAi) {
				SpringAi.findMethods(type, bean, this.tools);
			}
			if (langChain4j) {
				LangChain4j.findMethods(type, bean, this.tools);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			this.tools.addUnknown("the methods of the bean '" + bean + "' cannot be read");
		}
	}

	/**
	 * What needs Spring AI.
	 */
	private static final class SpringAi {

		private static void find(ConfigurableListableBeanFactory factory, KnownTools tools) {
			for (Class<?> type : List.of(ToolCallback.class, ToolCallbackProvider.class)) {
				for (String name : factory.getBeanNamesForType(type, true, false)) {
					Object bean = existing(factory, name);
					List<ToolDefinition> known = (bean != null) ? DeclaredTools.of(bean) : null;
					if (known == null) {
						tools.addUnknown("only the bean '" + name + "' knows its tools");
					}
					else {
						known.forEach((tool) -> {
							tools.add(tool.name(), tool::inputSchema);
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

		private static void findMethods(Class<?> type, String bean, KnownTools tools) {
			DeclaredTools.ofMethodsOf(type).forEach((tool, schema) -> {
				tools.add(tool, schema);
				tools.addSource(new Source(tool, bean, Kind.SPRING_AI_METHOD));
			});
		}

	}

	/**
	 * What needs LangChain4j.
	 */
	private static final class LangChain4j {

		private static void findMethods(Class<?> type, String bean, KnownTools tools) {
			for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type,
					(each) -> AnnotatedElementUtils.hasAnnotation(each, Tool.class))) {
				ToolSpecification tool = ToolSpecifications.toolSpecificationFrom(method);
				tools.addLenient(tool.name(), () -> schemaOf(tool));
				tools.addSource(new Source(tool.name(), bean, Kind.LANGCHAIN4J_METHOD));
			}
		}

		private static String schemaOf(ToolSpecification tool) {
			Map<String, Object> none = Map.of("type", "object", "properties", Map.of());
			return new String(
					StrictJson.write(
							(tool.parameters() != null) ? JsonSchemaElementJsonUtils.toMap(tool.parameters()) : none),
					StandardCharsets.UTF_8);
		}

	}

}
