package io.agenthooks.spring.limit;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import io.agenthooks.Sha256;

/**
 * The limits of a hook in whole numbers of microseconds, as they are counted. Of a limit
 * that comes back, a store keeps one time: when all of it has come back. Each call that
 * counts moves it on by the time that one call takes to come back, and a call passes if
 * it is then not further away than the time that the burst takes. That is what a bucket
 * of tokens does, without rounding and without a task that fills it.
 *
 * @param paces how they come back, in the same order
 * @param maxKeys how many keys are kept at most
 * @param maxPlaces how many calls of a key have a place at the same time at most
 * @param lease how long a call has its place at most; then it counts
 */
record SharedLimits(String entry, List<WrittenLimit> written, List<Pace> paces, long forgetAfter, int maxKeys,
		int maxPlaces, long lease) {

	/** Longer than a call may wait for people on its thread. */
	static final Duration LEASE = Duration.ofMinutes(90);

	/**
	 * In the memory of the node that makes the call a place lasts as long as it takes.
	 */
	static final Duration ENDLESS = Duration.ofDays(10_000_000);

	/** They are all in one text. */
	static final int MAX_PLACES = 1_000;

	/** As long as a call that was counted may wait for people. */
	static final Duration REMEMBERED = Duration.ofDays(30);

	private static final SecureRandom random = new SecureRandom();

	private static final int ID_BYTES = 9;

	/** If they are written otherwise, they are others. */
	static SharedLimits of(String hook, List<WrittenLimit> limits, Duration forgetAfter, int maxKeys, int maxPlaces,
			Duration lease) {
		String texts = limits.stream().map(WrittenLimit::text).collect(Collectors.joining("\n"));
		return new SharedLimits(Sha256.hex(hook + "\n" + texts), List.copyOf(limits),
				limits.stream().map(Pace::of).toList(),
				(limits.stream().anyMatch((limit) -> limit.period() == null)) ? micros(forgetAfter) : 0, maxKeys,
				maxPlaces, micros(lease));
	}

	long longest() {
		return Math.max(this.forgetAfter,
				this.paces.stream().mapToLong((pace) -> pace.fullMicros() + 1).max().orElse(0));
	}

	static String newId() {
		byte[] bytes = new byte[ID_BYTES];
		random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	static long micros(Duration time) {
		return Math.max(1, time.dividedBy(Duration.of(1, ChronoUnit.MICROS)));
	}

	/**
	 * The pace at which a limit comes back. Times have a rest, in parts of which
	 * {@code calls} make one microsecond. All products of these numbers are below 2^53,
	 * up to which also Redis counts exactly.
	 *
	 * @param micros the time that one call takes to come back, or below zero if it never
	 * does
	 */
	record Pace(long calls, long burst, long micros, long rest, long fullMicros, long fullRest) {

		static Pace of(WrittenLimit limit) {
			Duration period = limit.period();
			if (period == null) {
				return new Pace(limit.calls(), limit.calls(), -1, 0, 0, 0);
			}
			BigInteger calls = BigInteger.valueOf(limit.calls());
			BigInteger micros = BigInteger.valueOf(SharedLimits.micros(period));
			BigInteger[] one = micros.divideAndRemainder(calls);
			BigInteger[] full = micros.multiply(BigInteger.valueOf(limit.burst())).divideAndRemainder(calls);
			return new Pace(limit.calls(), limit.burst(), one[0].longValueExact(), one[1].longValueExact(),
					full[0].longValueExact(), full[1].longValueExact());
		}

		boolean comesBack() {
			return this.micros >= 0;
		}

	}

}
