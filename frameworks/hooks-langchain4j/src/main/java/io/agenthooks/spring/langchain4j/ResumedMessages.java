package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.ChatMemory;
import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

/**
 * The outcome of a turn of an AI service after one of its calls was resumed.
 *
 * @since 0.1.0
 */
public final class ResumedMessages {

	private final ResumedTurn turn;

	private final @Nullable KeptTurn kept;

	private final List<ToolExecutionResultMessage> results;

	ResumedMessages(ResumedTurn turn) {
		this.turn = turn;
		this.kept = (KeptTurn.FORMAT.equals(turn.turn().format())) ? KeptTurn.read(turn.turn().messages()) : null;
		this.results = (this.kept != null) ? results(this.kept, turn.turn().replies()) : List.of();
	}

	private static List<ToolExecutionResultMessage> results(KeptTurn kept, List<Reply> replies) {
		if (replies.size() != kept.results().size()) {
			throw new IllegalStateException("The turn that was kept has other calls than its messages");
		}
		List<ToolExecutionResultMessage> results = new ArrayList<>();
		for (int i = 0; i < replies.size(); i++) {
			Reply reply = replies.get(i);
			ToolExecutionResultMessage result = kept.results().get(i);
			String text = reply.text();
			results.add((reply.approvalId() == null || text == null) ? result
					: ToolExecutionResultMessage.builder()
						.id(result.id())
						.toolName(result.toolName())
						.contents(List.of(TextContent.from(text)))
						.isError(reply.failed())
						.build());
		}
		return List.copyOf(results);
	}

	/** The agent will read these texts of the user from its memory. */
	ResumedMessages learned() {
		AiServiceInvocations.learn(this.turn.turn().textsOf(), messages(), this.turn.turn().usersTexts());
		return this;
	}

	/**
	 * The conversation as the model should read it next: what it had read, its calls, and
	 * a result for each of them. A call that still waits has a text that says so.
	 * @return the messages; empty if no turn of an AI service was kept for the question
	 */
	public List<ChatMessage> messages() {
		return (this.kept != null) ? new KeptTurn(this.kept.before(), this.kept.answer(), this.results).messages()
				: List.of();
	}

	/**
	 * Put the results into the memory of a conversation, in the place of the texts which
	 * say that calls wait. An empty memory gets all messages. To do it again changes
	 * nothing.
	 * @param memory the memory of the service that made the calls
	 * @return whether the results are in the memory now; {@code false} if it does not
	 * have the calls any more, and stays as it is
	 */
	public boolean putInto(ChatMemory memory) {
		if (this.kept == null) {
			return false;
		}
		if (memory.messages().isEmpty()) {
			memory.set(messages());
			return true;
		}
		return Conversations.replace(memory, this.kept, this.results);
	}

	boolean fits(ChatMemory memory) {
		return this.kept != null && (memory.messages().isEmpty() || Conversations.has(memory, this.kept, this.results));
	}

	List<ToolExecutionResultMessage> results() {
		return this.results;
	}

	/**
	 * Whether the agent can go on.
	 * @return whether no call of the turn waits any more
	 */
	public boolean isComplete() {
		return this.turn.complete();
	}

	/**
	 * The questions about calls of the turn that have no result yet.
	 * @return their ids
	 */
	public List<String> pending() {
		return this.turn.pending();
	}

	/**
	 * The question about the call that was resumed. Its session is the memory id of the
	 * conversation, unless the application or an outer agent set another one.
	 * @return the question, as it is now
	 */
	public ApprovalRequest request() {
		return this.turn.request();
	}

	/**
	 * The turn without what was said in it.
	 */
	@Override
	public String toString() {
		return "ResumedMessages[" + this.turn + "]";
	}

}
