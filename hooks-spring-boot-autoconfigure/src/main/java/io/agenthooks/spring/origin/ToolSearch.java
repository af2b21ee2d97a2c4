package io.agenthooks.spring.origin;

import java.lang.ref.Reference;
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
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/** Searches one wrapper for tools, from object to object. */
final class ToolSearch {

	/** Larger than any wrapper; one may hold itself. */
	private static final int MAX_OBJECTS = 1_000;

	/** The most values that are looked at, such as the elements of a large collection. */
	private static final int MAX_VALUES = 10_000;

	/** The most objects between a wrapper and what it wraps. */
	private static final int MAX_DEPTH = 5;

	private final Function<Class<?>, FieldPlan> types;

	private final Predicate<Class<?>> toolOrTrace;

	private final List<Object> found = new ArrayList<>(1);

	private final Set<Object> seen = identities();

	/**
	 * Objects that were declared to hold tools, which has a meaning if they are empty.
	 */
	private final Set<Object> seenAsHolders = identities();

	private final Deque<Place> open = new ArrayDeque<>();

	private boolean certain = true;

	private int values;

	ToolSearch(Function<Class<?>, FieldPlan> types, Predicate<Class<?>> toolOrTrace) {
		this.types = types;
		this.toolOrTrace = toolOrTrace;
	}

	private static Set<Object> identities() {
		return Collections.newSetFromMap(new IdentityHashMap<>());
	}

	void search(Object wrapper) {
		try {
			visit(wrapper, Declared.NOTHING, 0);
			for (Place place = this.open.poll(); place != null; place = this.open.poll()) {
				lookInto(place.object(), place.type(), place.declared(), place.depth());
			}
		}
		catch (RuntimeException | LinkageError ex) {
			// It changes just now, or it is of a class that cannot be loaded.
			this.certain = false;
		}
	}

	List<Object> found() {
		return this.found;
	}

	/** Whether there can be no other tool. */
	boolean isCertain() {
		return this.certain;
	}

	private void visit(@Nullable Object object, Declared declared, int depth) {
		if (object == null) {
			this.certain = this.certain && (declared.fixed() || !declared.tools());
			return;
		}
		FieldPlan type = this.types.apply(object.getClass());
		if (type.suppliesLater()) {
			expect(declared.later());
		}
		switch (type.way()) {
			case LEAF -> {
			}
			case OPAQUE -> expect(declared);
			case WANTED -> {
				if (this.seen.add(object)) {
					this.found.add(object);
				}
			}
			case TRACE -> {
				this.certain = false;
			}
			case SOURCE -> {
				if (!type.hidesFields()) {
					open(object, type, declared, depth);
				}
			}
			default -> open(object, type, declared, (type.tool()) ? 0 : depth + 1);
		}
	}

	/** An object cannot be read. If it may hold tools, there may be others. */
	private void expect(Declared declared) {
		this.certain = this.certain && !declared.tools();
	}

	private void open(Object object, FieldPlan type, Declared declared, int depth) {
		if (depth > MAX_DEPTH || this.seen.size() >= MAX_OBJECTS) {
			this.certain = false;
			return;
		}
		boolean first = this.seen.add(object);
		if ((declared.tools() && this.seenAsHolders.add(object)) || first) {
			this.open.add(new Place(object, type, declared, depth));
		}
	}

