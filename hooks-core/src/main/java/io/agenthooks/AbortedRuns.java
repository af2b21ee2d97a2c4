package io.agenthooks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what hooks have aborted, until it ends: an agent that goes on nevertheless
 * gets no further. Chains that share one refuse what any of them aborted.
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
 * {@linkplain #isFullFor denied} until some have ended. Those of nobody are denied while
 * there is still room for those of one user, so that guests cannot shut out users.
 *
 * @since 0.1.0
 */
public final class AbortedRuns {

	/**
	 * How many runs and sessions are remembered before further calls are denied.
	 */
	public static final int MAX_RUNS = 10_000;

	/**
	 * How many of them may be of one user before further calls of this user are denied,
	 * so that nobody can use up what is there for all. Calls without a user leave room
	 * for as many of others.
	 */
	public static final int MAX_RUNS_OF_USER = 1_000;

	/**
	 * How long an abort is remembered after the last call that it refused.
	 */
	public static final Duration RETENTION = Duration.ofHours(24);

	private static final Logger logger = LoggerFactory.getLogger(AbortedRuns.class);

	private static final String WHAT_TO_DO = "End them with ToolHooks.endRun(..) and endSession(..), or define an "
			+ "AbortedRuns bean that remembers more, or for a shorter time";

	private static final long PURGE_INTERVAL = Duration.ofSeconds(1).toNanos();

	private final Map<AbortKey, Entry> entries = new ConcurrentHashMap<>();

	private final List<Consumer<CallContext>> listeners = new CopyOnWriteArrayList<>();

	/** How many entries each owner has. */
	private final Map<String, Integer> ofOwners = new ConcurrentHashMap<>();

	private final WarningThrottle fullWarnings = new WarningThrottle(logger);

	private final WarningThrottle unknownWarnings = new WarningThrottle(logger);

	private final int maxRuns;

	private final int maxRunsOfUser;

	/** How many may be of nobody before further calls of nobody are denied. */
	private final int maxRunsOfNobody;

	private final long retention;

	private final LongSupplier nanoTime;

	private final AtomicLong nextPurge;

	/** Spares the calls of everyone else the search. */
	private volatile boolean unused = true;

	/** When it no longer matters that an abort could not be remembered. */
	private volatile @Nullable Long lostUntil;

	/**
	 * Create a memory that remembers {@link #MAX_RUNS} for {@link #RETENTION}.
	 */
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
		this.retention = retention.toNanos();
		this.nanoTime = nanoTime;
		this.nextPurge = new AtomicLong(nanoTime.getAsLong());
	}

	/**
	 * Whether there is nothing to refuse.
	 * @return {@code true} if no abort is remembered
	 */
	public boolean isEmpty() {
		return this.unused || (this.entries.isEmpty() && this.lostUntil == null);
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
							+ "of it cannot be told from others");
			return;
		}
		remember(key, context, reason, hook);
		this.listeners.forEach((listener) -> tell(listener, context));
	}

	private void remember(AbortKey key, CallContext context, String reason, String hook) {
		this.unused = false;
		long now = this.nanoTime.getAsLong();
		purge(now);
		if (this.entries.size() >= 2L * this.maxRuns && !this.entries.containsKey(key)) {
			// Only calls that were under way when it became full come here.
			this.lostUntil = now + this.retention;
			return;
		}
		String owner = AbortKey.ownerOf(context);
		this.entries.compute(key, (same, present) -> {
			if (present != null) {
				present.refusedAt = now;
				return present;
			}
			// Here, so that nobody can forget the entry before it is counted.
			this.ofOwners.merge(owner, 1, Integer::sum);
			return new Entry(new Abortion(reason, hook), owner, now);
		});
	}

	private static void tell(Consumer<CallContext> listener, CallContext context) {
		try {
			listener.accept(context);
		}
		catch (RuntimeException ex) {
			logger.warn("A listener to aborts failed with {}; the run is aborted nevertheless",
					ex.getClass().getName());
		}
	}

	/**
	 * Tell somebody each abort, at once and on the thread of the call, before it can be
	 * forgotten.
	 * @param listener gets the context of the call at which a hook aborted. What it
	 * throws changes nothing
	 * @return ends it: close it when the listener ends before this memory does
	 */
	public Listening addListener(Consumer<CallContext> listener) {
		Objects.requireNonNull(listener, "'listener' must not be null");
		// An object of its own, so that a listener that was added twice is removed once.
		Consumer<CallContext> added = new Consumer<>() {

			@Override
			public void accept(CallContext context) {
				listener.accept(context);
			}

		};
		this.listeners.add(added);
		return () -> this.listeners.remove(added);
	}

	/**
	 * How the run or the session of a call was aborted.
	 * @param context the context of the call
	 * @return how, or {@code null} if it was not aborted
	 */
	public @Nullable Abortion find(CallContext context) {
		if (isEmpty()) {
			return null;
		}
		Abortion ofRun = find(AbortKey.Run.of(context));
		return (ofRun != null) ? ofRun : find(AbortKey.Session.of(context));
	}

	/**
	 * How the run or the session of a call was aborted, of a call that nobody makes: it
	 * prolongs no memory.
	 * @param context the context of the call
	 * @return how, or {@code null} if it was not aborted
	 */
	public @Nullable Abortion peek(CallContext context) {
		if (isEmpty()) {
			return null;
		}
		Abortion ofRun = peek(AbortKey.Run.of(context));
		return (ofRun != null) ? ofRun : peek(AbortKey.Session.of(context));
	}

	private @Nullable Abortion peek(@Nullable AbortKey key) {
		Entry entry = (key != null) ? this.entries.get(key) : null;
		return (entry != null && !isOver(entry, this.nanoTime.getAsLong())) ? entry.abortion : null;
	}

	private @Nullable Abortion find(@Nullable AbortKey key) {
		Entry entry = (key != null) ? this.entries.get(key) : null;
		if (key == null || entry == null) {
			return null;
		}
		long now = this.nanoTime.getAsLong();
		if (isOver(entry, now)) {
			forgetIfOver(key, now);
			return null;
		}
		entry.refusedAt = now;
		return entry.abortion;
	}

	/**
	 * Whether so many aborts are remembered that no further call may be let in, lest the
	 * next abort could not be remembered. That is logged, at most once in a while.
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
	 * The same of a call that nobody makes: it is not logged.
	 * @param context the context of the call
	 * @return whether the call would be denied
	 */
	public boolean wouldBeFullFor(CallContext context) {
		return whyFull(context) != null;
	}

	private @Nullable String whyFull(CallContext context) {
		if (isEmpty() || (this.entries.size() < Math.min(this.maxRunsOfNobody, this.maxRunsOfUser)
				&& this.lostUntil == null)) {
			return null;
		}
		long now = this.nanoTime.getAsLong();
		purge(now);
		if (this.entries.size() >= this.maxRuns || this.lostUntil != null) {
			return "Calls are denied, because %d aborted runs and sessions have not ended. "
				.formatted(this.entries.size()) + WHAT_TO_DO;
		}
		String user = context.user();
		int max = (user != null) ? this.maxRunsOfUser : this.maxRunsOfNobody;
		if (this.ofOwners.getOrDefault(AbortKey.ownerOf(context), 0) < max) {
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
		return forget(AbortKey.Run.of(run));
	}

	/**
	 * Forget that a run was aborted, and hand on how: calls that come late are to be
	 * refused by the heir, which knows before this memory forgets.
	 * @param run the id of the run
	 * @param heir gets how the run was aborted, if it was
	 */
	public void endRun(String run, Consumer<Abortion> heir) {
		this.entries.computeIfPresent(AbortKey.Run.of(run), (same, entry) -> {
			heir.accept(entry.abortion);
			forgot(entry);
			return null;
		});
	}

	/**
	 * Forget that a session was aborted: it is over, and another may begin under its id.
	 * Runs of it that were aborted by their own id stay aborted.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether it had been aborted
	 */
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return forget(AbortKey.Session.of(session, user, agent));
	}

	private boolean forget(AbortKey key) {
		if (isEmpty()) {
			return false;
		}
		Entry entry = this.entries.remove(key);
		if (entry == null) {
			return false;
		}
		forgot(entry);
		return !isOver(entry, this.nanoTime.getAsLong());
	}

	/**
	 * Forget what has ended without anybody saying so.
	 */
	private void purge(long now) {
		long next = this.nextPurge.get();
		if (now - next < 0 || !this.nextPurge.compareAndSet(next, now + PURGE_INTERVAL)) {
			return;
		}
		this.entries.keySet().forEach((key) -> forgetIfOver(key, now));
		Long lost = this.lostUntil;
		if (lost != null && now - lost >= 0) {
			this.lostUntil = null;
		}
	}

	private void forgetIfOver(AbortKey key, long now) {
		// Atomic, so that an abort that comes at this moment is not forgotten, too.
		this.entries.computeIfPresent(key, (same, entry) -> {
			if (!isOver(entry, now)) {
				return entry;
			}
			forgot(entry);
			return null;
		});
	}

	private boolean isOver(Entry entry, long now) {
		return now - entry.refusedAt >= this.retention;
	}

	private void forgot(Entry entry) {
		this.ofOwners.computeIfPresent(entry.owner, (owner, count) -> (count > 1) ? count - 1 : null);
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

	/**
	 * A listener that is told each abort.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Listening extends AutoCloseable {

		/**
		 * Tell the listener no further abort. To close it again changes nothing.
		 */
		@Override
		void close();

	}

	private static final class Entry {

		private final Abortion abortion;

		private final String owner;

		private volatile long refusedAt;

		Entry(Abortion abortion, String owner, long now) {
			this.abortion = abortion;
			this.owner = owner;
			this.refusedAt = now;
		}

	}

}
