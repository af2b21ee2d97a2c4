package io.agenthooks.toolcall;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;

/**
 * Remembers which runs a hook has aborted, until they end: an agent that goes on
 * nevertheless gets no further. The session of a call counts as its run if it knows none.
 */
final class AbortedRuns {

	/**
	 * How many runs are remembered. Beyond it the oldest is forgotten, which is logged.
	 */
	static final int MAX_RUNS = 10_000;

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

	boolean isEmpty() {
		return this.empty;
	}

	void remember(CallContext context, ToolDecision.Abort abort, String hook) {
		if (abort.scope() != AbortScope.RUN) {
			return;
		}
		String run = runOf(context);
		if (run != null) {
			this.empty = false;
			this.abortions.putIfAbsent(run, new Abortion(abort, hook));
		}
		else {
			logger.warn("The hook '{}' aborted a run that has neither an id nor a session, so later calls of it "
					+ "cannot be told from others", hook);
		}
	}

	/**
	 * How the run of a call was aborted, or {@code null} if it was not.
	 */
	@Nullable Abortion find(CallContext context) {
		if (this.empty) {
			return null;
		}
		String run = runOf(context);
		return (run != null) ? this.abortions.get(run) : null;
	}

	boolean forget(String run) {
		return this.abortions.remove(run) != null;
	}

	private static @Nullable String runOf(CallContext context) {
		return (context.runId() != null) ? context.runId() : context.sessionId();
	}

	/**
	 * How a run was aborted.
	 *
	 * @param abort the decision
	 * @param hook the name of the hook
	 */
	record Abortion(ToolDecision.Abort abort, String hook) {
	}

}
