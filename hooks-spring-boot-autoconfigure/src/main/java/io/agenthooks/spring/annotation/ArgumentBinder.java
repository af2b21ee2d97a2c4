package io.agenthooks.spring.annotation;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.ClassUtils;

import io.agenthooks.pattern.NumberText;

/**
 * Unlike a conversion of Spring this loses nothing: a hook must not decide about another
 * value than the tool gets.
 */
final class ArgumentBinder {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/** As JSON writes it; Spring would also take {@code 0x10} and {@code #10}. */
	private static final Pattern NUMBER = Pattern
		.compile("-?(0|[1-9][0-9]{0,999})(\\.[0-9]{1,999})?([eE][+-]?[0-9]{1,9})?");

	/** Numbers with more digits are not meant, and take long. */
	private static final int MAX_DIGITS = 1000;

	private static final Set<Class<?>> NUMBERS = Set.of(Byte.class, Short.class, Integer.class, Long.class, Float.class,
			Double.class, BigInteger.class, BigDecimal.class, Number.class);

	private final ConversionService conversions;

	ArgumentBinder(ConversionService conversions) {
		this.conversions = conversions;
	}

	static @Nullable String nameOf(@Nullable Arg annotation, @Nullable String discovered) {
		return (annotation != null && !annotation.value().isEmpty()) ? annotation.value() : discovered;
	}

	static @Nullable String @Nullable [] namesOf(Method method) {
		return NAMES.getParameterNames(method);
	}

	boolean isPossible(ResolvableType type) {
		return isPossible(type, 0);
	}

