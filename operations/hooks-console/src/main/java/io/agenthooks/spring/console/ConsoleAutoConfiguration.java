package io.agenthooks.spring.console;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.console.ConsoleStart.ConsoleServer;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.MentionSource;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.web.ConsoleEndpoint;
import io.agenthooks.spring.web.InvalidEndpointException;
import io.agenthooks.spring.web.MvcEndpointSecurity;
import io.agenthooks.spring.web.MvcEndpoints;
import io.agenthooks.spring.web.WebFluxEndpointSecurity;
import io.agenthooks.spring.web.WebFluxEndpoints;

/**
 * Serves the console if {@code hooks.console.enabled} is true.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = {
		"org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration" })
@ConditionalOnFeature("console")
@ImportRuntimeHints(ConsoleHints.class)
public final class ConsoleAutoConfiguration {

	static final String FEATURE = "console";

	private static final String CHAIN = "hooksConsoleSecurityFilterChain";

	private static final List<HttpMethod> SERVED = List.of(HttpMethod.GET, HttpMethod.HEAD);

	@Bean
	static FeatureOptions<ConsoleConfig> hooksConsoleOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>(FEATURE, ConsoleConfig.class, null, environment, beanFactory);
	}

	/** Without a login that grants what is written here, no one could open the page. */
	@Bean
	MentionSource hooksConsoleMentions(FeatureOptions<ConsoleConfig> options, ConfigurableEnvironment environment) {
		String authority = options.value().authority();
		HookPropertySources properties = HookPropertySources.of(environment);
		return () -> (authority != null) ? List.of(new Mention(Named.AUTHORITY, authority, "hooks.console.authority",
				null, properties.placeOf(FEATURE, "authority"))) : List.of();
	}

	@Bean
	ConsoleStart hooksConsoleStart(FeatureOptions<ConsoleConfig> options, ApplicationContext context,
			ObjectProvider<ConsoleServer> server, ObjectProvider<ConsoleEndpoints> endpoints) {
		return new ConsoleStart(options.value(), isWeb(context), server.getIfAvailable(), endpoints.getIfAvailable(),
				ClassUtils.isPresent("org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType",
						context.getClassLoader()) && ActuatorPort.isOther(context.getEnvironment()));
	}

	private static boolean isWeb(ApplicationContext context) {
		return Stream
			.of("org.springframework.web.context.WebApplicationContext",
					"org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext")
			.anyMatch((name) -> ClassUtils.isPresent(name, context.getClassLoader())
					&& ClassUtils.resolveClassName(name, context.getClassLoader()).isInstance(context));
	}

	/** Without Spring Boot Actuator the page says what to add. */
	private static ConsoleSettings settings(ObjectProvider<ConsoleEndpoints> endpoints,
			ObjectProvider<ConsoleEndpoint> questions, String path, boolean secured) {
		ConsoleEndpoint web = questions.getIfAvailable();
		if (web != null && web.path().equals(path)) {
			throw new InvalidEndpointException(
					"'%s' and 'hooks.console.path' are both '%s'.".formatted(web.property(), path),
					"Give one of them another path.");
		}
		return new ConsoleSettings(endpoints.getIfAvailable(),
				(web != null) ? ConsoleFiles.up(path) + web.path().substring(1) : null, !secured);
	}

	/** Finds the port of Spring Boot Actuator, which may be missing. */
	private static final class ActuatorPort {

		static boolean isOther(Environment environment) {
			return ManagementPortType.get(environment) != ManagementPortType.SAME;
		}

	}

	/** Finds the endpoints. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpointProperties.class, WebEndpointsSupplier.class })
	static class Actuator {

		@Bean
		@Nullable ConsoleEndpoints hooksConsoleEndpoints(FeatureOptions<ConsoleConfig> options,
				ObjectProvider<WebEndpointsSupplier> endpoints, ObjectProvider<WebEndpointProperties> properties) {
			WebEndpointsSupplier supplier = endpoints.getIfAvailable();
			WebEndpointProperties written = properties.getIfAvailable();
			return (supplier != null && written != null)
					? new ConsoleEndpoints(supplier, written.getBasePath(), options.value().pathOrDefault()) : null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class Mvc {

		@Bean
		ConsoleServer hooksConsoleServer(ListableBeanFactory beanFactory, Environment environment) {
			boolean secured = MvcEndpoints.isSecured(beanFactory);
			boolean plain = environment.getProperty("spring.mvc.servlet.path", "/").equals("/");
			return new ConsoleServer(secured,
					(secured && plain) ? new PathAccess.OfFilterChains(beanFactory) : PathAccess.UNKNOWN);
		}

		@Bean
		org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse> hooksConsole(
				FeatureOptions<ConsoleConfig> options, ConsoleServer server, ObjectProvider<ConsoleEndpoints> endpoints,
				ObjectProvider<ConsoleEndpoint> questions) {
			String path = options.value().pathOrDefault();
			return new MvcConsole(new ConsoleFiles(options.value()),
					settings(endpoints, questions, path, server.secured()))
				.routes(path);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class WebFlux {

		@Bean
		ConsoleServer hooksConsoleServer(ApplicationContext context) {
			boolean secured = WebFluxEndpoints.isSecured(context);
			boolean plain = context.getEnvironment().getProperty("spring.webflux.base-path", "").isEmpty();
			return new ConsoleServer(secured, (secured && plain) ? new WebFluxPathAccess(context) : PathAccess.UNKNOWN);
		}

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<org.springframework.web.reactive.function.server.ServerResponse> hooksConsole(
				FeatureOptions<ConsoleConfig> options, ConsoleServer server, ObjectProvider<ConsoleEndpoints> endpoints,
				ObjectProvider<ConsoleEndpoint> questions) {
			String path = options.value().pathOrDefault();
			return new WebFluxConsole(new ConsoleFiles(options.value()),
					settings(endpoints, questions, path, server.secured()))
				.routes(path);
		}

	}

	/**
	 * Decides about requests for the page that no filter chain of the application decides
	 * about. It comes first, because no chain may come after one for all requests, and
	 * matches last. It is made only if there is another chain: the first chain bean
	 * switches off what Spring Security does without one, which protects all paths.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass({ HttpSecurity.class, SecurityFilterChain.class })
	@ConditionalOnBean({ HttpSecurity.class, SecurityFilterChain.class })
	static class MvcSecurity {

		@Bean(CHAIN)
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityFilterChain hooksConsoleSecurityFilterChain(HttpSecurity http, FeatureOptions<ConsoleConfig> options,
				ListableBeanFactory beanFactory) {
			return new MvcEndpointSecurity(http, beanFactory).chain(SERVED, ConsoleFiles.paths(options.value()),
					List.of(options.value().authorityOrDefault()));
		}

	}

	/** The same for Spring WebFlux. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass({ ServerHttpSecurity.class, SecurityWebFilterChain.class })
	@ConditionalOnBean({ ServerHttpSecurity.class, SecurityWebFilterChain.class })
	static class WebFluxSecurity {

		@Bean(CHAIN)
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityWebFilterChain hooksConsoleSecurityFilterChain(ServerHttpSecurity http,
				FeatureOptions<ConsoleConfig> options, ListableBeanFactory beanFactory) {
			return new WebFluxEndpointSecurity(http, beanFactory).chain(SERVED, ConsoleFiles.paths(options.value()),
					List.of(options.value().authorityOrDefault()));
		}

	}

}
