package io.agenthooks.spring.approval;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.agenthooks.spring.web.MvcEndpoints;

record MvcLinks(ApprovalWeb web, LinkHttp http) {

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isLink = (request) -> this.web.tokenIn(MvcEndpoints.path(request)) != null;
		return RouterFunctions.route()
			.GET(this.web.link(), isLink, (request) -> MvcApprovals.response(this.http.show(token(request))))
			.POST(this.web.link(), isLink,
					(request) -> MvcApprovals.response(this.http.decide(token(request), form(request))))
			.build();
	}

	private String token(ServerRequest request) {
		return Objects.requireNonNull(this.web.tokenIn(MvcEndpoints.path(request)));
	}

	/**
	 * As the container read them, which bounds them: a filter may have done so before.
	 */
	private static @Nullable Map<String, List<String>> form(ServerRequest request) {
		try {
			// That of the request is read only when it is asked, and has what it has not.
			return new HashMap<>(request.params());
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

}
