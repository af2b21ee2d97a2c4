package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * The guards of the application contexts of this JVM, from before their first bean is
 * made until their last one is destroyed. LangChain4j knows no application context, so AI
 * services find here to which one they belong.
 * <p>
 * When the last of them is closed, services that belong to none are refused until another
 * one starts: threads of the application may go on, and what they make must not be free
 * where it was guarded.
 */
final class AiServiceGuards {

	private static final List<AiServiceGuard> alive = new CopyOnWriteArrayList<>();

	/** Refuses what contexts guarded that are closed now. */
	private static volatile @Nullable AiServiceGuard closed;

	private AiServiceGuards() {
	}

	/**
	 * The guard that a service which is being made belongs to: of the context that this
	 * thread is starting, else of the one that was started last; {@code null} if there is
	 * no context.
	 */
	static @Nullable AiServiceGuard current() {
		AiServiceGuard last = null;
		for (AiServiceGuard guard : alive) {
			if (last == null || !last.isStartedByThisThread() || guard.isStartedByThisThread()) {
				last = guard;
			}
		}
		return last;
	}

	/**
	 * The guard for an invocation of a service that belongs to no context; {@code null}
	 * if there has been no context yet.
	 */
	static @Nullable AiServiceGuard ofInvocation() {
		AiServiceGuard current = current();
		return (current != null) ? current : closed;
	}

	/**
	 * A context is being started. What was refused for the sake of closed ones is its
	 * affair from now on, and when it is closed, too, only what it guarded is refused.
	 */
	static synchronized void open(AiServiceGuard guard) {
		boolean first = alive.isEmpty();
		alive.add(guard);
		if (first) {
			closed = null;
		}
	}

	static synchronized void close(AiServiceGuard guard) {
		// In this order, so that there is a guard at each moment.
		closed = guard.refusing(closed);
		alive.remove(guard);
	}

}
