package io.agenthooks;

/**
 * Hears of everything that happens to a call, when it happens, on the thread of the call.
 * It can change nothing: what it throws is logged.
 *
 * @param <E> what it hears of
 * @since 0.1.0
 */
public interface HookListener<E> {

	/**
	 * Hear of an event.
	 * @param event what happened
	 */
	void onEvent(E event);

	/**
	 * Whether there is anybody to tell. Asked once when a call begins, and holds for the
	 * whole call, so what nobody hears costs nothing.
	 * @return {@code true} unless overridden
	 */
	default boolean isListening() {
		return true;
	}

}
