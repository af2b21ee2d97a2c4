package io.agenthooks.spring.origin;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.util.ClassUtils;

/** The way in which objects of a class lead to others. */
record FieldPlan(Way way, boolean tool, boolean suppliesLater, List<Link> fields, boolean hidesFields) {

	static final FieldPlan LEAF = of(Way.LEAF, false);

	static final FieldPlan WANTED = of(Way.WANTED, true);

	static final FieldPlan TRACE = of(Way.TRACE, false);

	/** Functions that Java combines; their parts cannot be read. */
	private static final List<String> COMBINED = List.of("java.util.function.", "java.util.concurrent.");

	/** Holders of many things, which would lead to all of an application. */
	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "jakarta.", "kotlin.",
			"groovy.", "org.springframework.", "dev.langchain4j.", "io.modelcontextprotocol.", "reactor.", "io.netty.",
			"io.micrometer.", "io.opentelemetry.", "org.slf4j.", "org.apache.", "ch.qos.", "com.fasterxml.",
			"tools.jackson.", "org.aopalliance.", "org.hibernate.", "com.zaxxer.", "com.google.", "okhttp3.",
			"com.github.benmanes.");

	/** Classes of libraries that are read all the same. */
	private static final List<String> TOOLS = List.of("org.springframework.ai.tool.", "dev.langchain4j.service.tool.");

	/** Collections that store their elements themselves, and are safe to ask. */
	private static final Set<String> STORES = Set.of("ArrayList", "LinkedList", "Vector", "Stack", "ArrayDeque",
			"PriorityQueue", "Arrays$ArrayList", "Collections$CopiesList", "HashMap", "LinkedHashMap", "TreeMap",
			"Hashtable", "Properties", "IdentityHashMap", "WeakHashMap", "EnumMap", "HashSet", "LinkedHashSet",
			"TreeSet", "RegularEnumSet", "JumboEnumSet", "concurrent.ConcurrentHashMap",
			"concurrent.ConcurrentHashMap$KeySetView", "concurrent.ConcurrentSkipListMap",
			"concurrent.ConcurrentSkipListSet", "concurrent.CopyOnWriteArrayList", "concurrent.CopyOnWriteArraySet",
			"concurrent.ConcurrentLinkedQueue", "concurrent.ConcurrentLinkedDeque", "concurrent.LinkedBlockingQueue",
			"concurrent.LinkedBlockingDeque", "concurrent.LinkedTransferQueue", "concurrent.ArrayBlockingQueue",
			"concurrent.PriorityBlockingQueue", "concurrent.DelayQueue", "concurrent.SynchronousQueue");

	/** The methods of collections and entries that a search, or Java for it, calls. */
	private static final Set<String> ASKED = Set.of("toArray", "size", "iterator", "values", "keySet", "entrySet",
			"getKey", "getValue", "get", "isDone", "getNow", "isCompletedExceptionally");

	/** Suppliers of other objects, of libraries that may be absent. */
	private static final List<Class<?>> SUPPLIERS = Stream.of("org.reactivestreams.Publisher", "kotlin.Lazy")
		.filter((name) -> ClassUtils.isPresent(name, FieldPlan.class.getClassLoader()))
		.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, FieldPlan.class.getClassLoader()))
		.toList();

	static FieldPlan of(Class<?> type, boolean tool, Predicate<Class<?>> tools) {
		Way way = wayOf(type, tool);
		return switch (way) {
			case FIELDS -> {
				FieldPlan fields = ofFields(type, way, tool, tools);
				yield (fields.fields().isEmpty() && !fields.hidesFields() && !fields.suppliesLater())
						? of(Way.LEAF, tool) : fields;
			}
			case LEAF, OPAQUE, OPTIONAL, ARRAY, PROXY, ADVISED -> of(way, tool);
			default -> ofFields(type, way, tool, tools);
		};
	}

	private static FieldPlan of(Way way, boolean tool) {
		return new FieldPlan(way, tool, false, List.of(), false);
	}

	private static Way wayOf(Class<?> type, boolean tool) {
		if (type.isArray()) {
			return (leads(type)) ? Way.ARRAY : Way.LEAF;
		}
		boolean proxy = Proxy.isProxyClass(type);
		if (Advised.class.isAssignableFrom(type) && SpringProxy.class.isAssignableFrom(type)
				&& (proxy || type.getName().contains(ClassUtils.CGLIB_CLASS_SEPARATOR))) {
			return Way.ADVISED;
		}
		if (proxy) {
			return Way.PROXY;
		}
		if (isHolder(type)) {
			return holderOf(type);
		}
		if (tool || isTransparent(type)) {
			return Way.FIELDS;
		}
		if (isSupplier(type)) {
			return Way.SOURCE;
		}
		return (Enum.class.isAssignableFrom(type) || !leads(type)) ? Way.LEAF : Way.OPAQUE;
	}

	static boolean isHolder(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
				|| Map.Entry.class.isAssignableFrom(type) || type == Optional.class
				|| AtomicReference.class.isAssignableFrom(type) || AtomicReferenceArray.class.isAssignableFrom(type)
				|| Reference.class.isAssignableFrom(type) || CompletableFuture.class.isAssignableFrom(type);
	}

	/**
	 * Java's own are asked for what they hold, unless that asks another object; others
	 * may load it, or change.
	 */
	private static Way holderOf(Class<?> type) {
		if (type == Optional.class) {
			return Way.OPTIONAL;
		}
		boolean plain = Stream.of(type.getMethods())
			.allMatch((method) -> !ASKED.contains(method.getName()) || isOfJava(method.getDeclaringClass()));
		if (!plain) {
			return Way.FIELDS;
		}
		if (Reference.class.isAssignableFrom(type) || AtomicReference.class.isAssignableFrom(type)) {
			return Way.REFERENCE;
		}
		if (AtomicReferenceArray.class.isAssignableFrom(type)) {
			return Way.ATOMIC_ARRAY;
		}
		if (CompletableFuture.class.isAssignableFrom(type)) {
			return Way.FUTURE;
		}
		if (Map.Entry.class.isAssignableFrom(type)) {
			return Way.ENTRY;
		}
		Class<?> own = type;
		while (!isOfJava(own)) {
			own = own.getSuperclass();
		}
		if (own != type && Modifier.isAbstract(own.getModifiers())) {
			return Way.FIELDS;
		}
		if (!isUnchanging(own) && !STORES.contains(own.getName().substring("java.util.".length()))) {
			return Way.VIEW;
		}
		return (Collection.class.isAssignableFrom(type)) ? Way.COLLECTION : Way.MAP;
	}

	private static boolean isOfJava(Class<?> type) {
		return type == Object.class || type.getName().startsWith("java.");
	}

	private static boolean isSupplier(Class<?> type) {
		return Supplier.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)
				|| Future.class.isAssignableFrom(type) || ThreadLocal.class.isAssignableFrom(type)
				|| ObjectFactory.class.isAssignableFrom(type)
				|| SUPPLIERS.stream().anyMatch((supplier) -> supplier.isAssignableFrom(type));
	}

	static boolean isUnchanging(Class<?> collection) {
		String name = collection.getName();
		return name.startsWith("java.util.ImmutableCollections$") || name.startsWith("java.util.Collections$Empty")
				|| name.startsWith("java.util.Collections$Singleton");
	}

	private static FieldPlan ofFields(Class<?> type, Way way, boolean tool, Predicate<Class<?>> tools) {
		List<Link> found = new ArrayList<>();
		boolean hides = false;
		boolean supplies = false;
		boolean asked = way != Way.FIELDS && way != Way.VIEW && way != Way.SOURCE;
		boolean holder = isHolder(type);
		for (Class<?> declaring = type; declaring != null && declaring != Object.class
				&& !(asked && isOfJava(declaring)); declaring = declaring.getSuperclass()) {
			supplies = supplies || (!holder && isSupplier(declaring) && !isTransparent(declaring));
			try {
				for (Field field : declaring.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers()) && leads(field.getType())
							&& !(holder && isAbstractOfJava(declaring))) {
						if (open(field)) {
							found.add(new Link(field, holdsLeaves(field), Declared.of(field, tools)));
						}
						else {
							hides = true;
						}
					}
				}
			}
			catch (LinkageError ex) {
				// A field is of a class that is absent.
				hides = true;
			}
		}
		return new FieldPlan(way, tool, supplies, List.copyOf(found), hides);
	}

	/**
	 * Such a class, as {@link java.util.AbstractMap}, has fields for views of itself
	 * only.
	 */
	private static boolean isAbstractOfJava(Class<?> type) {
		return type.getName().startsWith("java.util.Abstract");
	}

	static Stream<Field> fieldsOf(Class<?> type) {
		return Stream.<Class<?>>iterate(type, (one) -> one != null && isTransparent(one), Class::getSuperclass)
			.flatMap((declaring) -> Stream.of(declaring.getDeclaredFields()))
			.filter((field) -> !Modifier.isStatic(field.getModifiers()));
	}

	static boolean isTransparent(Class<?> type) {
		String name = type.getName();
		if (type.isEnum() || type.isAnnotation()) {
			return false;
		}
		if (type.isHidden()) {
			return !name.startsWith("java.") || COMBINED.stream().anyMatch(name::startsWith);
		}
		return TOOLS.stream().anyMatch(name::startsWith) || LIBRARIES.stream().noneMatch(name::startsWith);
	}

	/**
	 * Whether a field is for a collection, or a holder like it, of nothing but texts and
	 * the like.
	 */
	private static boolean holdsLeaves(Field field) {
		try {
			return isHolder(field.getType()) && field.getGenericType() instanceof ParameterizedType generic
					&& Arrays.stream(generic.getActualTypeArguments()).noneMatch(FieldPlan::leads);
		}
		catch (RuntimeException | LinkageError ex) {
			return false;
		}
	}

	private static boolean leads(Type type) {
		return !(type instanceof Class<?> plain) || leads(plain);
	}

	/** Whether an object that is seen as one of a class can lead somewhere. */
	static boolean leads(Class<?> type) {
		if (type.isArray()) {
			return leads(type.getComponentType());
		}
		return !(type.isPrimitive() || type.isEnum() || Number.class.isAssignableFrom(type)
				|| (Modifier.isFinal(type.getModifiers()) && type.getName().startsWith("java.") && !isHolder(type)));
	}

	/** A module may keep its fields to itself. */
	private static boolean open(Field field) {
		try {
			field.setAccessible(true);
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** A field that can lead somewhere. */
	record Link(Field field, boolean holdsLeaves, Declared declared) {
	}

	/** The way in which objects are read. */
	enum Way {

		/** Not at all: they lead nowhere. */
		LEAF,

		/** Not at all: they are a library's. */
		OPAQUE,

		/** They are searched for. */
		WANTED,

		/** They lead to tools in an unknown way. */
		TRACE,

		/** By their fields. */
		FIELDS,

		/** By their elements. */
		COLLECTION,

		/** By their values and keys. */
		MAP,

		/** By key and value. */
		ENTRY,

		/** By their fields if these are open: they ask another collection. */
		VIEW,

		/** By their elements. */
		ARRAY,

		/** By their elements now. */
		ATOMIC_ARRAY,

		/** By the value. */
		OPTIONAL,

		/** By what they refer to now. */
		REFERENCE,

		/** By the result, once it exists. */
		FUTURE,

		/**
		 * By their fields if these are open: they are a library's, and supply an object.
		 */
		SOURCE,

		/** By the handler of their calls. */
		PROXY,

		/** By the target. */
		ADVISED

	}

}
