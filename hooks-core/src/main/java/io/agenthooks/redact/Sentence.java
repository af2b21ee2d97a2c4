package io.agenthooks.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A sentence that may say a secret, up to where it says it:
 * {@code the password is "x y"}, {@code the password is hunter2}.
 *
 * @param words its words
 * @param name the position of the last one that names a secret, or -1
 */
record Sentence(List<String> words, int name) {

	/** How far before a value a sentence names it. */
	private static final int MAX_LENGTH = 80;

	/** How many words stand between a name and its value at most, with the name. */
	private static final int MAX_WORDS = 6;

	/** A shorter word without a verb before it is a name. */
	private static final int MIN_SECRET = 6;

	/** Verbs by which a sentence says a value. */
	private static final Set<String> VERBS = Set.of("is", "was", "to", "be", "now");

	private static final Pattern PASSWORD = Pattern
		.compile("(?i).*(?:pass(?:word|phrase|code|wd)|pwd|\\bpin|\\botp).*");

	/** A value that a sentence says without quotes. */
	private static final Pattern SPOKEN = Pattern.compile(
			"(?=.*[0-9].*\\p{L}|.*\\p{L}.*[0-9]|.*[!#$%^&*+=~@]).{5,}" + "|[0-9]{4,}|\\p{L}*\\p{Ll}\\p{Lu}\\p{L}*");

	private static Sentence before(String text, int end) {
		int from = Math.max(Prose.startOfLine(text, end), end - MAX_LENGTH);
		List<String> words = List.of(text.substring(from, end).strip().split("[\\s:]+"));
		int name = words.size() - 1;
		while (name >= 0 && !SecretNames.tells(words.get(name))
				&& !(name > 0 && SecretNames.tells(words.get(name - 1) + words.get(name)))) {
			name--;
		}
		return new Sentence(words, name);
	}

	/**
	 * Whether what stands in quotes is not what a sentence says a secret is.
	 */
	static boolean isNotQuoting(String text, int start, int end) {
		String said = text.substring(start, end);
		Sentence sentence = before(text, start - 1);
		if (sentence.name < 0 || Harmless.word(text, start, end) || Prose.isComplaint(said) || Prose.isSign(said)
				|| Prose.OF_MESSAGES.contains(said.toLowerCase(Locale.ROOT)) || sentence.isOfParser()) {
			return true;
		}
		boolean isToken = sentence.words.get(sentence.name).toLowerCase(Locale.ROOT).endsWith("token");
		if (isToken && !Prose.OF_OWNERS.contains(sentence.word(sentence.name - 1))
				&& Stream.of(said.split(" ", -1)).allMatch(Prose::isWord)) {
			return true;
		}
		boolean isSaid = sentence.hasVerb()
				&& !sentence.words.subList(sentence.name, sentence.words.size()).contains("must");
		return !isSaid && !(sentence.isDirect() && sentence.isOfPassword());
	}

	/**
	 * Whether a word without quotes is not what a sentence says a secret is.
	 */
	static boolean isNotSpeaking(String text, int start, int end) {
		String word = Prose.bare(text.substring(start, end));
		if (!SPOKEN.matcher(word).matches() || Prose.isMeasure(word)) {
			return true;
		}
		Sentence sentence = before(text, start);
		if (sentence.name < 0 || Harmless.word(text, start, end) || sentence.isOfParser()) {
			return true;
		}
		boolean isNumber = word.chars().allMatch(Character::isDigit);
		boolean isSaid = sentence.hasVerb() && sentence.words.size() - sentence.name <= MAX_WORDS;
		boolean isPassword = sentence.isOfPassword();
		if (!isSaid && !(isPassword && sentence.isDirect() && Prose.holdsSecret(word, MIN_SECRET))) {
			return true;
		}
		boolean isLast = end - start > word.length() || Prose.restOfLine(text, end).isBlank();
		return (isNumber && !isLast) || (!isPassword && word.chars().noneMatch(Character::isDigit));
	}

	private String word(int position) {
		return (position < 0) ? "" : this.words.get(position).toLowerCase(Locale.ROOT);
	}

	private boolean hasVerb() {
		return VERBS.contains(word(this.words.size() - 1));
	}

	private boolean isDirect() {
		return this.name == this.words.size() - 1;
	}

	private boolean isOfPassword() {
		return PASSWORD.matcher(this.words.get(this.name)).matches();
	}

	/**
	 * Whether a parser speaks of what it read.
	 */
	private boolean isOfParser() {
		return Prose.OF_PARSERS.contains(word(this.name - 1));
	}

}
