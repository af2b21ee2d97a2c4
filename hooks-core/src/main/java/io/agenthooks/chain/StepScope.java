package io.agenthooks.chain;

import java.util.function.Predicate;

/**
 * The targets that a hook is for: those that its entry says, as far as the hook itself is
 * for them.
 *
 * @param <C> the calls
 */
final class StepTargets<C extends HookedCall> {

	private final ChainKind<C, ?, ?, ?> kind;

	private final Predicate<String> said;

	private final Predicate<String> own;

	/**
	 * Create the targets.
	 * @param kind the kind of the calls
	 * @param said the targets that the entry says
	 * @param own the targets that the hook says
	 */
	StepTargets(ChainKind<C, ?, ?, ?> kind, Predicate<String> said, Predicate<String> own) {
		this.kind = kind;
		this.said = said;
		this.own = own;
	}

	boolean areAll() {
		return HookEntry.isForAll(this.said) && HookEntry.isForAll(this.own);
	}

	/**
	 * Whether the hook is for the target of a call, as it is if that is unknown.
	 * @throws RuntimeException if that cannot be told
	 */
	boolean includeTargetOf(C call) {
		Object target = this.kind.target(call);
		return target == null || (isFor(this.said, target) && isFor(this.own, target));
	}

	/**
	 * The same, only by what the entry says.
	 */
	boolean includeAsSaid(C call) {
		Object target = this.kind.target(call);
		return target == null || isFor(this.said, target);
	}

	/**
	 * Match a target, without failing.
	 */
	Match match(Object target) {
		Match match = Match.YES;
		try {
			if (!isFor(this.said, target)) {
				return Match.NO;
			}
		}
		catch (Throwable ex) {
			match = Match.UNKNOWN;
		}
		try {
			if (!isFor(this.own, target)) {
				return Match.NO;
			}
		}
		catch (Throwable ex) {
			// It throws here so as not to end the call of which nobody would learn.
		}
		return match;
	}

	private boolean isFor(Predicate<String> targets, Object target) {
		return HookEntry.isForAll(targets) || this.kind.isFor(targets, target);
	}

	/** Whether a hook is for a target. */
	enum Match {

		YES, NO,

		/** The entry failed to say so, so that it is tested for each call. */
		UNKNOWN

	}

}
