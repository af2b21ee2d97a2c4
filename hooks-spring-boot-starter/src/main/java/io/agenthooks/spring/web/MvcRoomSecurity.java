package io.agenthooks.spring.web;

import java.util.Collection;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/**
 * Makes the filter chain of a room with paths of its own in Spring MVC.
 *
 * @since 0.1.0
 */
public final class MvcRoomSecurity {

	private final HttpSecurity http;

	private final ListableBeanFactory beanFactory;

	/**
	 * Create what makes the chain.
	 * @param http what builds it
	 * @param beanFactory the beans
	 */
	public MvcRoomSecurity(HttpSecurity http, ListableBeanFactory beanFactory) {
		this.http = http;
		this.beanFactory = beanFactory;
	}

	/**
	 * Make a chain that decides about requests that no filter chain of the application
	 * decides about. It must come first, because no chain may come after one for all
	 * requests, and matches last.
	 * @param methods the methods that the room answers
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
					&& RoomSecurity.chainsOfApplication(this.beanFactory, SecurityFilterChain.class)
						.stream()
						.noneMatch((chain) -> chain.matches(request)))
			.authorizeHttpRequests(
					(requests) -> requests.anyRequest().hasAnyAuthority(authorities.toArray(String[]::new)))
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
