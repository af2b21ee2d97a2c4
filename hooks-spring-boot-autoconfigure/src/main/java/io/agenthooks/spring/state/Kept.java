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

	Kept(int space, @Nullable S state) {
		this(space, state, 0);
	}

	Kept(int space, @Nullable S state, long lostUntil) {
		this.space = space;
		this.state = state;
		this.lostUntil = lostUntil;
	}

	public int space() {
		return this.space;
	}

	/**
	 * Return the state. It may be changed, and then has to be {@linkplain #keep kept}.
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

	@Nullable S next() {
		return this.next;
	}

	long overAt() {
		return this.overAt;
	}

	/** Whether there would be one more key. */
	boolean isNew() {
		return this.state == null && this.next != null;
	}

}
