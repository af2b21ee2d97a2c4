package io.agenthooks.run;

import io.agenthooks.AbortScope;
import io.agenthooks.AgentAbortedException;

/**
 * A hook did not let a run begin.
 *
 * @since 0.1.0
 */
public final class RunBlockedException extends AgentAbortedException {

	RunBlockedException(String hook, String reason) {
		super("Run blocked: " + reason, hook, reason, AbortScope.RUN);
	}

}
