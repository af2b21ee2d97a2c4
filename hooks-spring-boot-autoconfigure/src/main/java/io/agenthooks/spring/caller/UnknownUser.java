package io.agenthooks.spring.caller;

import reactor.core.publisher.Mono;

/**
 * Nobody says who is logged in.
 */
record UnknownUser() implements CurrentUser {

	@Override
	public Login ofThread() {
		return Login.UNKNOWN;
	}

	@Override
	public Mono<Login> ofReactor() {
		return Mono.just(Login.UNKNOWN);
	}

}
