package io.agenthooks;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids of calls and runs that no other call or run has, here or elsewhere: UUIDs of
 * version 7 (RFC 9562), which sort by time. Nobody may rely on an id being secret.
 *
 * @since 0.1.0
 */
public final class UniqueId {

	private static final long VERSION = 0x7000;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	/** The random numbers of threads begin with nothing but the time. */
	private static final long MACHINE = new SecureRandom().nextLong();

	private UniqueId() {
	}

	/**
	 * Make an id.
	 * @return the id, in the usual form of a UUID
	 */
	public static String next() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		long time = System.currentTimeMillis() << 16;
		return new UUID(time | VERSION | (mix(random.nextLong()) & 0xFFF), VARIANT | (mix(random.nextLong()) >>> 2))
			.toString();
	}

	/** The finalizer of MurmurHash3, by which no two numbers become one. */
	private static long mix(long random) {
		long mixed = random ^ MACHINE;
		mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
		return mixed ^ (mixed >>> 33);
	}

}
