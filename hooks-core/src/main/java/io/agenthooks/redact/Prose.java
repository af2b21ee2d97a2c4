package io.agenthooks.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Tells messages of people and compilers from values, behind the bare name of a secret
 * and a colon: {@code Unexpected token: end of input}, {@code Enter your password: it is
 * case sensitive}.
 */
final class Prose {

	/** How far into a line to look. */
	private static final int REACH = 200;

	/** How many words of it tell. */
	private static final int WORDS = 16;

	/** Words of messages, which no password is made of. */
	private static final Set<String> OF_MESSAGES = Set.of("a", "an", "the", "this", "that", "these", "those", "it",
			"its", "is", "are", "was", "were", "be", "been", "has", "have", "had", "must", "should", "shall", "may",
			"might", "can", "cannot", "can't", "could", "couldn't", "will", "would", "do", "does", "doesn't", "don't",
			"did", "didn't", "isn't", "not", "no", "none", "any", "all", "some", "in", "on", "at", "of", "for", "from",
			"to", "by", "with", "without", "within", "into", "after", "before", "near", "but", "or", "and", "if",
			"when", "while", "than", "then", "as", "see", "use", "using", "please", "your", "you", "we", "our", "their",
			"expected", "unexpected", "expecting", "expects", "invalid", "illegal", "missing", "unknown",
			"unrecognized", "unsupported", "undefined", "unterminated", "incorrect", "wrong", "error", "errors",
			"failed", "failure", "fails", "denied", "refused", "rejected", "expired", "revoked", "required", "needed",
			"found", "got", "given", "received", "authentication", "permission", "syntax", "option", "argument",
			"changed", "updated", "unchanged", "successfully", "success", "sorry", "try", "again", "too", "short",
			"long", "weak", "empty", "blank", "malformed", "mismatch", "value", "field", "identifier", "punc",
			"punctuator", "keyword", "operator", "literal", "newline", "eof", "usage", "warning", "note", "unbound",
			"yes");

	/** What stands before the name if a parser speaks of what it read. */
	private static final Set<String> OF_PARSERS = Set.of("unexpected", "invalid", "illegal", "bad", "missing",
			"unknown", "unrecognized", "unterminated", "stray", "expected", "wrong", "malformed", "last", "previous",
			"next", "current", "lookahead", "offending", "before", "after", "near");

	/** Shorter words with digits are names of versions, files and algorithms. */
	private static final int MIN_SECRET = 8;

	private Prose() {
	}

	/**
	 * Whether a value of YAML without quotes is no secret.
	 */
	static boolean isPlainValue(String value) {
		return Harmless.word(value, 0, value.length()) || isMessage(value, "");
	}

	/**
	 * Whether what stands behind a name and a colon is no value.
	 * @param text the text
	 * @param start where it starts
	 */
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
		boolean isFirst = before == 0 || "\r\n".indexOf(text.charAt(before - 1)) >= 0 || isItem(text, before)
				|| Escapes.endsAt(text, before);
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

	private static boolean isInName(char character) {
		return Character.isLetterOrDigit(character) || "_-./".indexOf(character) >= 0;
	}

	/**
	 * Whether nothing but the dash of a list stands before, in its line.
	 */
	private static boolean isItem(String text, int end) {
		int before = back(text, end - 1, ' ');
		return text.charAt(end - 1) == '-' && (before == 0 || text.charAt(before - 1) == '\n');
	}

	private static String restOfLine(String text, int start) {
		int end = start;
		while (end < text.length() && end - start < REACH && "\r\n".indexOf(text.charAt(end)) < 0
				&& !text.startsWith("\\n", end)) {
			end++;
		}
		return text.substring(start, end);
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

	/**
	 * Whether a line that starts with a name goes on as a message does.
	 */
	private static boolean isMessage(String rest, String name) {
		String[] words = rest.strip().split("\\s+", WORDS + 1);
		if (isSign(words[0])) {
			return true;
		}
		if (!isWord(words[0]) || holdsSecret(rest)) {
			return false;
		}
		if (words.length > 1 && name.endsWith("passwd")) {
			return true;
		}
		for (int i = 0; i < Math.min(words.length, WORDS); i++) {
			if (OF_MESSAGES.contains(bare(words[i]).toLowerCase(Locale.ROOT)) || (i > 0 && isQuoted(words[i]))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a name within a line is followed by more of a sentence.
	 */
	private static boolean isInSentence(String rest, String before) {
		String[] words = rest.strip().split("\\s+", 3);
		boolean ofParser = OF_PARSERS.contains(before);
		if (isSign(words[0])) {
			return true;
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

	/**
	 * Whether there are only signs, as a parser shows them.
	 */
	private static boolean isSign(String word) {
		return !word.isEmpty() && word.length() <= 3
				&& word.chars().noneMatch((character) -> Character.isLetterOrDigit(character) || character > 0x7F);
	}

	/**
	 * Whether this is a word of a language: letters, of which only the first may be a
	 * capital, or all.
	 */
	private static boolean isWord(String written) {
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

	/**
	 * A word without the signs behind it.
	 */
	private static String bare(String word) {
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
	private static boolean holdsSecret(String rest) {
		for (String written : rest.split("\\s+", -1)) {
			String word = bare(written);
			if (word.length() >= MIN_SECRET && word.chars().allMatch(Character::isLetterOrDigit)
					&& word.chars().anyMatch(Character::isDigit) && word.chars().anyMatch(Character::isLetter)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isQuoted(String word) {
		return "'\"`(".indexOf(word.charAt(0)) >= 0;
	}

}
