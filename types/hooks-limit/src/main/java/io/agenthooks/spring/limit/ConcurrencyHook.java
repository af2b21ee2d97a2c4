package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.CallNote;
import io.agenthooks.spring.HookHealth;

/**
 * A call takes a place when the hook is asked, for which it may wait, and leaves it when
 * it has ended, however that was.
 */
abstract class ConcurrencyHook implements CountingHook, HookHealth, AutoCloseable {

	private final ConcurrencySettings settings;

	private final Slots slots;

	private final CallsLeft left;

	/** The call may have another key when it ends, and end for other hooks. */
	private final CallNote<Running> open = new CallNote<>(this::leave);

	ConcurrencyHook(ConcurrencySettings settings, Slots slots, LimitConfig.Store store) {
		this.settings = settings;
		this.slots = slots;
		this.left = new CallsLeft(store);
	}

	ConcurrencySettings settings() {
		return this.settings;
	}

	Slots slots() {
		return this.slots;
	}

	@Override
	public CallsLeft left() {
		return this.left;
	}

	/** The place that the call has. */
	@Nullable String running() {
		Running running = this.open.find();
		return (running != null) ? running.key() : null;
	}

	@Nullable String uncounted(LimitKey.Found found) {
		return (found.missing() && this.settings.missing() == OnMissingKey.SKIP) ? null
				: String.valueOf(found.problem());
	}

	@Nullable String enter(String key) {
		Slots.@Nullable Slot slot;
		try {
			slot = this.slots.enter(key, this.settings.timeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "The wait for another call was interrupted";
		}
		if (slot == null) {
			this.left.add(0, null);
			return this.settings.tooMany(this.slots);
		}
		if (!this.open.leave(new Running(key, slot))) {
			this.slots.leave(slot);
			return LimitKeys.ENDED;
		}
		this.left.add(this.slots.free(slot), null);
		return null;
	}

	void leave() {
		Running running = this.open.take();
		if (running != null) {
			leave(running);
		}
	}

	private void leave(Running running) {
		this.slots.leave(running.slot());
	}

	@Override
	public Report health() {
		return this.slots.health();
	}

	@Override
	public void close() {
		this.slots.close();
	}

	private record Running(String key, Slots.Slot slot) {
	}

}
