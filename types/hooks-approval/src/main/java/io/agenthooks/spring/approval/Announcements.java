package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Announces changes of questions to the listeners of this node. No question depends on
 * them.
 */
final class Announcements {

	private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ApprovalListener listener;

	private final LastRevisions told = new LastRevisions();

	Announcements(ApprovalListener listener) {
		this.listener = listener;
	}

	/** First what is recorded: a listener may go on with the call at once. */
	void changed(ApprovalRequest was, ApprovalRequest is) {
		changedHere(was, is);
		if (was.state() == is.state() && !is.state().isOpen()) {
			// Only what is remembered changed, so nobody goes on with the call again.
			publish(new ApprovalChangedEvent(is, false));
		}
		else {
			announce(is);
		}
	}

	void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		try {
			this.listener.changedHere(was, is);
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("A change of a question to people could not be reported: " + ex.getClass().getName());
		}
	}

	void announce(ApprovalRequest request) {
		if (this.told.note(request)) {
			publish(new ApprovalChangedEvent(request));
		}
	}

	void publish(ApprovalChangedEvent event) {
		try {
			this.listener.changed(event);
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("A listener to questions to people failed with %s; the question goes on"
				.formatted(ex.getClass().getName()));
		}
	}

}
