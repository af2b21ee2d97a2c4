package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** The types that beans give when they are asked, as a {@code Supplier} does. */
final class GivenTypes {

	private static final int MAX_DEPTH = 6;

	/** Types that give something of the type of their last parameter. */
	static final List<Class<?>> GIVERS = types("jakarta.inject.Provider", Supplier.class, ObjectFactory.class,
			Callable.class, ObjectProvider.class, Function.class, BiFunction.class);

	/** Whoever has one of these has what it gives, and nothing can stand before that. */
	private static final List<Class<?>> REFUSED = types("org.reactivestreams.Publisher", Future.class,
			CompletionStage.class, BaseStream.class, AtomicReference.class, ThreadLocal.class);

	private static final List<Class<?>> HOLDERS = List.of(Collection.class, Map.class, Optional.class);

	private final List<Class<?>> wanted;

	GivenTypes(List<Class<?>> wanted) {
		this.wanted = wanted;
	}

	static GivenTypes ofGuarded(List<GuardedType> types) {
		return new GivenTypes(types.stream().flatMap((type) -> type.types().stream()).toList());
	}

	private static List<Class<?>> types(String optional, Class<?>... known) {
		List<Class<?>> types = new ArrayList<>(List.of(known));
		ClassLoader classLoader = GivenTypes.class.getClassLoader();
		if (ClassUtils.isPresent(optional, classLoader)) {
			types.add(ClassUtils.resolveClassName(optional, classLoader));
		}
		return types;
	}

	static boolean isGiver(Object bean) {
		for (Class<?> type : GIVERS) {
			if (type.isInstance(bean)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * A function does only if its type says so. What is said to give objects of any class
	 * gives none.
	 */
	boolean mayGive(Object giver, String beanName, ConfigurableListableBeanFactory factory) {
		ResolvableType declared = declared(beanName, factory);
		Relation relation = (declared.isArray() || giverOrHolder(declared.toClass()) != null)
				? relation(declared, MAX_DEPTH) : Relation.POSSIBLE;
		if (relation == Relation.POSSIBLE) {
			// It may be declared as something that says less than its class.
			relation = relation(ResolvableType.forClass(ClassUtils.getUserClass(AopUtils.getTargetClass(giver))),
					MAX_DEPTH);
		}
		return relation == Relation.CERTAIN || (relation == Relation.POSSIBLE && !isFunction(giver));
	}

	private static boolean isFunction(Object giver) {
		return giver instanceof Function || giver instanceof BiFunction;
	}

	boolean isGivenBy(Object bean, String beanName, ConfigurableListableBeanFactory factory) {
		return isDeclared(beanName, factory, false) || Stream.concat(Stream.of(bean), PlainCollections.elements(bean))
			.anyMatch((one) -> gives(ResolvableType.forClass(ClassUtils.getUserClass(one)), MAX_DEPTH, false));
	}

	/** With {@code held} it is enough that the bean holds one. */
	boolean isDeclared(String beanName, ConfigurableListableBeanFactory factory, boolean held) {
		ResolvableType type = declared(beanName, factory);
		return isGiverOrHolder(type.toClass()) && gives(type, MAX_DEPTH, held);
	}

	private boolean gives(ResolvableType type, int depth, boolean given) {
		Class<?> resolved = type.resolve();
		if (resolved == null || depth == 0) {
			return false;
		}
		if (this.wanted.stream().anyMatch((one) -> one.isAssignableFrom(resolved))) {
			return given;
		}
		if (type.isArray()) {
			return gives(type.getComponentType(), depth - 1, given);
		}
		Class<?> known = giverOrHolder(resolved);
		ResolvableType[] parameters = (known != null) ? type.as(known).getGenerics() : new ResolvableType[0];
		return parameters.length > 0
				&& gives(parameters[parameters.length - 1], depth - 1, given || !HOLDERS.contains(known));
	}

	/** A function does only if its type says so. */
	boolean mayBeDeclared(String beanName, ConfigurableListableBeanFactory factory) {
		ResolvableType type = declared(beanName, factory);
		Relation relation = relation(type, MAX_DEPTH);
		return (type.isArray() || isGiverOrHolder(type.toClass())) && (relation == Relation.CERTAIN
				|| (relation == Relation.POSSIBLE && !Function.class.isAssignableFrom(type.toClass())
						&& !BiFunction.class.isAssignableFrom(type.toClass())));
	}

	static boolean isGiverOrHolder(Class<?> type) {
		return giverOrHolder(type) != null;
	}

	private static @Nullable Class<?> giverOrHolder(Class<?> type) {
		return Stream.of(GIVERS, REFUSED, HOLDERS)
			.flatMap(List::stream)
			.filter((one) -> one.isAssignableFrom(type))
			.findFirst()
			.orElse(null);
	}

	private static ResolvableType declared(String beanName, ConfigurableListableBeanFactory factory) {
		if (!factory.containsBeanDefinition(beanName)) {
			return ResolvableType.NONE;
		}
		try {
			BeanDefinition definition = factory.getMergedBeanDefinition(beanName);
			return definition.getResolvableType();
		}
		catch (NoSuchBeanDefinitionException | IllegalStateException ex) {
			return ResolvableType.NONE;
		}
	}

	private Relation relation(ResolvableType type, int depth) {
		Class<?> resolved = type.resolve();
		if (resolved == Object.class && depth < MAX_DEPTH) {
			return Relation.NONE;
		}
		if (resolved == null || resolved == Object.class || depth == 0) {
			return Relation.POSSIBLE;
		}
		if (this.wanted.stream().anyMatch((one) -> one.isAssignableFrom(resolved))) {
			return Relation.CERTAIN;
		}
		if (type.isArray()) {
			return relation(type.getComponentType(), depth - 1);
		}
		Class<?> known = giverOrHolder(resolved);
		if (known != null) {
			ResolvableType[] parameters = type.as(known).getGenerics();
			return (parameters.length > 0) ? relation(parameters[parameters.length - 1], depth - 1) : Relation.POSSIBLE;
		}
		return (this.wanted.stream().anyMatch(resolved::isAssignableFrom)) ? Relation.POSSIBLE : Relation.NONE;
	}

	private enum Relation {

		NONE, POSSIBLE, CERTAIN

	}

}
