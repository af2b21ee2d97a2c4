package io.agenthooks.spring.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.RecentOutcomes;

/**
 * The health of a store that may be away, by its last use. What fails there fails here,
 * so that the hook fails.
 *
 * @since 0.1.0
 */
public final class StoreWatch {

	private final RecentOutcomes outcomes = new RecentOutcomes();

	/**
	 * Use the store.
	 * @param <T> what it answers
	 * @param use uses it
	 * @return the answer
	 */
	public <T> T use(Supplier<T> use) {
		boolean known = false;
		try {
			T answer = use.get();
			this.outcomes.answered();
			this.outcomes.admitted();
			known = true;
			return answer;
		}
		catch (UnusableAnswerException ex) {
			this.outcomes.refused(ex.reason());
			known = true;
			throw ex;
		}
		catch (RuntimeException ex) {
			if (BusyStore.isCauseOf(ex)) {
				known = true;
				this.outcomes.busy();
				throw (ex instanceof NotAskedException) ? ex : busy();
			}
			throw ex;
		}
		finally {
			if (!known) {
				this.outcomes.failed("the store of limits does not answer");
			}
		}
	}

	/**
	 * The exception if too many calls want the same at once. How many do is up to the
	 * agent, so this passes under no mode.
	 * @return the exception, to be thrown
	 */
	public static NotAskedException busy() {
		return new NotAskedException("The store of limits is busy with other calls");
	}

	public void run(Runnable use) {
		boolean unused = use(() -> {
			use.run();
			return true;
		});
	}

	public HookHealth.Report health() {
		return this.outcomes.report(false);
	}

	/**
	 * The health of a store that may have answered, but did not do what it has to.
	 * @param reason why, in words of ours
	 * @return what is known
	 */
	public HookHealth.Report down(String reason) {
		Map<String, Object> details = new LinkedHashMap<>(health().details());
		details.put("last_failure", reason);
		return new HookHealth.Report(HookHealth.State.DOWN, false, details);
	}

}
