package io.agenthooks.spring.approval;

import java.util.function.Supplier;

import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/**
 * The login may be that of the person who approved, and a tool must not work with what
 * that person may do, nor be one that only that person gets.
 */
final class WithoutLogin {

	private static final boolean springSecurity = ClassUtils.isPresent(
			"org.springframework.security.core.context.SecurityContextHolder", WithoutLogin.class.getClassLoader());

	private WithoutLogin() {
	}

	static <T> T get(Supplier<T> call) {
		return (springSecurity) ? EmptyContext.get(call) : call.get();
	}

	private static final class EmptyContext {

		static <T> T get(Supplier<T> call) {
			SecurityContext before = SecurityContextHolder.getContext();
			SecurityContextHolder.setContext(SecurityContextHolder.createEmptyContext());
			try {
				return call.get();
			}
			finally {
				SecurityContextHolder.setContext(before);
			}
		}

	}

}
