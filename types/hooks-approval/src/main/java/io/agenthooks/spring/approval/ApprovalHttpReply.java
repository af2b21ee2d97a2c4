package io.agenthooks.spring.approval;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** The answer to a request about questions, whatever server it came to. */
final class ApprovalHttpReply {

	private final HttpStatus status;

	private final @Nullable MediaType contentType;

	private final @Nullable String tag;

	private final byte[] body;

	ApprovalHttpReply(HttpStatus status, @Nullable MediaType contentType, @Nullable String tag, byte[] body) {
		this.status = status;
		this.contentType = contentType;
		this.tag = tag;
		this.body = body;
	}

	HttpStatus status() {
		return this.status;
	}

	/** The type of the body, or {@code null} if there is none. */
	@Nullable MediaType contentType() {
		return this.contentType;
	}

	/** The ETag, or {@code null} if there is none. */
	@Nullable String tag() {
		return this.tag;
	}

	byte[] body() {
		return this.body;
	}

}
