package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * The calls of one invocation that wait for people. LangChain4j gets a text as the result
 * of each, so it runs the others of the batch; when those have ended, the turn is kept
 * and ends.
 * <p>
 * A stream writes all results into the memory before that. LangChain4j's loop does not:
 * there the call that ends last ends the turn, so that nothing that was done is undone.
 */
final class PendingCalls {

	private final List<TurnSuspendedException> waiting = new ArrayList<>();

	/** Equal calls that come late share their questions. */
	private final Set<String> kept = new HashSet<>();

	private List<ChatMessage> prompt = List.of();

	/** Why the prompt cannot be kept, once that was found out. */
	private @Nullable String objection;

	private boolean looked;

	private @Nullable Batch batch;

	private boolean over;

	synchronized void ask(List<ChatMessage> prompt) {
		this.prompt = prompt;
		this.looked = false;
	}

	synchronized List<ChatMessage> prompt() {
		return this.prompt;
	}

	/** LangChain4j's loop writes no result into the memory before it has all of them. */
	synchronized void begin(List<ChatMessage> before, AiMessage answer) {
		this.batch = (answer.hasToolExecutionRequests()) ? new Batch(before, answer) : null;
	}

	/** Written once to find out, however many calls wait. */
	synchronized @Nullable String objection() {
		if (!this.looked) {
			this.objection = objectionTo(this.prompt);
			this.looked = true;
		}
		return this.objection;
	}

	private static @Nullable String objectionTo(List<ChatMessage> prompt) {
		try {
			return (KeptTurn.write(prompt).length() > SuspendedTurn.MAX_LENGTH)
					? "the conversation is larger than " + SuspendedTurn.MAX_LENGTH + " characters" : null;
		}
		catch (UnkeptTurnException ex) {
			return ex.reason();
		}
	}

	/**
	 * The turn may be over: LangChain4j waits neither for calls beside one that failed,
	 * nor for the first of two that are equal, also in their ids. That one's question is
	 * in the kept turn and must stay. {@code null} if there is none.
	 */
	synchronized @Nullable ToolExecutionResult await(TurnSuspendedException call) {
		if (!this.over) {
			this.waiting.add(call);
		}
		else if (!this.kept.contains(call.getApprovalId())) {
			return null;
		}
		return ToolRunner.asResult(ToolResult.failure(call.getReason()));
	}

	synchronized ToolExecutionResult settle(ToolExecutionRequest request, ToolExecutionResult result) {
		if (this.batch != null) {
			this.batch.add(request, result);
			if (this.batch.isComplete() && isWaiting()) {
				throw this.waiting.get(0);
			}
		}
		return result;
	}

	synchronized boolean isWaiting() {
		return !this.waiting.isEmpty();
	}

	synchronized boolean isKept() {
		return !this.kept.isEmpty();
	}

	synchronized @Nullable KeptTurn running() {
		return (this.batch != null) ? this.batch.turn() : null;
	}

	/** Its calls have all ended or wait. */
	synchronized ApprovalPendingException suspend(KeptTurn turn, UnaryOperator<SuspendedTurn> complete,
			SuspendedTurns turns) {
		List<Reply> replies = turn.results().stream().map(this::reply).toList();
		List<String> ids = replies.stream().map(Reply::approvalId).filter(Objects::nonNull).toList();
		List<TurnSuspendedException> calls = ids.stream()
			.flatMap((id) -> this.waiting.stream().filter((call) -> call.getApprovalId().equals(id)).limit(1))
			.toList();
		if (!this.waiting.stream().map(TurnSuspendedException::getApprovalId).allMatch(ids::contains)) {
			throw new UnkeptTurnException("the memory of the service has lost a call of it");
		}
		turns.keep(complete.apply(new SuspendedTurn(KeptTurn.FORMAT, turn.write(), replies)));
		this.kept.addAll(ids);
		this.waiting.clear();
		return new ApprovalPendingException(calls);
	}

	private Reply reply(ToolExecutionResultMessage result) {
		String text = ChatMessages.textOf(result.contents());
		String id = ChatMessages.orEmpty(result.id());
		// The text has the id of the question in it, which nobody can guess.
		return this.waiting.stream()
			.filter((call) -> call.getReason().equals(text))
			.findFirst()
			.map((call) -> new Reply(id, result.toolName(), call.getApprovalId(), null, false))
			.orElseGet(() -> new Reply(id, result.toolName(), null, text, Boolean.TRUE.equals(result.isError())));
	}

	synchronized List<ToolExecutionResultMessage> denied(KeptTurn turn) {
		return turn.results()
			.stream()
			.map((result) -> (reply(result).isWaiting()) ? result.toBuilder()
				.contents(List.of(TextContent.from("This call needs the approval of a person, and its turn could not "
						+ "be kept until then. It has not run.")))
				.isError(true)
				.build() : result)
			.toList();
	}

	/** Let nobody decide about its calls if it was not kept. */
	synchronized void end(SuspendedTurns turns) {
		this.over = true;
		List<TurnSuspendedException> calls = this.waiting.stream()
			.filter((call) -> !this.kept.contains(call.getApprovalId()))
			.toList();
		this.waiting.clear();
		if (!calls.isEmpty()) {
			turns.cancel(calls);
		}
	}

	private static final class Batch {

		private final List<ChatMessage> before;

		private final AiMessage answer;

		private final @Nullable ToolExecutionResult[] results;

		Batch(List<ChatMessage> before, AiMessage answer) {
			this.before = before;
			this.answer = answer;
			this.results = new ToolExecutionResult[answer.toolExecutionRequests().size()];
		}

		/** The same request may be there twice. */
		void add(ToolExecutionRequest request, ToolExecutionResult result) {
			List<ToolExecutionRequest> requests = this.answer.toolExecutionRequests();
			IntStream.range(0, this.results.length)
				.filter((i) -> this.results[i] == null && requests.get(i).equals(request))
				.findFirst()
				.ifPresent((i) -> this.results[i] = result);
		}

		boolean isComplete() {
			return IntStream.range(0, this.results.length).allMatch((i) -> this.results[i] != null);
		}

		KeptTurn turn() {
			List<ToolExecutionRequest> requests = this.answer.toolExecutionRequests();
			List<ToolExecutionResultMessage> messages = new ArrayList<>();
			for (int i = 0; i < this.results.length; i++) {
				ToolExecutionResult result = this.results[i];
				if (result != null) {
					messages.add(ChatMessages.ofResult(requests.get(i), result));
				}
			}
			return new KeptTurn(this.before, this.answer, messages);
		}

	}

}
