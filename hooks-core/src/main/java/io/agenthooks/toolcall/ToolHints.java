package io.agenthooks.toolcall;

import org.jspecify.annotations.Nullable;

/**
 * The statements of a tool about itself: the annotations of a tool in the Model Context
 * Protocol. They are the words of its server, which may be wrong or lie. So they are a
 * reason to be stricter, never one to allow something.
 *
 * @param readOnly whether it changes nothing, or {@code null} if it does not say
 * @param destructive whether it may delete or overwrite something, or {@code null}
 * @param idempotent whether calling it twice is the same as once, or {@code null}
 * @param openWorld whether it reaches others than its server, or {@code null}
 * @since 0.1.0
 */
public record ToolHints(@Nullable Boolean readOnly, @Nullable Boolean destructive, @Nullable Boolean idempotent,
		@Nullable Boolean openWorld) {

	private static final ToolHints NONE = new ToolHints(null, null, null, null);

	/**
	 * Return the hints of a tool that says nothing.
	 * @return no hints
	 */
	public static ToolHints none() {
		return NONE;
	}

}
