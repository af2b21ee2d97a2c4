package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

/**
 * Limits of a hook that count the same calls together.
 *
 * @param limits the limits, at least one
 */
record LimitGroup(LimitKey key, List<WrittenLimit> limits) {

	LimitGroup {
		limits = List.copyOf(limits);
	}

	SharedLimits shared(String hook, Duration forgetAfter, int maxKeys, int maxPlaces, Duration lease) {
		return SharedLimits.of(hook + "\n" + this.key.identity(), this.limits, forgetAfter, maxKeys, maxPlaces, lease);
	}

}
