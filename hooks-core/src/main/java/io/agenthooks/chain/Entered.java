package io.agenthooks.chain;

import io.agenthooks.Hook;

/**
 * A hook that brings along what is said about it. A chain takes the entry in its place,
 * so it asks the hook itself.
 *
 * @param <H> the kind of hook
 * @since 0.1.0
 */
public interface Entered<H extends Hook> {

	/**
	 * The hook, and what is said about it.
	 * @return the entry
	 */
	HookEntry<H> entry();

}
