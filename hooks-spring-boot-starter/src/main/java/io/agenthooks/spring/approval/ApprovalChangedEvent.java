package io.agenthooks.spring.approval;

/**
 * A question was asked, answered or settled. It is an event of the application context of
 * each node that learns of it, so the same change may come more than once.
 *
 * @param request the question as it is now
 * @since 0.1.0
 */
public record ApprovalChangedEvent(ApprovalRequest request) {

}
