package io.agenthooks.policy;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words in MIME's encoding ({@code =?utf-8?q?Ann?=}) in the name of a person. Some
 * decode them before they look for addresses.
 */
final class EncodedWords {

	private static final Pattern WORD = Pattern.compile("=\\?(?:([^?*]++)[^?]*+\\?([bBqQ])\\?([^?]*+)\\?=)?");

	/** Signs of addresses, and what stands for bytes that are no character. */
	private static final String SIGNS = "@\uFF20\uFE6B<>()\uFFFD";

	private EncodedWords() {
	}

	/** Refuse what is more than a name once its words are decoded. */
	static void check(String text) throws UnreadableValueException {
		Matcher words = WORD.matcher(text);
		while (words.find()) {
			if (words.group(1) == null || decode(words).chars().anyMatch((sign) -> SIGNS.indexOf(sign) >= 0)) {
				throw new UnreadableValueException("mail servers read a word in MIME's encoding in it differently");
			}
		}
	}

	private static String decode(Matcher word) throws UnreadableValueException {
		String text = word.group(3);
		try {
			Charset charset = Charset.forName(word.group(1));
			return (word.group(2).equalsIgnoreCase("b")) ? new String(Base64.getDecoder().decode(text), charset)
					: URLDecoder.decode(text.replace("%", "%25").replace("+", "%2B").replace('=', '%'), charset);
		}
		catch (IllegalArgumentException ex) {
			throw new UnreadableValueException("a word in MIME's encoding in it cannot be decoded");
		}
	}

}
