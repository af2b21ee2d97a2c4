package io.agenthooks.policy;

import io.agenthooks.pattern.Budget;

/** Tells versions of packages, such as {@code npm@10.2.3}, from hosts of URLs. */
final class PackageVersions {

	private static final int MAX_NAME = 64;

	private PackageVersions() {
	}

	/**
	 * Put a letter for the first digit of what is most likely a version, as {@code
	 * npm@10.2.3} behind an address that is over. A client that takes all before an
	 * {@code @} for a name and a password would go there, but only if it were given more
	 * than an address. Where a client is known to read the text, nothing is taken for a
	 * version.
	 */
	static String mask(String text, Budget budget) {
		StringBuilder masked = null;
		int host = -1;
		for (int i = text.indexOf("//"); i >= 0 && i < text.length(); i++) {
			if (HostCharacters.isSlash(text.charAt(i))) {
				host = i + 1;
			}
			else if (text.charAt(i) == '@' && isVersion(text, i) && isOver(text, host, i, budget)) {
				if (masked == null && NetworkPrograms.isForClient(text)) {
					return text;
				}
				masked = (masked != null) ? masked : new StringBuilder(text);
				masked.setCharAt(i + 1, 'v');
			}
		}
		return (masked != null) ? masked.toString() : text;
	}

	/** Two or three numbers behind a word, of which the first is 10. */
	private static boolean isVersion(String text, int sign) {
		if (!text.startsWith("10.", sign + 1)) {
			return false;
		}
		int start = sign;
		while (start > 0 && sign - start <= MAX_NAME && HostCharacters.isOfName(text.charAt(start - 1))) {
			start--;
		}
		if (start == sign || start == 0 || !HostCharacters.endsWord(text.charAt(start - 1))) {
			return false;
		}
		int end = sign + 4;
		int dots = 0;
		while (end < text.length() && end - sign <= MAX_NAME
				&& (HostCharacters.isDigit(text.charAt(end)) || (text.charAt(end) == '.' && end + 1 < text.length()
						&& HostCharacters.isDigit(text.charAt(end + 1))))) {
			dots += (text.charAt(end) == '.') ? 1 : 0;
			end++;
		}
		return end > sign + 4 && dots <= 1 && (end == text.length() || HostCharacters.endsWord(text.charAt(end)));
	}

	/** Whether an address is over before the end, with a name in a domain as its host. */
	private static boolean isOver(String text, int start, int end, Budget budget) {
		int i = start;
		int label = start;
		while (i < end && i - start <= InternalHost.MAX_LENGTH
				&& (HostCharacters.isOfName(text.charAt(i)) && text.charAt(i) != '+')) {
			label = (text.charAt(i) == '.') ? i + 1 : label;
			i++;
		}
		budget.spend((long) InternalAddresses.LOOKING * (i - start));
		boolean isName = label > start + 1 && i - label > 1
				&& text.substring(label, i).chars().allMatch(Character::isLetter);
		if (i < end && text.charAt(i) == ':') {
			i++;
			while (i < end && i - start <= InternalHost.MAX_LENGTH && HostCharacters.isDigit(text.charAt(i))) {
				i++;
			}
		}
		return isName && i < end && HostCharacters.endsWord(text.charAt(i));
	}

}
