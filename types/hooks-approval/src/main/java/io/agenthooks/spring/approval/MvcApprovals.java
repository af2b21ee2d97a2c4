package io.agenthooks.spring.approval;

import java.io.IOException;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.agenthooks.spring.approval.ApprovalStreams.Client;
import io.agenthooks.spring.approval.ApprovalStreams.Stream;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.web.MvcEndpoints;

/**
 * Serves questions by Spring MVC.
 *
 * @param answers those of agents, or {@code null} if the application goes on itself
 */
record MvcApprovals(ApprovalWeb web, ApprovalHttp http, ApprovalPeople people, ApprovalStreams streams,
		@Nullable Answers answers) {

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isQuestion = (request) -> this.web.idIn(MvcEndpoints.path(request)) != null;
		RouterFunctions.Builder routes = RouterFunctions.route()
			.GET(this.web.path(), MvcEndpoints.isExactly(this.web.path()), this::list)
			.GET(this.web.events(), MvcEndpoints.isExactly(this.web.events()), this::events)
			.GET(this.web.question(), isQuestion, this::one)
			.POST(this.web.question(), isQuestion, this::decide);
		if (this.answers != null) {
			Answers answers = this.answers;
			routes
				.GET(this.web.answer(), (request) -> answerIn(request, false) != null,
						(request) -> response(answers.one(person(request),
								Objects.requireNonNull(answerIn(request, false)), this.people)))
				.GET(this.web.answerEvents(), (request) -> answerIn(request, true) != null,
						(request) -> answer(answers, request));
		}
		return routes.build();
	}

	private @Nullable String answerIn(ServerRequest request, boolean events) {
		return this.web.answerIn(MvcEndpoints.path(request), events);
	}

	private ServerResponse answer(Answers answers, ServerRequest request) {
		Person person = person(request);
		String id = Objects.requireNonNull(answerIn(request, true));
		ResponseEntity<byte[]> refusal = answers.refusal(person, id, this.people);
		return (refusal != null) ? response(refusal) : stream(answers.open(Objects.requireNonNull(person), id));
	}

	private ServerResponse list(ServerRequest request) {
		return response(this.http.list(person(request), request.params(), MvcEndpoints.csrf(request)));
	}

	private ServerResponse one(ServerRequest request) {
		return response(
				this.http.one(person(request), id(request), request.headers().header(HttpHeaders.IF_NONE_MATCH)));
	}

	private ServerResponse decide(ServerRequest request) throws IOException {
		byte[] body = request.servletRequest().getInputStream().readNBytes(ApprovalHttp.MAX_BODY + 1);
		return response(this.http.decide(person(request), id(request), request.headers().header(HttpHeaders.IF_MATCH),
				request.headers().firstHeader(HttpHeaders.CONTENT_TYPE),
				(body.length <= ApprovalHttp.MAX_BODY) ? body : null));
	}

	private ServerResponse events(ServerRequest request) {
		Person person = person(request);
		ResponseEntity<byte[]> refusal = this.http.refusal(person);
		if (refusal != null) {
			return response(refusal);
		}
		return stream(this.streams.open(Objects.requireNonNull(person)));
	}

	private static ServerResponse stream(@Nullable Stream stream) {
		return (stream != null) ? ServerResponse.ok()
			.headers((headers) -> ApprovalHttp.HEADERS.forEach(headers::set))
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.build((servletRequest, servletResponse) -> {
				try {
					connect(stream, servletRequest, servletResponse);
				}
				catch (Exception | Error ex) {
					stream.close();
					throw ex;
				}
				return null;
			}) : response(ApprovalHttp.busy());
	}

	private static void connect(Stream stream, HttpServletRequest request, HttpServletResponse response)
			throws Exception {
		// The stream itself knows when it ends.
		DeferredResult<Object> end = new DeferredResult<>(0L);
		end.onCompletion(stream::close);
		WebAsyncUtils.getAsyncManager(request).startDeferredResultProcessing(end);
		stream.connect(new Client() {

			@Override
			public void write(byte[] bytes) throws IOException {
				response.getOutputStream().write(bytes);
				response.flushBuffer();
			}

			@Override
			public void end() {
				end.setResult(null);
			}

		});
	}

	private @Nullable Person person(ServerRequest request) {
		return this.people.of(request.principal().orElse(null));
	}

	private String id(ServerRequest request) {
		return Objects.requireNonNull(this.web.idIn(MvcEndpoints.path(request)));
	}

	static ServerResponse response(ResponseEntity<byte[]> reply) {
		ServerResponse.BodyBuilder builder = ServerResponse.status(reply.getStatusCode())
			.headers((headers) -> headers.addAll(reply.getHeaders()));
		return (reply.getBody() != null) ? builder.body(reply.getBody()) : builder.build();
	}

}
