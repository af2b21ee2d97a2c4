package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.agenthooks.Sha256;

/**
 * The budget of a hook as it is kept: exact amounts, and times in whole microseconds.
 *
 * @param warnBelow what must be left so that the model need not know it, with
 * {@value #SCALE} digits behind the point at most; negative if it is never told
 * @param maxPlaces how many amounts are reserved at the same time at most
 * @param lease how long an amount is reserved at most; then it counts
 */
record SharedBudget(String entry, BudgetTerms terms, BigDecimal warnBelow, long forgetAfter, int maxPlaces,
		long lease) {

	/** No amount has more digits behind the point. */
	static final int SCALE = 38;

	/** More than any limit, and little enough to add to. */
	static final BigDecimal MOST = new BigDecimal("1E+17");

	/**
	 * If another thing is added up, or in another time, it is another budget; with
	 * another limit it is the same.
	 */
	static SharedBudget of(String hook, String what, BudgetTerms terms, int maxPlaces, Duration lease) {
		String text = String.join("\n", "budget", hook, what, terms.per(), terms.timeZone().getId(),
				terms.key().identity());
		return new SharedBudget(Sha256.hex(text), terms,
				terms.warnBelow().setScale(Math.min(terms.warnBelow().scale(), SCALE), RoundingMode.FLOOR),
				(terms.period() == null) ? SharedLimits.micros(terms.forgetAfter()) : 0, maxPlaces,
				SharedLimits.micros(lease));
	}

	/** In microseconds, or 0 if there is none. */
	long endOfPeriod(long now) {
		Instant end = this.terms.newAt(Instant.EPOCH.plus(now, ChronoUnit.MICROS));
		return (end != null) ? ChronoUnit.MICROS.between(Instant.EPOCH, end) : 0;
	}

	/**
	 * Amounts end where nobody has so much left. Behind the last digit they are rounded
	 * up.
	 */
	static BigDecimal bounded(BigDecimal amount) {
		BigDecimal bounded = amount.min(MOST);
		return (bounded.scale() > SCALE) ? bounded.setScale(SCALE, RoundingMode.UP) : bounded;
	}

}
