package io.agenthooks.sample;

import java.util.List;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;
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

	private final SampleJournal journal;

	private final Scheduler scheduler;

	private final CurrentUser user = CurrentUser.ofSpringSecurity();

	ToolCallController(ToolExecutor executor, SampleJournal journal, Scheduler toolCallScheduler) {
		this.executor = executor;
		this.journal = journal;
		this.scheduler = toolCallScheduler;
	}

	/**
	 * Make a call, for who is logged in if anybody is. Hooks and tools block, so this
	 * leaves the event loop.
	 */
	@PostMapping
	Mono<ToolCallReport> call(ServerHttpRequest http) {
		return HttpBody.receive(http)
			.flatMap((body) -> ReactiveCaller.of(this.user)
				.flatMap((login) -> Mono.fromCallable(() -> call(as(login, ToolCallJson.read(body))))
					.subscribeOn(this.scheduler)));
	}

	@GetMapping
	List<ToolCallReport> last() {
		return this.journal.last().stream().map(ToolCallReport::of).toList();
	}

	/** A call of who is logged in, whatever it says itself. */
	private static ToolCall as(Login login, ToolCall call) {
		return (login.known()) ? ToolCall.of(call.tool(), call.arguments(), login.in(call.context())) : call;
	}

	private ToolCallReport call(ToolCall call) {
		return ToolCallReport.of(this.journal.follow(call, this.executor));
	}

}
