package io.agenthooks.spring.dialect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

/**
 * One line of ASCII. Some names are written so that who reads JSON finds them, and who
 * searches the text does not. Half a character would end the reading of programs such as
 * {@code jq}, so it is replaced. A call may hold hundreds of thousands of values, each
 * written several times, so no object is made for any.
 */
final class DialectJson {

	private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] LOWER_HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

	private static final char REPLACEMENT = '\uFFFD';

	private final Predicate<String> hidden;

	private byte[] bytes = new byte[512];

	private int length;

	private DialectJson(Predicate<String> hidden) {
		this.hidden = hidden;
	}

	static Written write(@Nullable Object value, Predicate<String> hidden) {
		DialectJson json = new DialectJson(hidden);
		json.add(value);
		return new Written(json.bytes, json.length);
	}

	private void add(@Nullable Object value) {
		if (value instanceof String text) {
			addText(text, 0);
		}
		else if (value instanceof Map<?, ?> members) {
			addMembers(members);
		}
		else if (value instanceof List<?> elements) {
			addElements(elements);
		}
		else if (value == null || value instanceof Boolean || isPlainNumber(value)) {
			addAscii(String.valueOf(value));
		}
		else if (value instanceof Written written) {
			add(written.bytes, written.length);
		}
		else {
			byte[] other = StrictJson.write(value);
			add(other, other.length);
		}
	}

	/** Large ones are checked by who writes them. */
	private static boolean isPlainNumber(Object value) {
		if (value instanceof BigDecimal decimal) {
			return isShort(decimal.unscaledValue());
		}
		return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte
				|| (value instanceof BigInteger integer && isShort(integer))
				|| (value instanceof Double number && Double.isFinite(number))
				|| (value instanceof Float single && Float.isFinite(single));
	}

	private static boolean isShort(BigInteger integer) {
		return integer.bitLength() < 1024;
	}

	private void addMembers(Map<?, ?> members) {
		char separator = '{';
		for (Map.Entry<?, ?> member : members.entrySet()) {
			add(separator);
			addName((String) member.getKey());
			add(':');
			add(member.getValue());
			separator = ',';
		}
		if (members.isEmpty()) {
			add('{');
		}
		add('}');
	}

	private void addElements(List<?> elements) {
		char separator = '[';
		for (Object element : elements) {
			add(separator);
			add(element);
			separator = ',';
		}
		if (elements.isEmpty()) {
			add('[');
		}
		add(']');
	}

	private void addName(String name) {
		char first = (name.isEmpty()) ? 0 : name.charAt(0);
		boolean plain = first >= ' ' && first < 0x80 && first != '"' && first != '\\';
		addText(name, (plain && this.hidden.test(name)) ? 1 : 0);
	}

	/** The first characters that are escaped are plain ASCII and hidden. */
	private void addText(String text, int escaped) {
		reserve(text.length() + 2L);
		add('"');
		for (int i = 0; i < escaped; i++) {
			addEscape(text.charAt(i), LOWER_HEX);
		}
		for (int i = escaped; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character >= ' ' && character < 0x80 && character != '"' && character != '\\') {
				add(character);
			}
			else if (!Character.isSurrogate(character)) {
				addSpecial(character);
			}
			else if (Character.isHighSurrogate(character) && i + 1 < text.length()
					&& Character.isLowSurrogate(text.charAt(i + 1))) {
				addEscape(character, HEX);
				addEscape(text.charAt(++i), HEX);
			}
			else {
				addEscape(REPLACEMENT, HEX);
			}
		}
		add('"');
	}

	private void addSpecial(char character) {
		char letter = switch (character) {
			case '"', '\\' -> character;
			case '\b' -> 'b';
			case '\t' -> 't';
			case '\n' -> 'n';
			case '\f' -> 'f';
			case '\r' -> 'r';
			default -> 0;
		};
		if (letter == 0) {
			addEscape(character, HEX);
			return;
		}
		add('\\');
		add(letter);
	}

	private void addEscape(char character, byte[] hex) {
		add('\\');
		add('u');
		for (int shift = 12; shift >= 0; shift -= 4) {
			add((char) hex[(character >> shift) & 0xF]);
		}
	}

	private void addAscii(String text) {
		for (int i = 0; i < text.length(); i++) {
			add(text.charAt(i));
		}
	}

	private void add(char character) {
		if (this.length == this.bytes.length) {
			reserve(1);
		}
		this.bytes[this.length++] = (byte) character;
	}

	private void add(byte[] written, int count) {
		reserve(count);
		System.arraycopy(written, 0, this.bytes, this.length, count);
		this.length += count;
	}

	private void reserve(long count) {
		long needed = this.length + count;
		if (needed > StrictJson.MAX_WRITTEN) {
			throw StrictJson.tooLong();
		}
		if (needed > this.bytes.length) {
			long room = Math.min(Math.max(needed, 2L * this.bytes.length), StrictJson.MAX_WRITTEN);
			this.bytes = Arrays.copyOf(this.bytes, (int) room);
		}
	}

	static final class Written {

		private final byte[] bytes;

		private final int length;

		private Written(byte[] bytes, int length) {
			this.bytes = bytes;
			this.length = length;
		}

		Written and(Written others) {
			byte[] joined = Arrays.copyOf(this.bytes, this.length + others.length - 1);
			joined[this.length - 1] = ',';
			System.arraycopy(others.bytes, 1, joined, this.length, others.length - 1);
			return new Written(joined, joined.length);
		}

		byte[] toLine() {
			byte[] line = Arrays.copyOf(this.bytes, this.length + 1);
			line[this.length] = '\n';
			return line;
		}

		@Override
		public String toString() {
			return new String(this.bytes, 0, this.length, StandardCharsets.US_ASCII);
		}

	}

}
