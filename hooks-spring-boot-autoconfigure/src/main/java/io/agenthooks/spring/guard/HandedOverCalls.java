package io.agenthooks.spring.guard;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.Execution;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Nesting;

/**
 * Hands an approved call on to the next guard on its way to the tool, where a framework
 * hands on no more than its arguments, or changes its thread. Each guard gets the call
 * once; whatever else comes is another call, and is decided.
 *
 * @since 0.1.0
 */
public final class HandedOverCalls {

	private HandedOverCalls() {
	}

	/**
	 * Let the call that this thread carries out reach its tool by way of another guard on
	 * this thread.
	 * @param gate the gate that approved the call; nothing happens if that is another
	 * @param target what the other guard has to recognize
	 */
	public static void mayReach(Object gate, Object target) {
		Execution execution = Nesting.ofThisThread().execution(gate);
		if (execution != null) {
			execution.setTarget(target);
		}
	}

	/**
	 * Run the tool of a call that comes to a guard on this thread, if it is the one that
	 * this thread carries out. Each approved call is delivered once.
	 * @param <T> the type of the result
	 * @param <R> the type of what a call {@linkplain #mayReach may reach}
	 * @param gate the gate that would have to decide
	 * @param type the type of what a call may reach
	 * @param same whether what an approved call may reach, and that call, are those that
	 * came, with equal arguments
	 * @param tool runs the tool
	 * @return the result, or {@code null} if the call has to be decided
	 */
	public static <T, R> @Nullable T deliver(Object gate, Class<R> type, BiPredicate<R, ? super HookedCall> same,
			Supplier<T> tool) {
		Execution execution = Nesting.ofThisThread().execution(gate);
		Object target = (execution != null) ? execution.target() : null;
		return (execution != null && type.isInstance(target) && same.test(type.cast(target), execution.call())
				&& execution.take()) ? tool.get() : null;
	}

	/**
	 * Let the call that this thread carries out reach its tool by way of another guard,
	 * on any thread, while some work is done.
	 * @param <T> the type of the result
	 * @param gate the gate that approved the call
	 * @param work leads to the tool. It is given what has to travel with the call, or
	 * {@code null} if another gate approved that.
	 * @return the result
	 */
	public static <T extends @Nullable Object> T handOver(Object gate, Function<@Nullable Carried, T> work) {
		Execution execution = Nesting.ofThisThread().execution(gate);
		if (execution == null) {
			return work.apply(null);
		}
		Carried carried = new Carried(execution, new AtomicBoolean());
		try {
			return work.apply(carried);
		}
		finally {
			carried.over.set(true);
		}
	}

	/**
	 * An approved call on its way to its tool. Whatever leads to the tool carries it. It
	 * can be taken once, and not any more when the call is over.
	 *
	 * @since 0.1.0
	 */
	public static final class Carried {

		/** The name of a call among what travels with it, where that has names. */
		public static final String KEY = Carried.class.getName();

		private final Execution execution;

		/** Shared by all that are made for the same execution. */
		private final AtomicBoolean over;

		private Carried(Execution execution, AtomicBoolean over) {
			this.execution = execution;
			this.over = over;
		}

		/**
		 * Take the call to lead it on, if its gate approved it and it is the one that
		 * came.
		 * @param gate the gate that would have to decide
		 * @param same whether the approved call is the one that came: the same tool with
		 * equal arguments
		 * @return the call for the next guard on the way, or {@code null} if what came
		 * has to be decided
		 */
		public @Nullable Carried take(Object gate, Predicate<? super HookedCall> same) {
			return (this.execution.isOf(gate) && !this.over.get() && same.test(this.execution.call())
					&& this.execution.take()) ? new Carried(this.execution.next(), this.over) : null;
		}

		/**
		 * Run the tool of a call that was taken, on this thread.
		 * @param <T> the type of the result
		 * @param tool runs the tool
		 * @return the result
		 */
		public <T> T carryOut(Supplier<T> tool) {
			return this.execution.carryOut(tool);
		}

		/** Nothing of the call, since its arguments may be secret. */
		@Override
		public String toString() {
			return "Carried call";
		}

	}

}
