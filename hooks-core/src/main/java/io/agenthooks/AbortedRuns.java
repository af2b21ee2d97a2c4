package io.agenthooks;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers aborted runs and sessions until they end, and refuses their later calls.
 * Chains that share one refuse what any of them aborted.
 * <ul>
 * <li>The abort of a call that knows its run ends this run: every later call of the same
 * run id is refused, whatever its session, user and agent. Other runs of the session go
 * on.</li>
 * <li>The abort of a call that knows only its session ends this session of this user and
 * this agent: every later call of them is refused, also if it names a run. The same
 * session id of another user, or of another agent, is another session.</li>
 * <li>The abort of a call that knows neither refuses this call only.</li>
 * </ul>
 * A run and a session of the same id have nothing to do with each other.
 * <p>
 * An abort is forgotten when {@link #endRun the run} or {@link #endSession the session}
 * ends, or when none of its calls had to be refused for {@link #RETENTION}. It never
 * makes room for another: if {@link #MAX_RUNS} are remembered, or
 * {@link #MAX_RUNS_OF_USER} of one user, further calls (of this user) are
 * {@linkplain #isFullFor denied} until some have ended. Calls without a user are denied
 * while there is still room for those of one user, so that guests cannot shut out users.
 *
 * @since 0.1.0
 */
public final class AbortedRuns {

	/** The most runs and sessions that are remembered before further calls are denied. */
	public static final int MAX_RUNS = 10_000;

	/**
	 * The most of them that may be of one user. Calls without a user leave room for as
	 * many of others.
	 */
	public static final int MAX_RUNS_OF_USER = 1_000;

	/** The time for which an abort is remembered after the last call that it refused. */
	public static final Duration RETENTION = Duration.ofHours(24);

	private static final Logger logger = LoggerFactory.getLogger(AbortedRuns.class);

	private static final String WHAT_TO_DO = "End them with ToolHooks.endRun(..) and endSession(..), or define an "
			+ "AbortedRuns bean that remembers more, or for a shorter time";

	private final AbortMemory memory;

	private final List<Added<Consumer<CallContext>>> listeners = new CopyOnWriteArrayList<>();

	private final List<Added<BiConsumer<String, Boolean>>> endListeners = new CopyOnWriteArrayList<>();

	private final WarningThrottle fullWarnings = new WarningThrottle(logger);

	private final WarningThrottle unknownWarnings = new WarningThrottle(logger);

	private final int maxRuns;

	private final int maxRunsOfUser;

	/** Further calls without a user are denied once so many are remembered. */
	private final int maxRunsOfNobody;

	/** Create a memory that remembers {@link #MAX_RUNS} for {@link #RETENTION}. */
	public AbortedRuns() {
		this(MAX_RUNS, MAX_RUNS_OF_USER, RETENTION);
	}

	/**
	 * Create a memory. As a bean it replaces that of the starter.
	 * @param maxRuns how many runs and sessions are remembered before further calls are
	 * denied, at least 1
	 * @param maxRunsOfUser how many of one user, at least 1
	 * @param retention how long an abort is remembered after the last call that it
	 * refused, more than zero
	 */
	public AbortedRuns(int maxRuns, int maxRunsOfUser, Duration retention) {
		this(maxRuns, maxRunsOfUser, retention, System::nanoTime);
	}

	AbortedRuns(int maxRuns, int maxRunsOfUser, Duration retention, LongSupplier nanoTime) {
		if (maxRuns < 1 || maxRunsOfUser < 1) {
			throw new IllegalArgumentException("'maxRuns' and 'maxRunsOfUser' must be 1 or more");
		}
		if (retention.isNegative() || retention.isZero()) {
			throw new IllegalArgumentException("'retention' must be more than zero");
		}
		this.maxRuns = maxRuns;
		this.maxRunsOfUser = maxRunsOfUser;
		this.maxRunsOfNobody = (maxRunsOfUser < maxRuns) ? maxRuns - maxRunsOfUser : maxRuns;
		this.memory = new AbortMemory(2L * maxRuns, retention, nanoTime);
	}

	/**
	 * Whether there is nothing to refuse.
	 * @return {@code true} if no abort is remembered
	 */
	public boolean isEmpty() {
		return this.memory.isEmpty();
	}

	/**
	 * Remember that a hook aborted the run of a call, or its session if it knows no run.
	 * The first abort stays.
	 * @param context the context of the call
	 * @param reason why
	 * @param hook the name of the hook
	 */
	public void remember(CallContext context, String reason, String hook) {
		AbortKey key = AbortKey.of(context);
		if (key == null) {
			this.unknownWarnings.warn(
					"The hook '%s' aborted a run that has neither an id nor a session, so later calls ".formatted(hook)
							+ "of it cannot be recognized");
			return;
		}
		this.memory.remember(key, AbortKey.ownerOf(context), new Abortion(reason, hook));
		this.listeners.forEach((listener) -> notifyListener(listener.listener, context));
	}

	private static void notifyListener(Consumer<CallContext> listener, CallContext context) {
		try {
			listener.accept(context);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener for aborts failed with {}; the run stays aborted", ex.getClass().getName());
		}
	}

	/**
	 * Add a listener to aborts. It is called at once, on the thread of the call.
	 * @param listener gets the context of the call; what it throws is logged and ignored
	 * @return removes the listener when closed
	 */
	public Listening addListener(Consumer<CallContext> listener) {
		return add(this.listeners, listener);
	}

	/**
	 * Hear of each run that ends, also if it was not aborted.
	 * @param listener gets the id of the run, and whether calls of it may still come. It
	 * must not throw, and may hear of a run several times
	 * @return removes the listener when closed
	 */
	public Listening onRunEnd(BiConsumer<String, Boolean> listener) {
		return add(this.endListeners, listener);
	}

	private static <T> Listening add(List<Added<T>> listeners, T listener) {
		Added<T> added = new Added<>(Objects.requireNonNull(listener, "'listener' must not be null"));
		listeners.add(added);
		return () -> listeners.remove(added);
	}

	/**
	 * Find the abort of the run or the session of a call.
	 * @param context the context of the call
	 * @return how, or {@code null} if it was not aborted
	 */
	public @Nullable Abortion find(CallContext context) {
		if (isEmpty()) {
			return null;
		}
		Abortion ofRun = this.memory.find(AbortKey.Run.of(context));
		return (ofRun != null) ? ofRun : this.memory.find(AbortKey.Session.of(context));
	}

	/**
	 * Find the abort of a call as {@link #find} does, but without remembering it longer.
	 * @param context the context of the call
	 * @return how, or {@code null} if it was not aborted
	 */
	public @Nullable Abortion peek(CallContext context) {
		if (isEmpty()) {
			return null;
		}
		Abortion ofRun = this.memory.peek(AbortKey.Run.of(context));
		return (ofRun != null) ? ofRun : this.memory.peek(AbortKey.Session.of(context));
	}

	/**
	 * Whether too many aborts are remembered to let a further call in: its abort could
	 * not be. That is logged, at most once in a while.
	 * @param context the context of the call
	 * @return whether the call is to be denied
	 */
	public boolean isFullFor(CallContext context) {
		String why = whyFull(context);
		if (why != null) {
			this.fullWarnings.warn(why);
		}
		return why != null;
	}

	/**
	 * The same as {@link #isFullFor}, but never logged.
	 * @param context the context of the call
	 * @return whether the call would be denied
	 */
	public boolean wouldBeFullFor(CallContext context) {
		return whyFull(context) != null;
	}

	private @Nullable String whyFull(CallContext context) {
		if (isEmpty() || (this.memory.size() < Math.min(this.maxRunsOfNobody, this.maxRunsOfUser)
				&& !this.memory.hasLost())) {
			return null;
		}
		this.memory.purge();
		if (this.memory.size() >= this.maxRuns || this.memory.hasLost()) {
			return "Calls are denied, because %d aborted runs and sessions have not ended. "
				.formatted(this.memory.size()) + WHAT_TO_DO;
		}
		String user = context.user();
		int max = (user != null) ? this.maxRunsOfUser : this.maxRunsOfNobody;
		if (this.memory.sizeOf(AbortKey.ownerOf(context)) < max) {
			return null;
		}
		String who = (user != null) ? "of the user '" + SafeText.name(user) + "'" : "without a user";
		return "Calls %s are denied, because %d aborted runs and sessions of theirs have not ended. ".formatted(who,
				max) + WHAT_TO_DO;
	}

	/**
	 * Forget that a run was aborted: it is over, and another may begin under its id.
	 * @param run the id of the run
	 * @return whether it had been aborted
	 */
	public boolean endRun(String run) {
		this.endListeners.forEach((listener) -> listener.listener.accept(run, false));
		return this.memory.forget(AbortKey.Run.of(run));
	}

	/**
	 * Forget that a run was aborted, and hand on how, for calls that come late.
	 * @param run the id of the run
	 * @param heir gets how the run was aborted, if it was, before this forgets
	 */
	public void endRun(String run, Consumer<Abortion> heir) {
		this.endListeners.forEach((listener) -> listener.listener.accept(run, true));
		this.memory.forget(AbortKey.Run.of(run), heir);
	}

	/**
	 * Forget that a session was aborted: it is over. Runs of it that were aborted by
	 * their own id stay aborted.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether it had been aborted
	 */
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return this.memory.forget(AbortKey.Session.of(session, user, agent));
	}

	/**
	 * The abort of a run.
	 *
	 * @param reason why
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	public record Abortion(String reason, String hook) {
	}

	/**
	 * A listener that was added. Closing this removes it.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Listening extends AutoCloseable {

		/** Remove the listener. Closing it again does nothing. */
		@Override
		void close();

	}

	/** Not a record, so that a listener that was added twice is removed once. */
	private static final class Added<T> {

		private final T listener;

		Added(T listener) {
			this.listener = listener;
		}

	}

}
