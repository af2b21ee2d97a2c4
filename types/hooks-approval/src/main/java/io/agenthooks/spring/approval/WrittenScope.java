package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

import io.agenthooks.toolcall.ApprovalScope;

/**
 * The scope of an approval as a person writes it.
 *
 * @param scope the calls that the approval counts for, or {@code null} for those that the
 * configuration says
 * @param time for how long, or {@code null} for as long as the question lets
 */
record WrittenScope(@Nullable ApprovalScope scope, @Nullable Duration time) {

	private static final Map<String, ApprovalScope> SCOPES = Map.of("once", ApprovalScope.ONCE, "call",
			ApprovalScope.CALL, "tool", ApprovalScope.TOOL);

	private static final int MAX_LENGTH = 40;

	/** The message of the exception says why, for the person. */
	static WrittenScope read(@Nullable Object scope, @Nullable Object time) {
		ApprovalScope read = (scope instanceof String text) ? SCOPES.get(text) : null;
		if (scope != null && read == null) {
			throw new IllegalArgumentException("'scope' is 'once', 'call' or 'tool'.");
		}
		if (time == null) {
			return new WrittenScope(read, null);
		}
		if (read == null || read == ApprovalScope.ONCE) {
			throw new IllegalArgumentException("'for' belongs to the scopes 'call' and 'tool'.");
		}
		Duration duration = (time instanceof String text && text.length() <= MAX_LENGTH) ? duration(text) : null;
		if (duration == null || duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException("'for' is a time of more than zero, such as '2h' or 'PT2H'.");
		}
		return new WrittenScope(read, duration);
	}

	private static @Nullable Duration duration(String text) {
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

}
