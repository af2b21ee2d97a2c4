package io.agenthooks.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;

/**
 * The user that Spring Security knows. A class of its own, so that Spring Security need
 * not be there.
 */
record SecurityUser() implements CurrentUser {

	@Override
	public @Nullable String ofThread() {
		return nameOf(SecurityContextHolder.getContext().getAuthentication());
	}

	@Override
	public Mono<String> ofReactor() {
		return ReactiveSecurityContextHolder.getContext().mapNotNull((context) -> nameOf(context.getAuthentication()));
	}

	private static @Nullable String nameOf(@Nullable Authentication authentication) {
		return (authentication == null || !authentication.isAuthenticated()
				|| authentication instanceof AnonymousAuthenticationToken) ? null : authentication.getName();
	}

}
