package io.agenthooks.spring.web;

import java.util.Collection;
import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfException;
import org.springframework.security.web.server.util.matcher.OrServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the filter chain of a feature that serves endpoints with Spring WebFlux.
 *
 * @since 0.1.0
 */
public final class WebFluxEndpointSecurity {

	private final ServerHttpSecurity http;

	private final ListableBeanFactory beanFactory;

	public WebFluxEndpointSecurity(ServerHttpSecurity http, ListableBeanFactory beanFactory) {
		this.http = http;
		this.beanFactory = beanFactory;
	}

	/**
	 * Make a chain that decides about requests that no filter chain of the application
	 * decides about. It must come first, because no chain may come after one for all
	 * requests, and matches last. What it refuses is a problem in JSON.
	 * @param methods the methods that the feature answers
	 * @param paths patterns of the paths that it answers
	 * @param authorities what people need, one of these
	 * @return the chain
	 */
	public SecurityWebFilterChain chain(Collection<HttpMethod> methods, Collection<String> paths,
			Collection<String> authorities) {
		List<ServerWebExchangeMatcher> all = methods.stream()
			.map((method) -> ServerWebExchangeMatchers.pathMatchers(method, paths.toArray(String[]::new)))
			.toList();
		ServerWebExchangeMatcher served = new OrServerWebExchangeMatcher(all);
		return this.http
			.securityMatcher((exchange) -> served.matches(exchange)
				.filter(ServerWebExchangeMatcher.MatchResult::isMatch)
				.filterWhen((match) -> Flux
					.fromIterable(EndpointSecurity.chainsOfApplication(this.beanFactory, SecurityWebFilterChain.class))
					.concatMap((chain) -> chain.matches(exchange))
					.any(Boolean::booleanValue)
					.map((covered) -> !covered))
				.switchIfEmpty(ServerWebExchangeMatcher.MatchResult.notMatch()))
			.authorizeExchange(
					(exchanges) -> exchanges.anyExchange().hasAnyAuthority(authorities.toArray(String[]::new)))
			.exceptionHandling((refusals) -> refusals.authenticationEntryPoint(WebFluxEndpointSecurity::askForLogin)
				.accessDeniedHandler(WebFluxEndpointSecurity::deny))
			.csrf((csrf) -> csrf.accessDeniedHandler(WebFluxEndpointSecurity::deny))
			.httpBasic((basic) -> {
				basic.authenticationEntryPoint(WebFluxEndpointSecurity::askForLogin);
				if (!hasPasswords()) {
					// People have tokens here, and none a password.
					basic.authenticationManager(
							(who) -> Mono.error(new BadCredentialsException("No user has a password here")));
				}
			})
			.build();
	}

	private static Mono<Void> askForLogin(ServerWebExchange exchange, Exception why) {
		return refuse(exchange, EndpointProblem.NO_LOGIN);
	}

	private static Mono<Void> deny(ServerWebExchange exchange, Exception why) {
		return refuse(exchange,
				(why instanceof CsrfException) ? EndpointProblem.NO_TOKEN : EndpointProblem.NO_AUTHORITY);
	}

	private static Mono<Void> refuse(ServerWebExchange exchange, EndpointProblem problem) {
		ServerHttpResponse response = exchange.getResponse();
		byte[] body = problem.body();
		response.setStatusCode(problem.status());
		if (problem.asksForLogin(exchange.getRequest().getHeaders().getFirst(EndpointProblem.REQUESTED_WITH))) {
			response.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, EndpointProblem.BASIC);
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getHeaders().setContentLength(body.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
	}

	private boolean hasPasswords() {
		return this.beanFactory.getBeanProvider(ReactiveAuthenticationManager.class).stream().findAny().isPresent()
				|| this.beanFactory.getBeanProvider(ReactiveUserDetailsService.class).stream().findAny().isPresent();
	}

}
