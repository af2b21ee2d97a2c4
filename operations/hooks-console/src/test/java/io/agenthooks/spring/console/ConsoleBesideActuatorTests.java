package io.agenthooks.spring.console;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the login of the console, and of that of the endpoints beside it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConsoleBesideActuatorTests {

	private static final String OPEN = "open to everybody without one";

	private static final String SHARED = "everybody who logs in may ask";

	private static void start(Class<?> chains, String... properties) {
		TestConsole
			.start(WebApplicationType.SERVLET, List.of(TestSecurity.MvcUsers.class, chains),
					new String[] { "hooks.console.enabled=true" }, properties)
			.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { PageOnly.class, PageOfAnybody.class, ActuatorForAll.class })
	void endpointsWithoutALoginAreTold(Class<?> chains, CapturedOutput output) {
		start(chains);
		assertThat(output).contains(OPEN, "/actuator/toolhooks", "/actuator/toolcalls", "SecurityFilterChain")
			.doesNotContain(SHARED);
	}

	@Test
	void endpointsAtAnotherPathAreTold(CapturedOutput output) {
		start(PageOnly.class, "management.endpoints.web.base-path=/ops");
		assertThat(output).contains(OPEN, "/ops/toolhooks");
	}

	@Test
	void endpointsForWhoeverLogsInAreToldIfThePageIsNot(CapturedOutput output) {
		start(TestSecurity.MvcActuatorOnly.class);
		assertThat(output).contains(SHARED, "/actuator/toolhooks", "hasAuthority(\"HOOKS_CONSOLE\")")
			.doesNotContain(OPEN);
	}

	@ParameterizedTest
	@ValueSource(classes = { Both.class, BothForOperators.class, Object.class })
	void endpointsWithTheSameLoginAreNot(Class<?> chains, CapturedOutput output) {
		start(chains);
		assertThat(output).contains("The console is at /hooks").doesNotContain(OPEN, SHARED);
	}

	private static void startReactive(Class<?> chains, String... properties) {
		TestConsole
			.start(WebApplicationType.REACTIVE, List.of(TestSecurity.WebFluxUsers.class, chains),
					new String[] { "hooks.console.enabled=true" }, properties)
			.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { ReactivePageOnly.class, ReactiveActuatorForAll.class, ReactiveWithoutDecision.class })
	void endpointsOfWebFluxWithoutALoginAreTold(Class<?> chains, CapturedOutput output) {
		startReactive(chains);
		assertThat(output).contains(OPEN, "/actuator/toolhooks", "/actuator/toolcalls").doesNotContain(SHARED);
	}

	@Test
	void endpointsOfWebFluxAtAnotherPathAreTold(CapturedOutput output) {
		startReactive(ReactivePageOnly.class, "management.endpoints.web.base-path=/ops");
		assertThat(output).contains(OPEN, "/ops/toolhooks");
	}

	@Test
	void endpointsOfWebFluxForWhoeverLogsInAreToldIfThePageIsNot(CapturedOutput output) {
		startReactive(TestSecurity.WebFluxActuatorOnly.class);
		assertThat(output).contains(SHARED, "/actuator/toolhooks", "hasAuthority(\"HOOKS_CONSOLE\")")
			.doesNotContain(OPEN);
	}

	@ParameterizedTest
	@ValueSource(classes = { ReactiveBoth.class, ReactiveBothForOperators.class, ReactiveEndpoints.class })
	void endpointsOfWebFluxWithTheSameLoginAreNot(Class<?> chains, CapturedOutput output) {
		startReactive(chains);
		assertThat(output).contains("The console is at /hooks").doesNotContain(OPEN, SHARED);
	}

	private static SecurityWebFilterChain reactive(ServerHttpSecurity http, String... paths) {
		return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers(paths))
			.authorizeExchange((requests) -> requests.anyExchange().hasAuthority("HOOKS_CONSOLE"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	static class ReactivePageOnly {

		@Bean
		SecurityWebFilterChain operators(ServerHttpSecurity http) {
			return reactive(http, "/hooks", "/hooks/**");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveBothForOperators {

		@Bean
		SecurityWebFilterChain both(ServerHttpSecurity http) {
			return reactive(http, "/hooks", "/hooks/**", "/actuator/**");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveEndpoints {

		@Bean
		SecurityWebFilterChain both(ServerHttpSecurity http) {
			return http
				.authorizeExchange((requests) -> requests.matchers(EndpointRequest.toAnyEndpoint())
					.hasAuthority("HOOKS_CONSOLE")
					.anyExchange()
					.authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveBoth {

		@Bean
		SecurityWebFilterChain both(ServerHttpSecurity http) {
			return http.authorizeExchange((requests) -> requests.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveActuatorForAll {

		@Bean
		SecurityWebFilterChain all(ServerHttpSecurity http) {
			return http
				.authorizeExchange(
						(requests) -> requests.pathMatchers("/actuator/**").permitAll().anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveWithoutDecision {

		@Bean
		SecurityWebFilterChain nobody(ServerHttpSecurity http) {
			return http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/**"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		SecurityWebFilterChain operators(ServerHttpSecurity http) {
			return reactive(http, "/hooks", "/hooks/**");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PageOnly {

		@Bean
		SecurityFilterChain operators(HttpSecurity http) {
			return http.securityMatcher("/hooks", "/hooks/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().hasAuthority("HOOKS_CONSOLE"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PageOfAnybody {

		@Bean
		SecurityFilterChain operators(HttpSecurity http) {
			return http.securityMatcher("/hooks", "/hooks/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ActuatorForAll {

		@Bean
		SecurityFilterChain all(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/actuator/**").permitAll().anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Both {

		@Bean
		SecurityFilterChain both(HttpSecurity http) {
			return http.securityMatcher("/hooks", "/hooks/**", "/actuator/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BothForOperators {

		@Bean
		SecurityFilterChain both(HttpSecurity http) {
			return http.securityMatcher("/hooks", "/hooks/**", "/actuator/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().hasAuthority("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
