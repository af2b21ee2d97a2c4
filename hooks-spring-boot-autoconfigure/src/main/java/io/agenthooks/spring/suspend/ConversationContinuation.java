package io.agenthooks.spring.suspend;

import org.jspecify.annotations.Nullable;

/**
 * Lets an agent go on with a turn when people have decided about its calls. With
 * {@code hooks.approval.resume: auto}, the bean of this type goes on whose name the
 * {@linkplain SuspendedTurn.Origin#client() turn says}. For turns of a {@code ChatClient}
 * bean there is one already.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ConversationContinuation {

	/**
	 * Let the agent go on. Called at most once for each turn, unless it throws before a
	 * tool has run: then it is called again a few times. This thread has no login, and
	 * must be the one that asks the agent.
	 * @param turn the turn, with the results of all its calls
	 * @return the answer for the user
	 * @throws ApprovalPendingException if the agent makes calls that people have to
	 * decide about
	 * @throws io.agenthooks.AgentAbortedException if a hook ends the turn or the run
	 */
	String goOn(ResumedTurn turn);

	/**
	 * Find the reason why a turn cannot go on as the user asked for it. It is asked
	 * before a call of the turn runs.
	 * @param turn the turn, in which calls wait
	 * @param request the question about one of them
	 * @return the reason, without arguments and what was said, or {@code null}
	 */
	default @Nullable String objection(SuspendedTurn turn, ApprovalRequest request) {
		return null;
	}

	/**
	 * The tools that calls of a turn are run by, before those of beans are looked at.
	 * @param turn the turn, in which calls wait
	 * @return the tools
	 */
	default ResumableTools tools(SuspendedTurn turn) {
		return (call) -> null;
	}

	/**
	 * The format of the turns of a framework that this goes on with, if no bean has the
	 * name that the turn says.
	 * @return as in {@link SuspendedTurn#format()}, or nothing if only turns that say its
	 * name are for it
	 */
	default String format() {
		return "";
	}

	/**
	 * The reason why this can go on with no turn at all, found at the start.
	 * @return the reason and what to write, or {@code null}
	 */
	default @Nullable String unusable() {
		return null;
	}

}
