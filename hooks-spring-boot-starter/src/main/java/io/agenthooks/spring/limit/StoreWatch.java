package io.agenthooks.spring.limit;

import java.util.function.Supplier;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.RecentOutcomes;

/**
 * Knows from its last use how a store is that may be away. What fails there fails here,
 * so that the hook fails.
 */
final class StoreWatch {

	private final RecentOutcomes outcomes = new RecentOutcomes();

	/**
	 * Use the store.
	 */
	<T> T use(Supplier<T> use) {
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

	/**
	 * Use the store, which answers nothing.
	 */
	void run(Runnable use) {
		boolean unused = use(() -> {
			use.run();
			return true;
		});
	}

	HookHealth.Report health() {
		return this.outcomes.report(false);
	}

}
