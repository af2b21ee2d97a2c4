package io.agenthooks.redact;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells messages of people and compilers from values, behind the bare name of a secret
 * and a colon: {@code Unexpected token: end of input}, {@code Enter your password: it is
 * case sensitive}.
 */
final class Prose {

	/** A value in quotes that a sentence says: it is "x y". */
	private static final Pattern SAID = Pattern.compile("\\b(?:is|was|to|be|now):? [\"'`\u201c][A-Za-z0-9]");

	private static final int REACH = 200;

	private static final int WORDS = 16;

	/** Words of messages, which no passphrase has. */
	static final Set<String> OF_MESSAGES = Set.of("is", "are", "was", "were", "has", "must", "should", "shall",
			"cannot", "can't", "couldn't", "doesn't", "didn't", "isn't", "wasn't", "expected", "unexpected",
			"expecting", "expects", "invalid", "illegal", "missing", "unknown", "unrecognized", "unsupported",
			"undefined", "unterminated", "incorrect", "error", "errors", "failed", "failure", "fails", "denied",
			"refused", "rejected", "expired", "revoked", "required", "needed", "found", "given", "received",
			"authentication", "permission", "syntax", "option", "argument", "changed", "updated", "unchanged",
			"successfully", "success", "sorry", "too", "least", "characters", "character", "letters", "digits",
			"malformed", "mismatch", "bad", "identifier", "punc", "punctuator", "keyword", "operator", "literal",
			"newline", "eof", "input", "output", "usage", "warning", "unbound", "optional", "default", "parses",
			"parsed", "returns", "returned", "throws", "handles", "generated", "refreshed", "created", "deleted",
			"rotated", "stored", "ignored", "skipped", "used", "password", "passwords", "passphrase", "token", "tokens",
			"credentials");

	/** How messages begin, and passphrases do not. */
	private static final Set<String> BEGINNINGS = Set.of("no", "not", "none", "any", "if", "when", "see", "use",
			"using", "please", "enter", "try", "must", "may", "can", "could", "will", "would", "does", "do", "don't",
			"did", "from", "for", "by", "have", "near", "after", "before", "at", "see:", "yes");

	/** How messages begin that stand where a value is expected. */
	private static final Set<String> OF_VALUES = Set.of("is", "have", "are", "was", "has", "must", "should", "cannot",
			"can't", "doesn't", "does", "isn't", "may", "invalid", "missing", "incorrect", "wrong", "unknown",
			"expected");

	/** Words before a name whose value follows. */
	static final Set<String> OF_OWNERS = Set.of("your", "my", "his", "her", "its", "our", "their", "new", "old",
			"temporary", "initial", "default", "generated", "admin", "root", "the", "this", "one-time");

	/** Units behind a number that counts. */
	private static final Pattern UNIT = Pattern.compile("(?:%|[kmg]?i?b|bytes?|ms|s|sec|secs|seconds?|mins?|minutes?"
			+ "|h|hours?|days?|passed|failed|failing|passing|skipped|pending|ok|tests?|specs?|errors?|failures?"
			+ "|warnings?|retries|attempts?|chars?|characters?|items?|entries|lines?|rows?|keys?|hits?|matches|results?"
			+ "|times?|requests?|total|of|left|remaining|used|more|found|[!=<>]=+|\\([0-9 /of]+\\))[,;.]?");

	private static final String MARKS = "\u2713\u2714\u2717\u2718\u2715\u00d7\u221a";

	private static final Pattern SHARE = Pattern.compile("[0-9]+(?:[.,][0-9]+)?%|[0-9]+/[0-9]+");

