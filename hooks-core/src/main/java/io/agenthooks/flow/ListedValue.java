package io.agenthooks.flow;

import java.util.Locale;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;

/**
 * A value, or a glob of values, that a rule names; the host of web addresses is
 * {@code null} if there is none.
 */
record ListedValue(String written, Predicate<String> glob, @Nullable Predicate<String> host) {

	private static final String SCHEME = "://";

	/** With one of these in it, a value may be read as more or less than it seems. */
	private static final String UNCLEAR = "\"'`<>()[]{}|,;\\%";

	/** Separators that a star matches only in a glob that has them itself. */
	private static final String PARTS = "/?#:";

	/**
	 * Invisible characters that are no format characters: joiners, fillers, selectors.
	 */
	private static final String HIDDEN = "\u034F\u115F\u1160\u17B4\u17B5\u180B\u180C\u180D\u180F\u2800\u3164\uFFA0";

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

	boolean names(String value) {
		String clean = Tokens.clean(value);
		if (clean == null || hasHidden(value)) {
			return false;
		}
		if (clean.equals(this.written)) {
			return true;
		}
		if (!isClear(clean)) {
			return false;
		}
		if (!clean.contains("//")) {
			return !this.written.contains(SCHEME) && hasPartsOfGlob(clean) && !clean.contains("..")
					&& this.glob.test(clean);
		}
		String host = Meaning.hostOf(clean);
		return host != null && this.host != null && this.host.test(host)
				&& (!this.written.contains(SCHEME) || (this.glob.test(clean) && !clean.contains("..")));
	}

	/**
	 * Whether a value has an invisible character. What a tool makes of it is not known:
	 * another domain, for instance.
	 */
	private static boolean hasHidden(String value) {
		return value.codePoints()
			.anyMatch((character) -> Character.isIdentifierIgnorable(character)
					|| Character.getType(character) == Character.FORMAT || HIDDEN.indexOf(character) >= 0
					|| (character >= 0xFE00 && character <= 0xFE0F) || (character >= 0xE0000 && character <= 0xE0FFF));
	}

	/**
	 * Whether a value has no more parts than the glob: {@code evil.org/.example.com} is
	 * none of {@code *.example.com}.
	 */
	private boolean hasPartsOfGlob(String value) {
		return PARTS.chars().allMatch((part) -> this.written.indexOf(part) >= 0 || value.indexOf(part) < 0);
	}

	private static boolean isClear(String value) {
		return value.chars()
			.noneMatch((character) -> Character.isWhitespace(character) || Character.isSpaceChar(character)
					|| Character.isISOControl(character) || UNCLEAR.indexOf(character) >= 0)
				&& ((value.indexOf('@') < 0 && !value.contains("//")) || Meaning.isOneAddress(value))
				&& value.indexOf('@') == value.lastIndexOf('@')
				&& (value.indexOf('@') < 0 || value.chars().noneMatch((character) -> "/?#:".indexOf(character) >= 0));
	}

}
