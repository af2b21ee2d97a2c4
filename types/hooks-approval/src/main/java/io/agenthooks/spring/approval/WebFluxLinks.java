package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.web.WebFluxEndpoints;

/** Stores block, so they are asked on other threads than those of the server. */
record WebFluxLinks(ApprovalWeb web, LinkHttp http) {

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isLink = (request) -> this.web.tokenIn(WebFluxEndpoints.path(request)) != null;
		return RouterFunctions.route()
			.GET(this.web.link(), isLink, (request) -> WebFluxApprovals.reply(() -> this.http.show(token(request))))
			.POST(this.web.link(), isLink, this::decide)
			.build();
	}

	private Mono<ServerResponse> decide(ServerRequest request) {
		// The codec bounds the form.
		Mono<Optional<Map<String, List<String>>>> form = request.formData()
			.map((fields) -> Optional.<Map<String, List<String>>>of(fields))
			.onErrorReturn(Optional.empty())
			.defaultIfEmpty(Optional.empty());
		return form
			.flatMap((fields) -> WebFluxApprovals.reply(() -> this.http.decide(token(request), fields.orElse(null))));
	}

	private String token(ServerRequest request) {
		return Objects.requireNonNull(this.web.tokenIn(WebFluxEndpoints.path(request)));
	}

}
