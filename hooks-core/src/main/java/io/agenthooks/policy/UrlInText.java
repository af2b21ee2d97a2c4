package io.agenthooks.policy;

import java.util.regex.Pattern;

/** A URL that is an argument, or stands in one among other words. */
final class UrlInText {

	private static final String SIGN = "://";

	private static final String ENDS = " \t\r\n\"'<>`)]}|";

	/** A URL of which some clients find the host behind one slash. */
	private static final Pattern ONE_SLASH = Pattern.compile("(?is)(?!file:/[^/\\\\])[a-z][a-z0-9+.-]*:[/\\\\].*");

	private static final Pattern WITHOUT_SLASHES = Pattern
		.compile("(?is)(?:mailto|data|javascript|tel|sms|urn|about):.*");

	/** Clients drop a line break or tab before a second slash, behind which is a host. */
	private static final Pattern PATH = Pattern.compile("(?s)/(?:[^/\\\\\\p{Cntrl}].*)?");

	private UrlInText() {
	}

	/** The host of a URL that is all of an argument, or empty; it may lack its scheme. */
	static String host(String argument) throws UnreadableValueException {
		String text = argument.strip();
		if (PATH.matcher(text).matches() && !text.contains(SIGN)) {
			return "";
		}
		boolean hasScheme = text.contains(SIGN) || ONE_SLASH.matcher(text).matches()
				|| WITHOUT_SLASHES.matcher(text).matches();
		return WebAddress.of((hasScheme) ? text : "https://" + text).host();
	}

	/** The position behind it, with signs of the sentence. */
	static int end(String text, int sign) {
		int end = sign + SIGN.length();
		while (end < text.length() && ENDS.indexOf(text.charAt(end)) < 0 && !WebAddress.isAnother(text, end)) {
			end++;
		}
		return end;
	}

	/** The URL, without signs of a sentence that goes on behind it. */
	static String read(String text, int sign, int end) {
		int start = sign;
		while (start > 0 && HostCharacters.isOfScheme(text.charAt(start - 1)) && sign - start < UrlStart.MAX_SCHEME) {
			start--;
		}
		int last = end;
		while (last > start && ".,;:!?".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		return text.substring(start, last);
	}

}
