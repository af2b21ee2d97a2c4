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

import io.agenthooks.ArgumentsMask;

/**
 * An immutable copy of JSON-like arguments. A type of its own, so that a copy is not made
 * twice.
 */
final class Arguments extends AbstractMap<String, @Nullable Object> {

	/**
	 * The map of all arguments is the first level. This also ends a walk through a map
	 * that contains itself.
	 */
	static final int MAX_DEPTH = 64;

	/** A few shared lists can unfold into more than any memory holds. */
	static final int MAX_VALUES = 1_000_000;

	/**
	 * A number like 1e1000000000 is short to write, but fills the memory when it is
	 * written out or added to another. One with an exponent beyond this counts for as
	 * long as it would be then.
	 */
	private static final int MAX_EXPONENT = 1000;

	private static final Arguments EMPTY = new Arguments(Collections.emptyMap(), 0);

	private static final Set<Class<?>> IMMUTABLE_NUMBERS = Set.of(Integer.class, Long.class, Short.class, Byte.class,
			Double.class, Float.class, BigInteger.class, BigDecimal.class);

	private final Map<String, @Nullable Object> values;

	private final long length;

	/** The last view of these arguments: every hook outside is sent the same. */
	private @Nullable Masked masked;

	private Arguments(Map<String, @Nullable Object> values, long length) {
		this.values = values;
		this.length = length;
	}

	static Map<String, @Nullable Object> copyOf(Map<String, ? extends @Nullable Object> arguments) {
		Objects.requireNonNull(arguments, "'arguments' must not be null");
		if (arguments instanceof Arguments copy) {
			return copy;
		}
		if (arguments.isEmpty()) {
			return EMPTY;
		}
		Copier copier = new Copier();
		Map<String, @Nullable Object> values = copier.copyMap(arguments, 1);
		return new Arguments(values, copier.length);
	}

	/**
	 * The characters that JSON needs at least. No value counts for less than two, so this
	 * bounds their number as well.
	 */
	long length() {
		return this.length;
	}

	/**
	 * These if nothing is masked, {@code null} if they cannot be. Two threads may make
	 * them twice.
	 */
	@SuppressWarnings("ReferenceEquality") // of the very mask
	@Nullable Arguments maskedBy(ArgumentsMask mask) {
		Masked known = this.masked;
		if (known != null && known.mask() == mask) {
			return known.arguments();
		}
		@Nullable Map<String, @Nullable Object> values = (isEmpty()) ? this : mask.mask(this);
		Arguments masked = (values != null) ? (Arguments) copyOf(values) : null;
		this.masked = new Masked(mask, masked);
		return masked;
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

	private record Masked(ArgumentsMask mask, @Nullable Arguments arguments) {
	}

	private static final class Copier {

		private int count;

		private long length = 2;

		Map<String, @Nullable Object> copyMap(Map<?, ?> map, int depth) {
			checkDepth(depth);
			Map<String, @Nullable Object> copy = new LinkedHashMap<>(capacity(map.size()) * 4 / 3 + 1);
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				if (!(entry.getKey() instanceof String name)) {
					throw new IllegalArgumentException("Names of arguments must be strings");
				}
				this.length += name.length() + 3L;
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
			this.length++;
			if (value instanceof String text) {
				this.length += text.length() + 2L;
				return value;
			}
			if (value == null || value instanceof Boolean) {
				this.length += 4;
				return value;
			}
			if (value instanceof Integer || value instanceof Long) {
				this.length++;
				return value;
			}
			if (value instanceof Number number) {
				checkNumber(number);
				this.length += digits(number);
				return number;
			}
			this.length += 2;
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

		/** A stranger's collection may lie about its size. */
		private static int capacity(int size) {
			return Math.max(0, Math.min(size, 1024));
		}

		private static void checkNumber(Number number) {
			if (!IMMUTABLE_NUMBERS.contains(number.getClass())) {
				throw new IllegalArgumentException(
						"Arguments must be JSON values, but one is a number of type " + number.getClass().getName());
			}
			if ((number instanceof Double || number instanceof Float) && !Double.isFinite(number.doubleValue())) {
				throw new IllegalArgumentException("Numbers in arguments must be finite");
			}
		}

		private static long digits(Number number) {
			if (number instanceof BigDecimal decimal) {
				long scale = Math.abs((long) decimal.scale());
				return digits(decimal.unscaledValue()) + ((scale > MAX_EXPONENT) ? scale : 0);
			}
			return (number instanceof BigInteger integer) ? digits(integer) : 1;
		}

		private static long digits(BigInteger integer) {
			return Math.max(1, integer.bitLength() * 3L / 10);
		}

		private static void checkDepth(int depth) {
			if (depth > MAX_DEPTH) {
				throw new IllegalArgumentException(
						"Arguments must not be nested deeper than " + MAX_DEPTH + " levels or contain themselves");
			}
		}

	}

}
