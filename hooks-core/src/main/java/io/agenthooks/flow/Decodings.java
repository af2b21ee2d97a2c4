package io.agenthooks.flow;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.policy.PercentEncoding;

/**
 * The readings of a text that may be encoded: percent signs, escapes, entities, Base64,
 * Base32, hexadecimal digits, quoted-printable, numbers of characters.
 */
final class Decodings {

	private static final Pattern ENTITY = Pattern.compile("&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([a-z]{2,8}));?");

	private static final Map<String, String> ENTITIES = Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos",
			"'", "commat", "@", "period", ".", "nbsp", " ", "hyphen", "-", "lowbar", "_");

	private static final Pattern ESCAPE = Pattern
		.compile("\\\\(?:[uU]\\{?([0-9A-Fa-f]{2,8})\\}?|x\\{?([0-9A-Fa-f]{2})\\}?|([0-3][0-7]{2}))");

	private static final Pattern QUOTED_PRINTABLE = Pattern.compile("=(?:([0-9A-Fa-f]{2})|[ \\t]*\\r?\\n)");

	/** In all of its alphabets; those of Base32 and hexadecimal digits lie within. */
	private static final Pattern WORD = Pattern.compile("[A-Za-z0-9+/_-]{4,}={0,6}");

	private static final Pattern SIGN = Pattern.compile("[+/_-]");

	private static final Pattern DECIMAL = Pattern.compile("([0-9]{1,7})");

	private static final Pattern PAIR = Pattern.compile("(?:0x)?([0-9A-Fa-f]{2})");

	private static final Pattern LETTERS = Pattern.compile("[0-9A-Za-z]+");

	/** The most characters between two numbers of a row. */
	private static final int MAX_GAP = 4;

	private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

	private Decodings() {
	}

	static String decode(String text) {
		StringBuilder all = new StringBuilder();
		String escaped = escaped(text);
		String decoded = WORD.matcher(escaped)
			.replaceAll((word) -> Matcher.quoteReplacement(words(word.group(), word.group())));
		if (!escaped.equals(text)) {
			all.append(escaped).append('\n');
		}
		if (!decoded.equals(escaped)) {
			all.append(decoded).append('\n');
		}
		if (escaped.indexOf('=') >= 0) {
			String plain = QUOTED_PRINTABLE.matcher(escaped)
				.replaceAll((sign) -> (sign.group(1) != null) ? "%" + sign.group(1) : "");
			if (!plain.equals(escaped)) {
				all.append(PercentEncoding.decode(plain)).append('\n');
			}
		}
		addNumbers(escaped, DECIMAL, 10, all);
		addNumbers(escaped, PAIR, 16, all);
		return all.toString();
	}

	static String escaped(String text) {
		String decoded = (text.indexOf('%') >= 0) ? PercentEncoding.decode(text) : text;
		if (decoded.indexOf('\\') >= 0) {
			decoded = ESCAPE.matcher(decoded).replaceAll((escape) -> Matcher.quoteReplacement(ofEscape(escape)));
			decoded = decoded.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
		}
		if (decoded.indexOf('&') >= 0) {
			decoded = ENTITY.matcher(decoded).replaceAll((entity) -> Matcher.quoteReplacement(ofEntity(entity)));
		}
		return decoded;
	}

	private static String ofEscape(MatchResult escape) {
		if (escape.group(3) != null) {
			return Character.toString(Integer.parseInt(escape.group(3), 8));
		}
		String digits = (escape.group(1) != null) ? escape.group(1) : escape.group(2);
		// Of \\u0040ab only four digits are the character.
		boolean isShort = escape.group(1) != null && escape.group().startsWith("\\u") && digits.length() > 4
				&& escape.group().indexOf('{') < 0;
		String own = (isShort) ? digits.substring(0, 4) : digits;
		return character(Long.parseLong(own, 16), escape.group()) + digits.substring(own.length());
	}

	private static String ofEntity(MatchResult entity) {
		if (entity.group(3) != null) {
			return ENTITIES.getOrDefault(entity.group(3), entity.group());
		}
		boolean isDecimal = entity.group(1) != null;
		return character(Long.parseLong((isDecimal) ? entity.group(1) : entity.group(2), (isDecimal) ? 10 : 16),
				entity.group());
	}

	private static String character(long code, String otherwise) {
		return (code <= Character.MAX_CODE_POINT) ? Character.toString((int) code) : otherwise;
	}

	private static void addNumbers(String text, Pattern number, int radix, StringBuilder all) {
		StringBuilder row = new StringBuilder();
		int end = 0;
		Matcher words = LETTERS.matcher(text);
		while (words.find()) {
			Matcher digits = number.matcher(words.group());
			long code = (digits.matches()) ? Long.parseLong(digits.group(1), radix) : 0;
			boolean isCharacter = code > ' ' && code <= Character.MAX_CODE_POINT;
			if (!isCharacter || words.start() - end > MAX_GAP) {
				addRow(row, all);
			}
			if (isCharacter) {
				row.appendCodePoint((int) code);
			}
			end = words.end();
		}
		addRow(row, all);
	}

	private static void addRow(StringBuilder row, StringBuilder all) {
		// A number by itself is what it is.
		if (row.length() > 1) {
			all.append(row).append('\n');
		}
		row.setLength(0);
	}

	/** All that a word may say, or what it is otherwise if it says nothing. */
	private static String words(String word, String otherwise) {
		StringBuilder words = new StringBuilder();
		addText(ofHex(word), words);
		addText(ofBase32(word), words);
		addText(ofBase64(word), words);
		if (words.isEmpty() && SIGN.matcher(word).find()) {
			for (String part : SIGN.split(word, -1)) {
				words.append((part.length() >= 4) ? words(part, part) : part).append(' ');
			}
		}
		return (words.isEmpty()) ? otherwise : words.toString();
	}

	private static void addText(byte @Nullable [] bytes, StringBuilder words) {
		if (bytes == null) {
			return;
		}
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			if (text.chars().noneMatch((character) -> Character.isISOControl(character) && character != '\n')) {
				words.append((words.isEmpty()) ? "" : " ").append(text);
			}
		}
		catch (CharacterCodingException ex) {
			// It is no text, so it says nothing.
		}
	}

	private static byte @Nullable [] ofBase64(String word) {
		try {
			return Base64.getDecoder().decode(word.replace('-', '+').replace('_', '/'));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static byte @Nullable [] ofHex(String word) {
		String digits = (word.startsWith("0x")) ? word.substring(2) : word;
		try {
			return HexFormat.of().parseHex(digits);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static byte @Nullable [] ofBase32(String word) {
		int end = word.indexOf('=');
		String digits = ((end >= 0) ? word.substring(0, end) : word).toUpperCase(Locale.ROOT);
		ByteBuffer bytes = ByteBuffer.allocate(digits.length() * 5 / 8);
		int bits = 0;
		int value = 0;
		for (int i = 0; i < digits.length(); i++) {
			int digit = BASE32.indexOf(digits.charAt(i));
			if (digit < 0) {
				return null;
			}
			value = (value << 5 | digit) & 0xFFF;
			bits += 5;
			if (bits >= 8) {
				bits -= 8;
				bytes.put((byte) (value >> bits));
			}
		}
		return bytes.array();
	}

}
