package io.agenthooks;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which runs a hook has aborted, until they end: an agent that goes on
 * nevertheless gets no further. The session of a call counts as its run if it knows none.
 * Chains that share one refuse what any of them aborted.
 *
 * @since 0.1.0
 */
public final class AbortedRuns {

	/**
	 * How many runs are remembered. Beyond it the oldest is forgotten, which is logged.
	 */
	public static final int MAX_RUNS = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(AbortedRuns.class);

	private final Map<String, Abortion> abortions = Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Abortion> eldest) {
			if (size() <= MAX_RUNS) {
				return false;
			}
			logger.warn("More than {} runs were aborted and never ended; the oldest is forgotten", MAX_RUNS);
			return true;
		}
	});

	/** Spares the calls of everyone else the lock. */
	private volatile boolean empty = true;

	/**
	 * Whether no run was ever aborted.
	 * @return {@code true} until the first is
	 */
	public boolean isEmpty() {
		return this.empty;
	}

	/**
	 * Remember that a hook aborted the run of a call.
	 * @param context the context of the call
	 * @param reason why
	 * @param hook the name of the hook
	 */
	public void remember(CallContext context, String reason, String hook) {
		String run = runOf(context);
		if (run != null) {
			this.empty = false;
			this.abortions.putIfAbsent(run, new Abortion(reason, hook));
		}
		else {
			logger.warn("The hook '{}' aborted a run that has neither an id nor a session, so later calls of it "
					+ "cannot be told from others", hook);
		}
	}

	/**
	 * How the run of a call was aborted.
	 * @param context the context of the call
	 * @return how, or {@code null} if it was not aborted
	 */
	public @Nullable Abortion find(CallContext context) {
		if (this.empty) {
			return null;
		}
		String run = runOf(context);
		return (run != null) ? this.abortions.get(run) : null;
	}

	/**
	 * Forget that a run was aborted: it is over, and another may begin under its id.
	 * @param run the id of the run, or of the session if its calls know no run
	 * @return whether it had been aborted
	 */
	public boolean forget(String run) {
		return this.abortions.remove(run) != null;
	}

	private static @Nullable String runOf(CallContext context) {
		return (context.runId() != null) ? context.runId() : context.sessionId();
	}

	/**
	 * How a run was aborted.
	 *
	 * @param reason why
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	public record Abortion(String reason, String hook) {
	}

}
