package io.agenthooks.spring.webhook;

import java.io.ByteArrayOutputStream;

import org.springframework.core.io.buffer.DataBuffer;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.BrokenJson;

/**
 * What has arrived of the body of an answer, whole or not. An answer that is otherwise an
 * outage, because of its status or because the connection broke, is a denial if it says
 * so: the endpoint did decide.
 */
final class ArrivedBody {

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
		return BrokenJson.hasMember(this.bytes.toByteArray(), Objection::mayHold,
				(name, value) -> Objection.of(name, value) != Objection.NONE);
	}

}
