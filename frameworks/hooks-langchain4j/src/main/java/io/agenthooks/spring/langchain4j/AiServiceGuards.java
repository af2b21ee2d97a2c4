package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * The guards of the contexts of this JVM, from before their first bean is made until
 * their last is destroyed. LangChain4j knows no context, so AI services find theirs here.
 * When the last is closed, services that belong to none are refused until another starts:
 * what threads that go on make must not be free where it was guarded.
 */
final class AiServiceGuards {

	private static final List<AiServiceGuard> alive = new CopyOnWriteArrayList<>();

	private static volatile @Nullable AiServiceGuard closed;

	private AiServiceGuards() {
	}

	/** That of the context that this thread is starting, else of the one started last. */
	static @Nullable AiServiceGuard current() {
		AiServiceGuard last = null;
		for (AiServiceGuard guard : alive) {
			if (last == null || !last.isStartedByThisThread() || guard.isStartedByThisThread()) {
				last = guard;
			}
		}
		return last;
	}

	/** For a service that belongs to no context. */
	static @Nullable AiServiceGuard ofInvocation() {
		AiServiceGuard current = current();
		return (current != null) ? current : closed;
	}

	/**
	 * From now on, what was refused for the sake of closed contexts is this one's affair.
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
