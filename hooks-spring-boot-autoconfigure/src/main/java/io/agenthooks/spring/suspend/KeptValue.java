package io.agenthooks.spring.suspend;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A value of a request as text, with its type, so that whoever goes on gets the same.
 *
 * @since 0.1.0
 */
public final class KeptValue {

	private KeptValue() {
	}

	/**
	 * Write a text, a truth value, a whole number or a {@code UUID}.
	 * @param value the value
	 * @return the text, or {@code null} if it is something else
	 */
	public static @Nullable String write(@Nullable Object value) {
		return (value instanceof String || value instanceof Boolean || value instanceof Integer || value instanceof Long
				|| value instanceof UUID) ? value.getClass().getSimpleName().charAt(0) + ":" + value : null;
	}

	/**
	 * Read a value.
	 * @param written what {@link #write} made of it
	 * @return the value
	 */
	public static Object read(String written) {
		String text = written.substring(2);
		return switch (written.charAt(0)) {
			case 'B' -> Boolean.valueOf(text);
			case 'I' -> Integer.valueOf(text);
			case 'L' -> Long.valueOf(text);
			case 'U' -> UUID.fromString(text);
			default -> text;
		};
	}

}
