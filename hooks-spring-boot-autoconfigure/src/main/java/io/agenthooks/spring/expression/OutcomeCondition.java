package io.agenthooks.spring.expression;

import io.agenthooks.toolcall.ToolOutcome;

/**
 * A condition about how a call of a tool ended, over what the rules of a policy see, and
 * {@code outcome}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface OutcomeCondition {

	/**
	 * Whether the condition holds. The work that goes into it is bounded.
	 * @param outcome how the call ended
	 * @return whether it does; also {@code true} if that cannot be said, for instance
	 * because an argument is missing
	 */
	boolean holds(ToolOutcome outcome);

}
