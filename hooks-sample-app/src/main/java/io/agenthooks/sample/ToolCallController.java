package io.agenthooks.sample;

import java.io.ByteArrayOutputStream;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import io.agenthooks.toolcall.ToolExecutor;

/**
 * Lets anyone on this machine make the calls of an agent, and shows how the last calls
 * ended.
 */
@RestController
@RequestMapping("/api/tool-calls")
class ToolCallController {

	static final int MAX_BODY_BYTES = 2 * 1024 * 1024;

	private final ToolExecutor executor;

	private final CallJournal journal;

	private final Scheduler scheduler;

	ToolCallController(ToolExecutor executor, CallJournal journal, Scheduler toolCallScheduler) {
		this.executor = executor;
		this.journal = journal;
		this.scheduler = toolCallScheduler;
	}

	/**
	 * Make a call. Hooks and tools block, so this leaves the event loop.
	 */
	@PostMapping
	Mono<ToolCallReport> call(ServerHttpRequest http) {
		return http.getBody()
			.collect(ByteArrayOutputStream::new, ToolCallController::append)
			.flatMap((body) -> Mono.fromCallable(() -> call(http.getHeaders(), body)).subscribeOn(this.scheduler));
	}

	@GetMapping
	List<ToolCallReport> last() {
		return this.journal.last().stream().map(ToolCallReport::of).toList();
	}

	@ExceptionHandler
	ResponseEntity<ErrorReport> invalidCall(InvalidCallException ex) {
		return ResponseEntity.status(ex.getStatus()).body(new ErrorReport(ex.getReason()));
	}

	private ToolCallReport call(HttpHeaders headers, ByteArrayOutputStream body) {
		if (!isJson(headers)) {
			throw new InvalidCallException(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"The content type must be application/json");
		}
		if (body.size() > MAX_BODY_BYTES) {
			throw new InvalidCallException(HttpStatus.CONTENT_TOO_LARGE,
					"The body must not be larger than %d bytes".formatted(MAX_BODY_BYTES));
		}
		return ToolCallReport.of(this.journal.follow(ToolCallJson.read(body.toByteArray()), this.executor));
	}

	/**
	 * Collect a body. What is too much is read and dropped: who still sends does not get
	 * to read an answer.
	 */
	private static void append(ByteArrayOutputStream body, DataBuffer buffer) {
		byte[] bytes = new byte[Math.min(buffer.readableByteCount(), MAX_BODY_BYTES + 1 - body.size())];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		body.writeBytes(bytes);
	}

	private static boolean isJson(HttpHeaders headers) {
		try {
			@Nullable MediaType type = headers.getContentType();
			return type != null && type.isCompatibleWith(MediaType.APPLICATION_JSON) && type.isConcrete();
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	/**
	 * What is wrong with what was sent.
	 *
	 * @param error the mistake, as a sentence
	 */
	record ErrorReport(String error) {

	}

}
