package io.agenthooks.sample;

import java.io.ByteArrayOutputStream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;

/**
 * Receives what was sent to the API, up to a limit, for a reader that is stricter than
 * that of the framework.
 */
final class HttpBody {

	static final int MAX_BYTES = 2 * 1024 * 1024;

	private HttpBody() {
	}

	/** The bytes of a body that says it is JSON. */
	static Mono<byte[]> receive(ServerHttpRequest http) {
		return http.getBody()
			.collect(ByteArrayOutputStream::new, HttpBody::append)
			.map((body) -> check(http.getHeaders(), body));
	}

	private static byte[] check(HttpHeaders headers, ByteArrayOutputStream body) {
		if (!isJson(headers)) {
			throw new InvalidCallException(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"The content type must be application/json");
		}
		if (body.size() > MAX_BYTES) {
			throw new InvalidCallException(HttpStatus.CONTENT_TOO_LARGE,
					"The body must not be larger than %d bytes".formatted(MAX_BYTES));
		}
		return body.toByteArray();
	}

	/**
	 * Collect a body. What is too much is read and dropped: who still sends does not get
	 * to read an answer.
	 */
	private static void append(ByteArrayOutputStream body, DataBuffer buffer) {
		byte[] bytes = new byte[Math.min(buffer.readableByteCount(), MAX_BYTES + 1 - body.size())];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		body.writeBytes(bytes);
	}

	private static boolean isJson(HttpHeaders headers) {
		try {
			@Nullable MediaType type = headers.getContentType();
			return type != null && type.isCompatibleWith(MediaType.APPLICATION_JSON) && type.isConcrete();
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

}
