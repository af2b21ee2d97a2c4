package io.agenthooks.spring.origin;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The declared contents of a field, at any depth: {@code Map<String, ToolCallback>} is
 * declared to hold tools.
 */
record Declared(boolean tools, boolean anything, boolean leading, boolean fixed) {

	/** Nothing is declared, and what is there is all. */
	static final Declared NOTHING = new Declared(false, false, true, true);

	/** The greatest depth at which generic types, and fields of classes, are read. */
	private static final int MAX_DEPTH = 5;

	static Declared of(Field field, Predicate<Class<?>> tools) {
		try {
			Type type = field.getGenericType();
			return new Declared(mentions(type, tools, false, 0), mentions(type, tools, true, 0),
					!FieldPlan.isHolder(field.getType()) || leads(type, tools, new HashSet<>(), 0),
					Modifier.isFinal(field.getModifiers()));
		}
		catch (RuntimeException | LinkageError ex) {
			// It is of a class that is absent.
			return new Declared(true, true, true, false);
		}
	}

	/** For what a holder has not got yet, and may get from anywhere. */
	Declared later() {
		return new Declared(this.tools || this.anything, this.anything, this.leading, false);
	}

	Declared elements(boolean ofTools, boolean fixed) {
		return new Declared(this.tools || ofTools, this.anything, this.leading, this.fixed && fixed);
	}

	private static boolean mentions(Type type, Predicate<Class<?>> tools, boolean anything, int depth) {
		if (depth > MAX_DEPTH) {
			return anything;
		}
		if (type instanceof Class<?> plain) {
			Class<?> element = elementOf(plain);
			return tools.test(element)
					|| (anything && (element == Object.class || element.getTypeParameters().length > 0));
		}
		if (type instanceof ParameterizedType generic) {
			return mentions(generic.getRawType(), tools, false, depth) || Stream.of(generic.getActualTypeArguments())
				.anyMatch((argument) -> mentions(argument, tools, anything, depth + 1));
		}
		if (type instanceof GenericArrayType array) {
			return mentions(array.getGenericComponentType(), tools, anything, depth + 1);
		}
		return (anything && type instanceof TypeVariable<?>) || boundsOf(type)
			.anyMatch((bound) -> bound != Object.class && mentions(bound, tools, false, depth + 1));
	}

	private static Stream<Type> boundsOf(Type type) {
		if (type instanceof WildcardType wildcard) {
			return Stream.concat(Stream.of(wildcard.getUpperBounds()), Stream.of(wildcard.getLowerBounds()));
		}
		return (type instanceof TypeVariable<?> variable) ? Stream.of(variable.getBounds()) : Stream.empty();
	}

	private static Class<?> elementOf(Class<?> type) {
		return (type.isArray()) ? elementOf(type.getComponentType()) : type;
	}

	/**
	 * Whether objects of a class can lead to tools, as far as its fields say. For objects
	 * that cannot be read.
	 */
	static boolean leads(Class<?> type, Predicate<Class<?>> tools) {
		return leads(type, tools, new HashSet<>(), 1);
	}

	private static boolean leads(Type type, Predicate<Class<?>> tools, Set<Type> seen, int depth) {
		if (type instanceof ParameterizedType generic) {
			boolean holder = generic.getRawType() instanceof Class<?> raw && FieldPlan.isHolder(raw);
			return (!holder && leads(generic.getRawType(), tools, seen, depth))
					|| Stream.of(generic.getActualTypeArguments())
						.anyMatch((argument) -> leads(argument, tools, seen, depth));
		}
		if (!(type instanceof Class<?> plain)) {
			return boundsOf(type).anyMatch((bound) -> leads(bound, tools, seen, depth))
					|| (type instanceof GenericArrayType array
							&& leads(array.getGenericComponentType(), tools, seen, depth));
		}
		Class<?> element = elementOf(plain);
		if (tools.test(element)) {
			return true;
		}
		if (!FieldPlan.leads(element) || !seen.add(element)) {
			return false;
		}
		if (element.isInterface() || element == Object.class || FieldPlan.isHolder(element)) {
			return depth == 0;
		}
		return FieldPlan.isTransparent(element) && depth < MAX_DEPTH && FieldPlan.fieldsOf(element)
			.anyMatch((field) -> leads(field.getGenericType(), tools, seen, depth + 1));
	}

}
