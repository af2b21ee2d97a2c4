package io.agenthooks.policy;

import java.util.Locale;
import java.util.Set;

/**
 * Reads the start of a URL as lenient clients do: its scheme, and the slashes behind it.
 */
final class UrlStart {

	static final int MAX_SCHEME = 32;

	/** Schemes of which some clients want no slashes behind them, or any number. */
	private static final Set<String> LENIENT_SCHEMES = Set.of("http", "https", "ftp", "ws", "wss");

	private UrlStart() {
	}

	static boolean isUrl(String text) {
		StringBuilder start = new StringBuilder();
		for (int i = 0; i < text.length() && start.length() <= MAX_SCHEME; i++) {
			char character = text.charAt(i);
			if (character == ':') {
				return afterScheme(start + asUrl(text.substring(i, Math.min(i + 8, text.length())))) > 0;
			}
			if (character > ' ') {
				start.append(character);
			}
		}
		return false;
	}

	/** As clients read it: without tabs, line breaks, and blanks around it. */
	static String asUrl(String text) {
		return text.trim().replace("\t", "").replace("\r", "").replace("\n", "");
	}

	/** The position behind scheme and slashes, or 0 without a scheme. */
	static int afterScheme(String text) {
		int end = 0;
		while (end < text.length() && HostCharacters.isOfScheme(text.charAt(end))) {
			end++;
		}
		if (end == 0 || end > MAX_SCHEME || end == text.length() || text.charAt(end) != ':') {
			return 0;
		}
		int start = afterSlashes(text, end + 1, false);
		return (start > end + 1 || isBehindScheme(text, end)) ? start : 0;
	}

	static int afterSlashes(String text, int start, boolean withDropped) {
		int end = start;
		while (end < text.length()
				&& (HostCharacters.isSlash(text.charAt(end)) || (withDropped && isDropped(text, end)))) {
			end++;
		}
		return end;
	}

	/** Whether it ends a scheme behind which some clients want no slashes. */
	static boolean isBehindScheme(String text, int colon) {
		int start = colon;
		while (start > 0 && colon - start <= "https".length() && Character.isLetterOrDigit(text.charAt(start - 1))) {
			start--;
		}
		return LENIENT_SCHEMES.contains(text.substring(start, colon).toLowerCase(Locale.ROOT));
	}

	/** Whether a tab or a line break stands here, which clients drop from a URL. */
	static boolean isDropped(String text, int position) {
		return position < text.length() && "\t\r\n".indexOf(text.charAt(position)) >= 0;
	}

}
