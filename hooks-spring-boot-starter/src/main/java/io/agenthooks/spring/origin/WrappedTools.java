package io.agenthooks.spring.origin;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Looks into tools that an application has put around others. A wrapper does not say what
 * it wraps, so this reads its fields, and those of what it holds: proxies, lambdas,
 * arrays, collections, and objects of the application itself. Libraries are not looked
 * into, apart from tools of theirs.
 * <p>
 * These objects are in use. Nothing of the application is called: a collection that is
 * not one of {@code java.util} itself is looked into by its fields, so one that loads
 * what it holds does not do so here. What cannot be looked into is uncertain.
 *
 * @param <T> what a wrapper is, and what it holds
 * @since 0.1.0
 */
public final class WrappedTools<T> {

	/** Nobody wraps so much; a wrapper may hold itself. */
	private static final int MAX_OBJECTS = 1_000;

	/** How many values are looked at, such as the elements of a large collection. */
	private static final int MAX_VALUES = 10_000;

	/** How many objects that are no tools may be between a wrapper and what it wraps. */
	private static final int MAX_DEPTH = 5;

	/** For how many wrappers it is remembered what is in them. */
	private static final int MAX_REMEMBERED = 10_000;

	private final Class<T> kind;

	private final Predicate<Class<?>> wanted;

	private final Predicate<Class<?>> trace;

	private final Predicate<Class<?>> closed;

	private final ClassValue<Structure> types = new ClassValue<>() {

		@Override
		protected Structure computeValue(Class<?> type) {
			return typeOf(type);
		}

	};

	/** What was found in wrappers in which nothing can change. */
	private final Map<Object, Remembered<T>> remembered = new ConcurrentHashMap<>();

	private final ReferenceQueue<Object> forgotten = new ReferenceQueue<>();

	/**
	 * Create a search.
	 * @param kind what a wrapper is, and what it holds
	 * @param wanted whether tools of a class are what is looked for
	 * @param trace whether objects of a class lead to what is looked for in a way that
	 * nobody knows
	 * @param closed whether objects of a class are not to be looked into
	 */
	public WrappedTools(Class<T> kind, Predicate<Class<?>> wanted, Predicate<Class<?>> trace,
			Predicate<Class<?>> closed) {
		this.kind = kind;
		this.wanted = wanted;
		this.trace = trace;
		this.closed = closed;
	}

	private Structure typeOf(Class<?> type) {
		boolean tool = this.kind.isAssignableFrom(type);
		if (tool && this.wanted.test(type)) {
			return Structure.WANTED;
		}
		if (this.trace.test(type)) {
			return Structure.TRACE;
		}
		return (this.closed.test(type)) ? Structure.LEAF : Structure.of(type, tool);
	}

	/**
	 * Find tools in a wrapper. What can never change is found once.
	 * @param wrapper the wrapper, which may be what is looked for itself
	 * @return what was found
	 */
	public Contents<T> find(T wrapper) {
		Remembered<T> known = this.remembered.get(new Wrapper(wrapper));
		Contents<T> contents = (known != null) ? known.contents() : null;
		return (contents != null) ? contents : search(wrapper);
	}

	private Contents<T> search(T wrapper) {
		Search search = new Search();
		try {
			search.all(wrapper);
		}
		catch (RuntimeException | LinkageError ex) {
			// Somebody changes it just now, or it is of a class that cannot be loaded.
			search.certain = false;
			search.lasting = false;
		}
		Contents<T> contents = new Contents<>(List.copyOf(search.found), search.certain);
		if (search.lasting) {
			remember(wrapper, contents);
		}
		return contents;
	}

	private void remember(T wrapper, Contents<T> contents) {
		for (Object gone = this.forgotten.poll(); gone != null; gone = this.forgotten.poll()) {
			this.remembered.remove(gone);
		}
		if (this.remembered.size() < MAX_REMEMBERED) {
			this.remembered.put(new WeakWrapper(wrapper, this.forgotten), Remembered.of(contents));
		}
	}

	/**
	 * For how many wrappers it is remembered what is in them.
	 */
	int remembered() {
		return this.remembered.size();
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

	/**
	 * What was found. A tool may hold its wrapper, which must not stay for that.
	 *
	 * @param tools the tools that were found
	 * @param certain whether there can be no other
	 */
	private record Remembered<T>(List<WeakReference<T>> tools, boolean certain) {

		static <T> Remembered<T> of(Contents<T> contents) {
			return new Remembered<>(contents.tools().stream().map((tool) -> new WeakReference<>(tool)).toList(),
					contents.certain());
		}

		@Nullable Contents<T> contents() {
			if (this.tools.isEmpty()) {
				return new Contents<>(List.of(), this.certain);
			}
			List<T> found = new ArrayList<>(this.tools.size());
			for (WeakReference<T> reference : this.tools) {
				T tool = reference.get();
				if (tool == null) {
					return null;
				}
				found.add(tool);
			}
			return new Contents<>(found, this.certain);
		}

	}

	/**
	 * A key to ask for the very object, whatever it is equal to.
	 */
	private static final class Wrapper {

		private final Object object;

		Wrapper(Object object) {
			this.object = object;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return (other instanceof WeakWrapper weak) ? weak.isOf(this.object)
					: other instanceof Wrapper wrapper && wrapper.isOf(this.object);
		}

		@SuppressWarnings("ReferenceEquality")
		private boolean isOf(Object object) {
			return this.object == object;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.object);
		}

	}

