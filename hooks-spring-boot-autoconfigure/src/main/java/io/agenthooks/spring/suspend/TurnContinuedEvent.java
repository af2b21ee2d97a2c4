package io.agenthooks.spring.suspend;

/**
 * A turn went on by itself, or will not. It is an event of the application context of the
 * node that let the agent go on, told when nothing changes any more.
 *
 * @param request the question about the last call of the turn
 * @param turn the turn
 * @since 0.1.0
 */
public record TurnContinuedEvent(ApprovalRequest request, ContinuedTurn turn) {
}
