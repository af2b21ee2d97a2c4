package io.agenthooks.sample;

import java.util.List;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Lets anyone on this machine make the calls of an agent, and shows how the last calls
 * ended.
 */
@RestController
@RequestMapping("/api/tool-calls")
class ToolCallController {

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
		return HttpBody.receive(http)
			.flatMap((body) -> Mono.fromCallable(() -> call(ToolCallJson.read(body))).subscribeOn(this.scheduler));
	}

	@GetMapping
	List<ToolCallReport> last() {
		return this.journal.last().stream().map(ToolCallReport::of).toList();
	}

	private ToolCallReport call(ToolCall call) {
		return ToolCallReport.of(this.journal.follow(call, this.executor));
	}

}
