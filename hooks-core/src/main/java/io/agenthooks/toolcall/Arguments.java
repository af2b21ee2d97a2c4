package io.agenthooks.toolcall;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of JSON-like arguments. A type of its own, so that a copy is known as
 * one and not made twice.
 */
final class Arguments extends AbstractMap<String, @Nullable Object> {

	/**
	 * How deep arguments may be nested: the map of all arguments is the first level, a
	 * list or map in it the second, and so on. This also ends a walk through a map that
	 * contains itself.
	 */
	static final int MAX_DEPTH = 64;

	/**
	 * How many values arguments may hold: a few shared lists can unfold into more than
	 * any memory holds.
	 */
	static final int MAX_VALUES = 1_000_000;

	private static final Arguments EMPTY = new Arguments(Collections.emptyMap());

	private static final Set<Class<?>> IMMUTABLE_NUMBERS = Set.of(Integer.class, Long.class, Short.class, Byte.class,
			Double.class, Float.class, BigInteger.class, BigDecimal.class);

	private final Map<String, @Nullable Object> values;

	private Arguments(Map<String, @Nullable Object> values) {
		this.values = values;
	}

	static Map<String, @Nullable Object> copyOf(Map<String, ? extends @Nullable Object> arguments) {
		Objects.requireNonNull(arguments, "'arguments' must not be null");
		if (arguments instanceof Arguments copy) {
			return copy;
		}
		return (arguments.isEmpty()) ? EMPTY : new Arguments(new Copier().copyMap(arguments, 1));
	}

	@Override
	public @Nullable Object get(@Nullable Object key) {
		return this.values.get(key);
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return this.values.containsKey(key);
	}

	@Override
	public int size() {
		return this.values.size();
	}

	@Override
	public Set<Entry<String, @Nullable Object>> entrySet() {
		return this.values.entrySet();
	}

	private static final class Copier {

		private int count;

		Map<String, @Nullable Object> copyMap(Map<?, ?> map, int depth) {
			checkDepth(depth);
			Map<String, @Nullable Object> copy = new LinkedHashMap<>(capacity(map.size()) * 4 / 3 + 1);
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				if (!(entry.getKey() instanceof String name)) {
					throw new IllegalArgumentException("Names of arguments must be strings");
				}
				copy.put(name, copyValue(entry.getValue(), depth));
			}
			return Collections.unmodifiableMap(copy);
		}

		private List<@Nullable Object> copyList(Collection<?> list, int depth) {
			checkDepth(depth);
			List<@Nullable Object> copy = new ArrayList<>(capacity(list.size()));
			for (Object element : list) {
				copy.add(copyValue(element, depth));
			}
			return Collections.unmodifiableList(copy);
		}

		private @Nullable Object copyValue(@Nullable Object value, int depth) {
			if (++this.count > MAX_VALUES) {
				throw new IllegalArgumentException("Arguments must not hold more than " + MAX_VALUES + " values");
			}
			if (value == null || value instanceof String || value instanceof Boolean) {
				return value;
			}
			if (value instanceof Number number) {
				return checkNumber(number);
			}
			if (value instanceof Map<?, ?> map) {
				return copyMap(map, depth + 1);
			}
			if (value instanceof Collection<?> collection) {
				return copyList(collection, depth + 1);
			}
			if (value instanceof Object[] array) {
				return copyList(Arrays.asList(array), depth + 1);
			}
			throw new IllegalArgumentException("Arguments must be JSON values (text, numbers, booleans, null, lists, "
					+ "maps), but one is a " + value.getClass().getTypeName());
		}

		/**
		 * How much room to begin with: a stranger's collection may lie about its size.
		 */
		private static int capacity(int size) {
			return Math.max(0, Math.min(size, 1024));
		}

		private static Number checkNumber(Number number) {
			if (!IMMUTABLE_NUMBERS.contains(number.getClass())) {
				throw new IllegalArgumentException(
						"Arguments must be JSON values, but one is a number of type " + number.getClass().getName());
			}
			if ((number instanceof Double || number instanceof Float) && !Double.isFinite(number.doubleValue())) {
				throw new IllegalArgumentException("Numbers in arguments must be finite");
			}
			return number;
		}

		private static void checkDepth(int depth) {
			if (depth > MAX_DEPTH) {
				throw new IllegalArgumentException(
						"Arguments must not be nested deeper than " + MAX_DEPTH + " levels or contain themselves");
			}
		}

	}

}
