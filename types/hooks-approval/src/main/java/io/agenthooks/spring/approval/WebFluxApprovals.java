package io.agenthooks.spring.approval;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.spring.approval.ApprovalStreams.Client;
import io.agenthooks.spring.approval.ApprovalStreams.Stream;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.web.CsrfHeader;
import io.agenthooks.spring.web.WebFluxEndpoints;

/**
 * Serves questions by Spring WebFlux. Stores block, so it asks them on other threads than
 * those of the server.
 *
 * @param answers those of agents, or {@code null} if the application goes on itself
 */
record WebFluxApprovals(ApprovalWeb web, ApprovalHttp http, ApprovalPeople people, ApprovalStreams streams,
		@Nullable Answers answers) {

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isQuestion = (request) -> this.web.idIn(WebFluxEndpoints.path(request)) != null;
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(this.web.path(), WebFluxEndpoints.isExactly(this.web.path()), this::list)
			.GET(this.web.events(), WebFluxEndpoints.isExactly(this.web.events()), this::events)
			.GET(this.web.question(), isQuestion, this::one)
			.POST(this.web.question(), isQuestion, this::decide);
		if (this.answers != null) {
			Answers answers = this.answers;
			routes
				.GET(this.web.answer(), (request) -> answerIn(request, false) != null,
						(request) -> person(request).flatMap((person) -> reply(() -> answers.one(person.orElse(null),
								Objects.requireNonNull(answerIn(request, false)), this.people))))
				.GET(this.web.answerEvents(), (request) -> answerIn(request, true) != null,
						(request) -> answer(answers, request));
		}
		return routes.build();
	}

	private @Nullable String answerIn(ServerRequest request, boolean events) {
		return this.web.answerIn(WebFluxEndpoints.path(request), events);
	}

	private Mono<ServerResponse> answer(Answers answers, ServerRequest request) {
		String id = Objects.requireNonNull(answerIn(request, true));
		return person(request).flatMap((found) -> {
			Person person = found.orElse(null);
			return Mono.fromCallable(() -> Optional.ofNullable(answers.refusal(person, id, this.people)))
				.subscribeOn(Schedulers.boundedElastic())
				.flatMap((refusal) -> refusal.map(WebFluxApprovals::response)
					.orElseGet(() -> stream(answers.open(Objects.requireNonNull(person), id))));
		});
	}

	private Mono<ServerResponse> list(ServerRequest request) {
		Mono<Optional<CsrfHeader>> csrf = WebFluxEndpoints.csrf(request)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return person(request)
			.zipWith(csrf,
					(person, header) -> reply(
							() -> this.http.list(person.orElse(null), request.queryParams(), header.orElse(null))))
			.flatMap(Function.identity());
	}

	private Mono<ServerResponse> one(ServerRequest request) {
		return person(request).flatMap((person) -> reply(() -> this.http.one(person.orElse(null), id(request),
				request.headers().header(HttpHeaders.IF_NONE_MATCH))));
	}

	private Mono<ServerResponse> decide(ServerRequest request) {
		Mono<Optional<byte[]>> body = DataBufferUtils
			.join(request.body(BodyExtractors.toDataBuffers()), ApprovalHttp.MAX_BODY)
			.map((buffer) -> Optional.of(bytes(buffer)))
			.defaultIfEmpty(Optional.of(new byte[0]))
			.onErrorReturn(DataBufferLimitException.class, Optional.empty());
		return person(request)
			.zipWith(body,
					(person, bytes) -> reply(() -> this.http.decide(person.orElse(null), id(request),
							request.headers().header(HttpHeaders.IF_MATCH),
							request.headers().firstHeader(HttpHeaders.CONTENT_TYPE), bytes.orElse(null))))
			.flatMap(Function.identity());
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private Mono<ServerResponse> events(ServerRequest request) {
		return person(request).flatMap((found) -> {
			Person person = found.orElse(null);
			ResponseEntity<byte[]> refusal = this.http.refusal(person);
			if (refusal != null) {
				return response(refusal);
			}
			return stream(this.streams.open(Objects.requireNonNull(person)));
		});
	}

	private static Mono<ServerResponse> stream(@Nullable Stream stream) {
		return (stream != null)
				? ServerResponse.ok()
					.headers((headers) -> ApprovalHttp.HEADERS.forEach(headers::set))
					.contentType(MediaType.TEXT_EVENT_STREAM)
					.body((response, context) -> response.writeAndFlushWith(
							events(stream).map((bytes) -> Mono.just(response.bufferFactory().wrap(bytes)))))
				: response(ApprovalHttp.busy());
	}

	/**
	 * Events that the client does not take wait here, and cut it off if they are too
	 * many.
	 */
	private static Flux<byte[]> events(Stream stream) {
		Sinks.Empty<Void> end = Sinks.empty();
		return Flux.<byte[]>create((sink) -> stream.connect(new Client() {

			@Override
			public void write(byte[] bytes) throws IOException {
				if (sink.isCancelled()) {
					throw new IOException("Nobody reads any more");
				}
				sink.next(bytes);
			}

			@Override
			public void end() {
				Sinks.EmitResult unused = end.tryEmitEmpty();
			}

		}), FluxSink.OverflowStrategy.IGNORE)
			.onBackpressureBuffer(ApprovalStreams.Bounds.DEFAULT.waiting())
			.onErrorComplete()
			.takeUntilOther(end.asMono())
			.doFinally((signal) -> stream.close());
	}

	private Mono<Optional<Person>> person(ServerRequest request) {
		return request.principal()
			.map((principal) -> Optional.ofNullable(this.people.of(principal)))
			.switchIfEmpty(Mono.fromSupplier(() -> Optional.ofNullable(this.people.of(null))));
	}

	private String id(ServerRequest request) {
		return Objects.requireNonNull(this.web.idIn(WebFluxEndpoints.path(request)));
	}

	static Mono<ServerResponse> reply(Callable<ResponseEntity<byte[]>> work) {
		return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic()).flatMap(WebFluxApprovals::response);
	}

	private static Mono<ServerResponse> response(ResponseEntity<byte[]> reply) {
		ServerResponse.BodyBuilder builder = ServerResponse.status(reply.getStatusCode())
			.headers((headers) -> headers.addAll(reply.getHeaders()));
		return (reply.getBody() != null) ? builder.bodyValue(reply.getBody()) : builder.build();
	}

}
