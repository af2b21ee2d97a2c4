package io.agenthooks.toolcall;

/**
 * A {@link PreToolHook} that also says which tools need not be offered to a caller,
 * because it denies every call of them. Who knows of such a tool and calls it
 * nevertheless meets the hook as any other.
 *
 * @since 0.1.0
 */
public interface HidingHook extends PreToolHook {

	/**
	 * Whether this hook hides any tool from anybody, so that it has to be asked.
	 * @return {@code true} unless overridden
	 */
	default boolean isHiding() {
		return true;
	}

	/**
	 * Whether a tool is not to be offered. Asked each time a model is, for each tool, so
	 * it has to be fast.
	 * @param call a call as it would be made by whoever asks for tools, without arguments
	 * @return whether this hook denies every such call, whatever its arguments are
	 */
	boolean hides(ToolCall call);

}
