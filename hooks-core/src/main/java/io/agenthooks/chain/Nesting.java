package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

/**
 * What this thread is inside of: how many calls deep, whatever their kind, and which
 * approved call is carried out at each depth. What carries out a call may hand it to
 * another guarded one (two beans, a scoped proxy); by this the same call is decided once,
 * and a hook that makes calls cannot call itself for ever.
 * <p>
 * A thread keeps its instance, which holds no call once the outermost one has ended.
 *
 * @since 0.1.0
 */
public final class Nesting {

	/**
	 * How many calls may be inside one another on one thread.
	 */
	public static final int MAX_DEPTH = 8;

	private static final ThreadLocal<Nesting> ofThread = ThreadLocal.withInitial(Nesting::new);

	private int depth;

	/** The gates that approved what is carried out, by depth. */
	private final @Nullable Object[] gates = new Object[MAX_DEPTH + 2];

	/** What is carried out, by depth. */
	private final @Nullable HookedCall[] calls = new HookedCall[MAX_DEPTH + 2];

	private Nesting() {
	}

	/**
	 * That of the current thread.
	 * @return always the same for the same thread
	 */
	public static Nesting ofThisThread() {
		return ofThread.get();
	}

	/**
	 * Begin to decide about a call.
	 * @throws IllegalStateException inside a call that is {@linkplain #isTooDeep() too
	 * deep}: only a hook or a listener that learns of its denial can come here
	 */
	public void enter() {
		if (isTooDeep()) {
			throw new IllegalStateException("A hook or a listener makes a call whenever it learns of one");
		}
		this.depth++;
	}

	/**
	 * Leave the call that was entered last.
	 */
	public void leave() {
		this.depth--;
	}

	/**
	 * Whether the call that was entered last has to be denied.
	 * @return whether too many are inside one another
	 */
	public boolean isTooDeep() {
		return this.depth > MAX_DEPTH;
	}

	/**
	 * Begin to carry out the call that was entered last.
	 * @param gate who approved it
	 * @param call the call as it was approved
	 */
	public void carryOut(Object gate, HookedCall call) {
		this.gates[this.depth] = gate;
		this.calls[this.depth] = call;
	}

	/**
	 * It is carried out.
	 */
	public void carriedOut() {
		this.gates[this.depth] = null;
		this.calls[this.depth] = null;
	}

	/**
	 * Whether this thread carries out this very call, approved by this very gate.
	 * @param gate the gate
	 * @param call the call
	 * @return whether it need not be decided again
	 */
	@SuppressWarnings("ReferenceEquality") // of the very gate
	public boolean isRunning(Object gate, HookedCall call) {
		return this.gates[this.depth] == gate && call.equals(this.calls[this.depth]);
	}

}
