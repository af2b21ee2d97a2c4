package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.StringUtils;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.TurnAbortedException;

/**
 * The calls of tools that a model made in one message. A tool does not learn which of
 * them it serves, so each takes the first one with its name and arguments that no other
 * took. Those may be swapped only if they are equal.
 */
final class ToolCallBatch {

	private final List<Message> history;

	private final AssistantMessage message;

	private final List<AssistantMessage.ToolCall> open;

	private final List<ToolResponse> replies;

	private final List<Failed> failed = new ArrayList<>();

	/** The tools that the model could choose from. */
	private final List<ToolCallback> offered;

	ToolCallBatch(List<Message> history, AssistantMessage message, List<ToolCallback> offered) {
		this.offered = offered;
		this.history = history;
		this.message = message;
		this.open = new ArrayList<>(message.getToolCalls());
		this.replies = new ArrayList<>(this.open.size());
	}

	List<ToolCallback> offered() {
		return this.offered;
	}

	/**
	 * The id that the model's provider gave to the call that a tool is to serve now, or
	 * {@code null} if it gave none.
	 */
	synchronized @Nullable String take(String tool, String arguments) {
		AssistantMessage.ToolCall taken = null;
		for (AssistantMessage.ToolCall call : this.open) {
			if (call.name().equals(tool)) {
				if (arguments.equals(call.arguments())) {
					taken = call;
					break;
				}
				taken = (taken != null) ? taken : call;
			}
		}
		if (taken == null) {
			return null;
		}
		this.open.remove(taken);
		return (StringUtils.hasText(taken.id())) ? taken.id() : null;
	}

	synchronized void add(String id, String tool, String reply) {
		this.replies.add(new ToolResponse(id, tool, reply));
	}

	/**
	 * Remember a call whose tool threw: whoever asked for it makes a text of that.
	 * @param providerId the id that the model's provider gave to the call, or
	 * {@code null}
	 * @param text what the hooks let the model read of it
	 */
	synchronized void addFailed(ToolCall call, @Nullable String providerId, String text) {
		this.failed.add(new Failed(call, providerId, text));
	}

	/**
	 * The result with no reply to a call whose tool threw that the hooks have not seen:
	 * an application may process such exceptions as it likes.
	 */
	synchronized ToolExecutionResult review(ToolExecutionResult result, GuardedCalls calls) {
		List<Message> history = result.conversationHistory();
		if (this.failed.isEmpty() || history.isEmpty()
				|| !(history.get(history.size() - 1) instanceof ToolResponseMessage last)) {
			return result;
		}
		List<ToolResponse> reviewed = new ArrayList<>();
		for (ToolResponse reply : last.getResponses()) {
			reviewed.add(review(reply, calls));
		}
		if (reviewed.equals(last.getResponses())) {
			return result;
		}
		List<Message> other = new ArrayList<>(history.subList(0, history.size() - 1));
		other.add(ToolResponseMessage.builder().responses(reviewed).metadata(last.getMetadata()).build());
		return ToolExecutionResult.builder().conversationHistory(other).returnDirect(result.returnDirect()).build();
	}

	private ToolResponse review(ToolResponse reply, GuardedCalls calls) {
		List<Failed> those = this.failed.stream().filter((each) -> each.isAnsweredBy(reply)).toList();
		if (those.isEmpty() || those.stream().anyMatch((each) -> each.text().equals(reply.responseData()))) {
			return reply;
		}
		String id = Objects.requireNonNullElse(reply.id(), "");
		try {
			String text = calls.review(those.get(0).call(), Objects.requireNonNullElse(reply.responseData(), ""))
				.forModel();
			return (text.equals(reply.responseData())) ? reply : new ToolResponse(id, reply.name(), text);
		}
		catch (TurnAbortedException ex) {
			throw new TurnAbortedByHookException(ex, id, endWith(id, reply.name(), ex.getReason()));
		}
	}

	/**
	 * The batch as it is when its turn is over, with a last reply that tells so.
	 */
	synchronized ToolExecutionResult endWith(String id, String tool, String reply) {
		add(id, tool, reply);
		List<Message> history = new ArrayList<>(this.history);
		history.add(this.message);
		history.add(ToolResponseMessage.builder().responses(List.copyOf(this.replies)).build());
		return ToolExecutionResult.builder().conversationHistory(history).build();
	}

	/**
	 * A call whose tool threw.
	 *
	 * @param call the call
	 * @param providerId the id that the model's provider gave to it, or {@code null}
	 * @param text what the model may read of it
	 */
	private record Failed(ToolCall call, @Nullable String providerId, String text) {

		boolean isAnsweredBy(ToolResponse reply) {
			return this.call.tool().equals(reply.name())
					&& Objects.equals(this.providerId, (StringUtils.hasText(reply.id())) ? reply.id() : null);
		}

	}

}
