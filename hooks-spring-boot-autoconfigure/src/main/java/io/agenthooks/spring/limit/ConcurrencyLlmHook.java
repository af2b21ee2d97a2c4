package io.agenthooks.spring.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.chain.CallNote;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.ended.LimitLeft;
import io.agenthooks.spring.ended.LimitedHook;

/**
 * Lets only so many model calls run at the same time. A call takes a place when the hook
 * is asked, for which it may wait, and leaves it when it has ended, however that was; a
 * streamed one after its last part.
 */
final class ConcurrencyLlmHook implements PreLlmHook, PostLlmHook, LimitedHook, HookHealth, AutoCloseable {

	private final String name;

	private final ConcurrencySettings settings;

	private final Slots slots;

	private final String storeKind;

	/** The call may have another model when it ends, and end for other hooks. */
	private final CallNote<Slots.Slot> open = new CallNote<>(this::leave);

	private final LeastLeft least = new LeastLeft(System::nanoTime);

	private final LeftNotes notes = new LeftNotes();

	ConcurrencyLlmHook(String name, LlmConcurrencyConfig config, LimitStores stores) {
		List<Problem> problems = new ArrayList<>();
		ModelKey.check("key", config.key(), problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		this.name = name;
		this.settings = ConcurrencySettings.of(new ConcurrencyConfig(config.maxConcurrent(),
				(config.key() != null) ? config.key() : List.of("all"), null, config.missing(), config.timeout()),
				ModelKey.NO_EXPRESSIONS);
		this.slots = stores.slots("model calls\n" + name, this.settings);
		this.storeKind = stores.kind().text();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LimitKey.Found found = this.settings.key().of(ModelKey.callIn(call.context()));
		if (found.key() == null) {
			return (found.missing() && this.settings.missing() == Missing.SKIP) ? LlmDecision.approve()
					: LlmDecision.deny(String.valueOf(found.problem()));
		}
		Slots.@Nullable Slot slot;
		try {
			slot = this.slots.enter(found.key(), this.settings.timeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return LlmDecision.deny("The wait for another call was interrupted");
		}
		if (slot == null) {
			noteLeft(0);
			return LlmDecision.deny(this.settings.tooMany(this.slots));
		}
		if (!this.open.leave(slot)) {
			this.slots.leave(slot);
			return LlmDecision.deny(LimitKeys.ENDED);
		}
		noteLeft(this.slots.free(slot));
		return LlmDecision.approve();
	}

	private void noteLeft(int free) {
		if (free >= 0) {
			this.least.add(free);
			this.notes.add(free, null);
		}
	}

	private void leave(Slots.Slot slot) {
		this.slots.leave(slot);
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		Slots.Slot slot = this.open.take();
		if (slot != null) {
			leave(slot);
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

	@Override
	public Report health() {
		return this.slots.health();
	}

	@Override
	public void close() {
		this.slots.close();
	}

}
