package io.agenthooks.policy;

import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;

import io.agenthooks.pattern.Budget;

/**
 * The name or the number of a host, in the one spelling that all others of it have: in
 * lower case, without a dot at its end, names in ASCII, numbers with four parts. What
 * clients read differently is not read.
 *
 * @since 0.1.0
 */
public final class HostName {

	private static final int MAX_LENGTH = 253;

	private static final int MAX_WRITTEN = 1024;

	/** Characters that the two versions of IDNA read as different names. */
	private static final String DEVIATING = "\u00DF\u1E9E\u03C2\u200C\u200D";

	private static final Pattern LABEL = Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?");

	private HostName() {
	}

	/**
	 * Read a host, without a port.
	 * @param written the host as it is written, a number of IPv6 in brackets or without
	 * @return its one spelling
	 * @throws UnreadableValueException if it is none, or clients do not agree which
	 */
	public static String of(String written) throws UnreadableValueException {
		if (written.isEmpty() || written.length() > MAX_WRITTEN) {
			throw new UnreadableValueException("a host is empty or too long");
		}
		if (written.indexOf(':') >= 0 || written.charAt(0) == '[') {
			return ipv6(written);
		}
		String name = ascii(written);
		if (name.endsWith(".")) {
			name = name.substring(0, name.length() - 1);
		}
		if (name.length() > MAX_LENGTH) {
			throw new UnreadableValueException("a host is too long");
		}
		String[] labels = name.split("\\.", -1);
		for (String label : labels) {
			checkLabel(label);
		}
		return (isNumber(labels[labels.length - 1])) ? ipv4(labels) : name;
	}

	/**
	 * Whether a host is a domain or below it.
	 * @param host the host, in its one spelling
	 * @param domain the domain, in its one spelling
	 * @return whether it is
	 */
	public static boolean isUnder(String host, String domain) {
		return host.equals(domain) || host.endsWith("." + domain);
	}

	/**
	 * Whether a host is one of the own machine or network, as far as that can be told
	 * from its name.
	 * @param host the host, in any spelling, without a port
	 * @return whether it is
	 */
	public static boolean isInternal(String host) {
		return InternalHost.ofUrl((host.indexOf(':') >= 0 && !host.startsWith("[")) ? "[" + host + "]" : host) != 0;
	}

	private static String ascii(String written) throws UnreadableValueException {
		if (written.chars().allMatch((character) -> character < 0x80)) {
			return written.toLowerCase(Locale.ROOT);
		}
		if (written.chars().anyMatch((character) -> DEVIATING.indexOf(character) >= 0)) {
			throw new UnreadableValueException("clients read the name of a host differently");
		}
		try {
			String plain = SearchText.clean(written, new Budget()).replace('\u3002', '.').toLowerCase(Locale.ROOT);
			return IDN.toASCII(plain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
		}
		catch (IllegalArgumentException ex) {
			throw new UnreadableValueException("the name of a host cannot be read");
		}
	}

	private static void checkLabel(String label) throws UnreadableValueException {
		if (!LABEL.matcher(label).matches()) {
			throw new UnreadableValueException("the name of a host has characters that no host has");
		}
	}

	private static boolean isNumber(String label) {
		return label.matches("[0-9]+|0x[0-9a-f]*");
	}

	/**
	 * A number as browsers and {@code inet_aton} read it. With a zero before it some read
	 * it in another base.
	 */
	private static String ipv4(String[] labels) throws UnreadableValueException {
		if (labels.length > 4) {
			throw new UnreadableValueException("a host is a number of too many parts");
		}
		long address = 0;
		for (int i = 0; i < labels.length; i++) {
			long part = part(labels[i]);
			int bits = (i == labels.length - 1) ? 8 * (5 - labels.length) : 8;
			if (part >= 1L << bits) {
				throw new UnreadableValueException("a part of a host that is a number is too large");
			}
			address = (address << bits) | part;
		}
		return "%d.%d.%d.%d".formatted(address >> 24, address >> 16 & 0xFF, address >> 8 & 0xFF, address & 0xFF);
	}

	private static long part(String label) throws UnreadableValueException {
		boolean isHex = label.startsWith("0x");
		boolean isOctal = !isHex && label.length() > 1 && label.charAt(0) == '0';
		String digits = (isHex) ? label.substring(2) : label;
		try {
			if (digits.isEmpty() || digits.length() > 20) {
				throw new UnreadableValueException("clients read a host that is a number differently");
			}
			long part = Long.parseLong(digits, (isHex) ? 16 : (isOctal) ? 8 : 10);
			if (isOctal && part != Long.parseLong(digits)) {
				throw new UnreadableValueException("clients read a host that is a number differently");
			}
			return part;
		}
		catch (NumberFormatException ex) {
			throw new UnreadableValueException("a host is no number, though its last part is");
		}
	}

	private static String ipv6(String written) throws UnreadableValueException {
		boolean inBrackets = written.charAt(0) == '[' && written.endsWith("]");
		String address = (inBrackets) ? written.substring(1, written.length() - 1) : written;
		int[] groups = InternalNetworks.groups(address.toLowerCase(Locale.ROOT));
		if (groups == null || address.indexOf('[') >= 0) {
			throw new UnreadableValueException("a host with colons is no address of IPv6");
		}
		boolean isMapped = groups[5] == 0xFFFF;
		for (int i = 0; i < 5; i++) {
			isMapped &= groups[i] == 0;
		}
		if (isMapped) {
			return "%d.%d.%d.%d".formatted(groups[6] >> 8, groups[6] & 0xFF, groups[7] >> 8, groups[7] & 0xFF);
		}
		StringBuilder text = new StringBuilder();
		for (int group : groups) {
			text.append((text.isEmpty()) ? "" : ":").append(Integer.toHexString(group));
		}
		return text.toString();
	}

}
