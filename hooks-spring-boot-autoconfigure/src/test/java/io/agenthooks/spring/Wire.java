package io.agenthooks.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

/**
 * Messages of other systems, as they were in November 2026: {@code wire} in the test
 * resources.
 */
public final class Wire {

	private static final StrictJson json = new StrictJson(8);

	private Wire() {
	}

	/**
	 * A message, without the note of where its shape is from.
	 * @param name system and name, such as {@code cursor/preToolUse.allow}
	 */
	public static Map<String, @Nullable Object> message(String name) {
		try (InputStream file = Wire.class.getResourceAsStream("/wire/" + name + ".json")) {
			byte[] text = Objects.requireNonNull(file, name).readAllBytes();
			Map<String, @Nullable Object> message = new LinkedHashMap<>(StrictJson.object(json.readObject(text)));
			message.remove("_source");
			return message;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The same as JSON.
	 */
	public static byte[] bytes(String name) {
		return StrictJson.write(message(name));
	}

}
