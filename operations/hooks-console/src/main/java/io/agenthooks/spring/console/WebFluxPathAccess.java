package io.agenthooks.spring.console;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NativeDetector;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authorization.AuthorizationWebFilter;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Asks as a visitor, and as a user without any authority. Of each chain only the filter
 * that decides is asked.
 */
record WebFluxPathAccess(ApplicationContext context) implements PathAccess {

	private static final Logger logger = LoggerFactory.getLogger(WebFluxPathAccess.class);

	private static final Authentication USER = UsernamePasswordAuthenticationToken.authenticated("agent-hooks-start",
			null, List.of());

	/** A rule of the application may ask something that does not answer. */
	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	@Override
	public Access of(String path) {
		try {
			List<SecurityWebFilterChain> chains = this.context.getBeanProvider(SecurityWebFilterChain.class)
				.orderedStream()
				.toList();
			if (chains.isEmpty() || NativeDetector.inNativeImage()) {
				return Access.UNKNOWN;
			}
			ServerWebExchange exchange = exchange(path);
			for (SecurityWebFilterChain chain : chains) {
				if (Boolean.TRUE.equals(chain.matches(exchange).block(TIMEOUT))) {
					return of(chain, exchange);
				}
			}
			// What none decides about is open.
			return Access.EVERYBODY;
		}
		catch (RuntimeException ex) {
			// A rule of the application may want more than a path.
			logger.debug("Who may open {} could not be found", path, ex);
			return Access.UNKNOWN;
		}
	}

	private static Access of(SecurityWebFilterChain chain, ServerWebExchange exchange) {
		WebFilter decides = chain.getWebFilters()
			.filter(AuthorizationWebFilter.class::isInstance)
			.next()
			.block(TIMEOUT);
		if (decides == null || isAllowed(decides, exchange, null)) {
			return Access.EVERYBODY;
		}
		return (isAllowed(decides, exchange, USER)) ? Access.ANY_USER : Access.RESTRICTED;
	}

	private static boolean isAllowed(WebFilter decides, ServerWebExchange exchange, @Nullable Authentication user) {
		AtomicBoolean passed = new AtomicBoolean();
		Mono<Void> decided = decides.filter(exchange, (allowed) -> Mono.fromRunnable(() -> passed.set(true)))
			.onErrorResume(AccessDeniedException.class, (denied) -> Mono.empty());
		((user != null) ? decided.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user)) : decided)
			.block(TIMEOUT);
		return passed.get();
	}

	private ServerWebExchange exchange(String path) {
		ServerHttpRequest request = PathAccess.stub(ServerHttpRequest.class,
				Map.of("getMethod", HttpMethod.GET, "getPath", RequestPath.parse(path, ""), "getURI", URI.create(path),
						"getHeaders", HttpHeaders.EMPTY, "getQueryParams", new LinkedMultiValueMap<>(), "getCookies",
						new LinkedMultiValueMap<>()));
		return PathAccess.stub(ServerWebExchange.class, Map.of("getRequest", request, "getAttributes", new HashMap<>(),
				"getPrincipal", Mono.empty(), "getApplicationContext", this.context));
	}

}
