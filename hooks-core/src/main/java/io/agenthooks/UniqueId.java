package io.agenthooks;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Ids of calls and runs that no other call or run has, in this Java machine or another:
 * UUIDs of version 7 (RFC 9562), which sort by the time at which they were made. Nobody
 * may rely on an id being secret.
 *
 * @since 0.1.0
 */
public final class UniqueId {

	private static final long VERSION = 0x7000;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	/** Each thread has its own, since a shared one is a place where threads wait. */
	private static final ThreadLocal<SplittableRandom> randoms = ThreadLocal
		.withInitial(() -> new SplittableRandom(new SecureRandom().nextLong()));

	private UniqueId() {
	}

	/**
	 * Make an id.
	 * @return the id, in the usual form of a UUID
	 */
	public static String next() {
		SplittableRandom random = randoms.get();
		long time = System.currentTimeMillis() << 16;
		return new UUID(time | VERSION | (random.nextInt() & 0xFFF), VARIANT | (random.nextLong() >>> 2)).toString();
	}

}
