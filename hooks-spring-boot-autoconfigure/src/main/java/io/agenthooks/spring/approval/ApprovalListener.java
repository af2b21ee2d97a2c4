package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Is notified of changes of questions, on the thread that asks or answers.
 */
@FunctionalInterface
interface ApprovalListener {

	/**
	 * A question changed, here or on another node. The same change may come more than
	 * once.
	 * @param event the question as it is now
	 */
	void changed(ApprovalChangedEvent event);

	/**
	 * This node changed a question: each change comes once, on one node.
	 * @param was the question before, or {@code null} if it is a new one
	 * @param is the question after it
	 */
	default void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		// most want to know of changes of other nodes, too
	}

}
