package io.agenthooks.spring.web;

import java.io.IOException;
import java.util.Collection;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/**
 * Makes the filter chain of a feature that serves endpoints with Spring MVC.
 *
 * @since 0.1.0
 */
public final class MvcEndpointSecurity {

	private final HttpSecurity http;

	private final ListableBeanFactory beanFactory;

	public MvcEndpointSecurity(HttpSecurity http, ListableBeanFactory beanFactory) {
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
	public SecurityFilterChain chain(Collection<HttpMethod> methods, Collection<String> paths,
			Collection<String> authorities) {
		ObjectProvider<PathPatternRequestMatcher.Builder> builders = this.beanFactory
			.getBeanProvider(PathPatternRequestMatcher.Builder.class);
		PathPatternRequestMatcher.Builder builder = builders.getIfAvailable(PathPatternRequestMatcher::withDefaults);
		Collection<PathPatternRequestMatcher> served = methods.stream()
			.flatMap((method) -> paths.stream().map((path) -> builder.matcher(method, path)))
			.toList();
		return this.http
			.securityMatcher((request) -> served.stream().anyMatch((path) -> path.matches(request))
					&& EndpointSecurity.chainsOfApplication(this.beanFactory, SecurityFilterChain.class)
						.stream()
						.noneMatch((chain) -> chain.matches(request)))
			.authorizeHttpRequests(
					(requests) -> requests.anyRequest().hasAnyAuthority(authorities.toArray(String[]::new)))
			.httpBasic((basic) -> basic.authenticationEntryPoint(MvcEndpointSecurity::askForLogin))
			.exceptionHandling((refusals) -> refusals.authenticationEntryPoint(MvcEndpointSecurity::askForLogin)
				.accessDeniedHandler(MvcEndpointSecurity::deny))
			.build();
	}

	private static void askForLogin(HttpServletRequest request, HttpServletResponse response, Exception why)
			throws IOException {
		refuse(request, response, EndpointProblem.NO_LOGIN);
	}

	private static void deny(HttpServletRequest request, HttpServletResponse response, Exception why)
			throws IOException {
		refuse(request, response,
				(why instanceof CsrfException) ? EndpointProblem.NO_TOKEN : EndpointProblem.NO_AUTHORITY);
	}

	private static void refuse(HttpServletRequest request, HttpServletResponse response, EndpointProblem problem)
			throws IOException {
		byte[] body = problem.body();
		response.setStatus(problem.status().value());
		if (problem.asksForLogin(request.getHeader(EndpointProblem.REQUESTED_WITH))) {
			response.setHeader(HttpHeaders.WWW_AUTHENTICATE, EndpointProblem.BASIC);
		}
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
