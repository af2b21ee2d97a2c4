package io.agenthooks;

/**
 * Receives the events of a call as they happen, on the thread of the call. It can change
 * nothing: what it throws is logged.
 *
 * @param <E> what it hears of
 * @since 0.1.0
 */
public interface HookListener<E> {

	/**
	 * Receive an event.
	 * @param event what happened
	 */
	void onEvent(E event);

	/**
	 * Whether the listener is active. Asked once when a call begins.
	 * @return {@code true} unless overridden
	 */
	default boolean isListening() {
		return true;
	}

}
