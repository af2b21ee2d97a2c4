package io.agenthooks.spring.ai;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * The person who is logged in.
 *
 * @since 0.1.0
 */
public interface CurrentUser {

	/**
	 * The user whom this thread works for.
	 * @return the name, or {@code null} if nobody says
	 */
	@Nullable String ofThread();

	/**
	 * The user whom a reactive application works for.
	 * @return the name, or nothing if nobody says
	 */
	Mono<String> ofReactor();

	/**
	 * The user that Spring Security knows, which may not be there.
	 * @return nobody at all times without Spring Security
	 */
	static CurrentUser ofSpringSecurity() {
		return (ClassUtils.isPresent("org.springframework.security.core.context.SecurityContextHolder",
				CurrentUser.class.getClassLoader())) ? new SecurityUser() : new UnknownUser();
	}

}
