package io.agenthooks.spring.approval;

/**
 * A question was asked, answered or settled. It is an event of the application context of
 * each node that learns of it: the one that made the change, and those that wait for the
 * answer. The same change may come more than once, and a later one before an earlier one.
 * <p>
 * Listeners run on the thread of the call or of the person, so they must not wait. What
 * they throw changes nothing.
 *
 * @param request the question as it is now
 * @since 0.1.0
 */
public record ApprovalChangedEvent(ApprovalRequest request) {

}
