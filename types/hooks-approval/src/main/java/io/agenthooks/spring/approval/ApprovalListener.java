package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;

/** Is notified of changes of questions, on the thread that asks or answers. */
@FunctionalInterface
interface ApprovalListener {

	/**
	 * A question changed, here or on another node. The same change may come more than
	 * once.
	 */
	void changed(ApprovalChangedEvent event);

	/**
	 * This node changed a question, or asked a new one ({@code null} before): each change
	 * comes once, on one node.
	 */
	default void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		// most want to know of changes of other nodes, too
	}

}
