package io.agenthooks.toolcall;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Runs tools. An application's executor knows nothing of hooks; the starter guards every
 * bean of this type, and {@link HookedToolExecutor} does so without Spring.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolExecutor {

	/**
	 * Run a tool and wait for its result. Whatever this throws reaches the caller
	 * unchanged, unless there is a {@linkplain #failureText text} of it for the model.
	 * @param call the call
	 * @return the result
	 */
	ToolResult execute(ToolCall call);

	/**
	 * Say why a tool cannot be called like this, for example because an argument is
	 * missing. The chain asks when the arguments are final, and denies the call if there
	 * is an objection.
	 * @param call the call
	 * @return the objection, which the model gets to read, or {@code null}
	 */
	default @Nullable String objection(ToolCall call) {
		return null;
	}

	/**
	 * Return the text for the model of something that {@link #execute} threw. Result
	 * hooks see it as a failed result, which a chain returns in place of throwing;
	 * post-call hooks get what was thrown.
	 * @param failure what was thrown
	 * @return the text, or {@code null} if what was thrown reaches the caller
	 */
	default @Nullable String failureText(Throwable failure) {
		return null;
	}

	/**
	 * Return the reason if something that {@link #execute} threw says that the caller may
	 * not call the tool, which has not run. The call then ends as denied.
	 * @param failure what was thrown
	 * @return the reason, which the model gets to read, or {@code null} if it is a
	 * failure, or the tool may have run
	 */
	default @Nullable String denialText(Throwable failure) {
		return null;
	}

	/**
	 * The names of the tools that this executor knows. Metrics tag only these by name,
	 * because models invent names.
	 * @return the names; empty if the executor does not say
	 */
	default Set<String> toolNames() {
		return Set.of();
	}

}
