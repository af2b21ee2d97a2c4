package io.agenthooks.chain;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * An approved call on its way to its tool, as an object that is made for this execution
 * of it and for no other. Whatever leads to the tool carries it, so that the next guard
 * on the way knows the call, on any thread. It can be taken once, and not any more when
 * the call is over.
 *
 * @since 0.1.0
 */
@SuppressWarnings("ReferenceEquality") // of the very gate
public final class CarriedCall {

	/**
	 * The name of a call among what travels with it, where that has names.
	 */
	public static final String KEY = CarriedCall.class.getName();

	private final Object gate;

	private final HookedCall call;

	private final AtomicBoolean taken;

	/** Shared by all that are made for the same execution. */
	private final AtomicBoolean over;

	CarriedCall(Object gate, HookedCall call, AtomicBoolean taken) {
		this(gate, call, taken, new AtomicBoolean());
	}

	private CarriedCall(Object gate, HookedCall call, AtomicBoolean taken, AtomicBoolean over) {
		this.gate = gate;
		this.call = call;
		this.taken = taken;
		this.over = over;
	}

	/**
	 * Take the call to lead it on, if its gate approved it and it is the one that came.
	 * @param gate the gate that would have to decide
	 * @param same whether the approved call is the one that came: the same tool with
	 * equal arguments
	 * @return the call for the next guard on the way, or {@code null} if what came has to
	 * be decided
	 */
	public @Nullable CarriedCall take(Object gate, Predicate<? super HookedCall> same) {
		return (this.gate == gate && !this.over.get() && same.test(this.call) && this.taken.compareAndSet(false, true))
				? new CarriedCall(this.gate, this.call, new AtomicBoolean(), this.over) : null;
	}

	/**
	 * Run the tool of a call that was taken, on this thread.
	 * @param <T> the type of the result
	 * @param tool runs the tool
	 * @return the result
	 */
	public <T> T carryOut(Supplier<T> tool) {
		return Nesting.ofThisThread().carryOut(this.gate, this.call, this.taken, tool);
	}

	void end() {
		this.over.set(true);
	}

	/**
	 * Nothing of the call, since its arguments may be secret.
	 */
	@Override
	public String toString() {
		return "CarriedCall";
	}

}
