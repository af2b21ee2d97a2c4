package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Ends questions whose time is over, of nodes that may be gone, and forgets old ones on
 * another thread.
 */
final class DueSweep {

	/** Questions that are read at once. */
	static final int BATCH = 100;

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final long MAX_TIME = Duration.ofSeconds(1).toNanos();

	/** After so many portions of old questions the next sweep goes on. */
	static final int MAX_PORTIONS = 1_000;

	/** With so many failures in a row, the store is away. */
	static final int MAX_FAILURES = 5;

	private static final Logger logger = LoggerFactory.getLogger(DueSweep.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	private final ApprovalStore store;

	private final Duration retention;

	private final InstantSource clock;

	private final Consumer<ApprovalRequest> end;

	private final Executor background;

	private final AtomicBoolean purging = new AtomicBoolean();

	DueSweep(ApprovalStore store, Duration retention, InstantSource clock, Consumer<ApprovalRequest> end,
			Executor background) {
		this.store = store;
		this.retention = retention;
		this.clock = clock;
		this.end = end;
		this.background = background;
	}

	void run() {
		long now = System.nanoTime();
		long next = this.next.get();
		if (now - next < 0 || !this.next.compareAndSet(next, now + INTERVAL)) {
			return;
		}
		if (!end()) {
			this.next.set(System.nanoTime());
		}
		purge();
	}

	/** {@code true} if there are no more, as far as that is known. */
	boolean end() {
		try {
			return endAll(System.nanoTime() + MAX_TIME);
		}
		catch (RuntimeException ex) {
			this.warnings.warn("Questions to people whose time is over could not be ended: " + ex.getClass().getName());
			return true;
		}
	}

	void purge() {
		if (this.purging.compareAndSet(false, true)) {
			this.background.execute(() -> purge(MAX_PORTIONS));
		}
	}

	/** Forget a portion, and let others have the thread before the next one. */
	private void purge(int portions) {
		boolean more = false;
		try {
			Instant before = this.clock.instant().minus(this.retention);
			more = this.store.purge(before) && portions > 1;
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("Old questions to people could not be removed: " + ex.getClass().getName());
		}
		finally {
			if (!more) {
				this.purging.set(false);
			}
		}
		if (more) {
			this.background.execute(() -> purge(portions - 1));
		}
	}

	private boolean endAll(long until) {
		Set<String> ended = new HashSet<>();
		int failures = 0;
		while (true) {
			List<ApprovalRequest> due = this.store.due(this.clock.instant(), BATCH);
			boolean others = false;
			for (ApprovalRequest request : due) {
				others |= ended.add(request.id());
				failures = (end(request)) ? 0 : failures + 1;
				if (failures == MAX_FAILURES) {
					return true;
				}
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

	/** One question that cannot be ended must not keep the others. */
	private boolean end(ApprovalRequest request) {
		try {
			this.end.accept(request);
			return true;
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings
				.warn("A question to people whose time is over could not be ended: " + ex.getClass().getName());
			return false;
		}
	}

}
