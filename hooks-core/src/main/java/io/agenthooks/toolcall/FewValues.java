package io.agenthooks.toolcall;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A few values by their names, in the order in which they came: in one array, without an
 * object for each. Immutable for all but {@link Arguments}, which fills it.
 */
final class FewValues extends AbstractMap<String, @Nullable Object> implements Serializable {

	private static final long serialVersionUID = 1L;

	/**
	 * To look at so many names takes no longer than to find one by its hash.
	 */
	static final int MAX = 8;

	/** Each name, followed by its value. */
	private transient @Nullable Object[] pairs;

	private transient int size;

	/**
	 * Create an empty map.
	 * @param expected how many values it will probably get
	 */
	FewValues(int expected) {
		this.pairs = new Object[2 * Math.min(expected, MAX)];
	}

	/**
	 * Add a value, or put it into the place of that with the same name.
	 * @return whether there was room for it
	 */
	boolean add(String name, @Nullable Object value) {
		int place = find(name);
		if (place < 0 && this.size == MAX) {
			return false;
		}
		if (place < 0) {
			place = 2 * this.size++;
			if (place == this.pairs.length) {
				this.pairs = Arrays.copyOf(this.pairs, 2 * MAX);
			}
			this.pairs[place] = name;
		}
		this.pairs[place + 1] = value;
		return true;
	}

	private int find(@Nullable Object name) {
		for (int place = 0; place < 2 * this.size; place += 2) {
			if (name(place).equals(name)) {
				return place;
			}
		}
		return -1;
	}

	private String name(int place) {
		return (String) Objects.requireNonNull(this.pairs[place]);
	}

	@Override
	public @Nullable Object get(@Nullable Object key) {
		int place = find(key);
		return (place >= 0) ? this.pairs[place + 1] : null;
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return find(key) >= 0;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
		for (int place = 0; place < 2 * this.size; place += 2) {
			action.accept(name(place), this.pairs[place + 1]);
		}
	}

	@Override
	public Set<Map.Entry<String, @Nullable Object>> entrySet() {
		return new Entries();
	}

	/**
	 * A cache that nodes share holds results, and other versions have to read them.
	 */
	private Object writeReplace() {
		return Collections.unmodifiableMap(new LinkedHashMap<String, @Nullable Object>(this));
	}

	private final class Entries extends AbstractSet<Map.Entry<String, @Nullable Object>> {

		@Override
		public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
			return new EntryIterator();
		}

		@Override
		public int size() {
			return FewValues.this.size;
		}

	}

	private final class EntryIterator implements Iterator<Map.Entry<String, @Nullable Object>> {

		private int place;

		@Override
		public boolean hasNext() {
			return this.place < 2 * FewValues.this.size;
		}

		@Override
		public Map.Entry<String, @Nullable Object> next() {
			if (!hasNext()) {
				throw new NoSuchElementException();
			}
			int next = this.place;
			this.place = next + 2;
			return new SimpleImmutableEntry<>(name(next), FewValues.this.pairs[next + 1]);
		}

	}

}
