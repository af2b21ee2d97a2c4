package io.agenthooks.redact;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Names that say that their value is a secret: one meaning for arguments, results, and
 * texts that are JSON or YAML.
 */
final class SecretNames {

	/** Longer names are told by their end. */
	private static final int MAX_LENGTH = 256;

	/** Ends of names, without separators and in lower case. */
	private static final List<String> ENDS = List.of("password", "passwd", "passphrase", "passcode", "pwd", "secret",
			"token", "apikey", "accesskey", "accountkey", "authkey", "clientkey", "encryptionkey", "masterkey",
			"privatekey", "secretkey", "servicekey", "sharedkey", "sharedaccesskey", "signingkey", "secretkeybase",
			"awskey", "secretstring", "secretbinary");

	/** Names that are not part of longer ones. */
	private static final Set<String> ALONE = Set.of("pass", "credential", "credentials", "creds", "cookie", "cookies",
			"setcookie", "pin", "otp", "cvv", "cvc", "jwt", "bearer");

	/** Endings behind a name that do not change what it says. */
	private static final Set<String> SUFFIXES = Set.of("value", "plain", "plaintext");

	private static final Set<String> CREDENTIALS = Set.of("authorization", "proxyauthorization");

	/** Names whose values, if they are numbers, are numbers of something. */
	private static final Set<String> COUNTED = Set.of("pass", "cookies", "passwords", "secrets", "tokens");

	/** Pins of devices have smaller numbers. */
	private static final int MIN_PIN = 100;

	/** Of what a token is that a tool needs back to go on, and that opens nothing. */
	private static final String PLACES = "next|prev|previous|page|paging|pagination|continuation|continue|sync"
			+ "|synchronization|delta|resume|resumption|start|starting|skip|scroll|cursor|changes|marker|checkpoint"
			+ "|iterator|position|offset|forward|backward|before|after|idempotency|sequence|creation|concurrency|bookmark";

	/** Of what a token is that is a word of a text. */
	private static final String WORDS = "|eos|bos|pad|unk|sep|cls|mask|stop|special|added|max|min|num|number|total"
			+ "|count|limit";

	private static final Pattern OF_HARMLESS_TOKEN = Pattern.compile(PLACES + "|eos|bos|pad|unk|sep|cls");

	private static final Pattern HARMLESS_TOKEN = Pattern.compile(PLACES + WORDS);

	private static final Pattern HARMLESS_TOKENS = Pattern.compile(PLACES + WORDS
			+ "|prompt|completion|input|output|cached|cache|reasoning|thinking|used|remaining|generated|audio|text|image"
			+ "|prediction|budget|context|of|per|available|consumed|new|average|avg|actual|estimated");

	/** The same in one word: nextpagetoken. */
	private static final Pattern GLUED = Pattern.compile("(?:" + PLACES + "|max|min)++tokens?+");

	/** How a pair calls the name of its value, as in a list of headers. */
	private static final Set<String> PAIR_NAMES = Set.of("name", "key", "header", "field", "variable", "var", "env",
			"param", "parameter", "option", "property", "attribute", "label", "designation", "id", "k", "n", "t");

	/** The same of what may have contents that are no secret: a page, or a file. */
	private static final Set<String> PAIR_TITLES = Set.of("path", "title");

	private static final Set<String> PAIR_VALUES = Set.of("value", "values", "val", "v");

	private static final Set<String> PAIR_CONTENT = Set.of("content");

	/** Of each letter, the names that end with it. */
	private static final String[][] BY_LAST_LETTER = new String[26][];

	/** Of each two letters, whether a name of any of these kinds ends with them. */
	private static final boolean[] LAST_LETTERS = new boolean[26 * 26];

	static {
		Stream.of(ENDS, ALONE, SUFFIXES, CREDENTIALS)
			.flatMap(Collection::stream)
			.forEach((name) -> LAST_LETTERS[26 * (name.charAt(name.length() - 2) - 'a') + name.charAt(name.length() - 1)
					- 'a'] = true);
	}

	static {
		for (int i = 0; i < BY_LAST_LETTER.length; i++) {
			char last = (char) ('a' + i);
			BY_LAST_LETTER[i] = Stream.of(ENDS, ALONE, CREDENTIALS)
				.flatMap(Collection::stream)
				.filter((name) -> name.charAt(name.length() - 1) == last)
				.toArray(String[]::new);
		}
	}

	private SecretNames() {
	}

