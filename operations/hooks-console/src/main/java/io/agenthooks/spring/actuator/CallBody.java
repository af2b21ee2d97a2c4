package io.agenthooks.spring.actuator;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

/**
 * Hands on a body as the text that it is: operations of the actuator take a flat list of
 * texts, and a call has arguments, which are an object.
 */
final class CallBody {

	private static final String PARAMETER = "call";

	/** Arguments may be larger elsewhere; a form needs no more. */
	static final int MAX_BYTES = 1024 * 1024;

	private CallBody() {
	}

	/** The body as the operation takes it, or {@code null} if it is not text. */
	static byte @Nullable [] wrap(byte[] body) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
			return StrictJson.write(Map.of(PARAMETER, text));
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

}
