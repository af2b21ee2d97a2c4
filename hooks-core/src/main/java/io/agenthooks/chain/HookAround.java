package io.agenthooks.chain;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Stands between a chain and a hook that decides: limits its time, measures it.
 *
 * @since 0.1.0
 */
public interface HookAround {

	/** The hook is asked, and that is all. */
	HookAround NOTHING = new HookAround() {

		@Override
		public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
			return hook.get();
		}

	};

	/**
	 * Ask the hook.
	 * @param <D> the kind of its decision
	 * @param hook asks it
	 * @return its decision
	 */
	<D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook);

	/**
	 * Tell the hook how a call ended.
	 * @param hook tells it
	 */
	default void tell(Runnable hook) {
		hook.run();
	}

}
