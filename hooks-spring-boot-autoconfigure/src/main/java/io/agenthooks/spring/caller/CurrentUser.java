package io.agenthooks.spring.caller;

import java.util.Collection;
import java.util.List;

import org.springframework.util.ClassUtils;

/**
 * The person who is logged in. Asked only where a call comes in from the application;
 * everything behind that place is handed a {@link Caller}. Reactive applications ask
 * {@link ReactiveCaller}.
 *
 * @since 0.1.0
 */
public sealed interface CurrentUser permits SecurityUser, CurrentUser.Unknown {

	Login ofThread();

	/**
	 * The user that Spring Security knows, without claims.
	 * @return nobody at all times without Spring Security
	 */
	static CurrentUser ofSpringSecurity() {
		return ofSpringSecurity(List.of());
	}

	/**
	 * The user that Spring Security knows.
	 * @param claims the names of the claims about the user that hooks get
	 * @return nobody at all times without Spring Security
	 */
	static CurrentUser ofSpringSecurity(Collection<String> claims) {
		return (ClassUtils.isPresent("org.springframework.security.core.context.SecurityContextHolder",
				CurrentUser.class.getClassLoader())) ? new SecurityUser(claims) : new Unknown();
	}

	/** Without Spring Security. */
	record Unknown() implements CurrentUser {

		@Override
		public Login ofThread() {
			return Login.UNKNOWN;
		}

	}

}
