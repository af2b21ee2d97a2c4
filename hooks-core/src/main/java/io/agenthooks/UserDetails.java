package io.agenthooks;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Makes immutable copies of what a context knows about its user. Claims are of a type of
 * their own, so that a copy is not made twice.
 */
final class UserDetails {

	/** This also ends a walk through a map that contains itself. */
	private static final int MAX_DEPTH = 16;

	/** A token is some kilobytes long. */
	private static final int MAX_VALUES = 10_000;

	private static final Set<Class<?>> IMMUTABLE_VALUES = Set.of(String.class, Boolean.class, Integer.class, Long.class,
			Short.class, Byte.class, Double.class, Float.class, BigInteger.class, BigDecimal.class);

	private static final Claims NO_CLAIMS = new Claims(Map.of());

	private UserDetails() {
	}

	static Set<String> authorities(Collection<String> authorities) {
		Objects.requireNonNull(authorities, "'authorities' must not be null");
		Set<String> copy = new LinkedHashSet<>();
		for (String authority : authorities) {
			copy.add(Objects.requireNonNull(authority, "'authorities' must not contain null"));
		}
		return Collections.unmodifiableSet(copy);
	}

	static Map<String, Object> claims(Map<String, ?> claims) {
		Objects.requireNonNull(claims, "'claims' must not be null");
		if (claims instanceof Claims copy) {
			return copy;
		}
		Map<String, Object> copy = new LinkedHashMap<>();
		Copier copier = new Copier();
		claims.forEach((name, value) -> copy.put(Objects.requireNonNull(name, "'claims' must not contain null"),
				Objects.requireNonNull(copier.copy(value, 1), "'claims' must not contain null")));
		return (copy.isEmpty()) ? NO_CLAIMS : new Claims(Collections.unmodifiableMap(copy));
	}

	private static final class Claims extends AbstractMap<String, Object> {

		private final Map<String, Object> values;

		Claims(Map<String, Object> values) {
			this.values = values;
		}

		@Override
		public @Nullable Object get(@Nullable Object name) {
			return (name != null) ? this.values.get(name) : null;
		}

		@Override
		public boolean containsKey(@Nullable Object name) {
			return name != null && this.values.containsKey(name);
		}

		@Override
		public Set<Entry<String, Object>> entrySet() {
			return this.values.entrySet();
		}

		/** The names only: the values may be secret. */
		@Override
		public String toString() {
			return this.values.keySet().stream().map(SafeText::name).toList().toString();
		}

	}

	private static final class Copier {

		private int count;

		@Nullable Object copy(@Nullable Object value, int depth) {
			if (++this.count > MAX_VALUES) {
				throw new IllegalArgumentException("Claims must not hold more than " + MAX_VALUES + " values");
			}
			if (depth > MAX_DEPTH) {
				throw new IllegalArgumentException(
						"Claims must not be nested deeper than " + MAX_DEPTH + " levels or contain themselves");
			}
			if (value instanceof Map<?, ?> map) {
				return copyMap(map, depth);
			}
			if (value instanceof Collection<?> list) {
				return copyList(list, depth);
			}
			if (value instanceof Object[] array) {
				return copyList(Arrays.asList(array), depth);
			}
			if (value != null && !IMMUTABLE_VALUES.contains(value.getClass())) {
				throw new IllegalArgumentException("Claims must be JSON values (text, numbers, booleans, null, lists, "
						+ "maps), but one is a " + value.getClass().getTypeName());
			}
			if ((value instanceof Double || value instanceof Float)
					&& !Double.isFinite(((Number) value).doubleValue())) {
				throw new IllegalArgumentException("Numbers in claims must be finite");
			}
			return value;
		}

		private Map<String, @Nullable Object> copyMap(Map<?, ?> map, int depth) {
			Map<String, @Nullable Object> copy = new LinkedHashMap<>();
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				if (!(entry.getKey() instanceof String name)) {
					throw new IllegalArgumentException("Names of claims must be strings");
				}
				copy.put(name, copy(entry.getValue(), depth + 1));
			}
			return Collections.unmodifiableMap(copy);
		}

		private List<@Nullable Object> copyList(Collection<?> list, int depth) {
			List<@Nullable Object> copy = new ArrayList<>();
			for (Object element : list) {
				copy.add(copy(element, depth + 1));
			}
			return Collections.unmodifiableList(copy);
		}

	}

}
