package io.agenthooks.sample;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Lets anyone on this machine talk to the agent. */
@RestController
@RequestMapping("/api/chat")
class ChatController {

	private final ChatAgent agent;

	private final Scheduler scheduler;

	ChatController(ChatAgent agent, Scheduler toolCallScheduler) {
		this.agent = agent;
		this.scheduler = toolCallScheduler;
	}

	/**
	 * Run a turn. Model, hooks and tools block, so this leaves the event loop. A turn
	 * that waits for people has been accepted (202) and goes on later.
	 */
	@PostMapping
	Mono<ResponseEntity<ChatReport>> ask(ServerHttpRequest http) {
		return HttpBody.receive(http)
			.map(ChatQuestion::read)
			.flatMap((question) -> Mono.fromCallable(() -> this.agent.ask(question)).subscribeOn(this.scheduler))
			.map((report) -> ResponseEntity.status((report.approvals().isEmpty()) ? HttpStatus.OK : HttpStatus.ACCEPTED)
				.body(report));
	}

	/**
	 * Run a turn, and give the answer in pieces: events {@code text}, and at last
	 * {@code end} or {@code error}.
	 */
	@PostMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<ServerSentEvent<Object>> stream(ServerHttpRequest http) {
		return HttpBody.receive(http)
			.map(ChatQuestion::read)
			.flatMapMany((question) -> this.agent.stream(question)
				.map((piece) -> (piece instanceof String text) ? event("text", new Text(text)) : event("end", piece))
				.onErrorResume(TurnFailedException.class,
						(ex) -> Mono.just(event("error", ApiErrors.ErrorReport.of(ex))))
				.subscribeOn(this.scheduler));
	}

	private static ServerSentEvent<Object> event(String name, Object data) {
		return ServerSentEvent.builder(data).event(name).build();
	}

	/** A piece of the answer. */
	record Text(String text) {

	}

}
