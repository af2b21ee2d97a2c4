package io.agenthooks.policy;

/**
 * The kind of a name or number that is an address of the own machine or network. Nothing
 * is resolved.
 *
 * @since 0.1.0
 */
public enum InternalAddress {

	/** The machine itself: {@code 127.0.0.0/8}, {@code ::1}, {@code localhost}. */
	LOOPBACK(1),

	/**
	 * The metadata addresses of clouds, which give a machine its secrets:
	 * {@code 169.254.169.254} and others.
	 */
	METADATA(2),

	/** The own wire: {@code 169.254.0.0/16}, {@code fe80::/10}. */
	LINK_LOCAL(4),

	/** Private networks: {@code 10.0.0.0/8}, {@code 192.168.0.0/16} and others. */
	PRIVATE_NETWORK(8);

	private final int bit;

	InternalAddress(int bit) {
		this.bit = bit;
	}

	int bit() {
		return this.bit;
	}

}
