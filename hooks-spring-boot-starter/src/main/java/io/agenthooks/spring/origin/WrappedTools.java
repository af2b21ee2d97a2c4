package io.agenthooks.spring.origin;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Looks into tools that an application has put around others. A wrapper does not say what
 * it wraps, so this reads its fields, and those of what it holds: proxies, lambdas,
 * arrays, collections, and objects of the application itself. Libraries are not looked
 * into, apart from tools of theirs.
 *
 * @since 0.1.0
 */
public final class WrappedTools {

	/** Nobody wraps so much; a wrapper may hold itself. */
	private static final int MAX_OBJECTS = 1_000;

	/** How many objects that are no tools may be between a wrapper and what it wraps. */
	private static final int MAX_DEPTH = 5;

	/** What Java makes of functions that are put together; nobody can look into it. */
	private static final List<String> CLOSED = List.of("java.util.function.", "java.util.concurrent.");

	/** Holders of many things, which would lead to all of an application. */
	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "jakarta.", "kotlin.",
			"groovy.", "org.springframework.", "dev.langchain4j.", "io.modelcontextprotocol.", "reactor.", "io.netty.",
			"io.micrometer.", "io.opentelemetry.", "org.slf4j.", "org.apache.", "ch.qos.", "com.fasterxml.",
			"tools.jackson.", "org.aopalliance.", "org.hibernate.", "com.zaxxer.", "com.google.", "okhttp3.",
			"com.github.benmanes.");

	private static final ClassValue<Type> types = new ClassValue<>() {

		@Override
		protected Type computeValue(Class<?> type) {
			return Type.of(type);
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
	 * @param trace whether an object leads to what is looked for in a way that nobody
	 * knows
	 * @param closed whether an object is not to be looked into
	 * @return what was found
	 */
	public static <T> Contents<T> find(T wrapper, Class<T> kind, Predicate<? super T> wanted, Predicate<Object> trace,
			Predicate<Object> closed) {
		return new Search<>(kind, wanted, trace, closed).search(wrapper);
	}

	/**
	 * What is in a wrapper.
	 *
	 * @param <T> what a wrapper is, and what it holds
	 * @param tools the tools that were found, each once
	 * @param certain whether there can be no other: nothing was hidden, and nothing leads
	 * to them in a way that nobody knows
	 * @since 0.1.0
	 */
	public record Contents<T>(List<T> tools, boolean certain) {
	}

	private static final class Search<T> {

		private final Class<T> kind;

		private final Predicate<? super T> wanted;

		private final Predicate<Object> trace;

		private final Predicate<Object> closed;

		private final List<T> found = new ArrayList<>(1);

		private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

		private final Deque<Place> open = new ArrayDeque<>();

		private boolean certain = true;

		Search(Class<T> kind, Predicate<? super T> wanted, Predicate<Object> trace, Predicate<Object> closed) {
			this.kind = kind;
			this.wanted = wanted;
			this.trace = trace;
			this.closed = closed;
		}

		Contents<T> search(T wrapper) {
			visit(wrapper, 0);
			for (Place place = this.open.poll(); place != null; place = this.open.poll()) {
				lookInto(place);
			}
			return new Contents<>(this.found, this.certain);
		}

		/**
		 * See what an object is, and whether it has to be looked into.
		 */
		private void visit(@Nullable Object object, int depth) {
			if (object == null || object instanceof String || object instanceof Class<?>) {
				return;
			}
			boolean tool = this.kind.isInstance(object);
			Type type = types.get(object.getClass());
			if (tool && this.wanted.test(this.kind.cast(object))) {
				if (this.seen.add(object)) {
					this.found.add(this.kind.cast(object));
				}
				return;
			}
			if (this.trace.test(object)) {
				this.certain = false;
				return;
			}
			if (!(tool || type.isTransparent() || isHolder(object) || isProxy(object)) || this.closed.test(object)) {
				return;
			}
			int next = (tool) ? 0 : depth + 1;
			if (next > MAX_DEPTH || this.seen.size() >= MAX_OBJECTS) {
				this.certain = false;
			}
			else if (this.seen.add(object)) {
				this.open.add(new Place(object, next));
			}
		}

		private void lookInto(Place place) {
			Object object = place.object();
			int depth = place.depth();
			if (object instanceof Collection<?> collection) {
				collection.forEach((element) -> visit(element, depth));
			}
			else if (object instanceof Map<?, ?> map) {
				map.values().forEach((value) -> visit(value, depth));
			}
			else if (object instanceof Object[] array) {
				for (Object element : array) {
					visit(element, depth);
				}
			}
			else if (object instanceof Optional<?> optional) {
				visit(optional.orElse(null), depth);
			}
			else if (object instanceof AtomicReference<?> reference) {
				visit(reference.get(), depth);
			}
			else if (object instanceof Reference<?> reference) {
				visit(reference.get(), depth);
			}
			else if (object instanceof CompletableFuture<?> future) {
				visit((future.isDone() && !future.isCompletedExceptionally()) ? future.join() : null, depth);
			}
			else {
				lookIntoFields(object, depth);
			}
		}

		private void lookIntoFields(Object object, int depth) {
			Object target = AopProxyUtils.getSingletonTarget(object);
			if (target != null) {
				visit(target, depth);
				return;
			}
			if (Proxy.isProxyClass(object.getClass())) {
				visit(Proxy.getInvocationHandler(object), depth);
				return;
			}
			Type type = types.get(object.getClass());
			this.certain = this.certain && !type.hidesFields();
			for (Field field : type.fields()) {
				try {
					visit(field.get(object), depth);
				}
				catch (IllegalAccessException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

		private static boolean isProxy(Object object) {
			return Proxy.isProxyClass(object.getClass()) || object instanceof Advised;
		}

		private static boolean isHolder(Object object) {
			return object instanceof Collection<?> || object instanceof Map<?, ?> || object instanceof Object[]
					|| object instanceof Optional<?> || object instanceof AtomicReference<?>
					|| object instanceof Reference<?> || object instanceof CompletableFuture<?>;
		}

	}

	/**
	 * An object that has to be looked into.
	 *
	 * @param object the object
	 * @param depth how far it is from the last tool
	 */
	private record Place(Object object, int depth) {
	}

	/**
	 * What is known of a class.
	 *
	 * @param isTransparent whether its objects are looked into if they are no tools
	 * @param fields the fields that can lead somewhere
	 * @param hidesFields whether its module keeps others to itself
	 */
	private record Type(boolean isTransparent, List<Field> fields, boolean hidesFields) {

		static Type of(Class<?> type) {
			List<Field> found = new ArrayList<>();
			boolean hides = false;
			for (Class<?> declaring = type; declaring != null
					&& declaring != Object.class; declaring = declaring.getSuperclass()) {
				for (Field field : declaring.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers()) && mayLead(field.getType())) {
						if (open(field)) {
							found.add(field);
						}
						else {
							hides = true;
						}
					}
				}
			}
			return new Type(isTransparent(type), found, hides);
		}

		private static boolean isTransparent(Class<?> type) {
			String name = type.getName();
			if (type.isEnum() || type.isAnnotation()) {
				return false;
			}
			if (type.isHidden()) {
				return !name.startsWith("java.") || CLOSED.stream().anyMatch(name::startsWith);
			}
			return !type.isArray() && LIBRARIES.stream().noneMatch(name::startsWith);
		}

		private static boolean mayLead(Class<?> type) {
			return !type.isPrimitive() && type != String.class && type != Class.class && !type.isEnum()
					&& !Number.class.isAssignableFrom(type) && type != Boolean.class
					&& !(type.isArray() && type.getComponentType().isPrimitive());
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

}
