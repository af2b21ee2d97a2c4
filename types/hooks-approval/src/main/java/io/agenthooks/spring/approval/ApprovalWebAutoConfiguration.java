package io.agenthooks.spring.approval;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.spring.web.MvcEndpointSecurity;
import io.agenthooks.spring.web.MvcEndpoints;
import io.agenthooks.spring.web.WebFluxEndpointSecurity;
import io.agenthooks.spring.web.WebFluxEndpoints;

/**
 * Serves the questions to people over HTTP, if there are questions.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "io.agenthooks.spring.approval.ApprovalAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
		"org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBean({ ToolApprovals.class, ApprovalWeb.class })
public final class ApprovalWebAutoConfiguration {

	private static final String CHAIN = "hooksApprovalSecurityFilterChain";

	private static final List<HttpMethod> SERVED = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST);

	@Bean
	ApprovalStreams hooksApprovalStreams(ToolApprovals approvals) {
		return new ApprovalStreams(approvals, ApprovalStreams.Bounds.DEFAULT);
	}

	/** No bean if the application goes on itself. */
	@Bean
	@Nullable Answers hooksAnswers(ToolApprovals approvals, ObjectProvider<ContinuedTurns> turns) {
		ContinuedTurns continued = turns.getIfAvailable();
		return (continued != null) ? new Answers(approvals, continued) : null;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class Mvc {

		@Bean
		SmartInitializingSingleton hooksApprovalWebStart(ApprovalWeb web, ListableBeanFactory beanFactory) {
			return () -> web.requireAccess(MvcEndpoints.isSecured(beanFactory));
		}

		@Bean
		org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse> hooksApprovals(
				ApprovalWeb web, ToolApprovals approvals, ApprovalStreams streams, ObjectProvider<Answers> answers,
				ListableBeanFactory beanFactory) {
			ApprovalPeople people = new ApprovalPeople(web, MvcEndpoints.isSecured(beanFactory));
			return new MvcApprovals(web, new ApprovalHttp(approvals, people), people, streams, answers.getIfAvailable())
				.routes();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class WebFlux {

		@Bean
		SmartInitializingSingleton hooksApprovalWebStart(ApprovalWeb web, ListableBeanFactory beanFactory) {
			return () -> web.requireAccess(WebFluxEndpoints.isSecured(beanFactory));
		}

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<org.springframework.web.reactive.function.server.ServerResponse> hooksApprovals(
				ApprovalWeb web, ToolApprovals approvals, ApprovalStreams streams, ObjectProvider<Answers> answers,
				ListableBeanFactory beanFactory) {
			ApprovalPeople people = new ApprovalPeople(web, WebFluxEndpoints.isSecured(beanFactory));
			return new WebFluxApprovals(web, new ApprovalHttp(approvals, people), people, streams,
					answers.getIfAvailable())
				.routes();
		}

	}

	/**
	 * Decides about requests that no filter chain of the application decides about. It is
	 * made only if there is another chain: the first chain bean switches off what Spring
	 * Security does without one, which protects all paths.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass({ HttpSecurity.class, SecurityFilterChain.class })
	@ConditionalOnBean({ HttpSecurity.class, SecurityFilterChain.class })
	static class MvcSecurity {

		@Bean(CHAIN)
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityFilterChain hooksApprovalSecurityFilterChain(HttpSecurity http, ApprovalWeb web,
				ListableBeanFactory beanFactory) {
			return new MvcEndpointSecurity(http, beanFactory).chain(SERVED, web.patterns(), web.requiredApprovers());
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
		SecurityWebFilterChain hooksApprovalSecurityFilterChain(ServerHttpSecurity http, ApprovalWeb web,
				ListableBeanFactory beanFactory) {
			return new WebFluxEndpointSecurity(http, beanFactory).chain(SERVED, web.patterns(),
					web.requiredApprovers());
		}

	}

}
