package io.agenthooks.spring.caller;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.Nesting;

final class CallerOfThread {

	private static final ThreadLocal<@Nullable Caller> callers = new ThreadLocal<>();

	private CallerOfThread() {
	}

	static @Nullable Caller get() {
		return callers.get();
	}

	static @Nullable Caller set(@Nullable Caller caller) {
		Caller before = callers.get();
		if (caller != null) {
			callers.set(caller);
		}
		else {
			callers.remove();
		}
		Nesting.ofThisThread().setRootRun((caller != null) ? caller.rootRun() : null);
		return before;
	}

}