	private void lookInto(Object object, FieldPlan type, Declared declared, int depth) {
		switch (type.way()) {
			case COLLECTION -> {
				Collection<?> collection = (Collection<?>) object;
				visitAll(collection, collection, declared, depth);
				lookIntoFields(object, type, depth);
			}
			case MAP -> {
				Map<?, ?> map = (Map<?, ?>) object;
				visitAll(map, map.values(), declared, depth);
				visitAll(map, map.keySet(), Declared.NOTHING, depth);
				lookIntoFields(object, type, depth);
			}
			case ENTRY -> {
				visit(((Map.Entry<?, ?>) object).getKey(), declared.elements(false, false), depth);
				visit(((Map.Entry<?, ?>) object).getValue(), declared.elements(false, false), depth);
				lookIntoFields(object, type, depth);
			}
			case ARRAY -> {
				Object[] array = (Object[]) object;
				boolean ofTools = this.toolOrTrace.test(object.getClass().getComponentType());
				visitAll(array, declared.elements(ofTools, false), depth);
			}
			case ATOMIC_ARRAY -> {
				lookIntoAtomicArray((AtomicReferenceArray<?>) object, declared.later(), depth);
				lookIntoFields(object, type, depth);
			}
			case OPTIONAL -> visit(((Optional<?>) object).orElse(null), declared, depth);
			case REFERENCE -> {
				if (object instanceof Reference<?> reference) {
					visit(reference.get(), declared, depth);
				}
				else {
					visit(((AtomicReference<?>) object).get(), declared.later(), depth);
				}
				lookIntoFields(object, type, depth);
			}
			case FUTURE -> {
				CompletableFuture<?> future = (CompletableFuture<?>) object;
				if (!future.isDone()) {
					expect(declared.later());
				}
				else if (!future.isCompletedExceptionally()) {
					visit(future.getNow(null), declared, depth);
				}
				lookIntoFields(object, type, depth);
			}
			case PROXY -> visit(Proxy.getInvocationHandler(object), declaredBy(type), depth);
			case ADVISED -> lookIntoProxy((Advised) object, type, depth);
			case VIEW -> lookIntoView(object, type, declared, depth);
			default -> lookIntoFields(object, type, depth);
		}
	}

	/** The object behind a proxy of a tool is one in any case. */
	private static Declared declaredBy(FieldPlan proxy) {
		return Declared.NOTHING.elements(proxy.tool(), true);
	}

	/**
	 * A proxy of Spring may lead to another object with each call, which must not be made
	 * for this.
	 */
	private void lookIntoProxy(Advised proxy, FieldPlan type, int depth) {
		Object target = AopProxyUtils.getSingletonTarget(proxy);
		if (target != null) {
			visit(target, declaredBy(type), depth);
		}
		else {
			Class<?> targetClass = proxy.getTargetClass();
			this.certain = this.certain && !type.tool() && targetClass != null
					&& !Declared.leads(targetClass, this.toolOrTrace);
		}
		if (type.tool()) {
			for (Advisor advisor : proxy.getAdvisors()) {
				visit(advisor.getAdvice(), Declared.NOTHING, depth);
			}
		}
	}

	/**
	 * A view of another collection would ask that one, which may be the application's.
	 */
	private void lookIntoView(Object view, FieldPlan type, Declared declared, int depth) {
		if (!type.hidesFields()) {
			lookIntoFields(view, type, depth);
		}
		else {
			this.certain = this.certain && !declared.leading();
		}
	}

	private void lookIntoAtomicArray(AtomicReferenceArray<?> array, Declared declared, int depth) {
		Object[] elements = new Object[Math.min(array.length(), MAX_VALUES)];
		for (int i = 0; i < elements.length; i++) {
			elements[i] = array.get(i);
		}
		this.certain = this.certain && elements.length == array.length();
		visitAll(elements, declared, depth);
	}

	/**
	 * Look at all elements of a collection of {@code java.util}. To take them out at once
	 * disturbs nothing that changes it at the same time, and is not disturbed.
	 */
	private void visitAll(Object holder, Collection<?> elements, Declared declared, int depth) {
		boolean unchanging = FieldPlan.isUnchanging(holder.getClass());
		if (elements.size() > MAX_VALUES - this.values) {
			this.certain = false;
			return;
		}
		Object[] array = elements.toArray();
		if (array.length == 0) {
			visit(null, declared.elements(false, unchanging), depth);
		}
		visitAll(array, declared.elements(false, unchanging), depth);
	}

	private void visitAll(Object[] elements, Declared declared, int depth) {
		if (elements.length > MAX_VALUES - this.values) {
			this.certain = false;
			return;
		}
		this.values += elements.length;
		for (Object element : elements) {
			visit(element, declared, depth);
		}
	}

	private void lookIntoFields(Object object, FieldPlan type, int depth) {
		this.certain = this.certain && !type.hidesFields();
		for (FieldPlan.Link link : type.fields()) {
			try {
				Object value = link.field().get(object);
				if (value == null || !link.holdsLeaves() || !value.getClass().getName().startsWith("java.util.")) {
					visit(value, link.declared(), depth);
				}
			}
			catch (IllegalAccessException ex) {
				this.certain = false;
			}
		}
	}

	/** An object that has to be read. */
	private record Place(Object object, FieldPlan type, Declared declared, int depth) {
	}

}
