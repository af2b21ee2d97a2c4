package io.agenthooks.sample;

import java.nio.charset.StandardCharsets;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Two people who may log in, in the profile {@code secured}. Their passwords are their
 * names, which is for a demonstration on this machine only.
 */
@Configuration(proxyBeanMethods = false)
@Profile("secured")
class SecuredConfiguration {

	@Bean
	MapReactiveUserDetailsService users() {
		return new MapReactiveUserDetailsService(
				User.withUsername("ann").password("{noop}ann").authorities("ROLE_USER").build(),
				User.withUsername("boss").password("{noop}boss").authorities("ROLE_USER", "ROLE_ADMIN").build());
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		return http
			// The approval service has a token of its own.
			.authorizeExchange((exchange) -> exchange.pathMatchers("/sample/approvals")
				.permitAll()
				// The console, what others did, and the switch of all tools, are for
				// administrators.
				.pathMatchers("/hooks", "/hooks/**", "/actuator/toolhooks/**", "/actuator/toolcalls/**",
						"/actuator/toolaudit/**")
				.hasRole("ADMIN")
				.anyExchange()
				.authenticated())
			.httpBasic((basic) -> basic.authenticationEntryPoint(SecuredConfiguration::askForLogin))
			// Clients of /hooks/approvals read problems in JSON; a chain decides how it
			// refuses.
			.exceptionHandling((refusals) -> refusals.authenticationEntryPoint(SecuredConfiguration::askForLogin)
				.accessDeniedHandler((exchange, why) -> refuse(exchange, HttpStatus.FORBIDDEN,
						"Only an administrator may do this.")))
			// Pages of other hosts are refused by LocalOnlyFilter, which comes before.
			.csrf(ServerHttpSecurity.CsrfSpec::disable)
			.build();
	}

	private static Mono<Void> askForLogin(ServerWebExchange exchange, Exception why) {
		// The scripts of the console need no window of the browser for a login.
		if (!"XMLHttpRequest".equals(exchange.getRequest().getHeaders().getFirst("X-Requested-With"))) {
			exchange.getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"sample\"");
		}
		return refuse(exchange, HttpStatus.UNAUTHORIZED, "Log in as ann or boss.");
	}

	private static Mono<Void> refuse(ServerWebExchange exchange, HttpStatus status, String detail) {
		ServerHttpResponse response = exchange.getResponse();
		byte[] body = "{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
			.formatted(status.getReasonPhrase(), status.value(), detail)
			.getBytes(StandardCharsets.UTF_8);
		response.setStatusCode(status);
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getHeaders().setContentLength(body.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
	}

}
