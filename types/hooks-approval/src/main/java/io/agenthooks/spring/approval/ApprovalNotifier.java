package io.agenthooks.spring.approval;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.ApprovalNotifyConfig.Event;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;

/** Tells endpoints about questions. A change is told by the node that made it. */
record ApprovalNotifier(List<NotifyTarget> targets) implements AutoCloseable {

	ApprovalNotifier {
		targets = List.copyOf(targets);
	}

	/** That the call runs is not told. */
	void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		if (was == null) {
			this.targets.forEach((target) -> target.send(Event.APPROVAL_REQUESTED, is));
		}
		else if ((was.state().isOpen() && !is.state().isOpen()) || (was.state() == ApprovalState.APPROVED
				&& is.state() != ApprovalState.APPROVED && is.state() != ApprovalState.CLAIMED)) {
			this.targets.forEach((target) -> target.send(Event.APPROVAL_SETTLED, is));
		}
	}

	@Override
	public void close() {
		this.targets.forEach(NotifyTarget::close);
	}

}
