package io.agenthooks.spring.actuator;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

import io.agenthooks.spring.outcome.HookModes;

/** The time is {@code null} if the hook is to decide again. */
record ModeRequest(String hook, @Nullable Duration time) {

	private static final int MAX_LENGTH = 40;

	/** The message of the exception says the mistake. */
	static ModeRequest of(String hook, String mode, @Nullable String duration) {
		if (mode.equals("enforce") && duration == null) {
			return new ModeRequest(hook, null);
		}
		if (!mode.equals("observe")) {
			throw new IllegalArgumentException("'mode' has to be 'observe', or 'enforce' without 'duration'");
		}
		Duration time = (duration != null) ? time(duration) : null;
		if (time == null || time.isNegative() || time.isZero() || time.compareTo(HookModes.LONGEST) > 0) {
			throw new IllegalArgumentException("'duration' has to be a time of at most 4h, such as '30m'");
		}
		return new ModeRequest(hook, time);
	}

	/** The time, or {@code null} if it is none, as without a unit. */
	private static @Nullable Duration time(String text) {
		if (text.length() > MAX_LENGTH || text.chars().noneMatch(Character::isLetter)) {
			return null;
		}
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

}
