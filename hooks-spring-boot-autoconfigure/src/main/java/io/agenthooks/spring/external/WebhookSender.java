package io.agenthooks.spring.external;

import io.agenthooks.spring.HookCounts;

/**
 * Sends notifications to one endpoint, in order. Nobody waits for it: whatever cannot be
 * sent is counted and warned of.
 *
 * @since 0.1.0
 */
public interface WebhookSender extends HookCounts, AutoCloseable {

	void send(byte[] json);

	/**
	 * Say that a message could not be made.
	 * @param reason why, without what it was to say
	 */
	void drop(String reason);

	@Override
	void close();

}
