package io.agenthooks.run;

import io.agenthooks.Hook;

/**
 * A hook around runs: one that decides before the run begins, or one that learns how it
 * ended. A class may be both.
 *
 * @since 0.1.0
 */
public sealed interface RunHook extends Hook permits PreRunHook, PostRunHook {

}
