package io.agenthooks.flow;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Keeps for all nodes of an application what the sessions of one rule on the flow of data
 * have read, as digests and hashes that a secret goes into. Who can read the store knows
 * the secret, and so can test guesses; who can write it decides what the rule knows. It
 * is used by many threads, and waits for a bounded time. If it throws, a session counts
 * as one that has read untrusted and private data.
 *
 * @since 0.1.0
 */
public interface FlowStore {

	/** The most results of a session that are kept. */
	int MAX_NOTES = 512;

	/** The most characters that the notes of a session have together. */
	int MAX_SIZE = 250_000;

	/** The reader that stands for all nodes. */
	String ALL = "*";

	/**
	 * The secret of all nodes. The first of them made it.
	 * @return at least 32 random characters, the same as long as this object lives
	 */
	String secret();

	/**
	 * Learn what others have noted, and note more, in one step. A session that is not
	 * known begins now; one that the store has forgotten counts as one that has read
	 * everything.
	 * @param key the session, a digest
	 * @param sent what is noted
	 * @return what is known from then on, or {@code null} if nothing is and the session
	 * was not to begin
	 * @throws RuntimeException if the store does not answer, or has another secret
	 */
	@Nullable Known exchange(String key, Sent sent);

	/**
	 * Join two statements on who has read something.
	 * @param before who, as far as it is known; nothing if nobody has
	 * @param now who, as somebody says now; nothing if nobody has
	 * @return nothing, the one who is about to read it, or {@link #ALL}
	 */
	static String join(String before, String now) {
		if (before.isEmpty() || now.isEmpty()) {
			return before + now;
		}
		return (before.equals(now)) ? before : ALL;
	}

	/**
	 * The statement of a node about a session.
	 *
	 * @param begins whether the session begins if it is not known
	 * @param goesOn whether it may have read anything if it is not known
	 * @param id the id of the session if it begins, which no other has
	 * @param born its id as far as this node knows, or an empty text
	 * @param after how many notes this node has seen
	 * @param untrusted who has read something untrusted: {@link #ALL}, or who is about to
	 * and counts it by itself, or an empty text
	 * @param secret the same of private data
	 * @param note what is noted, or {@code null} if nothing is; there may be no room
	 * @since 0.1.0
	 */
	record Sent(boolean begins, boolean goesOn, String id, String born, int after, String untrusted, String secret,
			@Nullable String note) {

		/**
		 * Whether the store has forgotten the session that this node knows.
		 * @param stored the id of the one that it knows, or an empty text
		 * @return whether it is another one
		 */
		public boolean isForgotten(String stored) {
			return !this.born.isEmpty() && !this.born.equals(stored);
		}

		/** Nothing of it. */
		@Override
		public String toString() {
			return "Sent";
		}

	}

	/**
	 * The knowledge of a session.
	 *
	 * @param born its id
	 * @param count how many notes there are
	 * @param untrusted who has read something untrusted, as above
	 * @param secret who has read something private
	 * @param notes the notes that the asking node had not seen, by their numbers from 1;
	 * some may be over
	 * @since 0.1.0
	 */
	record Known(String born, int count, String untrusted, String secret, List<Note> notes) {

		public Known {
			notes = List.copyOf(notes);
		}

		/** Nothing of it. */
		@Override
		public String toString() {
			return "Known";
		}

	}

	/**
	 * A note.
	 *
	 * @param number its number, from 1
	 * @param text what it says
	 * @since 0.1.0
	 */
	record Note(int number, String text) {

		/** Nothing of it. */
		@Override
		public String toString() {
			return "Note";
		}

	}

}
