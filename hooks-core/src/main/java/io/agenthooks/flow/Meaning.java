package io.agenthooks.flow;

import java.math.BigDecimal;
import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Iban;

/**
 * The meaning of a value, so that two ways to write the same compare equal: its tokens,
 * and other forms any of which says the same.
 */
@SuppressWarnings("ArrayRecordComponent")
record Meaning(long[] sequence, long[] forms) {

	/** A value of more tokens is found in no text. */
	private static final int MAX_TOKENS = 1024;

	private static final int MAX_LENGTH = 64 * 1024;

	private static final Pattern NUMBER_LIST = Pattern.compile("[0-9.]+(?:,[0-9.]+)+");

	/** Characters between two addresses, which stand in none. */
	private static final String BETWEEN_ADDRESSES = ",;|\"<>`{}^\\";

	private static final int MAX_LABEL = 63;

	/** A name of words, so that nothing that leads elsewhere passes as one. */
	private static final Pattern WITH_NAME = Pattern
		.compile("\"?(?:\\p{L}[\\p{L}\\p{M}'\u2019-]*\\.?(?: +|(?=[<\"])))*\"? *"
				+ "<([\\p{L}\\p{N}.!#$%&'*+=?^_~-]+@[\\p{L}\\p{N}.-]+)>");

	/** Endings by which a bare word is a file rather than a host. */
	private static final Set<String> FILES = Set.of("ai", "app", "bat", "bin", "bz2", "c", "cc", "cfg", "class", "cmd",
			"conf", "cpp", "cs", "css", "csv", "db", "deb", "dll", "dmg", "doc", "docx", "env", "exe", "gif", "go",
			"gz", "h", "htm", "html", "ini", "iso", "jar", "java", "jpeg", "jpg", "js", "json", "key", "kt", "lock",
			"log", "lua", "md", "mov", "mp3", "mp4", "msi", "odt", "parquet", "pdf", "pem", "php", "pl", "pm", "png",
			"ppt", "pptx", "properties", "ps", "ps1", "py", "rar", "rb", "rpm", "rs", "rst", "rtf", "scala", "sh",
			"sql", "svg", "swift", "tar", "tex", "tgz", "toml", "ts", "tsx", "txt", "vb", "wasm", "wav", "webp", "xls",
			"xlsx", "xml", "yaml", "yml", "zip");

	/** {@code null} if it takes too long to find out. */
	static @Nullable Meaning ofText(Fingerprint fingerprint, String value) {
		if (value.length() > MAX_LENGTH) {
			return null;
		}
		String whole = Tokens.clean(value);
		if (whole == null) {
			return null;
		}
		boolean hasControls = value.strip().chars().anyMatch(Character::isISOControl);
		boolean mayHaveName = whole.indexOf('<') >= 0 && whole.length() <= 1024 && !hasControls;
		Matcher named = (mayHaveName) ? WITH_NAME.matcher(whole.strip()) : null;
		String clean = Tokens.trim((named != null && named.matches()) ? named.group(1) : whole);
		TextIndex index = Tokens.read(fingerprint, clean, MAX_TOKENS + 1);
		if (index.sequence().length > MAX_TOKENS) {
			return null;
		}
		LongList forms = new LongList(8);
		String token = clean.strip();
		if (token.chars().noneMatch(Character::isWhitespace)) {
			if (token.length() > 1 && token.charAt(0) == '#') {
				forms.add(of(fingerprint, token.substring(1)));
			}
			String host = (token.contains("://") || token.startsWith("www.")) ? hostOf(token) : null;
			if (host != null && !hasControls && isOneAddress(token) && !hidesSign(value)) {
				forms.add(fingerprint.of(Fingerprint.HOST, host));
			}
		}
		else if (token.length() <= 2 * Iban.MAX_LENGTH) {
			String joined = token.replace(" ", "");
			if (Iban.isValid(joined)) {
				forms.add(fingerprint.of(Fingerprint.TOKEN, joined));
			}
		}
		return new Meaning(index.sequence(), forms.toArray());
	}

