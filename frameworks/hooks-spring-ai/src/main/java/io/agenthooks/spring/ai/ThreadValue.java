package io.agenthooks.spring.ai;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** A value that a thread has while it does some work. */
final class ThreadValue<T> {

	@SuppressWarnings("ThreadLocalUsage") // each ThreadValue is static itself
	private final ThreadLocal<@Nullable T> values = new ThreadLocal<>();

	@Nullable T get() {
		return this.values.get();
	}

	<R extends @Nullable Object> R during(T value, Supplier<R> work) {
		T around = this.values.get();
		this.values.set(value);
		try {
			return work.get();
		}
		finally {
			this.values.set(around);
		}
	}

}
