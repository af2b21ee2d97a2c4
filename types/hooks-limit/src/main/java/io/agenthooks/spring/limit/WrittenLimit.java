package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * A limit in plain words: {@code 3 per session}, {@code 10 per 1m},
 * {@code 100 per 1d burst 20}.
 *
 * @param period the time after which so many have come back, little by little, or
 * {@code null} if none does
 * @param per the part of the key that takes the place of a period, or {@code null}
 */
record WrittenLimit(int calls, @Nullable Duration period, int burst, @Nullable KeyPart per, String text) {

	static final int MAX_CALLS = 1_000_000;

	private static final Duration MIN_PERIOD = Duration.ofSeconds(1);

	private static final Duration MAX_PERIOD = Duration.ofDays(366);

	/** Until a limit that is used up is as good as new. */
	private static final Duration MAX_REFILL = Duration.ofDays(3_660);

	private static final Pattern TEXT = Pattern.compile("(\\d{1,9}) per (\\S+?)(?: burst (\\d{1,9}))?");

	private static final Pattern SPACE = Pattern.compile("\\s+");

	private static final Map<String, Duration> UNITS = Map.of("second", Duration.ofSeconds(1), "minute",
			Duration.ofMinutes(1), "hour", Duration.ofHours(1), "day", Duration.ofDays(1));

	static WrittenLimit of(String written) {
		String text = SPACE.matcher(written.strip()).replaceAll(" ");
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("The limit cannot be read.");
		}
		int calls = number(matcher.group(1), "number of calls");
		KeyPart per = KeyPart.of(matcher.group(2));
		boolean hasBurst = matcher.group(3) != null;
		if (per != null) {
			if (hasBurst) {
				throw new IllegalArgumentException("A limit that does not come back with time has no burst.");
			}
			return new WrittenLimit(calls, null, calls, per, text);
		}
		int burst = (hasBurst) ? number(matcher.group(3), "burst") : calls;
		Duration period = period(matcher.group(2));
		if ((double) period.toSeconds() * burst / calls > MAX_REFILL.toSeconds()) {
			throw new IllegalArgumentException("The burst takes more than ten years to come back.");
		}
		return new WrittenLimit(calls, period, burst, null, text);
	}

	private static int number(String digits, String what) {
		int number = Integer.parseInt(digits);
		if (number < 1 || number > MAX_CALLS) {
			throw new IllegalArgumentException("The %s is not from 1 to %d.".formatted(what, MAX_CALLS));
		}
		return number;
	}

	private static Duration period(String text) {
		Duration unit = UNITS.get(text);
		Duration period = (unit != null) ? unit : parse(text);
		if (period.compareTo(MIN_PERIOD) < 0 || period.compareTo(MAX_PERIOD) > 0) {
			throw new IllegalArgumentException("The time is not from 1 second to 366 days.");
		}
		return period;
	}

	private static Duration parse(String text) {
		try {
			if (!Character.isDigit(text.charAt(text.length() - 1))) {
				return DurationStyle.detectAndParse(text, ChronoUnit.SECONDS);
			}
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			// It may be a part of a key that nobody knows.
		}
		throw new IllegalArgumentException(
				"What follows 'per' is neither a time nor a part of the key; times end with s, m, h or d.");
	}

}
