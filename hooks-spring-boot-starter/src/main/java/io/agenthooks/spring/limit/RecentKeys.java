package io.agenthooks.spring.limit;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * The keys of values that calls had lately, so that one that comes again costs no digest.
 * Each value has one of {@value #PLACES} places, where the next one with the same place
 * takes over. So this is bounded and needs no lock, and whoever makes up values costs
 * others no more than their digests.
 */
final class RecentKeys {

	private static final int PLACES = 1024;

	/** Of all parts; longer ones are rare, and would take more room. */
	private static final int MAX_LENGTH = 256;

	private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

	/**
	 * The key that was made of the same values, character by character.
	 * @param values the values of all parts
	 * @return the key, or {@code null} if it is not known any more
	 */
	LimitKey.@Nullable Found find(@Nullable Object[] values) {
		Known known = (isKept(values)) ? this.places.get(placeOf(values)) : null;
		return (known != null && Arrays.equals(known.values, values)) ? known.found : null;
	}

	/**
	 * The key that was made of the same value alone, character by character.
	 * @param value the value of the only part
	 * @return the key, or {@code null} if it is not known any more
	 */
	LimitKey.@Nullable Found findOne(@Nullable Object value) {
		if (!(value instanceof String text)) {
			return null;
		}
		Known known = this.places.get(placeOf(31 + text.hashCode()));
		return (known != null && known.values.length == 1 && text.equals(known.values[0])) ? known.found : null;
	}

	/**
	 * Remember a key.
	 * @param values the values of all parts, which nobody changes any more
	 * @param found the key that was made of them
	 */
	void add(@Nullable Object[] values, LimitKey.Found found) {
		if (found.key() != null && isKept(values)) {
			this.places.set(placeOf(values), new Known(values, found));
		}
	}

	private static boolean isKept(@Nullable Object[] values) {
		int length = 0;
		for (Object value : values) {
			if (!(value instanceof String text)) {
				return false;
			}
			length += text.length();
			if (length > MAX_LENGTH) {
				return false;
			}
		}
		return true;
	}

	private static int placeOf(@Nullable Object[] values) {
		return placeOf(Arrays.hashCode(values));
	}

	private static int placeOf(int hash) {
		return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (PLACES - 1);
	}

	/**
	 * A key. No record, since that would tell the values as text.
	 */
	private static final class Known {

		private final @Nullable Object[] values;

		private final LimitKey.Found found;

		Known(@Nullable Object[] values, LimitKey.Found found) {
			this.values = values;
			this.found = found;
		}

	}

}
