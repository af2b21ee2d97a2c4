package io.agenthooks.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Helps features that serve endpoints with Spring MVC.
 *
 * @since 0.1.0
 */
public final class MvcEndpoints {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
			MvcEndpoints.class.getClassLoader());

	private MvcEndpoints() {
	}

	/**
	 * Whether Spring Security sees all requests first.
	 * @param beanFactory the beans
	 * @return whether it does
	 */
	public static boolean isSecured(ListableBeanFactory beanFactory) {
		return EndpointSecurity.isActive(beanFactory,
				"org.springframework.security.config.annotation.web.builders.HttpSecurity");
	}

	/**
	 * The path below the application as it is written in a request.
	 * @param request the request
	 * @return the path, not decoded
	 */
	public static String path(ServerRequest request) {
		return request.requestPath().pathWithinApplication().value();
	}

	/**
	 * Whether a path is written as the filter chains know it. An application may take
	 * paths in any letter case, or decoded, where its chains do not.
	 * @param path the path
	 * @return what tests requests
	 */
	public static RequestPredicate isExactly(String path) {
		return (request) -> path(request).equals(path);
	}

	/**
	 * Return the header that the application wants to see in requests that change
	 * something.
	 * @param request a request
	 * @return the header, or {@code null} if none is wanted
	 */
	public static @Nullable CsrfHeader csrf(ServerRequest request) {
		return (CSRF) ? Token.of(request.servletRequest()) : null;
	}

	/** The token of Spring Security, which may be missing. */
	private static final class Token {

		static @Nullable CsrfHeader of(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? new CsrfHeader(token.getHeaderName(), token.getToken()) : null;
		}

	}

}
