package io.agenthooks.run;

import io.agenthooks.HookListener;

/**
 * Hears of everything that happens to a run.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RunListener extends HookListener<RunEvent> {

}
