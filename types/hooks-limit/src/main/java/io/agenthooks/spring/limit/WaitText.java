package io.agenthooks.spring.limit;

import java.time.Duration;

/** Rounded up: who waits so long waits long enough. */
final class WaitText {

	private WaitText() {
	}

	static String of(Duration wait) {
		long seconds = (wait.toNanos() + 999_999_999) / 1_000_000_000;
		if (seconds < 120) {
			return counted(Math.max(1, seconds), "second");
		}
		long minutes = (seconds + 59) / 60;
		if (minutes < 120) {
			return counted(minutes, "minute");
		}
		long hours = (minutes + 59) / 60;
		return (hours < 48) ? counted(hours, "hour") : counted((hours + 23) / 24, "day");
	}

	private static String counted(long count, String unit) {
		return count + " " + unit + ((count == 1) ? "" : "s");
	}

}
