package io.agenthooks.spring.approval;

import java.io.IOException;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
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

/** Serves questions by Spring MVC. */
final class MvcApprovals {

	private final ApprovalWeb web;

	private final ApprovalHttp http;

	private final ApprovalPeople people;

	private final ApprovalStreams streams;

	MvcApprovals(ApprovalWeb web, ApprovalHttp http, ApprovalPeople people, ApprovalStreams streams) {
		this.web = web;
		this.http = http;
		this.people = people;
		this.streams = streams;
	}

	RouterFunction<ServerResponse> routes() {
		RequestPredicate isQuestion = (request) -> this.web.idIn(MvcEndpoints.path(request)) != null;
		return RouterFunctions.route()
			.GET(this.web.path(), MvcEndpoints.isExactly(this.web.path()), this::list)
			.GET(this.web.events(), MvcEndpoints.isExactly(this.web.events()), this::events)
			.GET(this.web.question(), isQuestion, this::one)
			.POST(this.web.question(), isQuestion, this::decide)
			.build();
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
		ApprovalHttpReply refusal = this.http.refusal(person);
		if (refusal != null) {
			return response(refusal);
		}
		Stream stream = this.streams.open(Objects.requireNonNull(person));
		return (stream != null) ? builder(HttpStatus.OK).contentType(MediaType.TEXT_EVENT_STREAM)
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

	private static ServerResponse response(ApprovalHttpReply reply) {
		ServerResponse.BodyBuilder builder = builder(reply.status());
		if (reply.tag() != null) {
			builder.header(HttpHeaders.ETAG, reply.tag());
		}
		return (reply.contentType() != null) ? builder.contentType(reply.contentType()).body(reply.body())
				: builder.build();
	}

	private static ServerResponse.BodyBuilder builder(HttpStatus status) {
		ServerResponse.BodyBuilder builder = ServerResponse.status(status);
		ApprovalHttp.HEADERS.forEach(builder::header);
		return builder;
	}

}
