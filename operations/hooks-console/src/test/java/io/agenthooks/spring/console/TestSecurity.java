package io.agenthooks.spring.console;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.PlainPasswords;

/**
 * What applications say about security.
 */
final class TestSecurity {

	private TestSecurity() {
	}

	private static UserDetails[] users() {
		return new UserDetails[] { User.withUsername("ann").password("ann").authorities("ROLE_USER").build(),
				User.withUsername("boss").password("boss").authorities("ROLE_USER", "HOOKS_CONSOLE").build() };
	}

	/**
	 * People who may log in, and nothing else.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcUsers {

		@Bean
		PlainPasswords passwords() {
			return new PlainPasswords();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(TestSecurity.users());
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxUsers {

		@Bean
		PlainPasswords passwords() {
			return new PlainPasswords();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(TestSecurity.users());
		}

	}

	/**
	 * A chain for the actuator alone.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcActuatorOnly {

		@Bean
		SecurityFilterChain actuator(HttpSecurity http) {
			return http.securityMatcher("/actuator/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxActuatorOnly {

		@Bean
		SecurityWebFilterChain actuator(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/**"))
				.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * A chain that lets everybody in, but only some into one path.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcPermissive {

		@Bean
		SecurityFilterChain all(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/own").authenticated().anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxPermissive {

		@Bean
		SecurityWebFilterChain all(ServerHttpSecurity http) {
			return http
				.authorizeExchange(
						(exchanges) -> exchanges.pathMatchers("/own").authenticated().anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * People have tokens, and none a password.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxBearers {

		@Bean
		ReactiveJwtDecoder decoder() {
			return (token) -> Mono.error(new BadJwtException("Nobody's"));
		}

		@Bean
		SecurityWebFilterChain all(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/**"))
				.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults()))
				.build();
		}

	}

	/**
	 * Tokens in a cookie, as pages with scripts of their own want them.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcCookies {

		@Bean
		SecurityFilterChain all(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.csrf(CsrfConfigurer::spa)
				.build();
		}

	}

	/**
	 * Paths in any letter case, as some applications want it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class MvcAnyCase implements WebMvcConfigurer {

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(false);
			configurer.setPatternParser(parser);
		}

	}

	/**
	 * The same for WebFlux.
	 */
	@Configuration(proxyBeanMethods = false)
	static class WebFluxAnyCase implements WebFluxConfigurer {

		@Override
		public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
			configurer.setUseCaseSensitiveMatch(false);
		}

	}

}
