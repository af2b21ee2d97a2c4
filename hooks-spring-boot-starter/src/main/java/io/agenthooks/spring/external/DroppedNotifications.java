package io.agenthooks.spring.external;

/**
 * A hook that hands news to a bounded queue, so that it never delays a call. What does
 * not fit is dropped and counted.
 *
 * @since 0.1.0
 */
public interface DroppedNotifications {

	/**
	 * How much was dropped since the hook was made.
	 * @return the number of notifications
	 */
	long droppedNotifications();

}
