package io.agenthooks.spring.webhook;

import java.io.ByteArrayOutputStream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

import io.agenthooks.spring.external.Objection;

/**
 * What has arrived of the body of an answer, whole or not. An answer that is otherwise an
 * outage, because of its status or because the connection broke, is a denial if it says
 * so: the endpoint did decide.
 */
final class ArrivedBody {

	/** An answer is one level around the arguments. */
	private static final int MAX_DEPTH = 65;

	private static final JsonFactory json = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
		.build();

	private final int maxBytes;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	ArrivedBody(int maxBytes) {
		this.maxBytes = maxBytes;
	}

	/**
	 * Take the next part, as long as the whole is not too large. The part stays as it is.
	 */
	synchronized void add(DataBuffer part) {
		int length = Math.min(part.readableByteCount(), this.maxBytes - this.bytes.size());
		byte[] copy = new byte[length];
		int position = part.readPosition();
		part.read(copy);
		part.readPosition(position);
		this.bytes.writeBytes(copy);
	}

	/**
	 * Whether the endpoint decided against the call, as far as the answer can be read.
	 */
	synchronized boolean isDenial() {
		try (JsonParser parser = json.createParser(ObjectReadContext.empty(), this.bytes.toByteArray())) {
			return parser.nextToken() == JsonToken.START_OBJECT && denies(parser);
		}
		catch (JacksonException ex) {
			// Nothing up to the place where it breaks off.
			return false;
		}
	}

	private static boolean denies(JsonParser parser) {
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			JsonToken token = parser.nextToken();
			if (token == JsonToken.START_OBJECT && Objection.mayHold(name)) {
				if (denies(parser)) {
					return true;
				}
			}
			else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
				parser.skipChildren();
			}
			else if (Objection.of(name, valueOf(token, parser)) != Objection.NONE) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Object valueOf(@Nullable JsonToken token, JsonParser parser) {
		if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
			return token == JsonToken.VALUE_TRUE;
		}
		return (token == JsonToken.VALUE_STRING) ? parser.getString() : null;
	}

}
