package io.agenthooks.chain;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ArgumentsMask;
import io.agenthooks.HookDecision;

/** The view of calls that somebody outside of the application gets. */
record CallView<C extends HookedCall, D extends HookDecision>(Masking<C, D> masking, List<Step<C, C, ?>> before,
		List<ArgumentsMask> own) {

	/** {@code null} if everything is seen. */
	static <C extends HookedCall, D extends HookDecision> @Nullable CallView<C, D> of(ChainKind<C, ?, D, ?> kind,
			List<Step<C, C, ?>> before, List<ArgumentsMask> own) {
		Masking<C, D> masking = kind.masking();
		return (masking == null || (before.isEmpty() && own.isEmpty())) ? null : new CallView<>(masking, before, own);
	}

	/** Itself if nothing is masked, {@code null} if it cannot be masked. */
	@Nullable C of(C call) {
		@Nullable C view = call;
		for (Step<C, C, ?> step : this.before) {
			if (view != null && step.hook() instanceof ArgumentsMask mask && step.scope().mayInclude(call)) {
				view = this.masking.masked(view, mask);
			}
		}
		for (ArgumentsMask mask : this.own) {
			view = (view != null) ? this.masking.masked(view, mask) : null;
		}
		return view;
	}

	C orWithoutArguments(C call) {
		C view = of(call);
		return (view != null) ? view : this.masking.withoutArguments(call);
	}

}
