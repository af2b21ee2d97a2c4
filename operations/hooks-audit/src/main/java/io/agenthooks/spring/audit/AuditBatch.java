package io.agenthooks.spring.audit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

/**
 * The records that are written next, chained, with those on the audit itself. They stay
 * until they are written. Of one thread alone, but for what is volatile.
 */
final class AuditBatch {

	/** The most records that are written at once. */
	private static final int SIZE = 512;

	private static final Duration TICK = Duration.ofMillis(100);

	private static final String GAP = "gap";

	private final AuditQueue queue;

	private final RecordMaker maker;

	private final RecordChain chain;

	private final Clock clock;

	private final List<AuditRecord> records = new ArrayList<>();

	private final List<AuditEntry> taken = new ArrayList<>();

	/** The number of them of which there are records. */
	private int sealed;

	private volatile long recordedDrops;

	private String ending = "none";

	private volatile @Nullable AuditCut cut;

	private boolean started;

	AuditBatch(AuditQueue queue, RecordMaker maker, AuditLog.Settings settings) {
		this.queue = queue;
		this.maker = maker;
		this.chain = new RecordChain(settings);
		this.clock = settings.clock();
	}

	void continueAfter(ChainEnd end) {
		this.chain.continueAfter(end);
		this.ending = end.ending();
		this.cut = end.cut();
	}

	boolean isCut() {
		return this.cut != null;
	}

	boolean hasWork() {
		return !this.records.isEmpty() || this.queue.size() > 0 || hasDrops() || !this.started;
	}

	boolean hasDrops() {
		return this.queue.dropped() > this.recordedDrops;
	}

	/** If that failed the last time, it goes on where it was. */
	boolean fill() throws InterruptedException {
		if (!this.records.isEmpty() && this.sealed == this.taken.size()) {
			return true;
		}
		boolean first = !this.started;
		if (first) {
			begin();
		}
		this.queue.take(this.taken, SIZE - this.taken.size(), (first) ? Duration.ZERO : TICK);
		if (first || this.sealed < this.taken.size()) {
			Map<String, @Nullable Object> changed = this.maker.changedConfiguration();
			if (changed != null) {
				append("config", changed);
			}
		}
		while (this.sealed < this.taken.size()) {
			append(this.taken.get(this.sealed));
			this.sealed++;
		}
		appendDrops();
		return !this.records.isEmpty();
	}

	private void appendDrops() {
		// First the time: a call that is dropped meanwhile belongs to the next gap, or
		// sets it again.
		long since = this.queue.takeFirstDrop();
		long drops = this.queue.dropped();
		if (drops > this.recordedDrops) {
			append(GAP, gap(drops - this.recordedDrops, (since != 0) ? since : this.clock.millis()));
			this.recordedDrops = drops;
		}
	}

	private void begin() {
		AuditCut cut = this.cut;
		if (cut != null) {
			append(AuditCut.KIND, cut.members());
		}
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("pid", ProcessHandle.current().pid());
		members.put("before", this.ending);
		append("start", members);
		this.started = true;
	}

	/** Calls that still run are in a gap of their own. */
	void end(long running, long written) {
		appendDrops();
		if (running > 0) {
			Map<String, @Nullable Object> gap = gap(running, this.clock.millis());
			gap.put("still_running", true);
			append(GAP, gap);
		}
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("written", written);
		append("stop", members);
	}

	private static Map<String, @Nullable Object> gap(long dropped, long since) {
		Map<String, @Nullable Object> gap = new LinkedHashMap<>();
		gap.put("dropped", dropped);
		gap.put("since", SealedLine.TIME.format(Instant.ofEpochMilli(since)));
		return gap;
	}

	private void append(AuditEntry entry) {
		Instant time = Instant.ofEpochMilli(entry.time());
		try {
			append(entry.kind(), time, this.maker.members(entry));
		}
		catch (RuntimeException ex) {
			// A call that cannot be described is recorded all the same.
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			if (entry instanceof CallEntry call) {
				members.put("id", SafeText.name(call.id()));
				members.put("outcome", call.ended().status());
			}
			members.put("undescribed", ex.getClass().getName());
			append(entry.kind(), time, members);
		}
	}

	private void append(String kind, Map<String, @Nullable Object> members) {
		append(kind, this.clock.instant(), members);
	}

	private void append(String kind, Instant time, Map<String, @Nullable Object> members) {
		this.records.add(this.chain.seal(kind, time, members));
	}

	List<AuditRecord> records() {
		return List.copyOf(this.records);
	}

	boolean isEmpty() {
		return this.records.isEmpty();
	}

	void written() {
		this.records.clear();
		this.queue.recorded(this.taken);
		this.taken.clear();
		this.sealed = 0;
	}

}
