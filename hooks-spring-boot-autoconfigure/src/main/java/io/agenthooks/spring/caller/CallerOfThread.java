package io.agenthooks.spring.caller;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.Nesting;

/** Remembers which caller a thread works for, for as long as it does. */
final class CallerOfThread {

	/** A thread keeps its place, which is empty while it works for nobody. */
	private static final ThreadLocal<AtomicReference<@Nullable Caller>> callers = ThreadLocal
		.withInitial(AtomicReference::new);

	private CallerOfThread() {
	}

	static @Nullable Caller get() {
		return callers.get().getPlain();
	}

	static @Nullable Caller set(@Nullable Caller caller) {
		AtomicReference<@Nullable Caller> place = callers.get();
		Caller before = place.getPlain();
		place.setPlain(caller);
		Nesting.ofThisThread().setRootRun((caller != null) ? caller.rootRun() : null);
		return before;
	}

}
