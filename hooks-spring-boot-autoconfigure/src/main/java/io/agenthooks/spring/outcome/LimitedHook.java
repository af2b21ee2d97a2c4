package io.agenthooks.spring.outcome;

import java.util.function.Consumer;

import io.agenthooks.spring.HookCounts;

/**
 * A hook that limits calls and can report how much is left after each.
 *
 * @since 0.1.0
 */
public interface LimitedHook extends HookCounts {

	String limitStore();

	/**
	 * Report what is left after each decision from now on, while the hook is asked. A
	 * hook that nobody listens to does nothing for that.
	 * @param listener gets to know it; must not throw, nor wait
	 */
	void tellLeft(Consumer<LimitLeft> listener);

}
