package io.agenthooks.run;

import io.agenthooks.HookListener;

/**
 * Receives the events of a run.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RunListener extends HookListener<RunEvent> {

}
