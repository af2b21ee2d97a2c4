package io.agenthooks.spring.actuator;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.core.Ordered;

import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * The last calls of tools, bounded in number and size. Secrets are taken out when
 * somebody looks.
 */
final class CallJournal implements PostToolHook, Ordered {

	static final String NAME = "actuator-journal";

	private final int maxCalls;

	private final long maxBytes;

	private final AskedHooks asked;

	private final Clock clock;

	private final AtomicLong next = new AtomicLong();

	/** The oldest call first. Guarded by itself, as is the size. */
	private final Deque<JournalEntry> entries = new ArrayDeque<>();

	private long bytes;

	CallJournal(JournalConfig config, AskedHooks asked, Clock clock) {
		this.maxCalls = config.calls();
		this.maxBytes = config.bytes();
		this.asked = asked;
		this.clock = clock;
		asked.readBy(NAME, List.of(ToolCall.class));
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		JournalEntry entry = JournalEntry.of(this.next.getAndIncrement(), outcome, this.asked.ofThisCall(),
				this.clock.millis());
		synchronized (this.entries) {
			this.entries.add(entry);
			this.bytes += entry.weight();
			while (this.entries.size() > this.maxCalls || (this.bytes > this.maxBytes && this.entries.size() > 1)) {
				this.bytes -= this.entries.remove().weight();
			}
		}
	}

	List<JournalEntry> entries() {
		synchronized (this.entries) {
			return this.entries.stream().sorted(Comparator.comparingLong(JournalEntry::number).reversed()).toList();
		}
	}

	long dropped(List<JournalEntry> entries) {
		return Math.max(0, this.next.get() - entries.size());
	}

	long bytes() {
		synchronized (this.entries) {
			return this.bytes;
		}
	}

}
