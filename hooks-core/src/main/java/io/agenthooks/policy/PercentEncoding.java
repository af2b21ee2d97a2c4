package io.agenthooks.policy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Decodes percent signs, such as {@code %2e} for a dot.
 *
 * @since 0.1.0
 */
public final class PercentEncoding {

	/** The rounds of decoding percent signs within percent signs. */
	static final int MAX_ROUNDS = 3;

	private PercentEncoding() {
	}

	/**
	 * Decode a text once. What is behind a sign but no number stays.
	 * @param text the text
	 * @return the text that it stands for
	 */
	public static String decode(String text) {
		ByteBuffer bytes = ByteBuffer.allocate(3 * text.length());
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			int value = (character == '%' && i + 2 < text.length()) ? hex(text, i + 1) : -1;
			if (value >= 0) {
				bytes.put((byte) value);
				i += 2;
			}
			else if (Character.isSurrogate(character)) {
				bytes.put((byte) '?');
			}
			else if (character < 0x80) {
				bytes.put((byte) character);
			}
			else {
				bytes.put(String.valueOf(character).getBytes(StandardCharsets.UTF_8));
			}
		}
		return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
	}

	static int hex(String text, int start) {
		int high = Character.digit(text.charAt(start), 16);
		int low = Character.digit(text.charAt(start + 1), 16);
		return (high < 0 || low < 0) ? -1 : 16 * high + low;
	}

}
