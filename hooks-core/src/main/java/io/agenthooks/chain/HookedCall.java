package io.agenthooks.chain;

import io.agenthooks.CallContext;

/**
 * A call that passes a chain of hooks.
 *
 * @since 0.1.0
 */
public interface HookedCall {

	/**
	 * Return the id, which no other call has.
	 * @return the id
	 */
	String id();

	/**
	 * Return the caller.
	 * @return the context
	 */
	CallContext context();

}
