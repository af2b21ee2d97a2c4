package io.agenthooks.spring.ai;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * The person who is logged in.
 */
interface CurrentUser {

	/**
	 * The user whom this thread works for, or {@code null} if nobody says.
	 */
	@Nullable String ofThread();

	/**
	 * The user whom a reactive application works for, if somebody says.
	 */
	Mono<String> ofReactor();

	/**
	 * The user that Spring Security knows, which may not be there.
	 */
	static CurrentUser ofSpringSecurity() {
		return (ClassUtils.isPresent("org.springframework.security.core.context.SecurityContextHolder",
				CurrentUser.class.getClassLoader())) ? new SecurityUser() : new Unknown();
	}

	/**
	 * Nobody says.
	 */
	record Unknown() implements CurrentUser {

		@Override
		public @Nullable String ofThread() {
			return null;
		}

		@Override
		public Mono<String> ofReactor() {
			return Mono.empty();
		}

	}

}
