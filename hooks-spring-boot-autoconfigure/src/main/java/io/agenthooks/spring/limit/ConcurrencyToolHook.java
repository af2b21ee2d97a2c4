package io.agenthooks.spring.limit;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.CallNote;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.ended.LimitLeft;
import io.agenthooks.spring.ended.LimitedHook;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Lets only so many calls run at the same time. A call takes a place when the hook is
 * asked, for which it may wait, and leaves it when it has ended, however that was: also
 * if another hook denied it, if it waits for a person, or if its tool never ran.
 * <p>
 * If the key depends on arguments it is a policy: it is asked again when a later hook
 * changed them, and then the call has its place among those of its final key instead.
 */
final class ConcurrencyToolHook
		implements RehearsedHook, PostToolHook, LimitedHook, HookHealth, HasConditions, AutoCloseable {

	private final String name;

	private final ConcurrencySettings settings;

	private final Slots slots;

	private final CallNote<Running> open = new CallNote<>();

	private final LeastLeft least = new LeastLeft(System::nanoTime);

	private final LeftNotes notes = new LeftNotes();

	private final String storeKind;

	ConcurrencyToolHook(String name, ConcurrencyConfig config, KeyReader.Expressions expressions, LimitStores stores) {
		this.name = name;
		this.settings = ConcurrencySettings.of(config, expressions);
		this.slots = stores.slots(name, this.settings);
		this.storeKind = stores.kind().text();
	}

	@Override
	public List<?> conditions() {
		return this.settings.key().expressions();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return this.settings.key().readsArguments();
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return false;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		LimitKey.Found found = this.settings.key().of(call);
		Running before = (isRepeatable()) ? this.open.find() : null;
		if (before != null && before.key().equals(found.key())) {
			return ToolDecision.approve();
		}
		if (before != null && this.open.take() != null) {
			this.slots.leave(before.slot());
		}
		String key = found.key();
		if (key == null) {
			return uncounted(found);
		}
		Slots.@Nullable Slot slot;
		try {
			slot = this.slots.enter(key, this.settings.timeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ToolDecision.deny("The wait for another call was interrupted");
		}
		if (slot == null) {
			noteLeft(0);
			return tooMany();
		}
		if (!this.open.leave(new Running(key, slot))) {
			this.slots.leave(slot);
			return ToolDecision.deny(LimitKeys.ENDED);
		}
		noteLeft(this.slots.free(slot));
		return ToolDecision.approve();
	}

	private void noteLeft(int free) {
		if (free >= 0) {
			this.least.add(free);
			this.notes.add(free, null);
		}
	}

	@Override
	public double remainingCalls() {
		return this.least.value();
	}

	@Override
	public String limitStore() {
		return this.storeKind;
	}

	@Override
	public void tellLeft(Consumer<LimitLeft> listener) {
		this.notes.tell(listener);
	}

	/** A call that waits for a person is asked about again, and has been counted. */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (CallNotes.ofThisThread().isResumed()) {
			return ToolDecision.approve();
		}
		LimitKey.Found found = this.settings.key().of(call);
		return (found.key() == null) ? uncounted(found)
				: (this.slots.hasRoom(found.key())) ? ToolDecision.approve() : tooMany();
	}

	private ToolDecision uncounted(LimitKey.Found found) {
		return (found.missing() && this.settings.missing() == Missing.SKIP) ? ToolDecision.approve()
				: ToolDecision.deny(String.valueOf(found.problem()));
	}

	private ToolDecision tooMany() {
		return ToolDecision.deny(this.settings.tooMany(this.slots));
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		Running running = this.open.take();
		if (running != null) {
			this.slots.leave(running.slot());
		}
	}

	@Override
	public Report health() {
		return this.slots.health();
	}

	@Override
	public void close() {
		this.slots.close();
	}

	/** The calls that run. */
	Slots slots() {
		return this.slots;
	}

	/** A call that runs. */
	private record Running(String key, Slots.Slot slot) {
	}

}
