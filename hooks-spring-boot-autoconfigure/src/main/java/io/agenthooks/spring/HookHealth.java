package io.agenthooks.spring;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A hook that knows whether it can decide, because of something outside of it that it
 * needs. Implement it beside the interface of the hook: the health of the application,
 * and the meter {@code hooks.down}, then know the hook.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HookHealth {

	/**
	 * Return the health of the hook now. Asked often, so it must not ask anything itself.
	 * @return what is known
	 */
	Report health();

	/**
	 * The health of a hook.
	 *
	 * @param state whether it can decide
	 * @param failsOpen whether calls pass while it cannot
	 * @param details more about it, without addresses, arguments, secrets and texts of
	 * others
	 * @since 0.1.0
	 */
	record Report(State state, boolean failsOpen, Map<String, Object> details) {

		/** Create a report. */
		public Report {
			Objects.requireNonNull(state, "'state' must not be null");
			details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
		}

	}

	/**
	 * Whether a hook can decide.
	 *
	 * @since 0.1.0
	 */
	enum State {

		/** It can. */
		UP,

		/** Unknown: it was not asked lately. */
		UNKNOWN,

		/** It cannot, and sees to it that it soon can again. */
		RECOVERING,

		/** It cannot. */
		DOWN

	}

}
