package io.agenthooks.toolcall;

/**
 * Hears of everything that happens to a call, when it happens, on the thread of the call.
 * It can change nothing: what it throws is logged.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolCallListener {

	/**
	 * Hear of an event.
	 * @param event what happened
	 */
	void onEvent(ToolCallEvent event);

	/**
	 * Whether there is anybody to tell. Asked once when a call begins, and holds for the
	 * whole call, so what nobody hears costs nothing.
	 * @return {@code true} unless overridden
	 */
	default boolean isListening() {
		return true;
	}

}
