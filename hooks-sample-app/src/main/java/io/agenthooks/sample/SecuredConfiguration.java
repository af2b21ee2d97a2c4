package io.agenthooks.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

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
			.httpBasic(Customizer.withDefaults())
			// Pages of other hosts are refused by LocalOnlyFilter, which comes before.
			.csrf(ServerHttpSecurity.CsrfSpec::disable)
			.build();
	}

}
