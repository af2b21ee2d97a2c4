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

import io.agenthooks.spring.approval.LinkHttp.LinkReply;
import io.agenthooks.spring.web.MvcEndpoints;

/** Serves links by Spring MVC. */
final class MvcLinks {

	private final ApprovalWeb web;

	private final LinkHttp http;

	MvcLinks(ApprovalWeb web, LinkHttp http) {
		this.web = web;
		this.http = http;
	}

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isLink = (request) -> this.web.tokenIn(MvcEndpoints.path(request)) != null;
		return RouterFunctions.route()
			.GET(this.web.link(), isLink, (request) -> response(this.http.show(token(request))))
			.POST(this.web.link(), isLink, (request) -> response(this.http.decide(token(request), form(request))))
			.build();
	}

	private String token(ServerRequest request) {
		return Objects.requireNonNull(this.web.tokenIn(MvcEndpoints.path(request)));
	}

	/**
	 * The fields as the container read them: a filter may have done so before. It bounds
	 * the form.
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

	private static ServerResponse response(LinkReply reply) {
		ServerResponse.BodyBuilder builder = ServerResponse.status(reply.status());
		LinkHttp.HEADERS.forEach(builder::header);
		return builder.contentType(LinkHttp.HTML).body(reply.page());
	}

}
