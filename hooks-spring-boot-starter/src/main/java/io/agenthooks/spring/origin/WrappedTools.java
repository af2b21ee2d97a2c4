package io.agenthooks.spring.origin;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Looks into tools that an application has put around others. A wrapper does not say what
 * it wraps, so this reads its fields: what they hold of the same kind, also in proxies,
 * lambdas, arrays and collections.
 *
 * @since 0.1.0
 */
public final class WrappedTools {

	/** Nobody wraps so much; a wrapper may hold itself. */
	private static final int MAX_OBJECTS = 1_000;

	private static final ClassValue<Field[]> fields = new ClassValue<>() {

		@Override
		protected Field[] computeValue(Class<?> type) {
			return findFields(type);
		}

	};

	private WrappedTools() {
	}

	/**
	 * Find tools in a wrapper.
	 * @param <T> what a wrapper is, and what it holds
	 * @param wrapper the wrapper, which may be what is looked for itself
	 * @param kind what a wrapper is, and what it holds
	 * @param wanted whether a tool is what is looked for
	 * @return what was found, each once
	 */
	public static <T> List<T> find(T wrapper, Class<T> kind, Predicate<? super T> wanted) {
		List<T> found = new ArrayList<>();
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Deque<T> open = new ArrayDeque<>();
		open.add(wrapper);
		while (!open.isEmpty() && seen.size() < MAX_OBJECTS) {
			T tool = open.remove();
			if (!seen.add(tool)) {
				continue;
			}
			if (wanted.test(tool)) {
				found.add(tool);
				continue;
			}
			for (Object held : held(tool)) {
				tools(held).filter(kind::isInstance).map(kind::cast).forEach(open::add);
			}
		}
		return found;
	}

	private static Stream<?> tools(@Nullable Object held) {
		if (held instanceof Collection<?> collection) {
			return collection.stream();
		}
		if (held instanceof Map<?, ?> map) {
			return map.values().stream();
		}
		if (held instanceof Object[] array) {
			return Arrays.stream(array);
		}
		if (held instanceof Optional<?> optional) {
			return optional.stream();
		}
		return Stream.ofNullable((held instanceof AtomicReference<?> reference) ? reference.get() : held);
	}

	private static List<@Nullable Object> held(Object object) {
		List<@Nullable Object> held = new ArrayList<>();
		Object target = AopProxyUtils.getSingletonTarget(object);
		if (target != null) {
			held.add(target);
			return held;
		}
		Object holder = (Proxy.isProxyClass(object.getClass())) ? Proxy.getInvocationHandler(object) : object;
		for (Field field : fields.get(holder.getClass())) {
			try {
				held.add(field.get(holder));
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return held;
	}

	private static Field[] findFields(Class<?> type) {
		List<Field> found = new ArrayList<>();
		for (Class<?> declaring = type; declaring != null
				&& declaring != Object.class; declaring = declaring.getSuperclass()) {
			for (Field field : declaring.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive() && open(field)) {
					found.add(field);
				}
			}
		}
		return found.toArray(Field[]::new);
	}

	/**
	 * A module may keep its fields to itself.
	 */
	private static boolean open(Field field) {
		try {
			field.setAccessible(true);
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

}
