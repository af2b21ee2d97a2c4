package io.agenthooks.spring.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Lets a hook only observe for a while, such as a guard that breaks at night and would
 * keep the means of repair from working.
 *
 * @since 0.1.0
 */
public interface HookModes {

	/** The longest time, after which a hook decides again by itself. */
	Duration LONGEST = Duration.ofHours(4);

	/**
	 * Whether a hook can be let only observe.
	 * @param hook its name
	 * @return whether there is such a hook that decides
	 * @throws IllegalStateException if there is one, and the hooks of the chain cannot be
	 * changed
	 */
	boolean canObserve(String hook);

	/**
	 * Let a hook only observe from now on.
	 * @param hook its name
	 * @param time for how long, at most {@link #LONGEST}
	 * @param ended is run when the hook decides again because the time is over
	 * @return when it decides again, or {@code null} if there is no such hook that
	 * decides
	 * @throws IllegalStateException if the hooks of the chain cannot be changed
	 */
	@Nullable Instant observe(String hook, Duration time, Runnable ended);

	/**
	 * Let a hook decide again that was to observe for a while.
	 * @param hook its name
	 * @return whether there was such a hook
	 */
	boolean enforce(String hook);

	/**
	 * The hooks that only observe for a while.
	 * @return when they decide again, by their names
	 */
	Map<String, Instant> observing();

	/**
	 * Is notified when a hook is to observe for a while, and when it decides again.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Watch {

		/**
		 * The mode of a hook has changed. Must not throw, nor wait.
		 * @param hook the name of the hook
		 * @param observes whether it only observes now
		 * @param time for how long, or {@code null} if it decides again
		 * @param user who wanted it, or {@code null} if its time was over
		 */
		void changed(String hook, boolean observes, @Nullable Duration time, @Nullable String user);

	}

}
