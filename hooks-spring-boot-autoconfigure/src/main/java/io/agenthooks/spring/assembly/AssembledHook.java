package io.agenthooks.spring.assembly;

import io.agenthooks.Hook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;

/**
 * A hook as an entry of a chain.
 */
record AssembledHook<H extends Hook>(ActiveHooks.Listed listed, HookEntry<H> entry) {

}
