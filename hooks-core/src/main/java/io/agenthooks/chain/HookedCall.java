package io.agenthooks.chain;

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

}
