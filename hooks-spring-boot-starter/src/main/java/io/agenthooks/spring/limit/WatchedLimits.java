package io.agenthooks.spring.limit;

import java.util.function.Supplier;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.RecentOutcomes;

/**
 * Knows from its last use how a store is that may be away. What fails there fails here,
 * so that the hook fails.
 */
final class WatchedLimits implements LimitStore {

	private final LimitStore store;

	private final RecentOutcomes outcomes = new RecentOutcomes();

	WatchedLimits(LimitStore store) {
		this.store = store;
	}

	@Override
	public Answer take(String key) {
		return watch(() -> this.store.take(key));
	}

	@Override
	public Answer enter(String key) {
		return watch(() -> this.store.enter(key));
	}

	@Override
	public Answer look(String key) {
		return watch(() -> this.store.look(key));
	}

	@Override
	public void leave(Place place, boolean counts) {
		boolean unused = watch(() -> {
			this.store.leave(place, counts);
			return true;
		});
	}

	private <T> T watch(Supplier<T> use) {
		boolean answered = false;
		try {
			T answer = use.get();
			answered = true;
			return answer;
		}
		finally {
			if (answered) {
				this.outcomes.answered();
			}
			else {
				this.outcomes.failed("the store of limits does not answer");
			}
		}
	}

	@Override
	public HookHealth.Report health() {
		return this.outcomes.report(false);
	}

}
