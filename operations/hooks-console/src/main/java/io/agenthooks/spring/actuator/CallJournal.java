package io.agenthooks.spring.actuator;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Keeps the last calls of tools, bounded in number and size. A call waits for nobody: it
 * takes the next place of a ring. Secrets are taken out when somebody looks.
 */
final class CallJournal implements PostToolHook, Ordered {

	static final String NAME = "actuator-journal";

	private final AtomicReferenceArray<@Nullable JournalEntry> ring;

	private final long maxBytes;

	private final AskedHooks asked;

	private final Clock clock;

	private final AtomicLong next = new AtomicLong();

	/** The number of the oldest call that may be there. */
	private final AtomicLong oldest = new AtomicLong();

	private final AtomicLong bytes = new AtomicLong();

	CallJournal(JournalConfig config, AskedHooks asked, Clock clock) {
		this.ring = new AtomicReferenceArray<>(config.calls());
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
		List<AskedHook> hooks = this.asked.ofThisCall();
		long number = this.next.getAndIncrement();
		JournalEntry entry = JournalEntry.of(number, outcome, hooks, this.clock.millis());
		JournalEntry before = this.ring.getAndSet(place(number), entry);
		long now = this.bytes.addAndGet(entry.weight() - ((before != null) ? before.weight() : 0));
		while (now > this.maxBytes && this.oldest.get() < number) {
			now = forgetOldest();
		}
	}

	private int place(long number) {
		return (int) (number % this.ring.length());
	}

	/**
	 * Forget the oldest call, unless a newer one has taken its place; return how many
	 * bytes are left.
	 */
	private long forgetOldest() {
		long first = Math.max(this.oldest.get(), this.next.get() - this.ring.length());
		long number = this.oldest.accumulateAndGet(first, Math::max);
		if (this.oldest.compareAndSet(number, number + 1)) {
			JournalEntry entry = this.ring.get(place(number));
			if (entry != null && entry.number() <= number && this.ring.compareAndSet(place(number), entry, null)) {
				return this.bytes.addAndGet(-entry.weight());
			}
		}
		return this.bytes.get();
	}

	/** The calls that are there, the newest first. */
	List<JournalEntry> entries() {
		List<JournalEntry> entries = new ArrayList<>();
		for (int i = 0; i < this.ring.length(); i++) {
			JournalEntry entry = this.ring.get(i);
			if (entry != null) {
				entries.add(entry);
			}
		}
		entries.sort((one, other) -> Long.compare(other.number(), one.number()));
		return entries;
	}

	long dropped(List<JournalEntry> entries) {
		return Math.max(0, this.next.get() - entries.size());
	}

	long bytes() {
		return this.bytes.get();
	}

}
