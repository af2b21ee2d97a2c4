package io.agenthooks.spring.audit;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Callers leave what is to be recorded in a bounded queue; one thread chains and writes
 * it. What does not fit is counted, and the count is recorded.
 */
final class AuditLog implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(AuditLog.class);

	private static final long FIRST_DELAY = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long LONGEST_DELAY = TimeUnit.SECONDS.toNanos(5);

	private static final long NAP = TimeUnit.MILLISECONDS.toNanos(5);

	private static final Duration DRAINING = Duration.ofSeconds(10);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AuditSink sink;

	private final AuditAnchor anchor;

	private final Settings settings;

	private final AuditQueue queue;

	private final AuditBatch batch;

	private final Thread writer = HooksThreads.newThread("agent-hooks-audit", this::run);

	/** The calls that have begun that will be left here when they end. */
	private volatile LongSupplier underWay = () -> 0;

	private volatile boolean broken;

	/** The time since when the sink, or the anchor, has been writing, or 0. */
	private volatile long writingSince;

	/** Of the writer alone, from here on. */
	private @Nullable AuditRecord head;

	private long written;

	AuditLog(AuditSink sink, AuditAnchor anchor, RecordMaker maker, Settings settings) {
		this.sink = sink;
		this.anchor = anchor;
		this.settings = settings;
		this.queue = new AuditQueue(settings.capacity(), settings.hardLimit(), settings.clock());
		this.batch = new AuditBatch(this.queue, maker, settings);
	}

	AuditSink sink() {
		return this.sink;
	}

	void open() {
		this.batch.continueAfter(ChainEnd.find(this.sink, this.anchor, this.settings));
	}

	boolean isCut() {
		return this.batch.isCut();
	}

	void start(LongSupplier underWay) {
		this.underWay = underWay;
		this.writer.start();
	}

	/** Leave something to be recorded. Never waits. */
	void add(AuditEntry entry) {
		boolean tooLate = entry instanceof CallEntry call && call.isTooLate();
		if (tooLate && !this.queue.hasRoom()) {
			// It did not run, and threads that go on calling make any number of them.
			return;
		}
		if (this.queue.offer(entry) || tooLate) {
			return;
		}
		boolean closed = this.queue.isClosed();
		if (closed && entry instanceof CallEntry call && call.isSwitchedOff()) {
			return;
		}
		this.queue.drop();
		this.warnings.warn((closed) ? "The application has ended, and the audit with it: what ends now is not recorded"
				: "The queue of the audit is full: a call is not recorded, which is recorded as a gap");
	}

	long dropped() {
		return this.queue.dropped();
	}

	int backlog() {
		return this.queue.size();
	}

	/** Whether a call that begins now can be expected to be recorded. */
	boolean isWritable() {
		long since = this.writingSince;
		return !this.broken && this.queue.hasRoom()
				&& (since == 0 || System.nanoTime() - since < this.settings.stall().toNanos());
	}

	private void run() {
		long delay = FIRST_DELAY;
		while (!this.queue.isClosed() || this.batch.hasWork()) {
			try {
				if (this.batch.fill()) {
					write();
					delay = FIRST_DELAY;
				}
				else {
					note(false);
				}
			}
			catch (Throwable ex) {
				this.writingSince = 0;
				if (this.queue.isClosed() && (ex instanceof InterruptedException || Thread.interrupted())) {
					break;
				}
				this.broken = true;
				this.warnings.warn("The audit cannot be written to %s: %s".formatted(this.sink, describe(ex)));
				logger.debug("The audit cannot be written", ex);
				LockSupport.parkNanos(delay);
				delay = Math.min(2 * delay, LONGEST_DELAY);
			}
		}
		finish();
	}

	private void write() throws Exception {
		this.writingSince = Math.max(1, System.nanoTime());
		List<AuditRecord> records = this.batch.records();
		this.sink.write(records);
		this.writingSince = 0;
		if (this.broken) {
			this.broken = false;
			logger.info("The audit can be written to {} again", this.sink);
		}
		this.head = records.get(records.size() - 1);
		this.written += records.size();
		this.batch.written();
		note(false);
	}

	/** No record is written while that hangs. */
	private void note(boolean now) {
		this.writingSince = Math.max(1, System.nanoTime());
		try {
			this.anchor.note(this.head, now);
		}
		finally {
			this.writingSince = 0;
		}
	}

	private void finish() {
		int lost = this.queue.size();
		if (lost > 0 || !this.batch.isEmpty()) {
			logger.error("{} calls could not be recorded before the application ended: {} did not take them", lost,
					this.sink);
			return;
		}
		try {
			long running = this.underWay.getAsLong();
			if (running > 0) {
				logger.error("{} calls still run when the application ends: how they end is not recorded, "
						+ "which is recorded as a gap", running);
			}
			this.batch.end(running, this.written);
			write();
		}
		catch (Exception ex) {
			logger.warn("The end of the audit could not be written to {}: {}", this.sink, describe(ex));
		}
		note(true);
	}

	/**
	 * Without what a message may quote. That of a disk quotes nothing, and says what to
	 * do.
	 */
	private String describe(Throwable ex) {
		if (ex instanceof InvalidAuditException invalid) {
			return invalid.getDescription() + " " + invalid.getAction();
		}
		return (this.sink instanceof FileSink && ex instanceof IOException) ? ex.toString() : ex.getClass().getName();
	}

	/** Wait until all that was left so far is written. For tests. */
	boolean awaitWritten(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (this.queue.size() > 0 || this.batch.hasDrops()) {
			if (System.nanoTime() - end > 0) {
				return false;
			}
			LockSupport.parkNanos(NAP);
		}
		return true;
	}

	/** Write what has come, and what calls leave that have begun, but not for ever. */
	@Override
	public void close() {
		close(DRAINING);
	}

	void close(Duration draining) {
		awaitCalls(draining);
		boolean first = this.queue.close();
		try {
			if (this.writer.isAlive()) {
				this.writer.join(Math.max(1, draining.toMillis()));
				this.writer.interrupt();
				this.writer.join(TimeUnit.SECONDS.toMillis(1));
			}
			if (first) {
				this.sink.close();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			logger.warn("{} could not be closed: {}", this.sink, describe(ex));
		}
	}

	private void awaitCalls(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (this.writer.isAlive() && this.underWay.getAsLong() > 0 && System.nanoTime() - end < 0
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(NAP);
		}
	}

	record Settings(String node, AuditKey key, int capacity, boolean strict, Duration stall, Clock clock) {

		/**
		 * The most entries that may wait at all: with {@code strict}, those that were
		 * under way when others began to be denied are recorded, too.
		 */
		int hardLimit() {
			return (this.strict) ? 2 * this.capacity : this.capacity;
		}

	}

}
