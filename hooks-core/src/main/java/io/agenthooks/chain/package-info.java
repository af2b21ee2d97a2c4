/**
 * The machinery that chains of hooks share: how a hook is asked, what its failure means,
 * and that a call ends once. Chains of model calls and of runs are made of it; users have
 * no need of it but {@link io.agenthooks.chain.HookEntry}.
 */
@NullMarked
package io.agenthooks.chain;

import org.jspecify.annotations.NullMarked;
