package io.agenthooks.spring.caller;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Remembers which caller a thread works for, for as long as it does.
 */
final class CallerOfThread {

	private static final ThreadLocal<@Nullable Caller> callers = new ThreadLocal<>();

	private CallerOfThread() {
	}

	static @Nullable Caller get() {
		return callers.get();
	}

	static <T extends @Nullable Object> T execute(Caller caller, Supplier<T> work) {
		Caller around = callers.get();
		callers.set(caller);
		try {
			return work.get();
		}
		finally {
			// Removing would take longer than all the rest, and null keeps nothing alive.
			callers.set(around);
		}
	}

}
