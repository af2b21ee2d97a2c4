package io.agenthooks.redact;

import java.util.function.BiConsumer;

/**
 * Finds addresses of the internet protocol, of version 4 and 6. A version of four numbers
 * looks the same.
 */
final class IpAddresses {

	private static final int MAX_LENGTH = 45;

	private static final int GROUPS = 8;

	private IpAddresses() {
	}

	/**
	 * Find the addresses in a text.
	 * @param text the text
	 * @param hits gets the start and the end of each
	 */
	static void find(String text, BiConsumer<Integer, Integer> hits) {
		for (int i = 0; i < text.length();) {
			if (!isPart(text.charAt(i))) {
				i++;
				continue;
			}
			int start = (Escapes.endsAt(text, i + 1) && i + 1 < text.length()) ? i + 1 : i;
			int end = i + 1;
			while (end < text.length() && isPart(text.charAt(end))) {
				end++;
			}
			find(text, start + Math.min(Escapes.lengthAt(text, start), end - start), end, hits);
			i = end;
		}
	}

	/**
	 * Whether this is a sign of addresses, or of a word that none is part of.
	 */
	private static boolean isPart(char character) {
		return Character.isLetterOrDigit(character) || character == '.' || character == ':' || character == '_';
	}

	private static void find(String text, int first, int last, BiConsumer<Integer, Integer> hits) {
		int start = first;
		int end = last;
		while (end > start && (text.charAt(end - 1) == '.'
				|| (text.charAt(end - 1) == ':' && (end - 2 < start || text.charAt(end - 2) != ':')))) {
			end--;
		}
		if (end - start > MAX_LENGTH + 8) {
			return;
		}
		int port = start;
		while (port < end && text.charAt(port) != ':') {
			port++;
		}
		int four = (port > start) ? port : end;
		if (isFour(text, start, four)) {
			hits.accept(start, four);
		}
		else if (isSix(text, start, end)) {
			hits.accept(start, end);
		}
		else if (port > start && port < end) {
			// Behind a name: host:10.0.0.1
			int name = start + text.substring(start, end).lastIndexOf(':') + 1;
			if (isFour(text, name, end)) {
				hits.accept(name, end);
			}
		}
	}

	private static boolean isFour(String text, int start, int end) {
		int parts = 0;
		int digits = 0;
		int value = 0;
		for (int i = start; i <= end; i++) {
			char character = (i < end) ? text.charAt(i) : '.';
			if (character == '.') {
				if (digits == 0 || digits > 3 || value > 255) {
					return false;
				}
				parts++;
				digits = 0;
				value = 0;
			}
			else if (character >= '0' && character <= '9') {
				digits++;
				value = Math.min(1000, 10 * value + character - '0');
			}
			else {
				return false;
			}
		}
		return parts == 4;
	}

	private static boolean isSix(String text, int start, int end) {
		int groups = 0;
		int gaps = 0;
		boolean hasDigit = false;
		int position = start;
		while (position < end) {
			int next = position;
			while (next < end && text.charAt(next) < 0x80 && Character.digit(text.charAt(next), 16) >= 0) {
				hasDigit |= text.charAt(next) <= '9';
				next++;
			}
			if (next < end && text.charAt(next) == '.') {
				return groups + 2 <= GROUPS && (gaps == 1 || groups + 2 == GROUPS) && isFour(text, position, end);
			}
			if (next - position > 4) {
				return false;
			}
			groups += (next > position) ? 1 : 0;
			if (next == end) {
				break;
			}
			if (text.charAt(next) != ':') {
				return false;
			}
			boolean isGap = next + 1 < end && text.charAt(next + 1) == ':';
			if (next == position && !isGap) {
				return false;
			}
			gaps += (isGap) ? 1 : 0;
			position = next + ((isGap) ? 2 : 1);
			if (position == end && !isGap) {
				return false;
			}
		}
		return (gaps == 0 && groups == GROUPS) || (gaps == 1 && groups < GROUPS && groups > 0 && hasDigit);
	}

}
