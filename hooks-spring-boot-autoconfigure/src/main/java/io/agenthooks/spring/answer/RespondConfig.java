package io.agenthooks.spring.answer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.EmptyAllowed;

/**
 * The {@code config} of a {@code respond} hook, as written.
 *
 * @param content Text that the agent gets; required, but it may be empty.
 * @param isError Whether the agent gets it as the error of a call that failed.
 */
record RespondConfig(@EmptyAllowed @Nullable String content, boolean isError) {

	/**
	 * The configuration without its content, which may be secret.
	 */
	@Override
	public String toString() {
		return "RespondConfig[isError=%s]".formatted(this.isError);
	}

}
