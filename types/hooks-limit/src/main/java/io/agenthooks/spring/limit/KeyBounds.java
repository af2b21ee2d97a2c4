package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.external.OptionLimits;

final class KeyBounds {

	private static final Duration MAX_FORGET_AFTER = Duration.ofDays(366);

	private KeyBounds() {
	}

	static int maxKeys(@Nullable Integer written, List<Problem> problems) {
		return new OptionLimits(problems).number("max_keys", written, 100_000, 1, 10_000_000);
	}

	static Duration forgetAfter(@Nullable Duration written, Duration unwritten, String what, List<Problem> problems) {
		Duration used = Objects.requireNonNullElse(written, unwritten);
		if (used.isZero() || used.isNegative() || used.compareTo(MAX_FORGET_AFTER) > 0) {
			problems
				.add(new Problem(List.of("forget_after"), "The forget_after is not above zero and at most 366 days.",
						"Write how long after its last call a %s is over, like 1d.".formatted(what)));
		}
		return used;
	}

}
