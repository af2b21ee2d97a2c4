package io.agenthooks.spring.approval;

import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.ServletRequestPathUtils;

import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.spring.web.MvcEndpoints;
import io.agenthooks.spring.web.WebFluxEndpoints;

/**
 * Serves links, if there are links.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApprovalLinksAutoConfiguration.class, afterName = {
		"org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBean({ SignedLinks.class, ApprovalWeb.class })
public final class ApprovalLinksWebAutoConfiguration {

	/** Known to our other chains as not one of the application. */
	static final String CHAIN = "hooksApprovalLinksSecurityFilterChain";

	private static final Set<String> SERVED = Set.of("GET", "POST");

	@Bean
	LinkHttp hooksApprovalLinkHttp(SignedLinks links, ToolApprovals approvals) {
		return new LinkHttp(links, approvals);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class Mvc {

		@Bean
		SmartInitializingSingleton hooksApprovalLinksStart(ApprovalWeb web, ListableBeanFactory beanFactory) {
			return () -> web.requireOpenLinks(!MvcEndpoints.isSecured(beanFactory) || beanFactory.containsBean(CHAIN));
		}

		@Bean
		org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse> hooksApprovalLinkPages(
				ApprovalWeb web, LinkHttp http) {
			return new MvcLinks(web, http).routes();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class WebFlux {

		@Bean
		SmartInitializingSingleton hooksApprovalLinksStart(ApprovalWeb web, ListableBeanFactory beanFactory) {
			return () -> web
				.requireOpenLinks(!WebFluxEndpoints.isSecured(beanFactory) || beanFactory.containsBean(CHAIN));
		}

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<org.springframework.web.reactive.function.server.ServerResponse> hooksApprovalLinkPages(
				ApprovalWeb web, LinkHttp http) {
			return new WebFluxLinks(web, http).routes();
		}

	}

	/**
	 * Lets requests pass without a login if their path is that of a link, to the letter,
	 * also where a chain of the application wants a login everywhere: who wrote
	 * {@code links} wants that. It is made only if there is another chain: the first
	 * chain bean switches off what Spring Security does without one, which protects all
	 * paths.
	 * <p>
	 * Protection from forged requests is off. It keeps another site from using the cookie
	 * that a browser sends by itself; here no cookie, session or login gives any right,
	 * but only the token in the address, which the other site does not know. A token
	 * against forgery would need a session for people who have none.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass({ HttpSecurity.class, SecurityFilterChain.class })
	@ConditionalOnBean({ HttpSecurity.class, SecurityFilterChain.class })
	static class MvcSecurity {

		@Bean(CHAIN)
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityFilterChain hooksApprovalLinksSecurityFilterChain(HttpSecurity http, ApprovalWeb web) {
			return http.securityMatcher((request) -> isLink(web, request))
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf(AbstractHttpConfigurer::disable)
				.requestCache(AbstractHttpConfigurer::disable)
				.sessionManagement((sessions) -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
				.build();
		}

		private static boolean isLink(ApprovalWeb web, HttpServletRequest request) {
			return SERVED.contains(request.getMethod())
					&& web.tokenIn(ServletRequestPathUtils.parse(request).pathWithinApplication().value()) != null;
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
		SecurityWebFilterChain hooksApprovalLinksSecurityFilterChain(ServerHttpSecurity http, ApprovalWeb web) {
			return http
				.securityMatcher((exchange) -> (SERVED.contains(exchange.getRequest().getMethod().name())
						&& web.tokenIn(exchange.getRequest().getPath().pathWithinApplication().value()) != null)
								? MatchResult.match() : MatchResult.notMatch())
				.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
				.securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
				.build();
		}

	}

}
