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
	 * is an objection; so neither a model nor a hook nor a person can send a tool what it
	 * does not accept.
	 * @param call the call
	 * @return the objection, which the model gets to read, or {@code null} if there is
	 * none
	 */
	default @Nullable String objection(ToolCall call) {
		return null;
	}

	/**
	 * Return the text for the model of something that {@link #execute} threw. If there is
	 * such a text, the result hooks see it as that of a failed result, and a chain
	 * returns that in place of throwing; post-call hooks get what was thrown.
	 * @param failure what was thrown
	 * @return the text, or {@code null} if the model reads nothing of it: then it reaches
	 * the caller unchanged
	 */
	default @Nullable String failureText(Throwable failure) {
		return null;
	}

	/**
	 * Return the reason if something that {@link #execute} threw says that the caller may
	 * not call the tool, and the tool has not run. A call with such a reason ends as
	 * denied.
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
