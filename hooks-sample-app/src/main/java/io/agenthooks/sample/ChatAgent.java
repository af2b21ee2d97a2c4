package io.agenthooks.sample;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.ai.AgentHooks;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.toolcall.ToolCallAbortedException;

/**
 * Asks the agent. All it knows of hooks is that they may end a run, and that a turn may
 * wait for people.
 */
@Component
class ChatAgent {

	private static final Logger logger = LoggerFactory.getLogger(ChatAgent.class);

	private final ChatClient client;

	private final SampleJournal journal;

	ChatAgent(ChatClient client, SampleJournal journal) {
		this.client = client;
		this.journal = journal;
	}

	/** Run a turn, and wait for its end. */
	ChatReport ask(ChatQuestion question) {
		ChatTurn turn = new ChatTurn();
		try {
			turn.add(prompt(question).call().chatClientResponse());
		}
		catch (ApprovalPendingException ex) {
			return ChatReport.pending(ex, callsOf(ex));
		}
		catch (RuntimeException ex) {
			throw failure(ex);
		}
		return turn.report(this.journal);
	}

	/**
	 * Run a turn that gives its answer in pieces. The last thing is a {@link ChatReport}.
	 */
	Flux<Object> stream(ChatQuestion question) {
		return Flux.defer(() -> {
			ChatTurn turn = new ChatTurn();
			return prompt(question).stream()
				.chatClientResponse()
				.map(turn::add)
				.filter((text) -> !text.isEmpty())
				.cast(Object.class)
				.concatWith(Mono.fromSupplier(() -> turn.report(this.journal)));
		})
			.onErrorResume(ApprovalPendingException.class, (ex) -> Mono.just(ChatReport.pending(ex, callsOf(ex))))
			.onErrorMap(this::failure);
	}

	/** A question without a session is a conversation of its own. */
	private ChatClient.ChatClientRequestSpec prompt(ChatQuestion question) {
		String session = Objects.requireNonNullElseGet(question.session(), () -> UUID.randomUUID().toString());
		return this.client.prompt().user(question.message()).advisors((advisors) -> {
			advisors.param(ChatMemory.CONVERSATION_ID, session);
			if (question.user() != null) {
				advisors.param(AgentHooks.USER, question.user());
			}
			if (question.agent() != null) {
				advisors.param(AgentHooks.AGENT, question.agent());
			}
		});
	}

	private TurnFailedException failure(Throwable ex) {
		if (ex instanceof AgentAbortedException) {
			return new TurnFailedException(HttpStatus.FORBIDDEN, String.valueOf(ex.getMessage()), callsBefore(ex), ex);
		}
		logger.warn("A turn failed", ex);
		return new TurnFailedException(HttpStatus.BAD_GATEWAY,
				"The agent has no answer: its turn failed with " + ex.getClass().getName(), List.of(), ex);
	}

	private List<ToolCallReport> callsBefore(Throwable ex) {
		return callsOf((ex instanceof ToolCallAbortedException aborted) ? aborted.getCall().context().runId() : null);
	}

	private List<ToolCallReport> callsOf(ApprovalPendingException ex) {
		return callsOf(this.journal.last()
			.stream()
			.filter((outcome) -> outcome.approval() != null
					&& ex.approvalIds().contains(String.valueOf(outcome.approval().pending())))
			.map((outcome) -> outcome.effective().context().runId())
			.findFirst()
			.orElse(null));
	}

	private List<ToolCallReport> callsOf(@Nullable String run) {
		return (run != null) ? this.journal.ofRun(run).stream().map(ToolCallReport::of).toList() : List.of();
	}

}
