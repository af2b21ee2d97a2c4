package io.agenthooks.spring.state;

import org.jspecify.annotations.Nullable;

/**
 * The state of a key, while it is changed.
 *
 * @param <S> what is kept
 * @since 0.1.0
 */
public final class Kept<S> {

	private final int space;

	private final @Nullable S state;

	private final long lostUntil;

	private @Nullable S next;

	private long overAt;

	public Kept(int space, @Nullable S state) {
		this(space, state, 0);
	}

	/**
	 * Create the state of a key.
	 * @param space the position of the space that the key is in
	 * @param state what is kept, or {@code null}
	 * @param lostUntil until when something is lost, in microseconds; 0 if nothing was
	 */
	public Kept(int space, @Nullable S state, long lostUntil) {
		this.space = space;
		this.state = state;
		this.lostUntil = lostUntil;
	}

	public int space() {
		return this.space;
	}

	/**
	 * The state. It may be changed, and then has to be {@linkplain #keep kept}.
	 * @return it, or {@code null} if there is nothing to remember
	 */
	public @Nullable S state() {
		return this.state;
	}

	/**
	 * Until when the store has lost what was kept, if it
	 * {@linkplain StateTerms#restores() may be restored}.
	 * @return a time in microseconds, or 0 if nothing was lost
	 */
	public long lostUntil() {
		return this.lostUntil;
	}

	/**
	 * Keep something.
	 * @param state what
	 * @param overAt when there is nothing left to remember, in microseconds
	 */
	public void keep(S state, long overAt) {
		this.next = state;
		this.overAt = overAt;
	}

	/**
	 * The state to keep.
	 * @return it, or {@code null} if the state stays as it is
	 */
	public @Nullable S next() {
		return this.next;
	}

	/**
	 * Until when the store has to keep it.
	 * @return a time in microseconds
	 */
	public long overAt() {
		return this.overAt;
	}

	/**
	 * Whether there would be one more key.
	 * @return whether there is no state, and one is to be kept
	 */
	public boolean isNew() {
		return this.state == null && this.next != null;
	}

}
