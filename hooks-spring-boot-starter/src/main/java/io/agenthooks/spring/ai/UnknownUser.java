package io.agenthooks.spring.ai;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Nobody says who is logged in.
 */
record UnknownUser() implements CurrentUser {

	@Override
	public @Nullable String ofThread() {
		return null;
	}

	@Override
	public Mono<String> ofReactor() {
		return Mono.empty();
	}

}
