package io.agenthooks.policy;

import java.util.Locale;

import io.agenthooks.pattern.Budget;

/**
 * Tells which internal network a host leads to, as it is written: with port, brackets and
 * percent signs.
 */
final class InternalHost {

	/** Longer is not a host; the limit of DNS with each character as three. */
	static final int MAX_LENGTH = 1024;

	/** More letters before the value are not options. */
	static final int MAX_OPTIONS = 6;

	private InternalHost() {
	}

	static int ofUrl(String written) {
		String host = (written.endsWith("\\")) ? written.substring(0, written.length() - 1) : written;
		for (int i = 0; i < PercentEncoding.MAX_ROUNDS && host.indexOf('%') >= 0; i++) {
			host = PercentEncoding.decode(host);
		}
		int found = ofUrlPart(plain(SearchText.clean(host, new Budget())));
		if (found == 0 && !host.chars().allMatch((character) -> HostCharacters.isPart((char) character))) {
			// Some clients cut a host where it holds what no host may. None starts to
			// read behind the sign of a variable, as in //$0.
			StringBuilder part = new StringBuilder();
			boolean isRead = true;
			for (int i = 0; i <= host.length(); i++) {
				if (i < host.length() && HostCharacters.isPart(host.charAt(i))) {
					part.append(host.charAt(i));
				}
				else {
					found |= (isRead) ? ofUrlPart(plain(part.toString())) : 0;
					part.setLength(0);
					isRead = i == host.length() || "$*~!^+".indexOf(host.charAt(i)) < 0;
				}
			}
		}
		return found;
	}

	static int ofUrlPart(String host) {
		String withoutPort = withoutPort(host);
		int found = InternalNetworks.ofName(withoutPort) | InternalNetworks.ofHostWord(withoutPort)
				| InternalNetworks.ipv6(withoutPort) | InternalNetworks.ipv4(withoutPort, 1)
				| ((host.equals(withoutPort)) ? 0 : InternalNetworks.ipv6(host));
		if (found != 0 || (host.indexOf(':') < 0 && "[]_-".indexOf(last(host)) < 0)) {
			return found;
		}
		// With brackets around it, with a mark of Markdown behind it, or with two ports.
		String inner = withoutPort.replace("[", "").replace("]", "");
		int end = inner.indexOf(':');
		inner = (end >= 0 && !InternalNetworks.isIpv6(inner)) ? inner.substring(0, end) : inner;
		while ("_-".indexOf(last(inner)) >= 0) {
			inner = inner.substring(0, inner.length() - 1);
		}
		return InternalNetworks.ofName(inner) | InternalNetworks.ipv4(plain(inner), 1);
	}

	/** The bits of a word, if it is unmistakable. */
	static int ofWord(String word, boolean behindProgram) {
		int found = ofWordPart(word, behindProgram);
		// An option and its value, as in -x127.1, and more options before them.
		for (int i = 1; found == 0 && i <= MAX_OPTIONS && i + 1 < word.length() && word.charAt(0) == '-'
				&& isOption(word.charAt(i)); i++) {
			String value = word.substring(i + 1);
			found = (mayBeHost(value)) ? ofWordPart(value, behindProgram) : InternalNetworks.ofName(plain(value));
		}
		return found;
	}

	static int ofWordPart(String word, boolean behindProgram) {
		String host = plain((word.indexOf('%') >= 0) ? PercentEncoding.decode(word) : word);
		int found = 0;
		for (String part : host.split(":", -1)) {
			found |= ofPart(plain(part.replace("[", "").replace("]", "")), behindProgram);
		}
		return (found != 0 || host.equals("::")) ? found
				: InternalNetworks.ipv6(host) | InternalNetworks.ipv6(withoutPort(host));
	}

	private static int ofPart(String part, boolean behindProgram) {
		if (part.isEmpty() || Character.digit(part.charAt(0), 10) < 0) {
			return InternalNetworks.ofName(part);
		}
		int found = InternalNetworks.ipv4(part, 4) | InternalNetworks.ofName(part);
		if (found != 0) {
			// A server listens to this address; only a client means itself by it.
			return (part.equals("0.0.0.0") && !behindProgram) ? 0 : found;
		}
		boolean isLarge = isLargeNumber(part);
		// Two parts are more likely a time limit than a private address.
		return (behindProgram && (isLarge || part.indexOf('.') >= 0)) ? InternalNetworks.ipv4(part, 1)
				& ((isLarge) ? -1 : InternalNetworks.LOOPBACK | InternalNetworks.LINK_LOCAL) : 0;
	}

	private static boolean isLargeNumber(String host) {
		return host.indexOf('.') < 0 && host.length() >= "16777216".length();
	}

	static boolean mayBeHost(String word) {
		return word.chars().anyMatch((character) -> Character.isDigit(character) || character == ':');
	}

	private static boolean isOption(char character) {
		return "046#:".indexOf(character) >= 0 || Character.isLetter(character);
	}

	/** Zero right behind a program is the machine itself. */
	static boolean isZero(String word) {
		return word.charAt(0) == '0' && withoutPort(word.toLowerCase(Locale.ROOT)).matches("0+|0x0*");
	}

	static String plain(String host) {
		String plain = host.toLowerCase(Locale.ROOT).replace('\u3002', '.');
		int end = plain.length();
		while (end > 0 && plain.charAt(end - 1) == '.') {
			end--;
		}
		return plain.substring(0, end);
	}

	private static String withoutPort(String host) {
		int bracket = host.lastIndexOf(']');
		if (bracket >= 0) {
			return host.substring(0, bracket + 1);
		}
		int colon = host.indexOf(':');
		return (colon >= 0 && colon == host.lastIndexOf(':')) ? plain(host.substring(0, colon)) : host;
	}

	private static char last(String text) {
		return (text.isEmpty()) ? ' ' : text.charAt(text.length() - 1);
	}

}
