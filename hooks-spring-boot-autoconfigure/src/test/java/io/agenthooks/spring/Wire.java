package io.agenthooks.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages of other systems, as they were in November 2026: {@code wire} in the test
 * resources.
 */
public final class Wire {

	private static final StrictJson json = new StrictJson(8);

	/** What an application does not know of a call. */
	private static final Set<String> NOT_KNOWN = Set.of("effort", "url", "mcp_server_url");

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

	/**
	 * Check that every member of a message is in ours, and is a text, a number, an object
	 * as there.
	 * @param where what the message is, for the failure
	 */
	public static void assertForm(String where, Map<String, ?> theirs, Map<?, ?> ours) {
		theirs.forEach((name, value) -> {
			if (NOT_KNOWN.contains(name)) {
				return;
			}
			assertThat(ours.containsKey(name)).as(where + "." + name + " in " + ours.keySet()).isTrue();
			Object own = ours.get(name);
			if (value instanceof Map<?, ?> members && !name.equals("mcp_context") && !name.equals("config")) {
				assertThat(own).as(where + "." + name).isInstanceOf(Map.class);
				assertForm(where + "." + name, StrictJson.object(members), (Map<?, ?>) own);
			}
			else if (value != null && own != null) {
				assertThat(kind(own)).as(where + "." + name).isEqualTo(kind(value));
			}
		});
	}

	private static Class<?> kind(Object value) {
		return Stream.of(String.class, Number.class, Boolean.class, List.class, Map.class)
			.filter((kind) -> kind.isInstance(value))
			.findFirst()
			.orElseThrow();
	}

}