	static @Nullable Meaning ofNumber(Fingerprint fingerprint, Number value) {
		// The digits of a long one take longer to write than all else.
		String text = (io.agenthooks.pattern.NumberText.isWritable(value)) ? value.toString() : "";
		if (text.isEmpty() || text.length() > NumberValue.MAX_LENGTH) {
			return null;
		}
		return new Meaning(new long[] { number(fingerprint, "", NumberValue.of(new BigDecimal(text))) }, new long[0]);
	}

	static long of(Fingerprint fingerprint, String token) {
		String number = numberOf(token);
		if (number != null) {
			return number(fingerprint, currencyOf(token), number);
		}
		if (!token.contains("://") && (token.indexOf('/') >= 0 || token.indexOf('\\') >= 0)) {
			return fingerprint.of(Fingerprint.PATH, pathOf(token));
		}
		boolean slash = token.contains("://") && token.endsWith("/");
		return fingerprint.of(Fingerprint.TOKEN, (slash) ? token.substring(0, token.length() - 1) : token);
	}

	/**
	 * Whether a text is one address and not several, which leads to no more than its
	 * host: some tools take a list as one text.
	 */
	static boolean isOneAddress(String token) {
		return token.codePoints()
			.noneMatch((character) -> (character > 0x7F) ? !isOfWords(character)
					: character <= ' ' || character == 0x7F || BETWEEN_ADDRESSES.indexOf(character) >= 0);
	}

	private static boolean isOfWords(int character) {
		return switch (Character.getType(character)) {
			case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
			default -> Character.isLetter(character) || isNumeral(character);
		};
	}

	/**
	 * Whether a character, once it is in its plain form, would be one that says where a
	 * host ends. Clients do not agree on what it is.
	 */
	private static boolean hidesSign(String value) {
		return value.chars()
			.filter((character) -> character > 0x7F)
			.mapToObj((character) -> Normalizer.normalize(String.valueOf((char) character), Normalizer.Form.NFKC))
			.anyMatch((plain) -> plain.chars().anyMatch((character) -> "/?#@:\\".indexOf(character) >= 0));
	}

	private static String currencyOf(String token) {
		StringBuilder currency = new StringBuilder(2);
		for (int place : new int[] { 0, token.length() - 1 }) {
			if (isCurrency(token.charAt(place))) {
				currency.append(token.charAt(place));
			}
		}
		return currency.toString();
	}

	private static long number(Fingerprint fingerprint, String currency, String number) {
		return fingerprint.of(Fingerprint.NUMBER, currency.concat(number));
	}

	static void addOtherForms(Fingerprint fingerprint, String token, Predicate<String> isOwn, LongList forms) {
		String host = hostOf(token);
		if (host != null && isOwn.test(host)) {
			forms.add(fingerprint.of(Fingerprint.HOST, host));
		}
		String number = numberOf(token);
		if (number != null && !currencyOf(token).isEmpty() && isOwn.test(token)) {
			forms.add(number(fingerprint, "", number));
		}
		Consumer<String> add = (form) -> {
			if (isOwn.test(form)) {
				forms.add(of(fingerprint, form));
			}
		};
		char first = token.charAt(0);
		if ((first == '#' || first == '@') && token.length() > 1) {
			add.accept(token.substring(1));
		}
		if (token.endsWith("'s") || token.endsWith("\u2019s")) {
			add.accept(token.substring(0, token.length() - 2));
		}
		if (!token.contains("://")) {
			int sign = Math.max(token.lastIndexOf('='), token.lastIndexOf(':'));
			if (sign >= 0 && sign + 1 < token.length() && !(sign > 0 && Character.isDigit(token.charAt(sign - 1))
					&& Character.isDigit(token.charAt(sign + 1)))) {
				add.accept(token.substring(sign + 1));
			}
		}
		if (token.indexOf(',') > 0 && token.length() <= 1024 && NUMBER_LIST.matcher(token).matches()
				&& number == null) {
			for (String part : token.split(",", -1)) {
				add.accept(part);
			}
		}
	}

