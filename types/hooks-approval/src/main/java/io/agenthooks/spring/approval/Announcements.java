package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.suspend.ApprovalRequest;

/**
 * Announcements of changes of questions to the listeners of this node. No question
 * depends on what they do.
 */
final class Announcements {

	private static final Logger logger = LoggerFactory.getLogger(Announcements.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ApprovalListener listener;

	/** The last revisions that listeners know, by the id of the question. */
	private final LastRevisions told = new LastRevisions();

	Announcements(ApprovalListener listener) {
		this.listener = listener;
	}

	/**
	 * Tell a change that this node made. First what is recorded: a listener may go on
	 * with the call at once.
	 */
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

	/** Tell a change that this node made, which no other node tells. */
	void changedHere(@Nullable ApprovalRequest was, ApprovalRequest is) {
		try {
			this.listener.changedHere(was, is);
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("A change of a question to people could not be reported: " + ex.getClass().getName());
		}
	}

	/** Announce a change on this node, unless that was done. */
	void announce(ApprovalRequest request) {
		if (this.told.note(request)) {
			publish(new ApprovalChangedEvent(request));
		}
	}

	/** Notify the listeners of this node, even if they were notified before. */
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
