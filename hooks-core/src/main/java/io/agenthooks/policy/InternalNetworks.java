package io.agenthooks.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Tells which internal network a number or name leads to, as the bits of
 * {@link InternalAddress}. Nothing is resolved.
 */
final class InternalNetworks {

	static final int LOOPBACK = InternalAddress.LOOPBACK.bit();

	static final int LINK_LOCAL = InternalAddress.LINK_LOCAL.bit();

	private static final int METADATA = InternalAddress.METADATA.bit();

	private static final int PRIVATE = InternalAddress.PRIVATE_NETWORK.bit();

	private static final Map<String, Integer> NAMES = Map.ofEntries(Map.entry("localhost", LOOPBACK),
			Map.entry("localhost.localdomain", LOOPBACK), Map.entry("localhost4", LOOPBACK),
			Map.entry("localhost6", LOOPBACK), Map.entry("ip6-localhost", LOOPBACK),
			Map.entry("ip6-loopback", LOOPBACK), Map.entry("localtest.me", LOOPBACK), Map.entry("lvh.me", LOOPBACK),
			Map.entry("metadata.google.internal", METADATA), Map.entry("metadata.goog", METADATA),
			Map.entry("instance-data.ec2.internal", METADATA), Map.entry("metadata.azure.internal", METADATA),
			Map.entry("metadata.tencentyun.com", METADATA), Map.entry("host.docker.internal", LOOPBACK),
			Map.entry("gateway.docker.internal", LOOPBACK), Map.entry("kubernetes.default.svc", PRIVATE),
			Map.entry("kubernetes.default.svc.cluster.local", PRIVATE));

	/** Names that are too much of a word to count elsewhere than as a host. */
	private static final Map<String, Integer> HOST_NAMES = Map.of("metadata", METADATA, "instance-data", METADATA,
			"loopback", LOOPBACK, "kubernetes.default", PRIVATE);

	/** Domains below which every name leads to the same network. */
	private static final Map<String, Integer> DOMAINS = Map.of(".localhost", LOOPBACK, ".localtest.me", LOOPBACK,
			".lvh.me", LOOPBACK);

	/** Domains whose names say the address that they lead to. */
	private static final Set<String> TELLING_DOMAINS = Set.of(".nip.io", ".sslip.io", ".xip.io");

	private static final Set<Integer> METADATA_SERVICES = Set.of(ip(169, 254, 169, 254), ip(169, 254, 170, 2),
			ip(169, 254, 170, 23), ip(100, 100, 100, 200), ip(192, 0, 0, 192), ip(168, 63, 129, 16));

	private static final Set<List<Integer>> METADATA_SERVICES_6 = Set.of(List.of(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254),
			List.of(0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x23), List.of(0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254));

	private InternalNetworks() {
	}

	static int ofWord(String word) {
		return NAMES.getOrDefault(word, 0);
	}

	static int ofHostWord(String host) {
		return HOST_NAMES.getOrDefault(host, 0);
	}

	static int ofName(String host) {
		Integer known = NAMES.get(host);
		if (known != null) {
			return known;
		}
		for (Map.Entry<String, Integer> domain : DOMAINS.entrySet()) {
			if (host.endsWith(domain.getKey())) {
				return domain.getValue();
			}
		}
		for (String domain : TELLING_DOMAINS) {
			if (host.endsWith(domain)) {
				return ofAddressInName(host.substring(0, host.length() - domain.length()));
			}
		}
		return 0;
	}

	/** The bits of an address in a name, such as {@code www.10-0-0-1}. */
	private static int ofAddressInName(String name) {
		String[] labels = name.split("[.-]", -1);
		for (int i = 0; i + 4 <= labels.length; i++) {
			int found = ipv4(String.join(".", labels[i], labels[i + 1], labels[i + 2], labels[i + 3]), 4);
			if (found != 0) {
				return found;
			}
		}
		String last = labels[labels.length - 1];
		return (last.matches("[0-9a-f]{8}")) ? ipv4(Integer.parseUnsignedInt(last, 16)) | ipv4(last, 1) : ipv4(last, 1);
	}

	/**
	 * Readers do not agree about zeros at the start and parts that are too large, so each
	 * way of reading counts, as in {@code inet_aton}.
	 */
	static int ipv4(String host, int minParts) {
		String[] parts = host.split("\\.", 5);
		if (parts.length < minParts || parts.length > 4) {
			return 0;
		}
		long[] usual = new long[parts.length];
		long[] decimal = new long[parts.length];
		for (int i = 0; i < parts.length; i++) {
			usual[i] = number(parts[i], false);
			decimal[i] = number(parts[i], true);
			if (usual[i] < 0 && decimal[i] < 0) {
				return 0;
			}
		}
		return ofParts(usual, false) | ofParts(decimal, false) | ((minParts == 1) ? ofParts(usual, true) : 0);
	}

	private static long number(String part, boolean isDecimal) {
		int base = 10;
		String digits = part;
		if (part.startsWith("0x")) {
			base = 16;
			digits = part.substring(2);
			if (digits.isEmpty()) {
				return 0;
			}
		}
		else if (part.length() > 1 && part.startsWith("0") && !isDecimal) {
			base = 8;
		}
		if (digits.isEmpty()) {
			return -1;
		}
		long value = 0;
		for (int i = 0; i < digits.length(); i++) {
			int digit = Character.digit(digits.charAt(i), base);
			if (digit < 0 || value > Integer.MAX_VALUE * 16L) {
				return -1;
			}
			value = value * base + digit;
		}
		return value;
	}

