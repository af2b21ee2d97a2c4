package io.agenthooks.chain;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * The calls that a hook is for: those of the targets and contexts that its entry says, as
 * far as the hook itself is for the targets.
 */
final class StepScope<C extends HookedCall> {

	private final ChainKind<C, ?, ?, ?> kind;

	private final Predicate<String> said;

	private final Predicate<String> own;

	private final Predicate<CallContext> contexts;

	private final boolean uncertain;

	private StepScope(ChainKind<C, ?, ?, ?> kind, Predicate<String> said, Predicate<String> own,
			Predicate<CallContext> contexts, boolean uncertain) {
		this.kind = kind;
		this.said = said;
		this.own = own;
		this.contexts = contexts;
		this.uncertain = uncertain;
	}

	static <C extends HookedCall> StepScope<C> of(ChainKind<C, ?, ?, ?> kind, HookEntry<?> entry,
			Predicate<String> own) {
		return new StepScope<>(kind, entry.targets(), own, entry.contexts(), false);
	}

	boolean hasAllTargets() {
		return HookEntry.isForAll(this.said) && HookEntry.isForAll(this.own);
	}

	/**
	 * {@code null} if the hook is not for the target. A hook that cannot say for which
	 * targets it is itself, is asked; one of which it is said in a way that fails, fails
	 * at each call.
	 */
	@Nullable StepScope<C> forTarget(Object target) {
		boolean unknown = false;
		try {
			if (!isFor(this.said, target)) {
				return null;
			}
		}
		catch (Throwable ex) {
			unknown = true;
		}
		try {
			if (!isFor(this.own, target)) {
				return null;
			}
		}
		catch (Throwable ex) {
			// It throws here so as not to end the call of which nobody would learn.
		}
		return (unknown) ? new StepScope<>(this.kind, this.said, this.own, this.contexts, true) : this;
	}

	boolean includes(C call) {
		if (this.uncertain && !includesAsSaid(call)) {
			return false;
		}
		return this.contexts.test(call.context());
	}

	private boolean includesAsSaid(C call) {
		Object target = this.kind.target(call);
		return target == null || isFor(this.said, target);
	}

	/** True also if nobody can tell. */
	boolean mayInclude(C call) {
		try {
			return includesTargetOf(call) && this.contexts.test(call.context());
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	/** True also if the target is unknown. */
	boolean includesTargetOf(C call) {
		Object target = this.kind.target(call);
		return target == null || (isFor(this.said, target) && isFor(this.own, target));
	}

	private boolean isFor(Predicate<String> targets, Object target) {
		return HookEntry.isForAll(targets) || this.kind.isFor(targets, target);
	}

}
