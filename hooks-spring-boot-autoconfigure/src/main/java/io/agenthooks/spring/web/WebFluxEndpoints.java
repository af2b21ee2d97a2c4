package io.agenthooks.spring.web;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/**
 * Helps features that serve endpoints with Spring WebFlux.
 *
 * @since 0.1.0
 */
public final class WebFluxEndpoints {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.server.csrf.CsrfToken",
			WebFluxEndpoints.class.getClassLoader());

	private WebFluxEndpoints() {
	}

	/**
	 * Whether Spring Security sees all requests first.
	 * @param beanFactory the beans
	 * @return whether it does
	 */
	public static boolean isSecured(ListableBeanFactory beanFactory) {
		return EndpointSecurity.isActive(beanFactory,
				"org.springframework.security.config.web.server.ServerHttpSecurity");
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
	 * @return the header, or nothing if none is wanted
	 */
	public static Mono<CsrfHeader> csrf(ServerRequest request) {
		return (CSRF) ? Token.of(request) : Mono.empty();
	}

	/** The token of Spring Security, which may be missing. */
	private static final class Token {

		static Mono<CsrfHeader> of(ServerRequest request) {
			return (request.exchange().getAttribute(CsrfToken.class.getName()) instanceof Mono<?> token)
					? token.ofType(CsrfToken.class).map((made) -> new CsrfHeader(made.getHeaderName(), made.getToken()))
					: Mono.empty();
		}

	}

}
