package io.agenthooks.chain;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One execution of an approved call. Guards on the way to the tool know the call by this
 * object, on any thread. It can be taken once, to lead the call on to the next guard.
 *
 * @since 0.1.0
 */
@SuppressWarnings("ReferenceEquality") // of the very gate
public final class Execution {

	private final Object gate;

	private final HookedCall call;

	private final AtomicBoolean taken = new AtomicBoolean();

	private volatile @Nullable Object target;

	Execution(Object gate, HookedCall call) {
		this.gate = gate;
		this.call = call;
	}

	Object gate() {
		return this.gate;
	}

	public boolean isOf(Object gate) {
		return this.gate == gate;
	}

	public HookedCall call() {
		return this.call;
	}

	/**
	 * Take the execution, to lead the call on.
	 * @return whether nobody has taken it before
	 */
	public boolean take() {
		return this.taken.compareAndSet(false, true);
	}

	/**
	 * The execution of the same call for the guard after the next one. To be made once.
	 * @return another execution, which can be taken once
	 */
	public Execution next() {
		return new Execution(this.gate, this.call);
	}

	/**
	 * Run what leads to the tool on this thread, where this may be taken.
	 * @param <T> the type of the result
	 * @param tool runs the tool
	 * @return the result
	 */
	public <T> T carryOut(Supplier<T> tool) {
		return Nesting.ofThisThread().handOn(this, null, tool);
	}

	/**
	 * Say what a guard on the way to the tool has to recognize.
	 * @param target what the call may reach
	 */
	public void setTarget(Object target) {
		this.target = target;
	}

	/**
	 * Return the object by which a guard recognizes the call.
	 * @return what the call may reach, or {@code null} if nothing was said
	 */
	public @Nullable Object target() {
		return this.target;
	}

	/** Nothing of the call, since its arguments may be secret. */
	@Override
	public String toString() {
		return "Execution";
	}

}
