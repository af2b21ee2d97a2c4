package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.Objects;

import io.agenthooks.spring.approval.ApprovalConfig.Mode;

/**
 * Whether calls wait on their threads, and how long people have unless a hook says
 * otherwise.
 */
record ApprovalMode(boolean suspends, Duration timeout, Duration maxTimeout) {

	static ApprovalMode of(ApprovalConfig config, ApprovalStore store) {
		boolean isLasting = store.suspended() != null;
		if (config.mode() == Mode.SUSPEND && !isLasting) {
			throw new InvalidApprovalException(
					"'hooks.approval.mode' is 'suspend', but questions are kept in memory, so calls could not be resumed "
							+ "after a restart.",
					"Add a DataSource, or write 'block'.");
		}
		boolean suspends = (config.mode() != null) ? config.mode() == Mode.SUSPEND : isLasting;
		if (config.isResumedByItself() && !suspends) {
			throw new InvalidApprovalException(
					"'hooks.approval.resume' is 'auto', but no turn ends: questions are kept in memory, and calls wait on "
							+ "their threads.",
					"Add a DataSource and write 'mode: suspend', or remove 'resume'.");
		}
		Duration max = (suspends) ? ApprovalConfig.MAX_SUSPENDED : ApprovalConfig.MAX_TIMEOUT;
		Duration timeout = Objects.requireNonNullElse(config.timeout(),
				(suspends) ? ApprovalConfig.DEFAULT_SUSPENDED : ApprovalConfig.DEFAULT_TIMEOUT);
		if (timeout.compareTo(max) > 0) {
			throw new InvalidApprovalException(
					"'hooks.approval.timeout' is longer than an hour, but calls wait on their threads.",
					"Write a time of at most 1h, or let turns end with 'hooks.approval.mode: suspend', which needs a "
							+ "database.");
		}
		return new ApprovalMode(suspends, timeout, max);
	}

}
