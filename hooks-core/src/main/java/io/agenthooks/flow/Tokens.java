package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.Iban;
import io.agenthooks.policy.SearchText;

/**
 * The tokens of a text, as what they mean: numbers by value, paths by where they lead,
 * all without regard to case. What stands between two tokens, such as a quote, is a token
 * as well, so that a value which has it is found only where it stands, too.
 */
final class Tokens {

	/** The rest of a longer text is not read. */
	static final int MAX_LENGTH = 256 * 1024;

	private static final String SEPARATORS = "\"'`<>()[]{}|,;!*\u00AB\u00BB\u2018\u2019\u201C\u201D\u201E";

	/** Characters around a value that are no part of it. */
	private static final String HARMLESS = "\"',\u00AB\u00BB\u2018\u2019\u201C\u201D\u201E";

	private static final String HARMLESS_END = ")]}!";

	private static final String TRAILING = ".:?=";

	private static final Pattern BETWEEN_PARTS = Pattern.compile("[,;|\\r\\n]");

	private static final Pattern BLANKS = Pattern.compile("\\s+");

	/** Stands for a token that a tool only says again. */
	private static final String ECHO = "\0echo";

	private final Fingerprint fingerprint;

	private final LongList sequence;

	private final LongList forms;

	private final String text;

	private final StringBuilder mark = new StringBuilder();

	private final StringBuilder iban = new StringBuilder();

	private final Predicate<String> isOwn;

	private Tokens(Fingerprint fingerprint, String text, int max, Predicate<String> isOwn) {
		this.fingerprint = fingerprint;
		this.text = text;
		this.isOwn = isOwn;
		this.sequence = new LongList(max);
		this.forms = new LongList(max);
	}

	static TextIndex read(Fingerprint fingerprint, String text, int max) {
		return read(fingerprint, text, max, (token) -> true);
	}

	/**
	 * Read what a tool returned, without what it only says again of what it was asked.
	 */
	static TextIndex readResult(Fingerprint fingerprint, String text, int max, Echo echo) {
		try {
			return read(fingerprint, text, max, (token) -> !echo.holds(token));
		}
		catch (Budget.ExhaustedException ex) {
			return TextIndex.EMPTY;
		}
	}

	private static TextIndex read(Fingerprint fingerprint, String text, int max, Predicate<String> isOwn) {
		String clean = clean((text.length() <= MAX_LENGTH) ? text : text.substring(0, MAX_LENGTH));
		if (clean == null) {
			return TextIndex.EMPTY;
		}
		Tokens tokens = new Tokens(fingerprint, clean, max, isOwn);
		tokens.read();
		return new TextIndex(tokens.sequence.toArray(), tokens.forms.toSortedArray());
	}

	/** {@code null} if it takes too long to find out. */
	static @Nullable String clean(String text) {
		try {
			return SearchText.clean(text, new Budget()).toLowerCase(Locale.ROOT);
		}
		catch (Budget.ExhaustedException ex) {
			return null;
		}
	}

	private void read() {
		int length = this.text.length();
		int i = 0;
		while (i < length && !this.sequence.isFull()) {
			char character = this.text.charAt(i);
			if (isSpace(character)) {
				i++;
			}
			else if (isSeparator(i)) {
				addMark(character);
				i++;
			}
			else {
				int end = i;
				while (end < length && !isSpace(this.text.charAt(end)) && !isSeparator(end)) {
					end++;
				}
				readToken(i, end);
				i = end;
			}
		}
		closeMark();
	}

	/**
	 * A value without what means nothing at its ends, such as quotes and the dot of a
	 * sentence; empty if it has no token.
	 */
	static String trim(String clean) {
		int start = 0;
		int end = clean.length();
		while (start < end && (isSpace(clean.charAt(start)) || HARMLESS.indexOf(clean.charAt(start)) >= 0)) {
			start++;
		}
		while (end > start && isHarmlessEnd(clean, start, end)) {
			end--;
		}
		String trimmed = clean.substring(start, end);
		return (trimmed.chars().allMatch((sign) -> isSpace((char) sign) || SEPARATORS.indexOf(sign) >= 0)) ? ""
				: trimmed;
	}

