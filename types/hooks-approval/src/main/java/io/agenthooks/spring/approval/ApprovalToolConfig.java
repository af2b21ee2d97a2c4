package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The {@code config} of an {@code approval} hook, as written.
 *
 * @param timeout Time that people have to decide, at most as long as
 * 'hooks.approval.timeout' may be, which holds unless set.
 */
record ApprovalToolConfig(@Nullable Duration timeout) {

	ApprovalToolConfig {
		List<Problem> problems = new ArrayList<>();
		ApprovalConfig.checkTimeout(timeout, ApprovalConfig.MAX_SUSPENDED, problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

}
