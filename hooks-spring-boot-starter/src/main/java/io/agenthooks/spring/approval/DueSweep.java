package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;

/**
 * Ends questions whose time is over, of nodes that may be gone, and forgets old ones.
 * Whoever looks at questions does that now and then, and not for long.
 */
final class DueSweep {

	/** Questions that are read at once. */
	static final int BATCH = 100;

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	/** After so long the next one goes on. */
	private static final long MAX_TIME = Duration.ofSeconds(1).toNanos();

	private static final Logger logger = LoggerFactory.getLogger(DueSweep.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	private final ApprovalStore store;

	private final Duration retention;

	private final InstantSource clock;

	private final Consumer<ApprovalRequest> end;

	/**
	 * Create it.
	 * @param retention how long settled questions are kept
	 * @param end ends a question whose time is over
	 */
	DueSweep(ApprovalStore store, Duration retention, InstantSource clock, Consumer<ApprovalRequest> end) {
		this.store = store;
		this.retention = retention;
		this.clock = clock;
		this.end = end;
	}

	/**
	 * Sweep, unless that was done a short time ago.
	 */
	void run() {
		long now = System.nanoTime();
		long next = this.next.get();
		if (now - next < 0 || !this.next.compareAndSet(next, now + INTERVAL)) {
			return;
		}
		try {
			if (!endAll(now + MAX_TIME)) {
				this.next.set(System.nanoTime());
			}
		}
		catch (RuntimeException ex) {
			this.warnings.warn("Questions to people whose time is over could not be ended: " + ex.getClass().getName());
		}
		try {
			this.store.purge(this.clock.instant().minus(this.retention));
		}
		catch (RuntimeException ex) {
			this.warnings.warn("Old questions to people could not be removed: " + ex.getClass().getName());
		}
	}

	/**
	 * End questions as long as there are some.
	 * @return whether there are no more
	 */
	private boolean endAll(long until) {
		Set<String> ended = new HashSet<>();
		while (true) {
			List<ApprovalRequest> due = this.store.due(this.clock.instant(), BATCH);
			boolean others = false;
			for (ApprovalRequest request : due) {
				others |= ended.add(request.id());
				this.end.accept(request);
			}
			// Those that come again cannot be ended now.
			if (due.size() < BATCH || !others) {
				return true;
			}
			if (System.nanoTime() - until >= 0) {
				return false;
			}
		}
	}

}
