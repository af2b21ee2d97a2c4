package io.agenthooks.spring.prompt;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Escapes whatever could be part of a tag, and what a reader does not see or sees in
 * another place. Members are in the order of their names, so equal data is the same text.
 * It writes so much at most.
 */
final class DataWriter {

	/** A number of that many bits takes long to write out. */
	private static final int MAX_BITS = 4_096;

	private static final String HEX = "0123456789abcdef";

	private final StringBuilder text = new StringBuilder();

	private final int limit;

	DataWriter(int limit) {
		this.limit = limit;
	}

	DataWriter plain(String plain) {
		this.text.append(plain);
		check();
		return this;
	}

	DataWriter json(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			plain("{");
			Iterator<? extends Map.Entry<?, ?>> entries = new TreeMap<>(map).entrySet().iterator();
			while (entries.hasNext()) {
				Map.Entry<?, ?> entry = entries.next();
				quoted((String) entry.getKey());
				plain(": ").json(entry.getValue()).plain((entries.hasNext()) ? ", " : "");
			}
			return plain("}");
		}
		if (value instanceof List<?> list) {
			plain("[");
			Iterator<?> elements = list.iterator();
			while (elements.hasNext()) {
				json(elements.next()).plain((elements.hasNext()) ? ", " : "");
			}
			return plain("]");
		}
		if (value instanceof Number number) {
			return number(number);
		}
		return (value == null || value instanceof Boolean) ? plain(String.valueOf(value)) : quoted(value.toString());
	}

	private DataWriter number(Number number) {
		BigInteger digits = (number instanceof BigDecimal decimal) ? decimal.unscaledValue()
				: (number instanceof BigInteger integer) ? integer : BigInteger.ZERO;
		if (digits.bitLength() > MAX_BITS) {
			throw new TooMuchDataException();
		}
		return plain(number.toString());
	}

	private DataWriter quoted(String value) {
		this.text.append('"');
		for (int i = 0; i < value.length();) {
			int character = value.codePointAt(i);
			int next = i + Character.charCount(character);
			if (character == '"' || character == '\\') {
				this.text.append('\\').append((char) character);
			}
			else if (character == '\n') {
				this.text.append("\\n");
			}
			else if (isPlain(character)) {
				this.text.appendCodePoint(character);
			}
			else {
				value.substring(i, next).chars().forEach(this::escape);
			}
			check();
			i = next;
		}
		return plain("\"");
	}

	private void escape(int unit) {
		this.text.append("\\u");
		for (int shift = 12; shift >= 0; shift -= 4) {
			this.text.append(HEX.charAt((unit >> shift) & 0xF));
		}
	}

	/** It looks like what it is, and is no part of a tag. */
	private static boolean isPlain(int character) {
		if (character < 0x7F) {
			return character >= ' ' && character != '<' && character != '>' && character != '&';
		}
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR ->
				false;
			default -> !isBlank(character);
		};
	}

	/** It shows nothing, although for Unicode it is a letter, a mark or a symbol. */
	private static boolean isBlank(int character) {
		return character == 0x034F || character == 0x115F || character == 0x1160 || character == 0x17B4
				|| character == 0x17B5 || (character >= 0x180B && character <= 0x180F) || character == 0x2800
				|| character == 0x3164 || (character >= 0xFE00 && character <= 0xFE0F) || character == 0xFFA0
				|| (character >= 0xE0100 && character <= 0xE01EF);
	}

	private void check() {
		if (this.text.length() > this.limit) {
			throw new TooMuchDataException();
		}
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

	static final class TooMuchDataException extends RuntimeException {

		TooMuchDataException() {
			super("There is too much data", null, false, false);
		}

	}

}
