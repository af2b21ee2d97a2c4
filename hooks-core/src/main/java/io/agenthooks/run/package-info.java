/**
 * Everything around a run of an agent, from the prompt to the answer: the hooks that
 * decide whether it may begin, the chain that asks them, and how the run ended. Start at
 * {@link io.agenthooks.run.RunHookChain}.
 */
@NullMarked
package io.agenthooks.run;

import org.jspecify.annotations.NullMarked;
