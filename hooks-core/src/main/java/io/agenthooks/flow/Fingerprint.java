package io.agenthooks.flow;

import java.security.SecureRandom;

/**
 * Hashes of 61 bits of values, so that a run keeps no text: the values of a polynomial at
 * a place that only this process, or the nodes that share what was read, know. So nobody
 * else can write a text whose hash is that of another.
 */
final class Fingerprint {

	/** The kinds of hashed text; the same text as two of these has two hashes. */
	static final int TOKEN = 1;

	static final int MARK = 2;

	static final int NUMBER = 3;

	static final int HOST = 4;

	static final int PATH = 5;

	private static final long PRIME = (1L << 61) - 1;

	static final Fingerprint OF_PROCESS = new Fingerprint(new SecureRandom().nextLong());

	private final long place;

	Fingerprint(long secret) {
		this.place = (secret >>> 4) | (1L << 58);
	}

	long of(int kind, CharSequence text) {
		long hash = kind;
		int i = 0;
		int end = text.length();
		// Three characters are one number, which is less than the prime.
		for (; i < end - 2; i += 3) {
			hash = add(hash, ((long) text.charAt(i) << 32) | ((long) text.charAt(i + 1) << 16) | text.charAt(i + 2));
		}
		for (; i < end; i++) {
			hash = add(hash, text.charAt(i));
		}
		// The last step makes near texts far from each other.
		return add(hash, end);
	}

	private long add(long hash, long more) {
		long high = Math.multiplyHigh(hash, this.place);
		long low = hash * this.place;
		long sum = (low & PRIME) + ((low >>> 61) | (high << 3)) + more + 1;
		sum = (sum & PRIME) + (sum >>> 61);
		return (sum >= PRIME) ? sum - PRIME : sum;
	}

}
