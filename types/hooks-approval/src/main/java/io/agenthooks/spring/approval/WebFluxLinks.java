package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.spring.approval.LinkHttp.LinkReply;
import io.agenthooks.spring.web.WebFluxEndpoints;

/**
 * Serves links by Spring WebFlux. Stores block, so it asks them on other threads than
 * those of the server.
 */
final class WebFluxLinks {

	private final ApprovalWeb web;

	private final LinkHttp http;

	WebFluxLinks(ApprovalWeb web, LinkHttp http) {
		this.web = web;
		this.http = http;
	}

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isLink = (request) -> this.web.tokenIn(WebFluxEndpoints.path(request)) != null;
		return RouterFunctions.route()
			.GET(this.web.link(), isLink, (request) -> reply(() -> this.http.show(token(request))))
			.POST(this.web.link(), isLink, this::decide)
			.build();
	}

	private Mono<ServerResponse> decide(ServerRequest request) {
		// The codec bounds the form.
		Mono<Optional<Map<String, List<String>>>> form = request.formData()
			.map((fields) -> Optional.<Map<String, List<String>>>of(fields))
			.onErrorReturn(Optional.empty())
			.defaultIfEmpty(Optional.empty());
		return form.flatMap((fields) -> reply(() -> this.http.decide(token(request), fields.orElse(null))));
	}

	private String token(ServerRequest request) {
		return Objects.requireNonNull(this.web.tokenIn(WebFluxEndpoints.path(request)));
	}

	private static Mono<ServerResponse> reply(Callable<LinkReply> work) {
		return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic()).flatMap((reply) -> {
			ServerResponse.BodyBuilder builder = ServerResponse.status(reply.status());
			LinkHttp.HEADERS.forEach(builder::header);
			return builder.contentType(LinkHttp.HTML).bodyValue(reply.page());
		});
	}

}
