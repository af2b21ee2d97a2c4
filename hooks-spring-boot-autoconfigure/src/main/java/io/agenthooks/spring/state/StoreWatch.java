package io.agenthooks.spring.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.RecentOutcomes;
import io.agenthooks.spring.jdbc.NoFreeConnectionException;

/**
 * The health of a store that may be away, by its last use. What fails there fails here,
 * so that the hook fails.
 *
 * @since 0.1.0
 */
public final class StoreWatch {

	private static final int MAX_CAUSES = 20;

	/**
	 * Messages of pools that have no free connection since some are in use, also by
	 * tools: HikariCP, Tomcat, Commons DBCP, UCP and H2.
	 */
	private static final Pattern TAKEN = Pattern.compile("\\(total=\\d+, active=[1-9]\\d*, idle=\\d+, waiting=\\d+\\)"
			+ "|\\[size:\\d+; busy:[1-9]|Timeout waiting for idle object|Pool exhausted"
			+ "|All connections in the Universal Connection Pool are in use|^Login timeout$");

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
			if (isBusy(ex)) {
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
	 */
	static NotAskedException busy() {
		return new NotAskedException("The store of limits is busy with other calls");
	}

	/**
	 * Whether other calls change the same keys all the time, or have all connections of
	 * the application's pool.
	 */
	private static boolean isBusy(Throwable failure) {
		if (failure instanceof NotAskedException) {
			return true;
		}
		Throwable cause = failure;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (cause instanceof NoFreeConnectionException
					|| TAKEN.matcher(String.valueOf(cause.getMessage())).find()) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	/**
	 * Use the store, which answers nothing.
	 * @param use uses it
	 */
	public void run(Runnable use) {
		boolean unused = use(() -> {
			use.run();
			return true;
		});
	}

	/**
	 * How the store is.
	 * @return what its last use told
	 */
	public HookHealth.Report health() {
		return this.outcomes.report(false);
	}

	/**
	 * How a store is that may have answered last, but did not do what it has to.
	 * @param reason why, in words of ours
	 * @return what is known
	 */
	public HookHealth.Report down(String reason) {
		Map<String, Object> details = new LinkedHashMap<>(health().details());
		details.put("last_failure", reason);
		return new HookHealth.Report(HookHealth.State.DOWN, false, details);
	}

}
