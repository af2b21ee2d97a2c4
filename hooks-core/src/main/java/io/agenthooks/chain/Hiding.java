package io.agenthooks.chain;

import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.HookListener;

/** Finds hooks that hide targets from callers. A hook that fails hides. */
final class Hiding {

	private final FailureLog failures;

	Hiding(FailureLog failures) {
		this.failures = failures;
	}

	boolean hasDeciding(HookSet<?, ?, ?> hooks, Predicate<Hook> kind) {
		return Arrays.stream(hooks.deciding).anyMatch((step) -> !step.observes() && isOf(step, kind));
	}

	private boolean isOf(Step<?, ?, ?> step, Predicate<Hook> kind) {
		try {
			return kind.test(step.hook());
		}
		catch (Throwable ex) {
			this.failures.logUnlessFatal("The hook '" + step.name() + "'", ex, "it is asked what it hides");
			return true;
		}
	}

	<C extends HookedCall, D extends HookDecision> @Nullable String hiddenBy(HookSet<C, ?, D> hooks, C call,
			String target, Predicate<Hook> hides, CallWatch[] watches) {
		for (Step<C, C, D> step : hooks.deciding) {
			if (!step.observes() && hides(step, call, hides)) {
				Watches.tellHidden(watches, step.entry(), target, this.failures);
				return step.name();
			}
		}
		return null;
	}

	private <C extends HookedCall> boolean hides(Step<C, C, ?> step, C call, Predicate<Hook> hides) {
		try {
			return hides.test(step.hook()) && step.scope().includes(call);
		}
		catch (Throwable ex) {
			this.failures.logUnlessFatal("The hook '" + step.name() + "'", ex, "what it may hide is hidden");
			return true;
		}
	}

	<E> void tell(HookListener<E> listener, E event) {
		try {
			listener.onEvent(event);
		}
		catch (Throwable ex) {
			this.failures.logUnlessFatal("A listener", ex, "nothing changes");
		}
	}

}
