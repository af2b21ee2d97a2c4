package io.agenthooks.spring.observation;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.SafeText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.toolcall.ToolCall;

/** No event is made unless a recording wants it. */
final class JfrWatch implements CallWatch {

	/**
	 * These are only asked whether events of their kind are wanted, so that no call makes
	 * one to ask. {@code EventType} would say it, too, and load all of the recorder.
	 */
	private static final ToolCallJfrEvent TOOL_CALL = new ToolCallJfrEvent();

	private static final HookJfrEvent HOOK = new HookJfrEvent();

	@Override
	public boolean isActive() {
		return TOOL_CALL.isEnabled() || HOOK.isEnabled();
	}

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		if (!(call instanceof ToolCall) || !TOOL_CALL.isEnabled()) {
			return (HOOK.isEnabled()) ? new Recorded(call, null) : null;
		}
		ToolCallJfrEvent event = new ToolCallJfrEvent();
		event.begin();
		return new Recorded(call, event);
	}

	private static @Nullable String safe(@Nullable String text) {
		return (text != null) ? SafeText.name(text) : null;
	}

	/** The event is {@code null} if there is none. */
	private record Recorded(HookedCall call, @Nullable ToolCallJfrEvent event) implements WatchedCall {

		@Override
		public @Nullable WatchedHook ask(HookEntry<?> hook, HookPart part) {
			if (!HOOK.isEnabled()) {
				return null;
			}
			HookJfrEvent event = new HookJfrEvent();
			event.begin();
			return (decision, failure) -> {
				event.end();
				if (event.shouldCommit()) {
					event.callId = safe(this.call.id());
					event.hook = hook.name();
					event.part = part.name().toLowerCase(Locale.ROOT);
					event.verdict = Unanswered.verdict(part, decision, failure);
					event.commit();
				}
			};
		}

		@Override
		public void end(HookOutcome outcome) {
			ToolCallJfrEvent event = this.event;
			if (event == null) {
				return;
			}
			event.end();
			if (event.shouldCommit() && this.call instanceof ToolCall called) {
				event.callId = safe(called.id());
				event.tool = safe(called.tool());
				event.sessionId = safe(called.context().sessionId());
				event.runId = safe(called.context().runId());
				event.outcome = CallOutcomes.status(outcome);
				event.verdict = outcome.decision().verdict().value();
				event.decidedBy = outcome.decidedBy();
				event.commit();
			}
		}

	}

}
