package io.agenthooks.chain;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * Stands between a chain and a hook, to limit its time. Who only wants to know what hooks
 * do is a {@link CallWatch}.
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

		@Override
		public HookAround within(HookAround outer) {
			return outer;
		}

	};

	<D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook);

	/**
	 * Ask the hook only to explain what would happen to a call: nothing of it is to be
	 * counted, measured or remembered.
	 * @param <D> the kind of its decision
	 * @param hook asks it
	 * @return its decision; nothing stands around the hook unless overridden, by what
	 * limits its time
	 */
	default <D extends HookDecision> @Nullable D explain(Supplier<@Nullable D> hook) {
		return hook.get();
	}

	default void tell(Runnable hook) {
		hook.run();
	}

	default HookAround within(HookAround outer) {
		if (NOTHING.equals(outer)) {
			return this;
		}
		HookAround inner = this;
		return new HookAround() {

			@Override
			public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
				return outer.ask(() -> inner.ask(hook));
			}

			@Override
			public <D extends HookDecision> @Nullable D explain(Supplier<@Nullable D> hook) {
				return outer.explain(() -> inner.explain(hook));
			}

			@Override
			public void tell(Runnable hook) {
				outer.tell(() -> inner.tell(hook));
			}

		};
	}

}
