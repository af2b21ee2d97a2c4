package io.agenthooks.spring.audit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.json.StrictJson;

/**
 * Copies each record that is kept to a repository of Spring Boot, as an event. The copy
 * is made on a thread of its own, so a repository that is slow or fails holds up no
 * record; what it does not take in time is missing there, and only there.
 */
final class EventSink implements CopyingSink {

	/** How many batches of records may wait. */
	static final int CAPACITY = 100;

	/** How many characters may wait, unless a batch alone has more. */
	private static final long MAX_CHARACTERS = 16L * 1024 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(EventSink.class);

	private static final Duration GRACE = Duration.ofSeconds(5);

	/** Arguments may be as deep as those of a call, and stand in a record. */
	private static final StrictJson json = new StrictJson(2);

	private final WarningThrottle failures = new WarningThrottle(logger);

	private final WarningThrottle drops = new WarningThrottle(logger);

	private final AtomicLong waiting = new AtomicLong();

	private final AuditSink sink;

	private final AuditEventRepository repository;

	private final ThreadPoolExecutor thread;

	EventSink(AuditSink sink, AuditEventRepository repository) {
		this(sink, repository, EventSink::newThread);
	}

	EventSink(AuditSink sink, AuditEventRepository repository, ThreadFactory threads) {
		this.sink = sink;
		this.repository = repository;
		this.thread = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY), threads);
		this.thread.allowCoreThreadTimeOut(true);
	}

	static Thread newThread(Runnable work) {
		Thread thread = new Thread(work, "agent-hooks-audit-events");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public AuditSink original() {
		return this.sink;
	}

	@Override
	public @Nullable String lastLine(String node) throws Exception {
		return this.sink.lastLine(node);
	}

	@Override
	public void write(List<AuditRecord> records) throws Exception {
		this.sink.write(records);
		if (!enqueue(records)) {
			this.drops.warn(
					"The repository of audit events is too slow, or no thread can be started: %d records are not copied to it"
						.formatted(records.size()));
		}
	}

	private boolean enqueue(List<AuditRecord> records) {
		long characters = records.stream().mapToLong((record) -> record.line().length()).sum();
		// Taken once, whoever gives the room back
		AtomicLong room = new AtomicLong(characters);
		boolean taken = false;
		try {
			if (this.waiting.addAndGet(characters) <= Math.max(MAX_CHARACTERS, characters)) {
				this.thread.execute(() -> copy(records, room));
				taken = true;
			}
		}
		catch (RejectedExecutionException ex) {
			logger.trace("The queue of audit events is full", ex);
		}
		catch (Error ex) {
			// The records are kept: no thread for a copy must not make them come again
			logger.debug("No thread for audit events", ex);
		}
		finally {
			if (!taken) {
				this.waiting.addAndGet(-room.getAndSet(0));
			}
		}
		return taken;
	}

	private void copy(List<AuditRecord> records, AtomicLong room) {
		try {
			records.forEach(this::copy);
		}
		finally {
			this.waiting.addAndGet(-room.getAndSet(0));
		}
	}

	private void copy(AuditRecord record) {
		try {
			this.repository.add(event(record));
		}
		catch (RuntimeException | Error ex) {
			this.failures.warn("A record was not copied to the repository of audit events: " + ex.getClass().getName());
		}
	}

	/**
	 * A record as an event: all of it but the arguments, with its place in the chain, by
	 * which it can be compared.
	 */
	static AuditEvent event(AuditRecord record) {
		Map<String, @Nullable Object> members = json.readObject(record.line().getBytes(StandardCharsets.US_ASCII));
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		members.forEach((name, value) -> {
			if (value != null && !name.equals("v") && !name.equals("prev") && !name.equals("arguments")) {
				data.put(name, value);
			}
		});
		Object user = members.get("user");
		return new AuditEvent(record.time(), (user != null) ? user.toString() : "", type(record, members), data);
	}

	/**
	 * What happened, such as {@code TOOL_CALL_DENIED}; of the audit itself, such as
	 * {@code TOOL_AUDIT_GAP}.
	 */
	private static String type(AuditRecord record, Map<String, @Nullable Object> members) {
		Object outcome = members.get("outcome");
		String type = (outcome != null) ? record.kind() + "_" + outcome : "tool_audit_" + record.kind();
		return type.toUpperCase(Locale.ROOT).replace('-', '_');
	}

	@Override
	public void close() {
		this.thread.shutdown();
		try {
			if (!this.thread.awaitTermination(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
				logger.warn("The repository of audit events is too slow: not all records are copied to it");
				this.thread.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.sink.close();
		}
	}

	@Override
	public String toString() {
		return this.sink.toString();
	}

}
