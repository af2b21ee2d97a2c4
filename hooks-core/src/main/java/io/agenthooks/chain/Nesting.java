package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * The calls that this thread is inside of: how many, whatever their kind, and which
 * approved call is carried out at each depth. By this a hook that makes calls cannot call
 * itself for ever, and a call that passes several guards on its way to the tool is
 * decided once:
 * <ul>
 * <li>The very object that a gate approved may be handed to another guard on the same
 * thread (two beans, a scoped proxy):
 * {@link #deliver(Object, HookedCall, Object, Supplier)}.</li>
 * <li>A framework may hand on no more than its arguments, or change its thread. Then the
 * {@linkplain #execution execution} itself is what travels along.</li>
 * </ul>
 * Each guard on the way gets the call once. Whatever else comes is another call, and is
 * decided.
 * <p>
 * A thread keeps its instance, which holds no call once the outermost one has ended.
 *
 * @since 0.1.0
 */
@SuppressWarnings("ReferenceEquality") // of the very gate
public final class Nesting {

	/** The most calls inside one another on one thread. */
	public static final int MAX_DEPTH = 8;

	private static final ThreadLocal<Nesting> ofThread = ThreadLocal.withInitial(Nesting::new);

	private int depth;

	/** The root run of the agent for which this thread works, or {@code null}. */
	private @Nullable String rootRun;

	private CallNotes notes = CallNotes.NONE;

	private final Frame[] frames = new Frame[MAX_DEPTH + 2];

	private Nesting() {
		for (int i = 0; i < this.frames.length; i++) {
			this.frames[i] = new Frame();
		}
	}

	/**
	 * Return the nesting of the current thread.
	 * @return always the same for the same thread
	 */
	public static Nesting ofThisThread() {
		return ofThread.get();
	}

	/**
	 * Begin to decide about a call.
	 * @throws IllegalStateException inside a call that is {@linkplain #isTooDeep() too
	 * deep}: only what learns of its denial can come here
	 */
	public void enter() {
		if (isTooDeep()) {
			throw new IllegalStateException("A hook or a listener makes a call whenever it learns of one");
		}
		this.depth++;
	}

	public void leave() {
		this.depth--;
	}

	/**
	 * Enter a call again that was left after it had begun, to end it, also where no
	 * further call can begin. A hook that makes a call whenever it learns of one is
	 * inside of that.
	 * @param <T> the type of the result
	 * @param end ends the call
	 * @return the result
	 */
	public <T extends @Nullable Object> T reenter(Supplier<T> end) {
		int before = this.depth;
		this.depth = (isTooDeep()) ? before : before + 1;
		try {
			return end.get();
		}
		finally {
			this.depth = before;
		}
	}

	/**
	 * Return the number of calls that this thread is inside of.
	 * @return how many there are, with the one that was entered last
	 */
	public int depth() {
		return this.depth;
	}

	/**
	 * Whether the call that was entered last has to be denied.
	 * @return whether too many are inside one another
	 */
	public boolean isTooDeep() {
		return this.depth > MAX_DEPTH;
	}

	/**
	 * Let work on another thread be as deep inside of calls as this thread is now.
	 * @param <T> the type of what it makes
	 * @param work the work
	 * @return the same work, for whatever thread
	 */
	public <T extends @Nullable Object> Supplier<T> carry(Supplier<T> work) {
		int depth = this.depth;
		String rootRun = rootRun();
		CallNotes notes = this.notes;
		return (depth == 0 && rootRun == null && notes == CallNotes.NONE) ? work
				: () -> ofThread.get().at(depth, rootRun, notes, work);
	}

	private <T extends @Nullable Object> T at(int depth, @Nullable String rootRun, CallNotes notes, Supplier<T> work) {
		int before = this.depth;
		String rootBefore = this.rootRun;
		this.depth = Math.max(before, depth);
		this.rootRun = rootRun;
		CallNotes notesBefore = setNotes(notes);
		try {
			return work.get();
		}
		finally {
			this.depth = before;
			this.rootRun = rootBefore;
			this.notes = notesBefore;
		}
	}

	CallNotes notes() {
		return this.notes;
	}

	CallNotes setNotes(CallNotes notes) {
		CallNotes before = this.notes;
		this.notes = notes;
		return before;
	}

	/**
	 * Let this thread work for an agent.
	 * @param rootRun the outermost run of the agent, or {@code null} if that is not known
	 */
	public void setRootRun(@Nullable String rootRun) {
		this.rootRun = rootRun;
	}

	/**
	 * The outermost run inside of which a call is made that says nothing of it.
	 * @param context the context of the call
	 * @return the run, or {@code null} if the context need not be changed
	 */
	public @Nullable String rootRunAround(CallContext context) {
		if (this.depth == 0 && this.rootRun == null) {
			return null;
		}
		String own = context.runId();
		String root = (Objects.equals(own, context.rootRunId())) ? rootRun() : null;
		return (root != null && !root.equals(own)) ? root : null;
	}

	private @Nullable String rootRun() {
		if (this.rootRun != null) {
			return this.rootRun;
		}
		List<HookedCall> calls = calls();
		return (calls.isEmpty()) ? null : calls.get(0).context().rootRunId();
	}

	/**
	 * The calls that this thread carries out, each inside of the one before.
	 * @return the calls, the outermost one first
	 */
	public List<HookedCall> calls() {
		List<HookedCall> calls = new ArrayList<>(2);
		for (int i = 0; i <= this.depth; i++) {
			HookedCall call = this.frames[i].call;
			if (call != null) {
				calls.add(call);
			}
		}
		return calls;
	}

	/**
	 * Begin to carry out the call that was entered last.
	 * @param gate who approved it
	 * @param call the call as it was approved
	 * @param tool what is carried out, or {@code null} if that is not known
	 */
	public void carryOut(Object gate, HookedCall call, @Nullable Object tool) {
		Frame frame = frame();
		frame.gate = gate;
		frame.call = call;
		frame.add(tool);
	}

	/** It is carried out. */
	public void carriedOut() {
		frame().clear();
	}

	/**
	 * Carry out a call that nobody had to decide about, so that other guards on its way
	 * to the tool know it. What this thread carries out for another gate stays known.
	 * @param <T> the type of the result
	 * @param gate whose call it is
	 * @param call the call
	 * @param work leads to the tool
	 * @return the result
	 */
	public <T extends @Nullable Object> T carryOutUndecided(Object gate, HookedCall call, Supplier<T> work) {
		int depth = this.depth;
		Frame around = this.frames[depth];
		if (around.gate != null && around.gate != gate) {
			return work.get();
		}
		this.frames[depth] = new Frame();
		carryOut(gate, call, null);
		try {
			return work.get();
		}
		finally {
			this.frames[depth] = around;
		}
	}

	/**
	 * Run the tool of the very call that this thread carries out, once. An equal call is
	 * another one: a tool may make one.
	 * @param <T> the type of the result
	 * @param gate the gate that would have to decide
	 * @param call the call
	 * @param tool the tool behind the guard
	 * @param work runs the tool
	 * @return the result, or {@code null} if the call has to be decided
	 */
	public <T> @Nullable T deliver(Object gate, HookedCall call, Object tool, Supplier<T> work) {
		Frame frame = frame();
		Execution execution = (frame.call == call && !frame.tools.contains(tool)) ? execution(gate) : null;
		return (execution != null && execution.take()) ? handOn(execution.next(), tool, work) : null;
	}

	/**
	 * The execution of the call that this thread carries out.
	 * @param gate the gate that approved it
	 * @return always the same for the same call, or {@code null} if this thread carries
	 * out none that this gate approved
	 */
	public @Nullable Execution execution(Object gate) {
		Frame frame = frame();
		HookedCall call = frame.call;
		if (frame.gate != gate || call == null) {
			return null;
		}
		Execution execution = frame.execution;
		if (execution == null) {
			execution = new Execution(gate, call);
			frame.execution = execution;
		}
		return execution;
	}

	<T> T handOn(Execution execution, @Nullable Object tool, Supplier<T> work) {
		Frame around = this.frames[this.depth];
		Frame frame = new Frame();
		frame.gate = execution.gate();
		frame.call = execution.call();
		frame.tools.addAll(around.tools);
		frame.add(tool);
		frame.execution = execution;
		this.frames[this.depth] = frame;
		try {
			return work.get();
		}
		finally {
			this.frames[this.depth] = around;
		}
	}

	private Frame frame() {
		return this.frames[this.depth];
	}

	private static final class Frame {

		private @Nullable Object gate;

		private @Nullable HookedCall call;

		/** The tools that it was handed to, one after the other. */
		private final List<Object> tools = new ArrayList<>(1);

		private @Nullable Execution execution;

		void clear() {
			this.gate = null;
			this.call = null;
			this.tools.clear();
			this.execution = null;
		}

		void add(@Nullable Object tool) {
			if (tool != null) {
				this.tools.add(tool);
			}
		}

	}

}
