package io.agenthooks.spring.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.TargetClassAware;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.spring.guard.StarterBeans;

/** Looks for annotated methods of beans, without making a bean. */
final class AnnotatedMethods {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethods.class);

	/** The order in which they are declared is not known. */
	private static final Comparator<Method> BY_NAME = Comparator.comparing(Method::getName)
		.thenComparing(Method::toString);

	/** A start asks for each class several times, and a JVM may start many contexts. */
	private static final Map<Class<?>, Map<Method, List<Annotated>>> classes = new ConcurrentReferenceHashMap<>();

	private AnnotatedMethods() {
	}

	/** In order: methods of parent contexts last; of one bean, by name. */
	static List<AnnotatedMethod> findIn(ConfigurableListableBeanFactory beanFactory) {
		List<AnnotatedMethod> methods = new ArrayList<>();
		forEachBean(beanFactory, (factory, name) -> addMethods(factory, name, methods));
		return methods;
	}

	static Set<Class<?>> beanClasses(ConfigurableListableBeanFactory beanFactory) {
		return new LinkedHashSet<>(beans(beanFactory).values().stream().<Class<?>>map(KnownBean::type).toList());
	}

	static Map<String, KnownBean> beans(ConfigurableListableBeanFactory beanFactory) {
		Map<String, KnownBean> beans = new LinkedHashMap<>();
		forEachBean(beanFactory, (factory, name) -> {
			Class<?> type = beanClass(factory, name);
			if (type != null) {
				beans.put(name, new KnownBean(factory, name, type));
			}
		});
		return beans;
	}

	private static void forEachBean(ConfigurableListableBeanFactory beanFactory,
			BiConsumer<ConfigurableListableBeanFactory, String> beans) {
		Set<String> beanNames = new HashSet<>();
		factories(beanFactory).forEach((factory) -> {
			for (Iterator<String> names = factory.getBeanNamesIterator(); names.hasNext();) {
				String name = names.next();
				// A bean hides that of the same name in a parent.
				if (beanNames.add(name) && isOfApplication(factory, name)) {
					beans.accept(factory, name);
				}
			}
		});
	}

	private static Stream<ConfigurableListableBeanFactory> factories(ConfigurableListableBeanFactory beanFactory) {
		return Stream.iterate(beanFactory, Objects::nonNull,
				(factory) -> (factory.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) ? parent
						: null);
	}

	static List<AnnotatedMethod> of(ConfigurableListableBeanFactory factory, String name, Object bean) {
		List<AnnotatedMethod> methods = new ArrayList<>();
		if (isOfApplication(factory, name) && !(bean instanceof ScopedObject)) {
			addMethods(factory, name, ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean)), methods);
		}
		return methods;
	}

	/** Spring does not look for beans in collections, so nobody calls these. */
	static Set<Class<?>> classesInCollections(ConfigurableListableBeanFactory beanFactory) {
		Set<Class<?>> classes = new LinkedHashSet<>();
		factories(beanFactory).forEach((factory) -> Stream.of(factory.getSingletonNames())
			.forEach((name) -> classes.addAll(elementClasses(factory.getSingleton(name)))));
		return classes;
	}

	static List<AnnotatedMethod> findInCollections(ConfigurableListableBeanFactory beanFactory,
			List<AnnotatedMethod> known) {
		Set<Class<?>> beanClasses = known.stream().map(AnnotatedMethod::beanClass).collect(Collectors.toSet());
		List<AnnotatedMethod> methods = new ArrayList<>();
		factories(beanFactory).forEach((factory) -> {
			for (String name : factory.getSingletonNames()) {
				Set<Class<?>> classes = elementClasses(factory.getSingleton(name));
				classes.removeAll(beanClasses);
				classes.forEach((type) -> addMethods(factory, name, type, methods));
			}
		});
		return methods;
	}

	private static Set<Class<?>> elementClasses(@Nullable Object bean) {
		return PlainCollections.elements(bean)
			.map((element) -> ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(element)))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** No template for others, nor what a scoped proxy leads to. */
	private static boolean isOfApplication(ConfigurableListableBeanFactory factory, String name) {
		if (ScopedProxyUtils.isScopedTarget(name) || !factory.containsBeanDefinition(name)) {
			return !ScopedProxyUtils.isScopedTarget(name);
		}
		BeanDefinition definition = factory.getMergedBeanDefinition(name);
		return !definition.isAbstract()
				&& !(definition.getFactoryMethodName() != null && StarterBeans.isOne(definition));
	}

	private static void addMethods(ConfigurableListableBeanFactory factory, String name,
			List<AnnotatedMethod> methods) {
		addMethods(factory, name, beanClass(factory, name), methods);
		Class<?> factoryClass = beanClass(factory, BeanFactory.FACTORY_BEAN_PREFIX + name);
		if (factoryClass != null && FactoryBean.class.isAssignableFrom(factoryClass)) {
			addMethods(factory, BeanFactory.FACTORY_BEAN_PREFIX + name, factoryClass, methods);
		}
	}

	private static void addMethods(ConfigurableListableBeanFactory factory, String name, @Nullable Class<?> beanClass,
			List<AnnotatedMethod> methods) {
		if (beanClass == null || !DeclaredMethods.mayBeAnnotated(beanClass)) {
			return;
		}
		try {
			classes.computeIfAbsent(beanClass, AnnotatedMethods::annotatedMethods)
				.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByKey(BY_NAME))
				.forEach((entry) -> methods
					.add(new AnnotatedMethod(factory, name, beanClass, entry.getKey(), effective(entry.getValue()))));
		}
		catch (IllegalStateException ex) {
			// A type in a signature is missing; Spring cannot make such a bean either.
			logger.debug("Could not look for annotated methods of the bean '{}'", name, ex);
		}
	}

	private static @Nullable Class<?> beanClass(ConfigurableListableBeanFactory factory, String name) {
		try {
			Object singleton = (factory.containsSingleton(name)) ? factory.getSingleton(name) : null;
			if (singleton instanceof TargetClassAware && !(singleton instanceof ScopedObject)) {
				return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(singleton));
			}
			Class<?> type = declaredClass(factory, name);
			if (type != null && ScopedObject.class.isAssignableFrom(type)) {
				type = declaredClass(factory, ScopedProxyUtils.getTargetBeanName(name));
			}
			return (type != null) ? ClassUtils.getUserClass(type) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			// Nobody can make such a bean, or not yet.
			logger.debug("Could not find out the class of the bean '{}'", name, ex);
			return null;
		}
	}

	private static @Nullable Class<?> declaredClass(ConfigurableListableBeanFactory factory, String name) {
		if (factory.containsBeanDefinition(name)) {
			BeanDefinition definition = factory.getMergedBeanDefinition(name);
			if (definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) instanceof Class<?> type) {
				return type;
			}
		}
		return factory.getType(name, false);
	}

	/**
	 * A search from the method that would run would miss what a class inherits by an
	 * interface that only a subclass names.
	 */
	private static Map<Method, List<Annotated>> annotatedMethods(Class<?> beanClass) {
		Map<Method, List<Annotated>> methods = new LinkedHashMap<>();
		for (Method method : DeclaredMethods.annotatedOf(beanClass)) {
			MergedAnnotations.from(method)
				.stream()
				.filter((annotation) -> HookAnnotation.TYPES.contains(annotation.getType()))
				.forEach((annotation) -> {
					Method specific = (Proxy.isProxyClass(beanClass)) ? method
							: BridgeMethodResolver.getMostSpecificMethod(method, beanClass);
					methods.computeIfAbsent(specific, (key) -> new ArrayList<>())
						.add(new Annotated(annotation, method.equals(specific)));
				});
		}
		return methods;
	}

	/**
	 * A method that is annotated itself overrides what it inherits, unless it inherits
	 * another annotation.
	 */
	private static List<MergedAnnotation<?>> effective(List<Annotated> all) {
		boolean sameType = all.stream().map((each) -> each.annotation().getType()).distinct().count() == 1;
		boolean overrides = sameType && all.stream().anyMatch(Annotated::own);
		Map<Annotation, MergedAnnotation<?>> annotations = new LinkedHashMap<>();
		all.stream()
			.filter((each) -> each.own() || !overrides)
			.forEach((each) -> annotations.put(each.annotation().synthesize(), each.annotation()));
		return List.copyOf(annotations.values());
	}

	record KnownBean(ConfigurableListableBeanFactory factory, String name, Class<?> type) {
	}

	private record Annotated(MergedAnnotation<?> annotation, boolean own) {
	}

}
