package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;

/**
 * What passes a chain of hooks.
 *
 * @since 0.1.0
 */
public interface HookedCall {

	/**
	 * What identifies this call among all others.
	 * @return the id
	 */
	String id();

	/**
	 * Who makes the call, and where.
	 * @return the context
	 */
	CallContext context();

	/**
	 * What is called, by which hooks may be chosen.
	 * @return the name, or {@code null} if nobody says: then the call is for every hook
	 */
	default @Nullable String target() {
		return null;
	}

}
