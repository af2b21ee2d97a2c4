package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.Map;
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
		boolean known = false;
		try {
			T answer = use.get();
			this.outcomes.answered();
			known = true;
			return answer;
		}
		catch (UnusableAnswerException ex) {
			this.outcomes.refused(ex.reason());
			known = true;
			throw ex;
		}
		finally {
			if (!known) {
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

	/**
	 * How a store is that may have answered last, but did not do what it has to.
	 * @param reason why, in words of ours
	 */
	HookHealth.Report down(String reason) {
		Map<String, Object> details = new LinkedHashMap<>(health().details());
		details.put("last_failure", reason);
		return new HookHealth.Report(HookHealth.State.DOWN, false, details);
	}

}
