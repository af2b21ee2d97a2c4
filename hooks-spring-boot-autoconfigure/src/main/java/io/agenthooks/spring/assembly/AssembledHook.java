package io.agenthooks.spring.assembly;

import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;

/**
 * A hook as an entry of a chain.
 *
 * @param <H> the kind of hook
 * @param listed what is known about it
 * @param entry its entry in the list of its phase
 */
record AssembledHook<H extends Hook>(ActiveHooks.Listed listed, HookEntry<H> entry) {

}
