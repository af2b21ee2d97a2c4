package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;

@FunctionalInterface
interface ApprovalListener {

	/**
	 * A question changed, here or on another node. The same change may come more than
	 * once.
	 */
	void changed(ApprovalChangedEvent event);

	/** Each change comes once, on one node; {@code null} before a new question. */
	default void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		// most want to know of changes of other nodes, too
	}

}
