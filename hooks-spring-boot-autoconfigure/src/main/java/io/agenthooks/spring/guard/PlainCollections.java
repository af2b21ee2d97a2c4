package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Beans that hold others in a collection of Java. Any other collection may be a view of a
 * remote store, which is not to be loaded.
 *
 * @since 0.1.0
 */
public final class PlainCollections {

	private static final int MAX_DEPTH = 3;

	private PlainCollections() {
	}

	/**
	 * Return the elements of a bean, copied because others may change it meanwhile.
	 * @param bean any bean
	 * @return what is in it, at every depth
	 */
	public static Stream<Object> elements(@Nullable Object bean) {
		return elements(bean, MAX_DEPTH);
	}

	private static Stream<Object> elements(@Nullable Object bean, int depth) {
		return (depth == 0 || bean == null) ? Stream.empty() : direct(bean).filter(Objects::nonNull)
			.flatMap((element) -> Stream.concat(Stream.of(element), elements(element, depth - 1)));
	}

	private static Stream<? extends @Nullable Object> direct(Object bean) {
		if (bean instanceof Object[] array) {
			return Stream.of(array);
		}
		if (!bean.getClass().getName().startsWith("java.util.")) {
			return Stream.empty();
		}
		if (bean instanceof Collection<?> collection) {
			return Stream.of(collection.toArray());
		}
		if (bean instanceof Map<?, ?> map) {
			return Stream.concat(Stream.of(map.values().toArray()), Stream.of(map.keySet().toArray()));
		}
		if (bean instanceof AtomicReference<?> reference) {
			return Stream.ofNullable(reference.get());
		}
		return (bean instanceof Optional<?> optional) ? optional.stream() : Stream.empty();
	}

	/**
	 * Replace a bean, or what it holds. Keys of maps stay, as their maps count on them.
	 * @param bean any bean
	 * @param which what is to be replaced
	 * @param replacement what comes into its place
	 * @return the bean, its replacement, or a collection of replacements
	 */
	public static Object replace(Object bean, Predicate<Object> which, UnaryOperator<Object> replacement) {
		if (which.test(bean)) {
			return replacement.apply(bean);
		}
		return (elements(bean).anyMatch(which)) ? replaceIn(bean, which, replacement, MAX_DEPTH) : bean;
	}

	@SuppressWarnings("unchecked")
	private static Object replaceIn(Object bean, Predicate<Object> which, UnaryOperator<Object> replacement,
			int depth) {
		UnaryOperator<@Nullable Object> one = (element) -> {
			if (element == null || depth == 0) {
				return element;
			}
			return (which.test(element)) ? replacement.apply(element)
					: replaceIn(element, which, replacement, depth - 1);
		};
		if (bean instanceof Object[] array) {
			try {
				Arrays.<@Nullable Object>asList(array).replaceAll(one);
			}
			catch (ArrayStoreException ex) {
				// Of a class of its own; what stays as it was is found at the start.
			}
			return array;
		}
		if (!bean.getClass().getName().startsWith("java.util.")) {
			return bean;
		}
		if (bean instanceof List<?> list) {
			return replaced((List<Object>) list, one);
		}
		if (bean instanceof Set<?> set) {
			Set<@Nullable Object> copy = new LinkedHashSet<>();
			set.forEach((element) -> copy.add(one.apply(element)));
			return copy;
		}
		if (bean instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((key, value) -> copy.put(key, one.apply(value)));
			return copy;
		}
		return (bean instanceof Optional<?> optional)
				? optional.map((value) -> Objects.requireNonNull(one.apply(value))) : bean;
	}

	/**
	 * It stays the same list, since others may hold it and it may be injected by its
	 * class.
	 */
	@SuppressWarnings("unchecked")
	private static List<Object> replaced(List<Object> list, UnaryOperator<@Nullable Object> one) {
		try {
			list.replaceAll((element) -> Objects.requireNonNull(one.apply(element)));
			return list;
		}
		catch (UnsupportedOperationException ex) {
			List<@Nullable Object> copy = new ArrayList<>();
			list.forEach((element) -> copy.add(one.apply(element)));
			return (List<Object>) (List<?>) copy;
		}
	}

}
