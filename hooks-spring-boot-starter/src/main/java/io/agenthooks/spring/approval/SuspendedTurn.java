package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A turn of an agent in which calls wait for people.
 *
 * @param format who wrote the messages and can read them, such as {@code spring-ai}
 * @param messages the conversation before the replies, including the message of the model
 * with the calls, as text that only the adapter reads
 * @param replies the replies to the calls of the turn, in their order
 * @since 0.1.0
 */
public record SuspendedTurn(String format, String messages, List<Reply> replies) {

	/**
	 * The most characters that the messages and replies of a turn may have together.
	 */
	public static final int MAX_LENGTH = 2_000_000;

	/**
	 * Create a turn.
	 */
	public SuspendedTurn {
		Objects.requireNonNull(format, "'format' must not be null");
		Objects.requireNonNull(messages, "'messages' must not be null");
		replies = List.copyOf(replies);
	}

	/**
	 * How many characters the turn has.
	 */
	long length() {
		long length = this.format.length() + (long) this.messages.length();
		for (Reply reply : this.replies) {
			length += reply.callId().length() + (long) reply.tool().length()
					+ ((reply.text() != null) ? reply.text().length() : 0);
		}
		return length;
	}

	/**
	 * The turn without what was said in it.
	 */
	@Override
	public String toString() {
		return "SuspendedTurn[format=%s, replies=%s]".formatted(this.format, this.replies);
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

		/**
		 * The reply without its text.
		 */
		@Override
		public String toString() {
			return "Reply[tool=%s, approvalId=%s, waiting=%s, failed=%s]".formatted(this.tool, this.approvalId,
					isWaiting(), this.failed);
		}

	}

}
