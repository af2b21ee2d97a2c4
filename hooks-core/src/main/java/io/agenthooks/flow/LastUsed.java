package io.agenthooks.flow;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Of more than {@value #MAX} the least recently used are forgotten. */
final class LastUsed<K, V> {

	private static final int MAX = 10_000;

	private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
			return size() > MAX;
		}

	};

	synchronized @Nullable V get(K key) {
		return this.values.get(key);
	}

	synchronized void put(K key, V value) {
		this.values.put(key, value);
	}

	synchronized void remove(K key) {
		this.values.remove(key);
	}

}
