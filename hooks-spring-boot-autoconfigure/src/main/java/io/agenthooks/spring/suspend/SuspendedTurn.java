package io.agenthooks.spring.suspend;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A turn of an agent in which calls wait for people.
 * <p>
 * Which texts of the conversation are the user's own words is not seen in it: others may
 * stand for the user, such as documents that were retrieved into the prompt, or what the
 * model of an outer agent wrote. Rules on the flow of data have to know it behind the
 * resume, so it is kept with the turn. What is not among the texts is not the user's.
 *
 * @param format who wrote the messages and can read them, such as {@code spring-ai}
 * @param messages the conversation before the replies, including the message of the model
 * with the calls, as text that only the adapter reads
 * @param replies the replies to the calls of the turn, in their order
 * @param usersTexts the texts that the user wrote, as far as the run knows them, the
 * latest one last
 * @param textsOf by what a node remembers whose texts they are, a digest, or {@code null}
 * if it is not known which texts the user wrote
 * @param origin the request that the turn is of, or {@code null} if that is not known
 * @since 0.1.0
 */
public record SuspendedTurn(String format, String messages, List<Reply> replies, List<String> usersTexts,
		@Nullable String textsOf, @Nullable Origin origin) {

	/** The most characters that the messages and replies of a turn may have together. */
	public static final int MAX_LENGTH = 2_000_000;

	/** Create a turn. */
	public SuspendedTurn {
		Objects.requireNonNull(format, "'format' must not be null");
		Objects.requireNonNull(messages, "'messages' must not be null");
		replies = List.copyOf(replies);
		usersTexts = List.copyOf(usersTexts);
	}

	/**
	 * Create a turn of which it is not known what the user wrote.
	 * @param format who wrote the messages
	 * @param messages the conversation before the replies
	 * @param replies the replies to the calls
	 */
	public SuspendedTurn(String format, String messages, List<Reply> replies) {
		this(format, messages, replies, List.of(), null, null);
	}

	/**
	 * The turn with the request that it is of.
	 * @param origin the request
	 * @return the turn
	 */
	public SuspendedTurn withOrigin(Origin origin) {
		return new SuspendedTurn(this.format, this.messages, this.replies, this.usersTexts, this.textsOf, origin);
	}

	/**
	 * The turn with what the user wrote. If it would be too long to be kept by that, it
	 * stays as it is: then the user names nothing behind the resume.
	 * @param texts the texts that the user wrote, the latest one last
	 * @param owner by what a node remembers whose texts they are, or {@code null} if that
	 * is not known
	 * @return the turn
	 */
	public SuspendedTurn withUsersTexts(List<String> texts, @Nullable String owner) {
		SuspendedTurn turn = new SuspendedTurn(this.format, this.messages, this.replies, texts, owner, this.origin);
		return (turn.length() <= MAX_LENGTH) ? turn : this;
	}

	/**
	 * Return the number of characters of the turn; those of the user's texts count as
	 * they are written.
	 * @return the number
	 */
	public long length() {
		long length = this.format.length() + (long) this.messages.length()
				+ ((this.origin != null) ? this.origin.length() : 0);
		for (String text : this.usersTexts) {
			length += lengthOf(text);
		}
		for (Reply reply : this.replies) {
			length += reply.callId().length() + (long) reply.tool().length()
					+ ((reply.text() != null) ? reply.text().length() : 0);
		}
		return length;
	}

	private static long lengthOf(String text) {
		long length = 3;
		for (int i = 0; i < text.length(); i++) {
			char sign = text.charAt(i);
			if (sign == '"' || sign == '\\' || "\b\t\n\f\r".indexOf(sign) >= 0) {
				length += 2;
			}
			else {
				length += (sign < ' ' || sign > '~' + 1) ? 6 : 1;
			}
		}
		return length;
	}

	/** The turn without what was said in it. */
	@Override
	public String toString() {
		return "SuspendedTurn[format=%s, replies=%s]".formatted(this.format, this.replies);
	}

	/**
	 * The request that a turn is of, to go on with it by itself.
	 *
	 * @param client the name of the bean that goes on: the client that was asked, or a
	 * {@link ConversationContinuation}. {@code null} if it is not known
	 * @param request the rest of the request, as text that only the adapter reads
	 * @param objection the reason why it cannot go on as the user asked for it, without
	 * arguments and what was said, or {@code null}
	 * @since 0.1.0
	 */
	public record Origin(@Nullable String client, String request, @Nullable String objection) {

		/** Create an origin. */
		public Origin {
			Objects.requireNonNull(request, "'request' must not be null");
		}

		private long length() {
			return this.request.length() + ((this.client != null) ? this.client.length() : 0)
					+ ((this.objection != null) ? this.objection.length() : 0L);
		}

		/** The origin without the request, which may have what is secret. */
		@Override
		public String toString() {
			return "Origin[client=%s, objection=%s]".formatted(this.client, this.objection);
		}

	}

	/**
	 * The reply to one call.
	 *
	 * @param callId the id of the call as the provider of the model gave it, or an empty
	 * text if it gave none
	 * @param tool the name of the tool as the model knows it
	 * @param approvalId the id of the question to people about the call, or {@code null}
	 * if nobody was asked
	 * @param text what the model reads as the result, or {@code null} while the call
	 * waits
	 * @param failed whether it is the text of a failure, such as a denial
	 * @since 0.1.0
	 */
	public record Reply(String callId, String tool, @Nullable String approvalId, @Nullable String text,
			boolean failed) {

		/**
		 * Create a reply.
		 * @throws IllegalArgumentException if there is neither a text nor a question
		 */
		public Reply {
			Objects.requireNonNull(callId, "'callId' must not be null");
			Objects.requireNonNull(tool, "'tool' must not be null");
			if (text == null && approvalId == null) {
				throw new IllegalArgumentException("'text' must not be null if nobody was asked");
			}
		}

		/**
		 * Whether the call waits for people.
		 * @return {@code true} if there is no text yet
		 */
		public boolean isWaiting() {
			return this.text == null;
		}

		/** The reply without its text. */
		@Override
		public String toString() {
			return "Reply[tool=%s, approvalId=%s, waiting=%s, failed=%s]".formatted(this.tool, this.approvalId,
					isWaiting(), this.failed);
		}

	}

}
