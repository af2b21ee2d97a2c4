package io.agenthooks.chain;

import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;

/**
 * Stands between a chain and a hook: limits its time, measures it.
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

	/**
	 * Ask the hook.
	 * @param <D> the kind of its decision
	 * @param hook asks it
	 * @return its decision
	 */
	<D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook);

	/**
	 * Ask the hook about a call. For what has to know which call it is.
	 * @param <D> the kind of its decision
	 * @param call the call
	 * @param hook asks it
	 * @return its decision, which is that of {@link #ask(Supplier)} unless overridden
	 */
	default <D extends HookDecision> @Nullable D ask(HookedCall call, Supplier<@Nullable D> hook) {
		return ask(hook);
	}

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

	/**
	 * Tell the hook how a call ended.
	 * @param hook tells it
	 */
	default void tell(Runnable hook) {
		hook.run();
	}

	/**
	 * Tell the hook how a call ended. Says the same as the other method of this name, and
	 * is overridden by what can do so without another object.
	 * @param <C> the kind of call
	 * @param <O> the kind of outcome
	 * @param hook tells it; what it returns says nothing
	 * @param call the call
	 * @param outcome how it ended
	 */
	default <C, O> void tell(BiFunction<C, O, ?> hook, C call, O outcome) {
		tell(() -> learn(hook, call, outcome));
	}

	private static <C, O> void learn(BiFunction<C, O, ?> hook, C call, O outcome) {
		@Nullable Object unused = hook.apply(call, outcome);
	}

	/**
	 * Learn that the hook hid a target, such as a tool, from whoever could have called
	 * it.
	 * @param target the name of the target
	 */
	default void hid(String target) {
	}

	/**
	 * This inside of another.
	 * @param outer what is asked first
	 * @return both
	 */
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
			public <D extends HookDecision> @Nullable D ask(HookedCall call, Supplier<@Nullable D> hook) {
				return outer.ask(call, () -> inner.ask(call, hook));
			}

			@Override
			public <D extends HookDecision> @Nullable D explain(Supplier<@Nullable D> hook) {
				return outer.explain(() -> inner.explain(hook));
			}

			@Override
			public void tell(Runnable hook) {
				outer.tell(() -> inner.tell(hook));
			}

			@Override
			public void hid(String target) {
				outer.hid(target);
				inner.hid(target);
			}

		};
	}

}
