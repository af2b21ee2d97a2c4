package io.agenthooks.spring.binding;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.BindConstructorProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.EmptyAllowed;
import io.agenthooks.spring.ForeignPlaceholders;

record OptionType(ResolvableType type) {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final String DURATION = "a number and its unit (ms, s, m, h or d), such as 750ms, 30s, 10m or 24h; "
			+ "without a unit it means seconds";

	private static final String SIZE = "a number and its unit (B, KB or MB), such as 256KB";

	static final OptionType TEXT = of(String.class);

	static OptionType of(Class<?> type) {
		return new OptionType(ResolvableType.forClass(type));
	}

	boolean isList() {
		return this.type.isArray() || Collection.class.isAssignableFrom(rawClass());
	}

	OptionType element() {
		return new OptionType(
				(this.type.isArray()) ? this.type.getComponentType() : this.type.asCollection().getGeneric(0));
	}

	boolean isMap() {
		return Map.class.isAssignableFrom(rawClass());
	}

	OptionType mapValue() {
		return new OptionType(this.type.asMap().getGeneric(1));
	}

	boolean hasOptions() {
		return rawClass().isRecord() || (!isList() && !isMap() && !rawClass().isEnum() && !rawClass().isInterface()
				&& !ClassUtils.isPrimitiveOrWrapper(rawClass()) && !rawClass().getName().startsWith("java.")
				&& !rawClass().getName().startsWith("org.springframework.") && !setters().isEmpty());
	}

	boolean isSingle() {
		return (isList()) ? element().isSingle() : !isMap() && !hasOptions();
	}

	Map<String, Option> options() {
		@Nullable Constructor<?> constructor = constructor(rawClass());
		return (constructor != null) ? parameters(constructor) : setters();
	}

	private Map<String, Option> parameters(Constructor<?> constructor) {
		Map<String, Option> options = new LinkedHashMap<>();
		Parameter[] parameters = constructor.getParameters();
		@Nullable String @Nullable [] names = NAMES.getParameterNames(constructor);
		for (int i = 0; i < parameters.length && names != null; i++) {
			// Of a record too, the parameter has the annotations of the binder.
			Name name = parameters[i].getAnnotation(Name.class);
			add(options, (name != null) ? name.value() : Objects.requireNonNull(names[i]),
					ResolvableType.forConstructorParameter(constructor, i, rawClass()),
					parameters[i].isAnnotationPresent(EmptyAllowed.class),
					parameters[i].isAnnotationPresent(ForeignPlaceholders.class));
		}
		return options;
	}

	private Map<String, Option> setters() {
		Map<String, Option> options = new LinkedHashMap<>();
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(rawClass())) {
			if (property.getWriteMethod() != null) {
				add(options, property.getName(),
						ResolvableType.forMethodParameter(property.getWriteMethod(), 0, rawClass()), false, false);
			}
		}
		return options;
	}

	/** As a data class of Kotlin may, which may as well be made of a single value. */
	boolean mayHaveOptions() {
		return constructor(rawClass()) != null;
	}

	/** A sentence; empty if a type just has none. */
	String withoutOptions() {
		Class<?> type = rawClass();
		boolean empty = type.getDeclaredConstructors().length == 1
				&& type.getDeclaredConstructors()[0].getParameterCount() == 0;
		return (type.isRecord() || empty) ? ""
				: ("The type %s takes none: it is not a record, has no setters, and has not just one constructor "
						+ "with parameters whose names are compiled in (javac -parameters). ")
					.formatted(type.getName());
	}

	/** Null if setters take the options. */
	static @Nullable Constructor<?> constructor(Class<?> type) {
		if (type.isRecord()) {
			return BeanUtils.findPrimaryConstructor(type);
		}
		return (type.getName().startsWith("java.")) ? null
				: BindConstructorProvider.DEFAULT.getBindConstructor(Bindable.of(type), false);
	}

	private static void add(Map<String, Option> options, String name, ResolvableType type, boolean emptyAllowed,
			boolean foreignPlaceholders) {
		String dashed = DataObjectPropertyName.toDashedForm(name);
		options.put(PropertyNode.uniform(name),
				new Option(dashed, new OptionType(type), emptyAllowed, foreignPlaceholders));
	}

	/**
	 * A class with a static method {@code of} for each: a text means something else than
	 * a list.
	 */
	boolean isTextOrList() {
		return maker(String.class) != null && maker(List.class) != null;
	}

	/** A record with a static method {@code of} for a text. */
	boolean isTextOrOptions() {
		return rawClass().isRecord() && maker(String.class) != null && maker(List.class) == null;
	}

	Object ofText(String text) {
		return make(String.class, text);
	}

	Object ofList(List<String> texts) {
		return make(List.class, texts);
	}

	private Object make(Class<?> from, Object value) {
		Method maker = Objects.requireNonNull(maker(from));
		ReflectionUtils.makeAccessible(maker);
		return Objects.requireNonNull(ReflectionUtils.invokeMethod(maker, null, value));
	}

	private @Nullable Method maker(Class<?> from) {
		Method maker = ReflectionUtils.findMethod(rawClass(), "of", from);
		return (maker != null && Modifier.isStatic(maker.getModifiers()) && maker.getReturnType() == rawClass()) ? maker
				: null;
	}

	boolean isEnum() {
		return rawClass().isEnum();
	}

	boolean isText() {
		return rawClass() == String.class;
	}

	boolean isInteger() {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(rawClass());
		return type == Integer.class || type == Long.class;
	}

	/** The values that may be written, in words. */
	Words words() {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(rawClass());
		if (isText()) {
			return new Words("a text", "Write a text, in quotes if a colon is in it.");
		}
		if (type.isEnum()) {
			return new Words("one of " + constants(), "Write one of these words.");
		}
		if (type == Boolean.class) {
			return new Words("true or false", "Write one of the two.");
		}
		if (type == Duration.class) {
			return new Words("a duration", "Write %s.".formatted(DURATION));
		}
		if (type == DataSize.class) {
			return new Words("a size", "Write %s.".formatted(SIZE));
		}
		if (isInteger()) {
			return new Words("a whole number", "Write digits only.");
		}
		return (Number.class.isAssignableFrom(type))
				? new Words("a number", "Write a number without a unit, such as 2000 or 0.5.")
				: new Words("a " + type.getSimpleName(), "Correct the value.");
	}

	/** Null if it never was an option or word. */
	@Nullable String formerly(String name) {
		return Arrays.stream(rawClass().getAnnotationsByType(Former.class))
			.filter((former) -> PropertyNode.uniform(former.value()).equals(PropertyNode.uniform(name.strip())))
			.map(Former::instead)
			.findFirst()
			.orElse(null);
	}

	private String constants() {
		return Arrays.stream(rawClass().getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
			.collect(Collectors.joining(", "));
	}

	private Class<?> rawClass() {
		return this.type.resolve(Object.class);
	}

	record Words(String noun, String fix) {
	}

	record Option(String name, OptionType type, boolean emptyAllowed, boolean foreignPlaceholders) {

		String displayName() {
			return this.name.replace('-', '_');
		}

	}

}