	/**
	 * A key that does not keep its object.
	 */
	private static final class WeakWrapper extends WeakReference<Object> {

		private final int hash;

		WeakWrapper(Object object, ReferenceQueue<Object> queue) {
			super(object, queue);
			this.hash = System.identityHashCode(object);
		}

		@SuppressWarnings("ReferenceEquality")
		boolean isOf(Object object) {
			return get() == object;
		}

		@Override
		@SuppressWarnings("ReferenceEquality")
		public boolean equals(@Nullable Object other) {
			if (this == other) {
				return true;
			}
			Object object = get();
			return object != null && other instanceof WeakWrapper weak && weak.isOf(object);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

	private final class Search {

		private final List<T> found = new ArrayList<>(1);

		private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

		private final Deque<Place> open = new ArrayDeque<>();

		private boolean certain = true;

		/** Whether the same will be found at all times. */
		private boolean lasting = true;

		private int values;

		void all(T wrapper) {
			visit(wrapper, 0);
			for (Place place = this.open.poll(); place != null; place = this.open.poll()) {
				lookInto(place);
			}
		}

		/**
		 * See what an object is, and whether it has to be looked into.
		 */
		private void visit(@Nullable Object object, int depth) {
			if (object == null) {
				return;
			}
			Structure type = WrappedTools.this.types.get(object.getClass());
			switch (type.way()) {
				case LEAF -> {
				}
				case WANTED -> {
					if (this.seen.add(object)) {
						this.found.add(WrappedTools.this.kind.cast(object));
					}
				}
				case TRACE -> {
					this.certain = false;
				}
				default -> {
					int next = (type.tool()) ? 0 : depth + 1;
					if (next > MAX_DEPTH || this.seen.size() >= MAX_OBJECTS) {
						this.certain = false;
					}
					else if (this.seen.add(object)) {
						this.open.add(new Place(object, type, next));
					}
				}
			}
		}

		private void lookInto(Place place) {
			Object object = place.object();
			int depth = place.depth();
			switch (place.type().way()) {
				case COLLECTION -> {
					Collection<?> collection = (Collection<?>) object;
					visitAll(collection, collection, depth);
					lookIntoFields(object, place.type(), depth);
				}
				case MAP -> {
					Map<?, ?> map = (Map<?, ?>) object;
					visitAll(map, map.values(), depth);
					lookIntoFields(object, place.type(), depth);
				}
				case ARRAY -> {
					Object[] array = (Object[]) object;
					this.lasting = this.lasting && array.length == 0;
					visitAll(array, depth);
				}
				case OPTIONAL -> visit(((Optional<?>) object).orElse(null), depth);
				case REFERENCE -> {
					this.lasting = false;
					visit((object instanceof Reference<?> reference) ? reference.get()
							: ((AtomicReference<?>) object).get(), depth);
				}
				case FUTURE -> {
					this.lasting = false;
					CompletableFuture<?> future = (CompletableFuture<?>) object;
					visit((future.isDone() && !future.isCompletedExceptionally()) ? future.getNow(null) : null, depth);
				}
				case PROXY -> visit(Proxy.getInvocationHandler(object), depth);
				case ADVISED -> lookIntoAdvised(object, place.type(), depth);
				default -> lookIntoFields(object, place.type(), depth);
			}
		}

		private void lookIntoAdvised(Object object, Structure type, int depth) {
			this.lasting = false;
			Object target = AopProxyUtils.getSingletonTarget(object);
			if (target != null) {
				visit(target, depth);
			}
			else if (Proxy.isProxyClass(object.getClass())) {
				visit(Proxy.getInvocationHandler(object), depth);
			}
			else {
				lookIntoFields(object, type, depth);
			}
		}

		/**
		 * Look at all elements of a collection of {@code java.util}. To take them out at
		 * once disturbs nobody who changes it at the same time, and is not disturbed.
		 * @param holder what they are the elements of
		 */
		private void visitAll(Object holder, Collection<?> elements, int depth) {
			this.lasting = this.lasting && Structure.isUnchanging(holder.getClass());
			if (elements.size() > MAX_VALUES - this.values) {
				this.certain = false;
			}
			else {
				visitAll(elements.toArray(), depth);
			}
		}

		private void visitAll(Object[] elements, int depth) {
			if (elements.length > MAX_VALUES - this.values) {
				this.certain = false;
				return;
			}
			this.values += elements.length;
			for (Object element : elements) {
				visit(element, depth);
			}
		}

		private void lookIntoFields(Object object, Structure type, int depth) {
			this.certain = this.certain && !type.hidesFields();
			this.lasting = this.lasting && type.isUnchanging();
			for (Structure.Link link : type.fields()) {
				try {
					visit(link, link.field().get(object), depth);
				}
				catch (IllegalAccessException ex) {
					this.certain = false;
				}
			}
		}

		private void visit(Structure.Link link, @Nullable Object object, int depth) {
			if (object == null || (link.holdsLeaves() && isOfJava(object))) {
				return;
			}
			visit(object, depth);
		}

		private boolean isOfJava(Object holder) {
			return holder.getClass().getName().startsWith("java.util.");
		}

	}

	/**
	 * An object that has to be looked into.
	 *
	 * @param object the object
	 * @param type what is known of its class
	 * @param depth how far it is from the last tool
	 */
	private record Place(Object object, Structure type, int depth) {
	}

}
