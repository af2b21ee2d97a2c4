package io.agenthooks.spring.origin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.origin.KnownTools.Kind;
import io.agenthooks.spring.origin.KnownTools.Source;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Finds the tools that are known once all singletons exist: the names that executors
 * give, tools that are beans, and methods of beans that are tools. No bean is created for
 * it, and no server is asked: a bean that may ask one only says that there may be others.
 *
 * @since 0.1.0
 */
public final class KnownToolsFinder {

	private static final Logger logger = LoggerFactory.getLogger(KnownToolsFinder.class);

	private final KnownTools tools = new KnownTools();

	private KnownToolsFinder() {
	}

	public static KnownTools findIn(ConfigurableListableBeanFactory beanFactory) {
		KnownToolsFinder finder = new KnownToolsFinder();
		withParents(beanFactory).forEach(finder::find);
		return finder.tools;
	}

	/**
	 * Find the tools as {@link #findIn}, or none of them: a tool that cannot say its name
	 * is no reason not to start.
	 * @param beanFactory the beans of an application, and of the contexts above it
	 * @return the tools
	 */
	public static KnownTools findIfPossible(ConfigurableListableBeanFactory beanFactory) {
		try {
			return findIn(beanFactory);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The tools that are known could not be found", ex);
			return new KnownTools();
		}
	}

	private static List<ConfigurableListableBeanFactory> withParents(ConfigurableListableBeanFactory beanFactory) {
		List<ConfigurableListableBeanFactory> factories = new ArrayList<>(List.of(beanFactory));
		while (factories.get(factories.size() - 1)
			.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
			factories.add(parent);
		}
		return factories;
	}

	/**
	 * Whether there is a bean that may bring tools of MCP servers.
	 * @param beanFactory the beans of an application, and of the contexts above it
	 * @return whether there is
	 */
	public static boolean mayHaveServers(ConfigurableListableBeanFactory beanFactory) {
		List<String> dynamic = dynamicTypes(sources(beanFactory));
		for (ConfigurableListableBeanFactory factory : withParents(beanFactory)) {
			for (Iterator<String> names = factory.getBeanNamesIterator(); names.hasNext();) {
				String name = names.next();
				if (isDynamic(factory, name, typeOf(factory, name), dynamic)) {
					return true;
				}
			}
		}
		return false;
	}

	private void find(ConfigurableListableBeanFactory factory) {
		List<ToolSource> all = sources(factory);
		List<String> dynamic = dynamicTypes(all);
		List<ToolSource> sources = all.stream()
			.filter((source) -> source.isPresent(factory.getBeanClassLoader()))
			.toList();
		findExecutors(factory);
		sources.forEach((source) -> source.find(factory, this.tools));
		for (Iterator<String> names = factory.getBeanNamesIterator(); names.hasNext();) {
			String name = names.next();
			Class<?> type = typeOf(factory, name);
			if (isDynamic(factory, name, type, dynamic)) {
				this.tools.addUnknown("the bean '" + name + "' may bring tools at any time");
			}
			else if (type != null && !type.getName().startsWith("org.springframework.")) {
				findMethods(ClassUtils.getUserClass(type), name, sources);
			}
		}
	}

	private static List<ToolSource> sources(ConfigurableListableBeanFactory factory) {
		return SpringFactoriesLoader.forDefaultResourceLocation(factory.getBeanClassLoader()).load(ToolSource.class);
	}

	private static List<String> dynamicTypes(List<ToolSource> sources) {
		return sources.stream().flatMap((source) -> source.dynamicTypes().stream()).toList();
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
	 * Find a bean that is made already. What a factory bean makes may not be.
	 * @param factory where the bean is
	 * @param name its name
	 * @return the bean, or {@code null} if it is not made yet
	 */
	public static @Nullable Object existing(ConfigurableListableBeanFactory factory, String name) {
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

	/**
	 * The tools that an executor names.
	 * @param executor the executor
	 * @return their names; empty if it does not say them
	 */
	public static Set<String> namesOf(ToolExecutor executor) {
		try {
			return Objects.requireNonNullElse(executor.toolNames(), Set.of());
		}
		catch (RuntimeException ex) {
			return Set.of();
		}
	}

	private static boolean isDynamic(ConfigurableListableBeanFactory factory, String name, @Nullable Class<?> type,
			List<String> dynamic) {
		String declared = (factory.containsBeanDefinition(name))
				? factory.getMergedBeanDefinition(name).getResolvableType().toString() : "";
		return dynamic.stream().anyMatch((prefix) -> declared.contains(prefix) || isA(type, prefix));
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

	private void findMethods(Class<?> type, String bean, List<ToolSource> sources) {
		try {
			sources.forEach((source) -> source.findMethods(type, bean, this.tools));
		}
		catch (RuntimeException | LinkageError ex) {
			this.tools.addUnknown("the methods of the bean '" + bean + "' cannot be read");
		}
	}

}
