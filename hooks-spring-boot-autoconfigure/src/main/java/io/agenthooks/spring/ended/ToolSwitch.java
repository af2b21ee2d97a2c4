package io.agenthooks.spring.ended;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Switches all tools off and on, and records who did.
 *
 * @since 0.1.0
 */
public interface ToolSwitch {

	/** The application switches by itself. */
	String APPLICATION = "application";

	/** Switched at the actuator. */
	String ACTUATOR = "actuator";

	/**
	 * Switch all tools off, or on again.
	 * @param enabled whether tools may run
	 * @param user who wants it, or {@code null} if nobody is logged in
	 * @param through {@link #APPLICATION} or {@link #ACTUATOR}
	 * @throws IllegalStateException if there are executors that are not guarded: their
	 * tools still run
	 */
	void switchTools(boolean enabled, @Nullable String user, String through);

	/**
	 * The last switching since the start, even one that changed nothing.
	 * @return who switched and when, or {@code null} if nobody did
	 */
	@Nullable Switched lastSwitch();

	/**
	 * A switching of all tools.
	 *
	 * @param enabled whether tools may run since then
	 * @param at when
	 * @param user who wanted it, or {@code null} if nobody is known
	 * @param through {@link ToolSwitch#APPLICATION} or {@link ToolSwitch#ACTUATOR}
	 * @since 0.1.0
	 */
	record Switched(boolean enabled, Instant at, @Nullable String user, String through) {
	}

	/**
	 * Is notified of each switching, even of one that changes nothing.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Watch {

		/**
		 * Tools were switched. Must not throw, nor wait.
		 * @param enabled whether tools may run now
		 * @param user who wanted it, or {@code null} if nobody is known
		 * @param through {@link ToolSwitch#APPLICATION} or {@link ToolSwitch#ACTUATOR}
		 */
		void switched(boolean enabled, @Nullable String user, String through);

	}

}
