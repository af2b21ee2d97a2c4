package io.agenthooks.spring.web;

import java.util.Map;

/**
 * A header that shows that a request is not forged.
 *
 * @param name the name of the header
 * @param token its value
 * @since 0.1.0
 */
public record CsrfHeader(String name, String token) {

	/**
	 * The header as clients read it in JSON.
	 * @return the members
	 */
	public Map<String, Object> toJson() {
		return Map.of("header", this.name, "token", this.token);
	}

	/** The header without its value, which is a secret. */
	@Override
	public String toString() {
		return "CsrfHeader[name=%s]".formatted(this.name);
	}

}
