package io.agenthooks.chain;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A note that a hook leaves about the call that it is asked about, to find it again when
 * it sees the result or hears how the call ended. A hook makes one object of this type
 * for each kind of note, and keeps it; the notes of different calls never meet, whatever
 * ids they have and whichever threads they are on.
 * <p>
 * All methods are about the {@linkplain CallNotes#ofThisThread() call of the thread}.
 *
 * @param <T> the type of what is noted
 * @since 0.1.0
 */
public final class CallNote<T> {

	private final @Nullable Consumer<? super T> whenForgotten;

	public CallNote() {
		this(null);
	}

	/**
	 * Create a kind of note about something that has to be given back.
	 * @param whenForgotten gets what was noted of a call that has ended, if nobody took
	 * the note; {@code null} if there is nothing to do
	 */
	public CallNote(@Nullable Consumer<? super T> whenForgotten) {
		this.whenForgotten = whenForgotten;
	}

	@SuppressWarnings("unchecked") // what was left by this note
	void forgotten(Object what) {
		if (this.whenForgotten != null) {
			this.whenForgotten.accept((T) what);
		}
	}

	/**
	 * Leave a note, in place of the one that there may be.
	 * @param what what is noted
	 * @return whether the call keeps it. If not, the call has ended or there is none:
	 * what was taken for it has to be given back at once.
	 */
	public boolean leave(T what) {
		return CallNotes.ofThisThread().leave(this, what);
	}

	/**
	 * Find the note.
	 * @return what was noted about the call, or {@code null} if nothing was
	 */
	public @Nullable T find() {
		return CallNotes.ofThisThread().find(this);
	}

	/**
	 * Find the note and remove it. Of several threads, one gets it.
	 * @return what was noted about the call, or {@code null} if nothing is any more
	 */
	public @Nullable T take() {
		return CallNotes.ofThisThread().take(this);
	}

}