	private boolean isPossible(ResolvableType declared, int depth) {
		ResolvableType type = (declared.resolve() == Optional.class) ? declared.getGeneric() : declared;
		Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.resolve(Object.class));
		if (depth > 8) {
			// A type that contains itself.
			return true;
		}
		if (type.isArray()) {
			return isPossible(type.getComponentType(), depth + 1);
		}
		if (isList(raw)) {
			return isPossible(type.asCollection().getGeneric(), depth + 1);
		}
		if (raw == Map.class) {
			return (type.getGeneric(0).resolve(String.class) == String.class)
					&& isPossible(type.getGeneric(1), depth + 1);
		}
		Constructor<?> constructor = constructorOf(raw);
		if (constructor != null) {
			for (int i = 0; i < constructor.getParameterCount(); i++) {
				if (!isPossible(ResolvableType.forConstructorParameter(constructor, i, raw), depth + 1)) {
					return false;
				}
			}
			return true;
		}
		return raw == Object.class || raw == String.class || raw == Boolean.class || raw.isEnum()
				|| NUMBERS.contains(raw) || isTime(raw)
				|| (!isLenient(raw) && this.conversions.canConvert(String.class, raw));
	}

	@Nullable Object bind(Map<?, ?> arguments, String name, ResolvableType type, boolean nullable) {
		Object value = arguments.get(name);
		if (type.resolve() == Optional.class) {
			return (value != null) ? Optional.of(bind(value, name, type.getGeneric())) : Optional.empty();
		}
		if (value == null && nullable) {
			return null;
		}
		if (value == null) {
			throw new UnfitArgumentException("the argument '%s' is missing".formatted(name));
		}
		return bind(value, name, type);
	}

	private Object bind(Object value, String name, ResolvableType type) {
		Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(type.resolve(Object.class));
		if (type.isArray()) {
			return array(value, name, type.getComponentType());
		}
		if (isList(raw)) {
			List<Object> list = list(value, name, type.asCollection().getGeneric());
			return (Set.class.isAssignableFrom(raw)) ? new LinkedHashSet<>(list) : list;
		}
		if (raw == Map.class) {
			return map(value, name, type.getGeneric(1));
		}
		if (raw == Object.class) {
			return value;
		}
		if (NUMBERS.contains(raw)) {
			return number(value, name, raw);
		}
		if (raw == Boolean.class) {
			if (value instanceof Boolean || value.equals("true") || value.equals("false")) {
				return Boolean.valueOf(value.toString());
			}
			throw unfit(name, "true or false");
		}
		if (raw == String.class) {
			if (value instanceof String) {
				return value;
			}
			throw unfit(name, "a text");
		}
		Constructor<?> constructor = constructorOf(raw);
		if (constructor != null) {
			return record(value, name, constructor);
		}
		return other(value, name, type, raw);
	}

	private static UnfitArgumentException unfit(String name, String expected) {
		return new UnfitArgumentException("the argument '%s' is not %s".formatted(name, expected));
	}

	private List<Object> list(Object value, String name, ResolvableType element) {
		if (!(value instanceof List<?> given)) {
			throw unfit(name, "a list");
		}
		List<Object> list = new ArrayList<>(given.size());
		for (Object each : given) {
			if (each == null) {
				throw unfit(name, "a list without null");
			}
			list.add(bind(each, name, element));
		}
		return list;
	}

	private Object array(Object value, String name, ResolvableType element) {
		List<Object> list = list(value, name, element);
		Object array = Array.newInstance(element.resolve(Object.class), list.size());
		for (int i = 0; i < list.size(); i++) {
			Array.set(array, i, list.get(i));
		}
		return array;
	}

	private Map<String, @Nullable Object> map(Object value, String name, ResolvableType element) {
		if (!(value instanceof Map<?, ?> given)) {
			throw unfit(name, "an object");
		}
		boolean any = element.resolve(Object.class) == Object.class;
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (Map.Entry<?, ?> entry : given.entrySet()) {
			Object each = entry.getValue();
			if (each == null && !any) {
				throw unfit(name, "an object without null");
			}
			map.put((String) entry.getKey(), (each != null) ? bind(each, name, element) : null);
		}
		return map;
	}

	private Object number(Object value, String name, Class<?> type) {
		BigDecimal number = decimal(value, name);
		try {
			if (type == Integer.class) {
				return number.intValueExact();
			}
			if (type == Long.class) {
				return number.longValueExact();
			}
			if (type == Short.class) {
				return number.shortValueExact();
			}
			if (type == Byte.class) {
				return number.byteValueExact();
			}
			if (type == BigInteger.class) {
				return number.toBigIntegerExact();
			}
		}
		catch (ArithmeticException ex) {
			throw unfit(name, "a whole number that fits");
		}
		if (type == Double.class) {
			double binary = number.doubleValue();
			if (Double.isFinite(binary) && BigDecimal.valueOf(binary).compareTo(number) == 0) {
				return binary;
			}
			throw unfit(name, "a number that fits");
		}
		if (type == Float.class) {
			float binary = number.floatValue();
			if (Float.isFinite(binary) && new BigDecimal(Float.toString(binary)).compareTo(number) == 0) {
				return binary;
			}
			throw unfit(name, "a number that fits");
		}
		return number;
	}

	private static BigDecimal decimal(Object value, String name) {
		boolean isNumber = (value instanceof Number number) ? NumberText.isWritable(number)
				: value instanceof String text && NUMBER.matcher(text).matches();
		if (isNumber) {
			try {
				BigDecimal exact = (value instanceof BigDecimal decimal) ? decimal : new BigDecimal(value.toString());
				if (Math.abs((long) exact.precision() - exact.scale()) <= MAX_DIGITS
						&& Math.abs((long) exact.scale()) <= MAX_DIGITS) {
					return exact;
				}
			}
			catch (NumberFormatException ex) {
				// Not finite, or an exponent that no number has.
			}
		}
		throw unfit(name, "a number");
	}

	private Object record(Object value, String name, Constructor<?> constructor) {
		if (!(value instanceof Map<?, ?> members)) {
			throw unfit(name, "an object");
		}
		@Nullable String[] names = BeanUtils.getParameterNames(constructor);
		@Nullable Object[] parts = new Object[names.length];
		for (int i = 0; i < names.length; i++) {
			MethodParameter parameter = new MethodParameter(constructor, i);
			String member = Objects.requireNonNull(nameOf(parameter.getParameterAnnotation(Arg.class), names[i]));
			ResolvableType type = ResolvableType.forConstructorParameter(constructor, i);
			try {
				// Of a part that Kotlin has a default for, too.
				parts[i] = bind(members, member, type, parameter.isOptional());
			}
			catch (UnfitArgumentException ex) {
				throw new UnfitArgumentException("%s, in '%s'".formatted(ex.getMessage(), name));
			}
		}
		try {
			return BeanUtils.instantiateClass(constructor, parts);
		}
		catch (RuntimeException ex) {
			// What a constructor says may quote a value.
			throw unfit(name, "one that %s takes".formatted(constructor.getDeclaringClass().getSimpleName()));
		}
	}

	/**
	 * Spring makes these of nearly any text: lists after rounding, times as the machine's
	 * language writes them.
	 */
	private static boolean isLenient(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
				|| Date.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type);
	}

	private Object other(Object value, String name, ResolvableType type, Class<?> raw) {
		String expected = "one that is a " + raw.getSimpleName();
		try {
			if (raw.isEnum() || isTime(raw)) {
				if (value instanceof String text) {
					return parse(raw, text);
				}
				throw unfit(name, expected);
			}
			if (!(value instanceof String)) {
				throw unfit(name, expected);
			}
			TypeDescriptor source = TypeDescriptor.forObject(value);
			TypeDescriptor target = new TypeDescriptor(type, null, null);
			Object converted = (source != null && this.conversions.canConvert(source, target))
					? this.conversions.convert(value, source, target) : null;
			if (converted != null) {
				return converted;
			}
		}
		catch (UnfitArgumentException ex) {
			throw ex;
		}
		catch (Exception ex) {
			// What a conversion says may quote the value.
		}
		throw unfit(name, expected);
	}

	/** Spring would read times as the language of the machine writes them. */
	private static Object parse(Class<?> type, String text) throws Exception {
		try {
			Object parsed = (type.isEnum())
					? Objects.requireNonNull(type.getMethod("valueOf", String.class).invoke(null, text))
					: Objects.requireNonNull(type.getMethod("parse", CharSequence.class).invoke(null, text));
			return parsed;
		}
		catch (InvocationTargetException ex) {
			throw new IllegalArgumentException("The text cannot be read");
		}
	}

	private static boolean isTime(Class<?> type) {
		return type.getName().startsWith("java.time.")
				&& (TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type))
				&& ClassUtils.hasMethod(type, "parse", CharSequence.class);
	}

	private static boolean isList(Class<?> raw) {
		return raw == List.class || raw == Set.class || raw == Collection.class || raw == Iterable.class;
	}

	private static @Nullable Constructor<?> constructorOf(Class<?> type) {
		return (!type.isEnum() && !type.isInterface()) ? BeanUtils.findPrimaryConstructor(type) : null;
	}

}
