package io.agenthooks.spring.webhook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.buffer.DataBuffer;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * An outage by its status or a broken connection is a denial if what has arrived says so,
 * and if it breaks off: the endpoint did decide, and nobody knows what.
 */
final class ArrivedBody {

	/** An answer is one level around the arguments. */
	private static final StrictJson json = new StrictJson(1);

	private final int maxBytes;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	ArrivedBody(int maxBytes) {
		this.maxBytes = maxBytes;
	}

	/** The part stays as it is. */
	synchronized void add(DataBuffer part) {
		int length = Math.min(part.readableByteCount(), this.maxBytes - this.bytes.size());
		byte[] copy = new byte[length];
		int position = part.readPosition();
		part.read(copy);
		part.readPosition(position);
		this.bytes.writeBytes(copy);
	}

	/** Or began a decision that broke off. */
	synchronized boolean isDenial() {
		byte[] text = this.bytes.toByteArray();
		try {
			return Objection.of(json.readObject(text)) != Objection.NONE;
		}
		catch (InvalidJsonException ex) {
			return new String(text, StandardCharsets.UTF_8).stripLeading().startsWith("{");
		}
	}

}
