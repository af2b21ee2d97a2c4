package io.agenthooks.spring.observation;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import io.agenthooks.SafeText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;

/**
 * Puts the ids of a call, its session and its run into the log context (MDC) of the
 * threads that go on with it. A hook on another thread gets the log context with all else
 * that is {@linkplain io.agenthooks.spring.caller.CarriedContext carried} there.
 */
final class MdcWatch implements CallWatch {

	static final String CALL_ID = "hooks.call_id";

	static final String SESSION_ID = "hooks.session_id";

	static final String RUN_ID = "hooks.run_id";

	@Override
	public boolean needsHooks() {
		return true;
	}

	@Override
	public WatchedCall begin(HookedCall call) {
		return new Logged(call);
	}

	private record Logged(HookedCall call) implements WatchedCall {

		@Override
		public Binding bind() {
			String callId = MDC.get(CALL_ID);
			String sessionId = MDC.get(SESSION_ID);
			String runId = MDC.get(RUN_ID);
			set(CALL_ID, callId, safe(this.call.id()));
			set(SESSION_ID, sessionId, safe(this.call.context().sessionId()));
			set(RUN_ID, runId, safe(this.call.context().runId()));
			return () -> {
				restore(CALL_ID, callId);
				restore(SESSION_ID, sessionId);
				restore(RUN_ID, runId);
			};
		}

		/**
		 * A session is chosen by callers of the application, and must not fake a line of
		 * the log.
		 */
		private static @Nullable String safe(@Nullable String text) {
			return (text != null) ? SafeText.name(text) : null;
		}

		/** A call without a session is of none, also within a call that has one. */
		private static void set(String key, @Nullable String before, @Nullable String value) {
			if (value != null || before != null) {
				restore(key, value);
			}
		}

		private static void restore(String key, @Nullable String value) {
			if (value != null) {
				MDC.put(key, value);
			}
			else {
				MDC.remove(key);
			}
		}

	}

}