	/**
	 * Whether a name that ends at a position of a text may be one of secrets, as far as
	 * its last letters tell. Most are not, and that is seen soon.
	 */
	static boolean mayEndAt(String text, int end) {
		int last = letterBefore(text, end);
		if (last < 0) {
			return false;
		}
		return isLast(text, last) || ((text.charAt(last) | 0x20) == 's' && isLast(text, letterBefore(text, last)));
	}

	/**
	 * Whether a word that ends at a position of a text may be the last one of a name of
	 * secrets, whatever stands before and behind it.
	 */
	static boolean mayTellAt(String text, int end) {
		if (!mayEndAt(text, end)) {
			return false;
		}
		if (endsWithAny(text, end, 0)) {
			return !endsWithToken(text, end) || !isHarmlessToken(nameBefore(text, end));
		}
		return (text.charAt(end - 1) | 0x20) == 's' && endsWithAny(text, end, 1)
				&& (!endsWithToken(text, end - 1) || !isHarmlessToken(nameBefore(text, end)));
	}

	private static boolean endsWithToken(String text, int end) {
		return isBefore("token", text, end) >= 0;
	}

	private static boolean endsWithAny(String text, int end, int less) {
		int position = letterBefore(text, end);
		if (less > 0) {
			position = letterBefore(text, position);
		}
		if (position < 1 || text.charAt(position) > 0x7F) {
			return position > 0;
		}
		for (String name : BY_LAST_LETTER[(text.charAt(position) | 0x20) - 'a']) {
			int start = isBefore(name, text, position + 1);
			if (start >= 0 && (!ALONE.contains(name) || isStartOfWord(text, start))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The start of a name whose letters stand before a position, whatever separates them,
	 * or -1.
	 */
	private static int isBefore(String name, String text, int end) {
		int position = end;
		for (int i = name.length() - 1; i >= 0; i--) {
			position = letterBefore(text, position);
			if (position < 0 || (text.charAt(position) | 0x20) != name.charAt(i)) {
				return -1;
			}
		}
		return position;
	}

	private static boolean isStartOfWord(String text, int start) {
		return start == 0 || !Character.isLetter(text.charAt(start - 1))
				|| (Character.isUpperCase(text.charAt(start)) && Character.isLowerCase(text.charAt(start - 1)));
	}

	private static String nameBefore(String text, int end) {
		int start = end;
		while (start > 0 && end - start < MAX_LENGTH && (Character.isLetterOrDigit(text.charAt(start - 1))
				|| "_-.$@".indexOf(text.charAt(start - 1)) >= 0)) {
			start--;
		}
		return text.substring(start, end);
	}

	private static boolean isLast(String text, int last) {
		int before = letterBefore(text, last);
		if (before < 0) {
			return false;
		}
		int first = (text.charAt(before) | 0x20) - 'a';
		int second = (text.charAt(last) | 0x20) - 'a';
		return text.charAt(before) > 0x7F || text.charAt(last) > 0x7F || LAST_LETTERS[26 * first + second];
	}

	/** The last letter before a position, or -1 if none is near. */
	private static int letterBefore(String text, int end) {
		for (int i = end - 1; i >= 0 && end - i < 20; i--) {
			char character = text.charAt(i);
			int letter = character | 0x20;
			if ((letter >= 'a' && letter <= 'z') || character > 0x7F) {
				return i;
			}
		}
		return -1;
	}

	/** Whether the value of what has a name is a secret. */
	static boolean tells(String name) {
		Name read = (mayEndAt(name, name.length())) ? Name.of(name) : null;
		return read != null && read.tells(read.words.size());
	}

	/** Whether this is the name of a header that holds nothing but credentials. */
	static boolean isCredentials(String name) {
		Name read = (mayEndAt(name, name.length())) ? Name.of(name) : null;
		return read != null && CREDENTIALS.contains(read.text(read.words.size()));
	}

	/**
	 * Whether a number of that name says how many there are, or which one of a device,
	 * rather than being a secret.
	 */
	static boolean isCounted(String name, Number number) {
		Name read = Name.of(name);
		if (read == null) {
			return false;
		}
		String text = read.text(read.words.size());
		return COUNTED.contains(text) || text.endsWith("tokens")
				|| (text.equals("pin") && Math.abs(number.doubleValue()) < MIN_PIN);
	}

	/** Whether a name says of what something is a number: of which tokens. */
	static boolean isOfCount(String name) {
		Name read = Name.of(name);
		return read != null && read.words.stream().anyMatch((word) -> HARMLESS_TOKENS.matcher(word).matches());
	}

	/** Whether a word before a token says that it opens nothing: the next page token. */
	static boolean isOfHarmlessToken(String word) {
		return OF_HARMLESS_TOKEN.matcher(word).matches();
	}

	/**
	 * Whether this is the name of a token that opens nothing: a tool needs it back to go
	 * on, or it is a word of a text.
	 */
	static boolean isHarmlessToken(String name) {
		Name read = Name.of(name);
		return read != null && read.isHarmlessToken(read.words.size());
	}

	static boolean isNameOfPair(String name) {
		return isLastWord(name, PAIR_NAMES);
	}

	static boolean isTitleOfPair(String name) {
		return isLastWord(name, PAIR_TITLES);
	}

	static boolean isValueOfPair(String name) {
		return isLastWord(name, PAIR_VALUES);
	}

	static boolean isContentOfPair(String name) {
		return isLastWord(name, PAIR_CONTENT);
	}

	private static boolean isLastWord(String name, Set<String> words) {
		for (String word : words) {
			if (name.regionMatches(true, name.length() - word.length(), word, 0, word.length())) {
				Name read = Name.of(name);
				return read != null && words.contains(read.last());
			}
		}
		return false;
	}

	/**
	 * A name as a person reads it: without invisible characters, in the usual letters.
	 */
	static String plain(String name) {
		int plain = 0;
		while (plain < name.length() && name.charAt(plain) < 0x80) {
			plain++;
		}
		if (plain == name.length()) {
			return name;
		}
		String usual = Normalizer.normalize(name, Normalizer.Form.NFKC);
		VisibleText visible = VisibleText.of(usual);
		return (visible != null) ? visible.toString() : usual;
	}

	/** A name in words, in lower case. */
	private record Name(List<String> words, boolean isCapitalized) {

		/** Read a name; one without letters says nothing. */
		static @Nullable Name of(String written) {
			String name = plain(
					(written.length() > MAX_LENGTH) ? written.substring(written.length() - MAX_LENGTH) : written);
			List<String> words = new ArrayList<>(4);
			int start = -1;
			for (int i = 0; i <= name.length(); i++) {
				boolean isLetter = i < name.length() && Character.isLetter(name.charAt(i));
				if (start >= 0 && (!isLetter || startsWord(name, i))) {
					words.add(name.substring(start, i).toLowerCase(Locale.ROOT));
					start = -1;
				}
				if (isLetter && start < 0) {
					start = i;
				}
			}
			return (words.isEmpty()) ? null : new Name(words, name.indexOf('_') < 0 && name.indexOf('-') < 0);
		}

		/** Whether a capital begins a word: of apiKey, and of APIKey. */
		private static boolean startsWord(String name, int position) {
			if (!Character.isUpperCase(name.charAt(position))) {
				return false;
			}
			return Character.isLowerCase(name.charAt(position - 1))
					|| (position + 1 < name.length() && Character.isLowerCase(name.charAt(position + 1)));
		}

		String last() {
			return this.words.get(this.words.size() - 1);
		}

		String text(int count) {
			return (count == 1) ? this.words.get(0) : String.join("", this.words.subList(0, count));
		}

		boolean tells(int count) {
			String text = text(count);
			if (ALONE.contains(text) || (count > 1 && this.words.get(count - 1).equals("pass"))) {
				return true;
			}
			for (String end : ENDS) {
				if (text.endsWith(end) || isPlural(text, end)) {
					return !end.equals("token") || !isHarmlessToken(count);
				}
			}
			return count > 1 && SUFFIXES.contains(this.words.get(count - 1)) && tells(count - 1)
					&& !text(count - 1).endsWith("token");
		}

		private static boolean isPlural(String text, String end) {
			return text.endsWith("s") && text.startsWith(end, text.length() - 1 - end.length());
		}

		boolean isHarmlessToken(int count) {
			String last = this.words.get(count - 1);
			if (GLUED.matcher(last).matches()) {
				return true;
			}
			if (count == 1 || !(last.equals("token") || last.equals("tokens"))) {
				return false;
			}
			String before = this.words.get(count - 2);
			if (this.isCapitalized && (text(count).equals("clienttoken") || text(count).equals("clientrequesttoken"))) {
				return true;
			}
			return ((last.equals("token")) ? HARMLESS_TOKEN : HARMLESS_TOKENS).matcher(before).matches();
		}

	}

}