	private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,][0-9]+)*");

	/** How runners of tests mark a line. */
	private static final Pattern OF_TESTS = Pattern
		.compile("[ \\t]*(?:(?:not )?ok [0-9]+|[\u2713\u2714\u2717\u2718\u2715\u00d7\u221a]|PASS|FAIL)[ \\t:-].*");

	/** Words before the name if a parser speaks of what it read. */
	static final Set<String> OF_PARSERS = Set.of("unexpected", "invalid", "illegal", "bad", "missing", "unknown",
			"unrecognized", "unterminated", "stray", "expected", "wrong", "malformed", "last", "previous", "next",
			"current", "lookahead", "offending", "before", "after", "near");

	/** Names of algorithms and protocols. */
	private static final Pattern OF_ALGORITHMS = Pattern
		.compile("(?i)(?:oauth|sha|base|aes|rsa|hmac|hs|ed|ecdsa|utf|md|pbkdf|bcrypt|argon|tls)[0-9]+(?:gcm|cbc)?");

	/** Shorter words with digits are names of versions, files and algorithms. */
	private static final int MIN_SECRET = 8;

	private Prose() {
	}

	/** Whether a value of YAML without quotes is no secret. */
	static boolean isPlainValue(String value) {
		return Harmless.word(value, 0, value.length()) || isMessage(value, "") || Code.isTypeAt(value, 0);
	}

	/**
	 * Whether what stands behind a name at the end of a line of words is no passphrase:
	 * {@code Your new password: correct horse}.
	 */
	static boolean isNoPassphrase(String text, int start, int end) {
		int colon = back(text, start, ' ');
		int name = back(text, colon - 1, ' ');
		while (name > 0 && isInName(text.charAt(name - 1))) {
			name--;
		}
		String rest = text.substring(start, end);
		String[] words = rest.strip().split("\\s+", 2);
		int before = back(text, name, ' ');
		return !(isBegun(text, before, name) || OF_OWNERS.contains(wordBefore(text, before))) || words.length < 2
				|| !isWord(words[0]) || rest.contains(". ") || Harmless.named(text, start, end);
	}

	/** Whether an option is explained in a column of its own, as in a usage. */
	static boolean explains(String text, int start) {
		int end = back(text, start, ' ');
		int name = end;
		while (name > 0 && end - name < REACH && isInName(text.charAt(name - 1))) {
			name--;
		}
		if (start - end < 2 || !text.startsWith("--", name)) {
			return false;
		}
		String before = text.substring(startOfLine(text, name), name).strip();
		String rest = restOfLine(text, start);
		String[] words = rest.strip().split("\\s+", 3);
		return (before.isEmpty() || (before.length() == 3 && before.endsWith(","))) && words.length > 1
				&& isWord(words[0]) && isWord(words[1]) && !holdsSecret(rest);
	}

	/** Whether a text says what is wrong with a secret, as validation does. */
	static boolean isComplaint(String value) {
		if (value.length() > REACH || value.indexOf(' ') < 0) {
			return false;
		}
		String[] words = value.split("\\s+", WORDS + 1);
		boolean begins = !words[0].isEmpty() && OF_VALUES.contains(words[0].toLowerCase(Locale.ROOT));
		return begins && words.length <= WORDS && isWord(words[1]) && !holdsSecret(value);
	}

	/** Whether what stands behind a name and a colon is no value. */
	static boolean follows(String text, int start) {
		int colon = back(text, start, ' ');
		if (colon == 0 || text.charAt(colon - 1) != ':') {
			return false;
		}
		int end = back(text, colon - 1, ' ');
		boolean isQuoted = end > 0 && "'\"`".indexOf(text.charAt(end - 1)) >= 0;
		end = (isQuoted) ? end - 1 : end;
		int name = end;
		while (name > 0 && end - name < REACH && isInName(text.charAt(name - 1))) {
			name--;
		}
		if (name == end || (name == 0 && isQuoted) || text.startsWith("--", name)) {
			return false;
		}
		String rest = restOfLine(text, start);
		if (isQuoted) {
			int quote = back(text, name - 1, ' ');
			return quote > 0 && quote < name - 1 && Character.isLetter(text.charAt(quote - 1))
					&& text.charAt(name - 1) == text.charAt(end) && isInSentence(rest, wordBefore(text, quote));
		}
		int before = back(text, name, ' ');
		if (OF_TESTS.matcher(text.substring(startOfLine(text, name), name)).matches()) {
			return !holdsSecret(rest);
		}
		boolean isSaid = before == name && before > 0 && "\"'`(".indexOf(text.charAt(before - 1)) >= 0;
		boolean isFirst = isSaid || before == 0 || "\r\n".indexOf(text.charAt(before - 1)) >= 0 || isItem(text, before)
				|| Escapes.endsAt(text, before) || isBegun(text, before, name);
		if (isFirst) {
			return isMessage(rest, text.substring(name, end));
		}
		return before < name && isInSentence(rest, wordBefore(text, before));
	}

	private static int back(String text, int end, char character) {
		int position = end;
		while (position > 0 && end - position < REACH
				&& (text.charAt(position - 1) == character || text.charAt(position - 1) == '\t')) {
			position--;
		}
		return position;
	}

	/**
	 * Whether a part of a sentence ends before a name.
	 */
	private static boolean isBegun(String text, int before, int name) {
		return before > 0 && before < name && ",;.!?".indexOf(text.charAt(before - 1)) >= 0;
	}

	private static boolean isInName(char character) {
		return Character.isLetterOrDigit(character) || "_-./".indexOf(character) >= 0;
	}

	private static boolean isItem(String text, int end) {
		int before = back(text, end - 1, ' ');
		return text.charAt(end - 1) == '-' && (before == 0 || text.charAt(before - 1) == '\n');
	}

	static String restOfLine(String text, int start) {
		int end = start;
		while (end < text.length() && end - start < REACH && "\r\n".indexOf(text.charAt(end)) < 0
				&& !text.startsWith("\\n", end)) {
			end++;
		}
		return text.substring(start, end);
	}

	static int startOfLine(String text, int position) {
		int start = position;
		while (start > 0 && position - start < REACH && "\r\n".indexOf(text.charAt(start - 1)) < 0) {
			start--;
		}
		return start;
	}

	private static String wordBefore(String text, int end) {
		int last = end;
		while (last > 0 && !Character.isLetter(text.charAt(last - 1)) && end - last < 2) {
			last--;
		}
		int start = last;
		while (start > 0 && last - start < 20 && Character.isLetter(text.charAt(start - 1))) {
			start--;
		}
		return text.substring(start, last).toLowerCase(Locale.ROOT);
	}

	/** Whether a line that starts with a name goes on as a message does. */
	private static boolean isMessage(String rest, String name) {
		String[] words = rest.strip().split("\\s+", WORDS + 1);
		if (isSign(words[0]) || isCount(words)) {
			return !holdsSecret(rest);
		}
		if (!isWord(words[0]) || holdsSecret(rest) || SAID.matcher(rest).find()) {
			return false;
		}
		if (words.length > 1 && (name.endsWith("passwd") || BEGINNINGS.contains(words[0].toLowerCase(Locale.ROOT)))) {
			return true;
		}
		for (int i = 0; i < Math.min(words.length, WORDS); i++) {
			String word = bare(words[i]).toLowerCase(Locale.ROOT);
			if (OF_MESSAGES.contains(word) || (i > 0 && isQuoted(words[i]))) {
				return true;
			}
		}
		return false;
	}

	/** Whether these words say how many there are of something: 5 passed. */
	private static boolean isCount(String[] words) {
		if (SHARE.matcher(bare(words[0])).matches()) {
			return true;
		}
		return words.length > 1 && NUMBER.matcher(words[0]).matches()
				&& UNIT.matcher(words[1].toLowerCase(Locale.ROOT)).matches();
	}

	/** Whether a name within a line is followed by more of a sentence. */
	private static boolean isInSentence(String rest, String before) {
		String[] words = rest.strip().split("\\s+", WORDS + 1);
		boolean ofParser = OF_PARSERS.contains(before);
		if (isSign(words[0]) || isCount(words)) {
			return !holdsSecret(rest);
		}
		if (OF_OWNERS.contains(before) && words.length > 1 && isWord(words[0])) {
			return isMessage(rest, "");
		}
		if (!isWord(words[0])) {
			return ofParser && words[0].length() <= 30 && words[0].chars().allMatch(Prose::isInIdentifier);
		}
		boolean isSentence = words.length > 1 && ",;".indexOf(words[0].charAt(words[0].length() - 1)) < 0;
		return isSentence || ofParser || OF_MESSAGES.contains(bare(words[0]).toLowerCase(Locale.ROOT));
	}

	private static boolean isInIdentifier(int character) {
		return Character.isLetter(character) || "_$().,;:".indexOf(character) >= 0;
	}

	static boolean isSign(String word) {
		return !word.isEmpty() && word.length() <= 3
				&& word.chars()
					.noneMatch((character) -> Character.isLetterOrDigit(character)
							|| (character > 0x7F && MARKS.indexOf(character) < 0));
	}

	/**
	 * Whether this is a word of a language: letters, of which only the first may be a
	 * capital, or all.
	 */
	static boolean isWord(String written) {
		String word = bare(written);
		if (word.isEmpty()) {
			return false;
		}
		String rest = word.substring(1);
		boolean isOfLetters = word.chars()
			.allMatch((character) -> Character.isLetter(character) || character == '\'' || character == '-');
		return isOfLetters
				&& (rest.equals(rest.toLowerCase(Locale.ROOT)) || word.equals(word.toUpperCase(Locale.ROOT)));
	}

	static String bare(String word) {
		int end = word.length();
		while (end > 0 && ".,;:!?)'\"".indexOf(word.charAt(end - 1)) >= 0) {
			end--;
		}
		return word.substring(0, end);
	}

	/**
	 * Whether one of the words is letters and digits as secrets are, whatever words stand
	 * around it.
	 */
	static boolean holdsSecret(String rest) {
		return holdsSecret(rest, MIN_SECRET);
	}

	/**
	 * The same of words that have a length.
	 */
	static boolean holdsSecret(String rest, int min) {
		for (String written : rest.split("\\s+", -1)) {
			String word = bare(written);
			if (word.length() >= min && word.chars().allMatch(Character::isLetterOrDigit)
					&& word.chars().anyMatch(Character::isDigit) && word.chars().anyMatch(Character::isLetter)
					&& !OF_ALGORITHMS.matcher(word).matches()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a word is the name of an algorithm, or a number with its unit.
	 */
	static boolean isMeasure(String word) {
		return OF_ALGORITHMS.matcher(word).matches()
				|| UNIT.matcher(word.replaceFirst("^[0-9.,]+", "").toLowerCase(Locale.ROOT)).matches();
	}

	private static boolean isQuoted(String word) {
		return "'\"`(".indexOf(word.charAt(0)) >= 0;
	}

}
