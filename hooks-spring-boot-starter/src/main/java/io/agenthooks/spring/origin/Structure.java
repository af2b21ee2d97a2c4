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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.springframework.aop.framework.Advised;

/**
 * What is known of a class: in which way its objects lead to others.
 *
 * @param way how they are looked into
 * @param tool whether they are tools
 * @param fields the fields that can lead somewhere
 * @param hidesFields whether there are others that cannot be read
 * @param isUnchanging whether the fields always hold the same
 */
record Structure(Way way, boolean tool, List<Link> fields, boolean hidesFields, boolean isUnchanging) {

	static final Structure LEAF = of(Way.LEAF, false);

	static final Structure WANTED = of(Way.WANTED, true);

	static final Structure TRACE = of(Way.TRACE, false);

	/** What Java makes of functions that are put together; nobody can look into it. */
	private static final List<String> CLOSED = List.of("java.util.function.", "java.util.concurrent.");

	/** Holders of many things, which would lead to all of an application. */
	private static final List<String> LIBRARIES = List.of("java.", "javax.", "jdk.", "sun.", "jakarta.", "kotlin.",
			"groovy.", "org.springframework.", "dev.langchain4j.", "io.modelcontextprotocol.", "reactor.", "io.netty.",
			"io.micrometer.", "io.opentelemetry.", "org.slf4j.", "org.apache.", "ch.qos.", "com.fasterxml.",
			"tools.jackson.", "org.aopalliance.", "org.hibernate.", "com.zaxxer.", "com.google.", "okhttp3.",
			"com.github.benmanes.");

	static Structure of(Class<?> type, boolean tool) {
		Way way = wayOf(type, tool);
		return switch (way) {
			case FIELDS -> {
				Structure fields = ofFields(type, way, tool);
				yield (fields.fields().isEmpty() && !fields.hidesFields()) ? of(Way.LEAF, tool) : fields;
			}
			case COLLECTION, MAP, ADVISED -> ofFields(type, way, tool);
			default -> of(way, tool);
		};
	}

	private static Structure of(Way way, boolean tool) {
		return new Structure(way, tool, List.of(), false, true);
	}

	private static Way wayOf(Class<?> type, boolean tool) {
		if (type.isArray()) {
			return (leads(type)) ? Way.ARRAY : Way.LEAF;
		}
		if (Advised.class.isAssignableFrom(type)) {
			return Way.ADVISED;
		}
		if (Proxy.isProxyClass(type)) {
			return Way.PROXY;
		}
		if (isHolder(type)) {
			return holderOf(type);
		}
		return (tool || isTransparent(type)) ? Way.FIELDS : Way.LEAF;
	}

	private static boolean isHolder(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Optional.class
				|| AtomicReference.class.isAssignableFrom(type) || Reference.class.isAssignableFrom(type)
				|| CompletableFuture.class.isAssignableFrom(type);
	}

	/**
	 * To ask one of Java's own is safe; others may load what they hold, or change.
	 */
	private static Way holderOf(Class<?> type) {
		if (type == Optional.class) {
			return Way.OPTIONAL;
		}
		if (Reference.class.isAssignableFrom(type) || AtomicReference.class.isAssignableFrom(type)) {
			return Way.REFERENCE;
		}
		if (CompletableFuture.class.isAssignableFrom(type)) {
			return Way.FUTURE;
		}
		Class<?> own = type;
		while (!isOfJava(own)) {
			own = own.getSuperclass();
		}
		if (own == Object.class || (own != type && Modifier.isAbstract(own.getModifiers()))) {
			return Way.FIELDS;
		}
		return (Collection.class.isAssignableFrom(type)) ? Way.COLLECTION : Way.MAP;
	}

	private static boolean isOfJava(Class<?> type) {
		return type == Object.class || type.getName().startsWith("java.util.");
	}

	/**
	 * Whether a collection always holds the same.
	 */
	static boolean isUnchanging(Class<?> collection) {
		String name = collection.getName();
		return name.startsWith("java.util.ImmutableCollections$") || name.startsWith("java.util.Collections$Empty")
				|| name.startsWith("java.util.Collections$Singleton");
	}

	private static Structure ofFields(Class<?> type, Way way, boolean tool) {
		List<Link> found = new ArrayList<>();
		boolean hides = false;
		boolean unchanging = true;
		boolean collection = Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
		for (Class<?> declaring = type; declaring != null && declaring != Object.class
				&& !(collection && isOfJava(declaring)); declaring = declaring.getSuperclass()) {
			try {
				for (Field field : declaring.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers()) && leads(field.getType())) {
						unchanging = unchanging && Modifier.isFinal(field.getModifiers());
						if (open(field)) {
							found.add(new Link(field, holdsLeaves(field)));
						}
						else {
							hides = true;
						}
					}
				}
			}
			catch (LinkageError ex) {
				// A field is of a class that is not there.
				hides = true;
			}
		}
		return new Structure(way, tool, List.copyOf(found), hides, unchanging);
	}

	private static boolean isTransparent(Class<?> type) {
		String name = type.getName();
		if (type.isEnum() || type.isAnnotation()) {
			return false;
		}
		if (type.isHidden()) {
			return !name.startsWith("java.") || CLOSED.stream().anyMatch(name::startsWith);
		}
		return LIBRARIES.stream().noneMatch(name::startsWith);
	}

	/**
	 * Whether a field is for a collection, or a holder like it, of nothing but texts and
	 * the like.
	 */
	private static boolean holdsLeaves(Field field) {
		try {
			return isHolder(field.getType()) && field.getGenericType() instanceof ParameterizedType generic
					&& Arrays.stream(generic.getActualTypeArguments()).noneMatch(Structure::leads);
		}
		catch (RuntimeException | LinkageError ex) {
			return false;
		}
	}

	private static boolean leads(Type type) {
		return !(type instanceof Class<?> plain) || leads(plain);
	}

	/**
	 * Whether an object that is seen as one of a class can lead somewhere.
	 */
	private static boolean leads(Class<?> type) {
		if (type.isArray()) {
			return leads(type.getComponentType());
		}
		return !(type.isPrimitive() || type.isEnum() || Number.class.isAssignableFrom(type)
				|| (Modifier.isFinal(type.getModifiers()) && type.getName().startsWith("java.") && !isHolder(type)));
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

	/**
	 * A field that can lead somewhere.
	 *
	 * @param field the field
	 * @param holdsLeaves whether it is for a collection of what leads nowhere. Another
	 * collection than one of Java's may hold more than its elements.
	 */
	record Link(Field field, boolean holdsLeaves) {
	}

	/**
	 * How objects are looked into.
	 */
	enum Way {

		/** Not at all. */
		LEAF,

		/** They are what is looked for. */
		WANTED,

		/** They lead to it in a way that nobody knows. */
		TRACE,

		/** By their fields. */
		FIELDS,

		/** By their elements. */
		COLLECTION,

		/** By their values. */
		MAP,

		/** By their elements. */
		ARRAY,

		/** By the value. */
		OPTIONAL,

		/** By what they refer to now. */
		REFERENCE,

		/** By the result, if it is there. */
		FUTURE,

		/** By the handler of their calls. */
		PROXY,

		/** By the target. */
		ADVISED

	}

}
