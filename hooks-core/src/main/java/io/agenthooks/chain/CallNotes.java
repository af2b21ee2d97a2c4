package io.agenthooks.chain;

import java.util.IdentityHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain CallNote notes} of hooks about one call. A chain makes them for each
 * call, and lets the thread on which it asks or tells a hook have them. They end with the
 * call: the last ones who read them are the hooks that learn how it ended. A call that
 * waits for people while its turn is over has ended, and gets new notes when it is
 * resumed.
 * <p>
 * Work that {@link Nesting#carry} takes to another thread has the notes there, too. A
 * thread may come late, when the call has ended: it can leave no note.
 *
 * @since 0.1.0
 */
public final class CallNotes {

	/** A hook leaves one or two; this many are a mistake. */
	static final int MAX = 1_000;

	/** The notes of a thread that works for no call. */
	static final CallNotes NONE = new CallNotes(null, 0, true, false);

	private final @Nullable HookedCall call;

	private final long start;

	private final boolean resumed;

	private boolean ended;

	private final IdentityHashMap<CallNote<?>, Object> notes = new IdentityHashMap<>(4);

	private CallNotes(@Nullable HookedCall call, long start, boolean ended, boolean resumed) {
		this.call = call;
		this.start = start;
		this.ended = ended;
		this.resumed = resumed;
	}

	static CallNotes begin(HookedCall call, long start, boolean resumed) {
		return new CallNotes(call, start, false, resumed);
	}

	static CallNotes ofRehearsed(HookedCall call, boolean resumed) {
		return new CallNotes(call, 0, true, resumed);
	}

	/**
	 * Notes of a call that comes from no chain, or waits for people.
	 * @param call the call
	 * @return the notes, for who {@linkplain #execute works} for the call
	 */
	public static CallNotes of(HookedCall call) {
		return begin(call, System.nanoTime(), false);
	}

	/**
	 * The notes of the call for which this thread works.
	 * @return the notes, which keep nothing if there is no such call
	 */
	public static CallNotes ofThisThread() {
		return Nesting.ofThisThread().notes();
	}

	/**
	 * Let this thread work for the call, such as a test that asks a hook without a chain.
	 * @param <T> the type of the result
	 * @param work the work
	 * @return its result
	 */
	public <T extends @Nullable Object> T execute(Supplier<T> work) {
		Nesting nesting = Nesting.ofThisThread();
		CallNotes around = nesting.setNotes(this);
		try {
			return work.get();
		}
		finally {
			nesting.setNotes(around);
		}
	}

	/**
	 * Return the time that the call has taken so far, hooks included.
	 * @return the time in nanoseconds; 0 if there are no hooks that see results or learn
	 * how calls end
	 */
	public long nanos() {
		return (this.start != 0) ? System.nanoTime() - this.start : 0;
	}

	/**
	 * Whether the call goes on that has waited for people: what counts calls has counted
	 * it.
	 * @return {@code true} if it is not asked about for the first time
	 */
	public boolean isResumed() {
		return this.resumed;
	}

	/** Whether these are the notes of a call, which may have other arguments by now. */
	boolean isOf(HookedCall other, ChainKind<?, ?, ?, ?> kind) {
		return this.call != null && this.call.id().equals(other.id()) && this.call.context().equals(other.context())
				&& kind.isSameTarget(this.call, other);
	}

	synchronized boolean leave(CallNote<?> note, Object what) {
		if (this.ended || (this.notes.size() >= MAX && !this.notes.containsKey(note))) {
			return false;
		}
		this.notes.put(note, what);
		return true;
	}

	@SuppressWarnings("unchecked") // what was left by the same note
	synchronized <T> @Nullable T find(CallNote<T> note) {
		return (T) this.notes.get(note);
	}

	@SuppressWarnings("unchecked") // what was left by the same note
	synchronized <T> @Nullable T take(CallNote<T> note) {
		return (T) this.notes.remove(note);
	}

	/** From now on nobody leaves a note. */
	synchronized void end() {
		this.ended = true;
	}

	void forget(FailureLog failures) {
		IdentityHashMap<CallNote<?>, Object> left;
		synchronized (this) {
			left = new IdentityHashMap<>(this.notes);
			this.notes.clear();
		}
		left.forEach((note, what) -> forget(note, what, failures));
	}

	private static void forget(CallNote<?> note, Object what, FailureLog failures) {
		try {
			note.forgotten(what);
		}
		catch (Throwable ex) {
			failures.log("A hook that noted something about a call", ex, "the outcome stands");
		}
	}

	/** Nothing of the notes, which may be secret. */
	@Override
	public String toString() {
		return "CallNotes";
	}

}
