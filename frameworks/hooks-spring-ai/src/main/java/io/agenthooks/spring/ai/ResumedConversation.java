package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;

import io.agenthooks.spring.ai.ConversationJson.Conversation;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;

/**
 * A conversation in which calls of tools waited for people, with the results in their
 * places.
 *
 * @since 0.1.0
 */
public final class ResumedConversation {

	private final ResumedTurn resumed;

	private final Conversation kept;

	private final CurrentUser user;

	private final Supplier<String> refusal;

	ResumedConversation(ResumedTurn resumed, CurrentUser user, Supplier<String> refusal) {
		this.refusal = refusal;
		String format = resumed.turn().format();
		if (!format.isEmpty() && !format.equals(ConversationJson.FORMAT)) {
			throw new IllegalStateException("The conversation was kept by another framework: '%s'".formatted(format));
		}
		this.resumed = resumed;
		this.kept = (format.isEmpty()) ? new Conversation(List.of(), false)
				: ConversationJson.read(resumed.turn().messages());
		this.user = user;
	}

	/**
	 * The question about the call that was resumed, as it is now.
	 * @return the question
	 */
	public ApprovalRequest request() {
		return this.resumed.request();
	}

	/**
	 * The whole conversation: all messages that the model has seen, its calls of tools
	 * last, and a message with the reply to each of these. The reply to one that still
	 * waits says so. Of metadata there is what is plain, such as texts.
	 * @return the messages; none if the tool was called outside of a conversation that
	 * the hooks know
	 */
	public List<Message> messages() {
		if (this.kept.messages().isEmpty()) {
			return List.of();
		}
		List<Message> messages = new ArrayList<>(this.kept.messages());
		messages.add(ToolResponseMessage.builder().responses(results()).build());
		return List.copyOf(messages);
	}

	/**
	 * The replies to the last calls of tools, in their order.
	 * @return the replies
	 */
	public List<ToolResponse> results() {
		return this.resumed.turn().replies().stream().map(this::response).toList();
	}

	private ToolResponse response(Reply reply) {
		String text = (isReturnDirect() && ToolCallBatch.isRefusal(reply.text())) ? this.refusal.get() : reply.text();
		return new ToolResponse(reply.callId(), reply.tool(),
				(text != null) ? text : "This call waits for the approval of a person (request %s). It has not run."
					.formatted(reply.approvalId()));
	}

	/**
	 * Whether the model can go on.
	 * @return whether no call waits any more
	 */
	public boolean isComplete() {
		return this.resumed.complete();
	}

	/**
	 * The questions about calls that have no result yet, which have to be resumed, too.
	 * @return their ids
	 */
	public List<String> pending() {
		return this.resumed.pending();
	}

	/**
	 * Whether the results are the answer to the user, because all tools that were called
	 * return directly. Then there is no need to ask the model.
	 * @return whether they are
	 */
	public boolean isReturnDirect() {
		return this.kept.returnDirect();
	}

	/**
	 * Return the advisor that lets a {@code ChatClient} go on with this conversation, by
	 * {@code client.prompt().advisors(resumed.advisor()).call()} or {@code .stream()}.
	 * The messages of the prompt are those of this conversation, and no others. A memory
	 * of the client gets the answer, and nothing twice. Tools are called for whom the
	 * conversation was, whoever is logged in now.
	 * @return the advisor, for one question
	 * @throws IllegalStateException if a call still waits, or there is no conversation
	 */
	public Advisor advisor() {
		if (!isComplete()) {
			throw new IllegalStateException("Calls still wait for people: " + pending());
		}
		if (this.kept.messages().isEmpty()) {
			throw new IllegalStateException("The tool was called outside of a conversation");
		}
		return new ResumedConversationAdvisor(messages(), this.resumed.turn(), request(), this.user);
	}

	@Override
	public String toString() {
		return "ResumedConversation[request=%s, messages=%d, pending=%s]".formatted(request().id(),
				this.kept.messages().size(), pending());
	}

}
