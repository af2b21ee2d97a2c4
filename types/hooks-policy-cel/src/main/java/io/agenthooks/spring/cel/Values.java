package io.agenthooks.spring.cel;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Values of different kinds cannot be compared: nobody knows whether a tool takes the
 * number 5 and the text "5" for equal.
 */
final class Values {

	static final int UNLIKE = Integer.MIN_VALUE;

	/** Of a value, and some characters of a text. */
	private static final int VALUE = 8;

	/** So few are not counted. */
	private static final int FEW = 16;

	private Values() {
	}

	static int order(@Nullable Object one, @Nullable Object other, Scope scope) {
		if (one instanceof Number a && other instanceof Number b) {
			return Numbers.compare(a, b);
		}
		if (one instanceof String a && other instanceof String b) {
			spendOn(a, b, scope);
			return sign(a.compareTo(b));
		}
		if (one instanceof Instant a && other instanceof Instant b) {
			return sign(a.compareTo(b));
		}
		if (one instanceof Duration a && other instanceof Duration b) {
			return sign(a.compareTo(b));
		}
		return (one instanceof Boolean a && other instanceof Boolean b) ? a.compareTo(b) : UNLIKE;
	}

	private static int sign(int comparison) {
		return Integer.compare(comparison, 0);
	}

	static int equality(@Nullable Object one, @Nullable Object other, Scope scope) {
		if (one == null || other == null) {
			return equalityWithNull((one != null) ? one : other);
		}
		if (one instanceof Number a && other instanceof Number b) {
			int order = Numbers.compare(a, b);
			return (order == UNLIKE) ? UNLIKE : (order == 0) ? 1 : 0;
		}
		if (one instanceof String a && other instanceof String b) {
			spendOn(a, b, scope);
			return (a.equals(b)) ? 1 : 0;
		}
		if (one instanceof Collection<?> a && other instanceof Collection<?> b) {
			return equality(a, b, scope);
		}
		if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
			return equality(a, b, scope);
		}
		return (kind(one) != Kind.OTHER && kind(one) == kind(other)) ? (one.equals(other)) ? 1 : 0 : UNLIKE;
	}

	/**
	 * A tool may read nothing as if it were not there, or as zero, false or an empty
	 * text.
	 */
	private static int equalityWithNull(@Nullable Object other) {
		return (other != null) ? UNLIKE : 1;
	}

	private static int equality(Collection<?> one, Collection<?> other, Scope scope) {
		if (one.size() != other.size()) {
			return 0;
		}
		int equality = 1;
		Iterator<?> others = other.iterator();
		for (Object each : one) {
			scope.spend(VALUE);
			int parts = equality(each, others.next(), scope);
			if (parts == 0) {
				return 0;
			}
			equality = (parts == UNLIKE) ? UNLIKE : equality;
		}
		return equality;
	}

	private static int equality(Map<?, ?> one, Map<?, ?> other, Scope scope) {
		if (one.size() != other.size()) {
			return 0;
		}
		int equality = 1;
		for (Map.Entry<?, ?> each : one.entrySet()) {
			scope.spend(VALUE);
			if (!other.containsKey(each.getKey())) {
				return 0;
			}
			int parts = equality(each.getValue(), other.get(each.getKey()), scope);
			if (parts == 0) {
				return 0;
			}
			equality = (parts == UNLIKE) ? UNLIKE : equality;
		}
		return equality;
	}

	static int membership(@Nullable Object element, @Nullable Object container, Scope scope) {
		if (container instanceof Map<?, ?> map) {
			return (element instanceof String) ? (map.containsKey(element)) ? 1 : 0
					: membership(element, map.keySet(), scope);
		}
		if (!(container instanceof Collection<?> collection)) {
			return UNLIKE;
		}
		if (collection instanceof Set<?> && element instanceof String && collection.contains(element)) {
			return 1;
		}
		if (collection.size() > FEW) {
			scope.spend((long) VALUE * collection.size());
		}
		int membership = 0;
		for (Object each : collection) {
			int equality = equality(element, each, scope);
			if (equality == 1) {
				return 1;
			}
			membership = (equality == UNLIKE) ? UNLIKE : membership;
		}
		return membership;
	}

	private static void spendOn(String one, String other, Scope scope) {
		int length = Math.min(one.length(), other.length());
		if (length > 64) {
			scope.spend(length / VALUE);
		}
	}

	static Kind kind(@Nullable Object value) {
		if (value == null) {
			return Kind.NULL;
		}
		if (value instanceof String) {
			return Kind.TEXT;
		}
		if (value instanceof Number) {
			return Kind.NUMBER;
		}
		if (value instanceof Boolean) {
			return Kind.BOOLEAN;
		}
		if (value instanceof Collection) {
			return Kind.LIST;
		}
		if (value instanceof Map) {
			return Kind.MAP;
		}
		return (value instanceof Instant) ? Kind.TIME : (value instanceof Duration) ? Kind.DURATION : Kind.OTHER;
	}

	enum Kind {

		NULL("nothing"), TEXT("a text"), NUMBER("a number"), BOOLEAN("true or false"), LIST("a list"), MAP("a map"),
		TIME("a time"), DURATION("a duration"), OTHER("something that rules do not know");

		private final String words;

		Kind(String words) {
			this.words = words;
		}

		@Override
		public String toString() {
			return this.words;
		}

	}

}
