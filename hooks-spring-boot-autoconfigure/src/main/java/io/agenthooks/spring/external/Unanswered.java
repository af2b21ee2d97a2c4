package io.agenthooks.spring.external;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * The decisions that are not verdicts of a decider outside, but what a
 * {@link NoVerdictMode} made of its failure, for those who measure hooks: such a decision
 * says {@code deny} or {@code approve} like any other.
 *
 * @since 0.1.0
 */
public final class Unanswered {

	/** Far more than are in use. */
	private static final int MAX_DECISIONS = 10_000;

	private static final Map<Mark, Boolean> timedOut = new ConcurrentHashMap<>();

	private static final ReferenceQueue<HookDecision> gone = new ReferenceQueue<>();

	private Unanswered() {
	}

	static void note(HookDecision decision, boolean timeout) {
		for (Reference<?> mark = gone.poll(); mark != null; mark = gone.poll()) {
			timedOut.remove(mark);
		}
		if (timedOut.size() < MAX_DECISIONS) {
			timedOut.put(new Mark(decision, gone), timeout);
		}
	}

	/**
	 * The verdict of a hook, as all who measure hooks say it: what stands for the answer
	 * of a decider that gave none is a failure.
	 * @param part what the hook was asked for
	 * @param decision what it decided, or {@code null} if it decided nothing
	 * @param failure what it threw, or {@code null}
	 * @return the verdict, {@code failed}, or {@code none} of a hook that has learned
	 */
	public static String verdict(HookPart part, @Nullable HookDecision decision, @Nullable Throwable failure) {
		if (decision == null) {
			return (part == HookPart.LEARN && failure == null) ? "none" : "failed";
		}
		return (isFailure(decision)) ? "failed" : decision.verdict().value();
	}

	public static boolean isFailure(HookDecision decision) {
		return find(decision) != null;
	}

	public static boolean isTimeout(HookDecision decision) {
		return Boolean.TRUE.equals(find(decision));
	}

	private static @Nullable Boolean find(HookDecision decision) {
		return (timedOut.isEmpty()) ? null : timedOut.get(new Mark(decision, null));
	}

	/** The very decision, whatever it is equal to. */
	private static final class Mark extends WeakReference<HookDecision> {

		private final int hash;

		Mark(HookDecision decision, @Nullable ReferenceQueue<HookDecision> queue) {
			super(decision, queue);
			this.hash = System.identityHashCode(decision);
		}

		@Override
		@SuppressWarnings("ReferenceEquality")
		public boolean equals(@Nullable Object other) {
			if (this == other) {
				return true;
			}
			HookDecision decision = get();
			return decision != null && other instanceof Mark mark && mark.get() == decision;
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
