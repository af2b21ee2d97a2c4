package io.agenthooks.flow;

import java.util.Locale;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;

/**
 * A value, or a glob of values, that a rule names.
 *
 * @param written as it is written, in the form in which values are compared
 * @param glob what it matches
 * @param host what it matches of the hosts of web addresses, or {@code null} if nothing
 */
record ListedValue(String written, Predicate<String> glob, @Nullable Predicate<String> host) {

	private static final String SCHEME = "://";

	/** With one of these in it, a value may be read as more or less than it seems. */
	private static final String UNCLEAR = "\"'`<>()[]{}|,;\\%";

	static ListedValue of(String text) {
		String written = text.strip().toLowerCase(Locale.ROOT);
		int scheme = written.indexOf(SCHEME);
		if (scheme < 0) {
			Predicate<String> glob = Glob.of(written);
			return new ListedValue(written, glob, glob);
		}
		int start = scheme + SCHEME.length();
		int path = written.indexOf('/', start);
		String host = written.substring(start, (path >= 0) ? path : written.length());
		return new ListedValue(written, Glob.of(written), Glob.of(host.replaceFirst("^www\\.", "")));
	}

	/**
	 * Whether a value is one of these.
	 */
	boolean names(String value) {
		String clean = Tokens.clean(value);
		if (clean == null) {
			return false;
		}
		if (clean.equals(this.written)) {
			return true;
		}
		if (!isClear(clean)) {
			return false;
		}
		if (!clean.contains("//")) {
			return !this.written.contains(SCHEME) && this.glob.test(clean);
		}
		String host = Meaning.hostOf(clean);
		return host != null && this.host != null && this.host.test(host)
				&& (!this.written.contains(SCHEME) || (this.glob.test(clean) && !clean.contains("..")));
	}

	private static boolean isClear(String value) {
		return value.chars()
			.noneMatch((character) -> Character.isWhitespace(character) || Character.isSpaceChar(character)
					|| Character.isISOControl(character) || UNCLEAR.indexOf(character) >= 0)
				&& value.indexOf('@') == value.lastIndexOf('@')
				&& (value.indexOf('@') < 0 || value.chars().noneMatch((character) -> "/?#:".indexOf(character) >= 0));
	}

}
