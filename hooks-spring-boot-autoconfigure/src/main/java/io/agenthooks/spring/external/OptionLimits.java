package io.agenthooks.spring.external;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * Checks the limits that the options of a hook set, and fills in the defaults.
 *
 * @since 0.1.0
 */
public final class OptionLimits {

	private static final Duration MAX_TIME = Duration.ofMinutes(10);

	private static final DataSize MAX_SIZE = DataSize.ofMegabytes(64);

	private final List<Problem> problems;

	public OptionLimits(List<Problem> problems) {
		this.problems = problems;
	}

	/**
	 * Check a time.
	 * @param option the name of the option
	 * @param time what is written, or {@code null}
	 * @param other the default
	 * @return the time that holds
	 */
	public Duration time(String option, @Nullable Duration time, Duration other) {
		if (time == null) {
			return other;
		}
		if (time.isZero() || time.isNegative() || time.compareTo(MAX_TIME) > 0) {
			problem(option, "above 0 and at most 600 seconds",
					"Write a duration such as 750ms or 5s; a number without a unit means seconds.");
		}
		return time;
	}

	/**
	 * Check a size.
	 * @param option the name of the option
	 * @param size what is written, or {@code null}
	 * @return the number of bytes that holds, a megabyte by default
	 */
	public int bytes(String option, @Nullable DataSize size) {
		DataSize used = (size != null) ? size : DataSize.ofMegabytes(1);
		if (used.toBytes() < 1 || used.compareTo(MAX_SIZE) > 0) {
			problem(option, "from 1B to 64MB", "Write a size such as 256KB.");
			return 1;
		}
		return (int) used.toBytes();
	}

	/**
	 * Check a number.
	 * @param option the name of the option
	 * @param number what is written, or {@code null}
	 * @param other the default
	 * @param min the least number there may be
	 * @param max the largest number there may be
	 * @return the number that holds
	 */
	public int number(String option, @Nullable Integer number, int other, int min, int max) {
		int used = (number != null) ? number : other;
		if (used < min || used > max) {
			problem(option, "from %d to %d".formatted(min, max), "Write a number such as %d.".formatted(other));
			return other;
		}
		return used;
	}

	private void problem(String option, String range, String action) {
		this.problems.add(new Problem(List.of(option), "The %s is not %s.".formatted(option, range), action));
	}

}
