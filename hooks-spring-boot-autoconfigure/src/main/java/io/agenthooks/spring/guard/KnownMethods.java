package io.agenthooks.spring.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of a framework's type that a guard was made for. A later version of the
 * framework may have others, by which a call would pass no hook: they are refused, and
 * the start says so.
 *
 * @since 0.1.0
 */
public final class KnownMethods {

	private static final Logger logger = LoggerFactory.getLogger(KnownMethods.class);

	private final Class<?> type;

	private final List<Method> others;

	private KnownMethods(Class<?> type, List<Method> others) {
		this.type = type;
		this.others = others;
	}

	/**
	 * Compare a type as it is on the class path with what is known of it.
	 * @param type the type
	 * @param signatures the known methods, each as {@code name(Type, Type...)} with the
	 * simple names of the types
	 * @return what is known
	 */
	public static KnownMethods of(Class<?> type, String... signatures) {
		Set<String> known = Set.of(signatures);
		return new KnownMethods(type,
				Arrays.stream(type.getMethods())
					.filter((method) -> method.getDeclaringClass() != Object.class && !method.isBridge()
							&& !method.isSynthetic() && !Modifier.isStatic(method.getModifiers())
							&& !known.contains(signature(method)))
					.sorted(Comparator.comparing(KnownMethods::signature))
					.toList());
	}

	/**
	 * Write a method as {@link #of} wants it.
	 * @param method the method
	 * @return its signature
	 */
	public static String signature(Method method) {
		return method.getName() + Arrays.stream(method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", ", "(", ")"));
	}

	public boolean areAll() {
		return this.others.isEmpty();
	}

	public Stream<String> otherNames() {
		return this.others.stream().map(Method::getName).distinct();
	}

	/**
	 * The other methods as text for messages.
	 * @return the signatures; empty if all methods are known
	 */
	public String describeOthers() {
		return this.others.stream()
			.map((method) -> this.type.getSimpleName() + "." + signature(method))
			.collect(Collectors.joining(", "));
	}

	/** Say at the start that other methods will be refused. */
	public void warn() {
		if (!areAll()) {
			logger.warn("This version of {} has a way that Agent Hooks does not know, and every call of it is refused: "
					+ "{}", this.type.getName(), describeOthers());
		}
	}

	/**
	 * Refuse one of the other methods.
	 * @param method a method that is about to be called, of the type or of a class that
	 * implements it
	 * @throws UnknownMethodException if it is not known
	 */
	public void check(Method method) {
		if (areAll()) {
			return;
		}
		for (Method other : this.others) {
			if (other.getName().equals(method.getName())
					&& Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
				throw new UnknownMethodException("Agent Hooks does not know %s.%s, by which a call would pass no hook"
					.formatted(this.type.getSimpleName(), signature(other)));
			}
		}
	}

	/**
	 * Put a refusal of the other methods in front of a guard.
	 * @param <T> the type
	 * @param guard the guard, which implements the known methods
	 * @return the guard itself if there are no others
	 */
	@SuppressWarnings("unchecked")
	public <T> T refuseOthers(T guard) {
		if (areAll()) {
			return guard;
		}
		return (T) Proxy.newProxyInstance(this.type.getClassLoader(), new Class<?>[] { this.type },
				new RefusingHandler(this, guard));
	}

	public static Object unwrap(Object bean) {
		return (Proxy.isProxyClass(bean.getClass())
				&& Proxy.getInvocationHandler(bean) instanceof RefusingHandler refusing) ? refusing.guard : bean;
	}

	private record RefusingHandler(KnownMethods known, Object guard) implements InvocationHandler {

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			this.known.check(method);
			try {
				return method.invoke(this.guard, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