	private static boolean isHarmlessEnd(String clean, int start, int end) {
		char last = clean.charAt(end - 1);
		return isSpace(last) || HARMLESS.indexOf(last) >= 0 || HARMLESS_END.indexOf(last) >= 0
				|| (last == '.' && end - start > 1 && Character.isLetterOrDigit(clean.charAt(end - 2)));
	}

	private void addMark(char character) {
		this.iban.setLength(0);
		if (this.mark.length() < 16) {
			this.mark.append(character);
		}
	}

	private void closeMark() {
		if (!this.mark.isEmpty()) {
			this.sequence.add(this.fingerprint.of(Fingerprint.MARK, this.mark));
		}
		this.mark.setLength(0);
	}

	private static boolean isSpace(char character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character);
	}

	private boolean isSeparator(int place) {
		char character = this.text.charAt(place);
		if (SEPARATORS.indexOf(character) < 0) {
			return false;
		}
		if (place == 0 || place + 1 == this.text.length()) {
			return true;
		}
		char before = this.text.charAt(place - 1);
		char after = this.text.charAt(place + 1);
		if (character == ',') {
			return !(isDigit(before) && isDigit(after));
		}
		return !((character == '\'' || character == '\u2019') && Character.isLetter(before)
				&& Character.isLetter(after));
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	private void readToken(int start, int wholeEnd) {
		int end = wholeEnd;
		while (end - start > 1 && TRAILING.indexOf(this.text.charAt(end - 1)) >= 0 && !isDots(start, end)) {
			end--;
		}
		closeMark();
		String token = this.text.substring(start, end);
		// No value has the mark of an echo.
		this.sequence.add((this.isOwn.test(token)) ? Meaning.of(this.fingerprint, token)
				: this.fingerprint.of(Fingerprint.MARK, ECHO));
		Meaning.addOtherForms(this.fingerprint, token, this.isOwn, this.forms);
		readIban(start, end);
		for (int i = end; i < wholeEnd; i++) {
			addMark(this.text.charAt(i));
		}
	}

	private boolean isDots(int start, int end) {
		int dots = 0;
		while (dots < 3 && end - dots > start && this.text.charAt(end - dots - 1) == '.') {
			dots++;
		}
		int before = end - dots - 1;
		return (dots == 1 || dots == 2)
				&& (before < start || this.text.charAt(before) == '/' || this.text.charAt(before) == '\\');
	}

	private void readIban(int start, int end) {
		int length = end - start;
		if (this.iban.isEmpty()) {
			if (length == 4 && isDigit(this.text.charAt(end - 1)) && Iban.mayBegin(this.text.substring(start, end))) {
				this.iban.append(this.text, start, end);
			}
			return;
		}
		if (length > 4 || !Meaning.isPlain(this.text.substring(start, end))) {
			this.iban.setLength(0);
			return;
		}
		this.iban.append(this.text, start, end);
		if (Iban.isValid(this.iban) && this.isOwn.test(this.iban.toString())) {
			this.forms.add(this.fingerprint.of(Fingerprint.TOKEN, this.iban));
		}
		if (length < 4) {
			this.iban.setLength(0);
		}
	}

	/** The parts of a value that joins several, such as {@code a@x, b@y}. */
	static List<String> parts(String value) {
		List<String> parts = new ArrayList<>();
		for (String part : BETWEEN_PARTS.split(value, -1)) {
			String trimmed = part.strip();
			if (!trimmed.isEmpty()) {
				parts.add(trimmed);
			}
		}
		if (parts.size() == 1) {
			List<String> words = List.of(BLANKS.split(parts.get(0), -1));
			return (words.size() > 1 && words.stream().allMatch((word) -> word.indexOf('@') > 0)) ? words : List.of();
		}
		return parts;
	}

}
