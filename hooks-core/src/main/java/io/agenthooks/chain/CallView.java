package io.agenthooks.chain;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;

/**
 * What somebody outside of the application gets to see of calls.
 *
 * @param <C> the calls
 * @param kind the kind of the calls
 * @param before the hooks before, whose masks hold for the calls that they are for
 * @param own the masks of the entry itself
 */
record CallView<C extends HookedCall>(ChainKind<C, ?, ?, ?> kind, List<Step<C, C, ?>> before, List<ArgumentsMask> own) {

	/**
	 * The view of hooks, or {@code null} if they get to see everything.
	 */
	static <C extends HookedCall> @Nullable CallView<C> of(ChainKind<C, ?, ?, ?> kind, List<Step<C, C, ?>> before,
			List<ArgumentsMask> own) {
		return (before.isEmpty() && own.isEmpty()) ? null : new CallView<>(kind, before, own);
	}

	/**
	 * The call as it may be seen, the same object if nothing of it is masked, or
	 * {@code null} if it cannot be masked.
	 */
	@Nullable C of(C call) {
		@Nullable C view = call;
		for (Step<C, C, ?> step : this.before) {
			if (view != null && step.hook() instanceof ArgumentsMask mask && step.scope().mayInclude(call)) {
				view = this.kind.masked(view, mask);
			}
		}
		for (ArgumentsMask mask : this.own) {
			view = (view != null) ? this.kind.masked(view, mask) : null;
		}
		return view;
	}

	/**
	 * The call as it may be seen, without any arguments if it cannot be masked.
	 */
	C orWithoutArguments(C call) {
		C view = of(call);
		return (view != null) ? view : this.kind.withoutArguments(call);
	}

}
