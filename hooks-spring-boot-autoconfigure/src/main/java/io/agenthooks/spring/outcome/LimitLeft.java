package io.agenthooks.spring.outcome;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The rest of a limit when it decided about a call. It contains neither the key of the
 * limit nor anything of the call.
 *
 * @param remaining how much is left for calls of the same key, or {@code null} if that is
 * not known
 * @param reset when the limit is new, or, if too little is left, has room again;
 * {@code null} if it is new already, never is, or nobody knows
 * @since 0.1.0
 */
public record LimitLeft(@Nullable BigDecimal remaining, @Nullable Instant reset) {

	/**
	 * Return the rest as members of a JSON object.
	 * @return {@code remaining} and {@code reset}, as far as they are known; the time in
	 * milliseconds
	 */
	public Map<String, Object> members() {
		Map<String, Object> members = new LinkedHashMap<>();
		if (this.remaining != null) {
			members.put("remaining", number(this.remaining));
		}
		if (this.reset != null) {
			members.put("reset", this.reset.truncatedTo(ChronoUnit.MILLIS).toString());
		}
		return members;
	}

	private static Number number(BigDecimal remaining) {
		BigDecimal plain = remaining.stripTrailingZeros();
		return (plain.scale() <= 0) ? (Number) plain.toBigInteger() : plain;
	}

}
