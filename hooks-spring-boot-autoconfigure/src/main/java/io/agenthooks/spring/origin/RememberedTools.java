package io.agenthooks.spring.origin;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.origin.WrappedTools.Contents;

/**
 * Remembers what was found in wrappers in which nothing can change. A wrapper, and the
 * tools in it, may go meanwhile.
 */
final class RememberedTools<T> {

	private static final int MAX_WRAPPERS = 10_000;

	private final Map<Object, Found<T>> found = new ConcurrentHashMap<>();

	private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

	/** The contents of a wrapper, or {@code null} if they are not known. */
	@Nullable Contents<T> get(T wrapper) {
		Found<T> known = this.found.get(new Key(wrapper));
		return (known != null) ? known.contents() : null;
	}

	void put(T wrapper, Contents<T> contents) {
		for (Object key = this.gone.poll(); key != null; key = this.gone.poll()) {
			this.found.remove(key);
		}
		if (this.found.size() < MAX_WRAPPERS) {
			this.found.put(new WeakKey(wrapper, this.gone), Found.of(contents));
		}
	}

	int size() {
		return this.found.size();
	}

	/** The tools that were found. A tool may hold its wrapper, so it is held weakly. */
	private record Found<T>(List<WeakReference<T>> tools, boolean certain) {

		static <T> Found<T> of(Contents<T> contents) {
			return new Found<>(contents.tools().stream().map((tool) -> new WeakReference<>(tool)).toList(),
					contents.certain());
		}

		@Nullable Contents<T> contents() {
			if (this.tools.isEmpty()) {
				return new Contents<>(List.of(), this.certain);
			}
			List<T> found = new ArrayList<>(this.tools.size());
			for (WeakReference<T> reference : this.tools) {
				T tool = reference.get();
				if (tool == null) {
					return null;
				}
				found.add(tool);
			}
			return new Contents<>(found, this.certain);
		}

	}

	/** A key that asks for the very object, whatever it is equal to. */
	private static final class Key {

		private final Object object;

		Key(Object object) {
			this.object = object;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return (other instanceof WeakKey weak) ? weak.isOf(this.object)
					: other instanceof Key key && key.isOf(this.object);
		}

		@SuppressWarnings("ReferenceEquality")
		private boolean isOf(Object object) {
			return this.object == object;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.object);
		}

	}

	/** A key that does not keep its object. */
	private static final class WeakKey extends WeakReference<Object> {

		private final int hash;

		WeakKey(Object object, ReferenceQueue<Object> queue) {
			super(object, queue);
			this.hash = System.identityHashCode(object);
		}

		@SuppressWarnings("ReferenceEquality")
		boolean isOf(Object object) {
			return get() == object;
		}

		@Override
		@SuppressWarnings("ReferenceEquality")
		public boolean equals(@Nullable Object other) {
			if (this == other) {
				return true;
			}
			Object object = get();
			return object != null && other instanceof WeakKey weak && weak.isOf(object);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
