package io.agenthooks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What hooks want a model to know besides. It stands among text of other origin, so it is
 * marked, and cannot end its mark itself.
 *
 * @since 0.1.0
 */
public final class AdditionalContext {

	private static final String TAG = "additional_context";

	private static final Pattern CLOSING = Pattern.compile("<(?=\\s*/\\s*" + TAG + ")", Pattern.CASE_INSENSITIVE);

	private AdditionalContext() {
	}

	/**
	 * Mark text as added by hooks.
	 * @param text the text
	 * @return the text between tags
	 */
	public static String mark(String text) {
		String inner = CLOSING.matcher(SafeText.paragraphs(text)).replaceAll(Matcher.quoteReplacement("&lt;"));
		return "<" + TAG + ">\n" + inner + "\n</" + TAG + ">";
	}

	/**
	 * Put the texts of two hooks one below the other.
	 * @param first what is there already, or {@code null}
	 * @param second what another hook adds
	 * @return both, or only the first if it says the second already
	 */
	public static String join(@Nullable String first, String second) {
		if (first == null) {
			return second;
		}
		return (first.equals(second) || first.lines().toList().contains(second)) ? first : first + "\n" + second;
	}

}