	private static int ofParts(long[] parts, boolean isCut) {
		long address = 0;
		for (int i = 0; i < parts.length; i++) {
			boolean isLast = i == parts.length - 1;
			int bits = (isLast) ? 8 * (5 - parts.length) : 8;
			long part = parts[i];
			if (part < 0 || (part >= 1L << bits && !isCut)) {
				return 0;
			}
			address = (address << bits) | (part & ((1L << bits) - 1));
		}
		return ipv4((int) address);
	}

	private static int ipv4(int address) {
		int kinds = (METADATA_SERVICES.contains(address)) ? METADATA : 0;
		if (isIn(address, ip(127, 0, 0, 0), 8) || address == 0) {
			return kinds | LOOPBACK;
		}
		if (isIn(address, ip(169, 254, 0, 0), 16)) {
			return kinds | LINK_LOCAL;
		}
		boolean isPrivate = isIn(address, ip(10, 0, 0, 0), 8) || isIn(address, ip(172, 16, 0, 0), 12)
				|| isIn(address, ip(192, 168, 0, 0), 16) || isIn(address, ip(100, 64, 0, 0), 10);
		return (isPrivate) ? kinds | PRIVATE : kinds;
	}

	private static boolean isIn(int address, int network, int bits) {
		return (address ^ network) >>> (32 - bits) == 0;
	}

	private static int ip(int first, int second, int third, int fourth) {
		return (first << 24) | (second << 16) | (third << 8) | fourth;
	}

	static int ipv6(String host) {
		String address = host;
		if (address.startsWith("[")) {
			int end = address.indexOf(']');
			address = address.substring(1, (end >= 0) ? end : address.length());
		}
		int zone = address.indexOf('%');
		address = (zone >= 0) ? address.substring(0, zone) : address;
		int[] groups = (address.indexOf(':') >= 0) ? groups(address) : null;
		return (groups != null) ? ofGroups(groups) : 0;
	}

	static boolean isIpv6(String address) {
		return groups(address) != null;
	}

	private static int ofGroups(int[] groups) {
		boolean startsWithZeros = true;
		for (int i = 0; i < 5; i++) {
			startsWithZeros &= groups[i] == 0 || (i == 4 && groups[i] == 0xFFFF && groups[5] == 0);
		}
		int last = (groups[6] << 16) | groups[7];
		if (startsWithZeros && groups[5] == 0 && groups[6] == 0 && groups[4] == 0) {
			return (groups[7] <= 1) ? LOOPBACK : 0;
		}
		if (startsWithZeros && (groups[5] == 0 || groups[5] == 0xFFFF)) {
			return ipv4(last);
		}
		if (groups[0] == 0x64 && groups[1] == 0xFF9B) {
			return ipv4(last);
		}
		if (groups[0] == 0x2002) {
			return ipv4((groups[1] << 16) | groups[2]);
		}
		if ((groups[0] & 0xFFC0) == 0xFE80) {
			return LINK_LOCAL;
		}
		boolean isMetadata = METADATA_SERVICES_6.contains(Arrays.stream(groups).boxed().toList());
		boolean isPrivate = (groups[0] & 0xFE00) == 0xFC00 || (groups[0] & 0xFFC0) == 0xFEC0;
		return ((isMetadata) ? METADATA : 0) | ((isPrivate) ? PRIVATE : 0);
	}

	static int @Nullable [] groups(String address) {
		int gap = address.indexOf("::");
		int[] groups = new int[8];
		int[] head = parts((gap >= 0) ? address.substring(0, gap) : address);
		int[] tail = (gap >= 0) ? parts(address.substring(gap + 2)) : new int[0];
		if (head == null || tail == null || head.length + tail.length > ((gap >= 0) ? 7 : 8)
				|| (gap < 0 && head.length != 8)) {
			return null;
		}
		System.arraycopy(head, 0, groups, 0, head.length);
		System.arraycopy(tail, 0, groups, 8 - tail.length, tail.length);
		return groups;
	}

	private static int @Nullable [] parts(String text) {
		if (text.isEmpty()) {
			return new int[0];
		}
		String[] parts = text.split(":", 10);
		boolean endsWithIpv4 = parts[parts.length - 1].indexOf('.') >= 0;
		int[] groups = new int[parts.length + ((endsWithIpv4) ? 1 : 0)];
		for (int i = 0; i < parts.length; i++) {
			if (i == parts.length - 1 && endsWithIpv4) {
				String[] bytes = parts[i].split("\\.", 5);
				for (int j = 0; j < 4; j++) {
					long value = (bytes.length == 4) ? number(bytes[j], true) : -1;
					if (value < 0 || value > 255) {
						return null;
					}
					groups[i + j / 2] = (groups[i + j / 2] << 8) | (int) value;
				}
			}
			else if (!parts[i].matches("[0-9a-f]{1,4}")) {
				return null;
			}
			else {
				groups[i] = Integer.parseInt(parts[i], 16);
			}
		}
		return groups;
	}

}
