package io.agenthooks.spring.observation;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookOutcome;
import io.agenthooks.SafeText;
import io.agenthooks.redact.Redactor;

/** Maps outcomes of tool calls, model calls and runs to attributes. */
final class CallOutcomes {

	private static final Redactor redactor = Redactor.ofDefaults();

	private CallOutcomes() {
	}

	/** It may quote an argument, such as the reason of a webhook. */
	static String reason(String reason) {
		return SafeText.reason(redactor.redact(reason));
	}

	static String status(HookOutcome outcome) {
		return outcome.status().name().toLowerCase(Locale.ROOT);
	}

	static boolean isError(HookOutcome outcome) {
		return switch (outcome.status().name()) {
			case "SUCCEEDED", "ANSWERED", "CANCELLED", "PENDING" -> false;
			default -> true;
		};
	}

	/** The error that ended a call that did not succeed. */
	static String errorType(HookOutcome outcome) {
		Throwable failure = outcome.failure();
		return (failure != null) ? failure.getClass().getName() : status(outcome);
	}

	/**
	 * Without a message of a tool or a hook, which may hold arguments; {@code null} if
	 * none.
	 */
	static @Nullable Throwable error(HookOutcome outcome) {
		if (!isError(outcome)) {
			return null;
		}
		return switch (outcome.status().name()) {
			case "FAILED" -> new FailedCallException(outcome.failure());
			default -> new DeniedCallException(status(outcome), outcome.decidedBy());
		};
	}

	static final class DeniedCallException extends RuntimeException {

		DeniedCallException(String status, @Nullable String hook) {
			super((hook != null) ? "The call was %s by '%s'".formatted(status, hook) : "The call was " + status, null,
					false, false);
		}

	}

	static final class FailedCallException extends RuntimeException {

		FailedCallException(@Nullable Throwable failure) {
			super((failure != null) ? "Failed with " + failure.getClass().getName() : "A failure was reported", null,
					false, failure != null);
			if (failure != null) {
				setStackTrace(failure.getStackTrace());
			}
		}

	}

}
