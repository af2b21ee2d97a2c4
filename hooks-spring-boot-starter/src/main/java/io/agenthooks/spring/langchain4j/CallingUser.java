package io.agenthooks.spring.langchain4j;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/**
 * Who is logged in on this thread, if Spring Security is there to say so.
 */
final class CallingUser {

	private static final boolean KNOWN = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder", CallingUser.class.getClassLoader());

	private CallingUser() {
	}

	/**
	 * The name of the user, or {@code null} if nobody is logged in.
	 */
	static @Nullable String name() {
		return (KNOWN) ? Security.name() : null;
	}

	/** A class of its own, which is loaded only where Spring Security is. */
	private static final class Security {

		static @Nullable String name() {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			return (user != null && user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken))
					? user.getName() : null;
		}

	}

}
