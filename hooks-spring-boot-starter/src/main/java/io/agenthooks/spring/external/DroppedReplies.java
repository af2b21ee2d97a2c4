package io.agenthooks.spring.external;

/**
 * A hook that asks another program, and drops what that writes beside the replies that it
 * waits for: late ones, foreign ones, and what cannot be read.
 *
 * @since 0.1.0
 */
public interface DroppedReplies {

	/**
	 * How much was dropped since the hook was made.
	 * @return the number of replies
	 */
	long droppedReplies();

}