	/** Without the currency at its beginning or end; {@code null} if it is no number. */
	private static @Nullable String numberOf(String token) {
		int start = (!token.isEmpty() && isCurrency(token.charAt(0))) ? 1 : 0;
		int end = token.length();
		if (end > start && isCurrency(token.charAt(end - 1))) {
			end--;
		}
		return NumberValue.of(token, start, end);
	}

	private static boolean isCurrency(char character) {
		return character == '$' || character == '\u20AC' || character == '\u00A3' || character == '\u00A5';
	}

	/**
	 * The target of a path, or the path itself if that is not certain: where the first
	 * name may be a host, and where a name is taken back.
	 */
	private static String pathOf(String token) {
		String plain = token.replace('\\', '/');
		boolean absolute = plain.startsWith("/");
		if (plain.startsWith("//")) {
			return token;
		}
		Deque<String> names = new ArrayDeque<>();
		for (String name : plain.split("/", -1)) {
			if (name.equals("..") && (absolute || (!names.isEmpty() && !names.getLast().equals("..")))) {
				return token;
			}
			if (!name.isEmpty() && !name.equals(".")) {
				names.addLast(name);
			}
		}
		return ((absolute) ? "/" : "") + String.join("/", names);
	}

	/**
	 * The host that an address leads to, or {@code null} if that is not certain: a user
	 * before it, and whatever clients read in more than one way, are none that a person
	 * named.
	 */
	static @Nullable String hostOf(String token) {
		int slashes = token.indexOf("//");
		int start = (slashes >= 0) ? slashes + 2 : 0;
		if (slashes > 0 && (token.charAt(slashes - 1) != ':'
				|| !(token.startsWith("http://") || token.startsWith("https://")) || slashes > 6)) {
			return null;
		}
		int end = start;
		while (end < token.length() && "/?#".indexOf(token.charAt(end)) < 0) {
			end++;
		}
		boolean isAddress = slashes >= 0 || token.startsWith("www.");
		if ((!isAddress && end < token.length()) || token.indexOf('\\') >= 0 || end - start > 255) {
			return null;
		}
		String host = token.substring(start, end);
		int port = host.lastIndexOf(':');
		if (port > 0 && isAddress && host.substring(port + 1).matches("[0-9]{1,5}")) {
			host = host.substring(0, port);
		}
		if (!isHost(host) || (!isAddress && FILES.contains(host.substring(host.lastIndexOf('.') + 1)))) {
			return null;
		}
		return (host.startsWith("www.")) ? host.substring(4) : host;
	}

	private static boolean isHost(String token) {
		int labels = 0;
		int length = 0;
		boolean beginsWithLetter = false;
		int character;
		for (int i = 0; i < token.length(); i += Character.charCount(character)) {
			character = token.codePointAt(i);
			if (character == '.' && length > 0) {
				labels++;
				length = 0;
			}
			else if (isLetter(character) || isNumeral(character) || (character == '-' && length > 0)) {
				beginsWithLetter = (length == 0) ? isLetter(character) : beginsWithLetter;
				length++;
			}
			else {
				return false;
			}
			if (length > MAX_LABEL) {
				return false;
			}
		}
		return labels > 0 && length > 0 && beginsWithLetter;
	}

	private static boolean isLetter(int character) {
		return (character >= 'a' && character <= 'z') || (character > 0x7F && Character.isLetter(character));
	}

	private static boolean isNumeral(int character) {
		if (character <= 0x7F) {
			return character >= '0' && character <= '9';
		}
		int type = Character.getType(character);
		return type == Character.DECIMAL_DIGIT_NUMBER || type == Character.LETTER_NUMBER
				|| type == Character.OTHER_NUMBER;
	}

	static boolean isPlain(CharSequence token) {
		return token.chars()
			.allMatch((character) -> (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9'));
	}

}
