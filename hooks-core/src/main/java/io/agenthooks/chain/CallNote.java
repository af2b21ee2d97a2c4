package io.agenthooks.chain;

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

	/**
	 * Leave a note, in place of the one that there may be.
	 * @param what what is noted
	 * @return whether the call keeps it. If not, no chain asks the hook, or the call has
	 * ended, as it has for a hook that nobody waits for any more: then nobody will ever
	 * find the note, so what was taken for the call has to be given back at once.
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
