package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.observation.ToolCallingObservationContext;
import org.springframework.util.StringUtils;

import io.agenthooks.flow.Conversation;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * The calls of tools that a model made in one message. A tool does not learn which of
 * them it serves, so each takes the first one with its name and arguments that no other
 * took. Only equal ones may be swapped.
 */
final class ToolCallBatch {

	private static final String SAME_CALL = "Tool call denied: the very same call of this message waits for the "
			+ "approval of a person already";

	private final List<Message> history;

	private final AssistantMessage message;

	/** The places in the message of the calls that a tool serves. */
	private final BitSet served = new BitSet();

	private final List<ToolResponse> replies;

	private final SortedMap<Integer, TurnSuspendedException> waiting = new TreeMap<>();

	private final List<Failed> failed = new ArrayList<>();

	/** The calls whose replies tell of a failure, by their places in the message. */
	private final Set<Integer> failures = new HashSet<>();

	/** The texts of results that hooks added something to, without that. */
	private final Map<String, String> forPersons = new HashMap<>();

	private @Nullable Conversation told;

	private @Nullable Caller caller;

	private final List<ToolCallback> offered;

	ToolCallBatch(List<Message> history, AssistantMessage message, List<ToolCallback> offered) {
		this.offered = offered;
		this.history = history;
		this.message = message;
		this.replies = new ArrayList<>(message.getToolCalls().size());
	}

	/** The same for all calls. */
	@SuppressWarnings("ReferenceEquality") // of the very caller
	synchronized Conversation conversationForHooks(Function<String, ToolIdentity> identities, Caller caller) {
		Conversation told = this.told;
		if (told == null || caller != this.caller) {
			ClientRun run = (caller instanceof ClientRun client && !client.knowsCalls()) ? client : null;
			told = Conversation.of(() -> ReadTurns.of(this.history, identities, run));
			if (run != null && run.texts().goesOn()) {
				told = told.resumed();
			}
			if (caller.isInner()) {
				told = told.within(caller.outermost(), caller.inside());
			}
			this.told = told;
			this.caller = caller;
		}
		return told;
	}

	/** Of a model without a client, all texts that stand for the user are the user's. */
	private List<String> usersTexts() {
		Caller caller = this.caller;
		if (caller == null || caller.isInner()) {
			return List.of();
		}
		List<String> texts = ReadTurns.usersTexts(this.history);
		return (caller instanceof ClientRun run) ? run.texts().users(texts) : texts;
	}

	List<ToolCallback> offered() {
		return this.offered;
	}

	synchronized @Nullable Taken take(String tool, String arguments) {
		List<AssistantMessage.ToolCall> calls = this.message.getToolCalls();
		int taken = -1;
		for (int place = this.served.nextClearBit(0); place < calls.size(); place = this.served
			.nextClearBit(place + 1)) {
			AssistantMessage.ToolCall call = calls.get(place);
			if (call.name().equals(tool)) {
				if (arguments.equals(call.arguments())) {
					taken = place;
					break;
				}
				taken = (taken != -1) ? taken : place;
			}
		}
		if (taken == -1) {
			return null;
		}
		this.served.set(taken);
		String id = calls.get(taken).id();
		return new Taken(taken, (StringUtils.hasText(id)) ? id : null);
	}

	/** The others of the message are decided before the turn ends. */
	synchronized String suspend(@Nullable Taken taken, TurnSuspendedException call) {
		if (taken == null) {
			throw new ApprovalPendingException(List.of(call));
		}
		if (this.waiting.values().stream().anyMatch((other) -> other.getApprovalId().equals(call.getApprovalId()))) {
			// One approval is for one call.
			this.failures.add(taken.place());
			return SAME_CALL;
		}
		this.waiting.put(taken.place(), call);
		return call.getReason();
	}

	synchronized List<TurnSuspendedException> waiting() {
		return List.copyOf(this.waiting.values());
	}

	/**
	 * The turn as it can be kept; {@code null} if the replies do not belong to the calls.
	 */
	synchronized @Nullable SuspendedTurn suspendedTurn(ToolExecutionResult result) {
		List<AssistantMessage.ToolCall> calls = this.message.getToolCalls();
		List<ToolResponse> responses = responses(result);
		if (responses.size() != calls.size()) {
			return null;
		}
		List<SuspendedTurn.Reply> kept = new ArrayList<>();
		for (int i = 0; i < calls.size(); i++) {
			TurnSuspendedException waiting = this.waiting.get(i);
			String text = Objects.requireNonNullElse(responses.get(i).responseData(), "");
			kept.add(new SuspendedTurn.Reply(Objects.requireNonNullElse(calls.get(i).id(), ""), calls.get(i).name(),
					(waiting != null) ? waiting.getApprovalId() : null, (waiting != null) ? null : text,
					this.failures.contains(i)));
		}
		return new SuspendedTurn(ConversationJson.FORMAT, ConversationJson.write(conversation(), result.returnDirect()),
				kept)
			.withOrigin(KeptRequest.originOf(this.caller))
			.withUsersTexts(usersTexts(), (this.caller instanceof ClientRun run) ? run.texts().given().owner() : null);
	}

	List<Message> conversation() {
		List<Message> conversation = new ArrayList<>(this.history);
		conversation.add(this.message);
		return conversation;
	}

	private static List<ToolResponse> responses(ToolExecutionResult result) {
		List<Message> history = result.conversationHistory();
		return (!history.isEmpty() && history.get(history.size() - 1) instanceof ToolResponseMessage last)
				? last.getResponses() : List.of();
	}

	synchronized ToolExecutionResult deny(ToolExecutionResult result, String text) {
		Set<String> pending = this.waiting.values()
			.stream()
			.map(TurnSuspendedException::getReason)
			.collect(Collectors.toSet());
		return withReplies(result, (reply) -> (pending.contains(reply.responseData()))
				? new ToolResponse(Objects.requireNonNullElse(reply.id(), ""), reply.name(), text) : reply);
	}

	synchronized String add(@Nullable Taken taken, String id, String tool, ToolResult result) {
		// Once, for each text has a mark of its own.
		String text = result.forModel();
		this.replies.add(new ToolResponse(id, tool, text));
		if (result.additionalContext() != null) {
			this.forPersons.put(text, forPerson(result));
		}
		if (taken != null && !result.succeeded()) {
			this.failures.add(taken.place());
		}
		return text;
	}

	/** Remember a call whose tool threw: whoever asked for it makes a text of that. */
	synchronized void addFailed(ToolCall call, @Nullable Taken taken, String text) {
		this.failed.add(new Failed(call, (taken != null) ? taken.id() : null, text));
		if (taken != null) {
			this.failures.add(taken.place());
		}
	}

	/** Let hooks see a reply that the application made of what a tool threw. */
	synchronized ToolExecutionResult review(ToolExecutionResult result, GuardedCalls calls) {
		return (this.failed.isEmpty()) ? result : withReplies(result, (reply) -> review(reply, calls));
	}

	/** If all tools return directly, without what hooks say to models. */
	synchronized ToolExecutionResult forPerson(ToolExecutionResult result, GuardedCalls calls) {
		return (!result.returnDirect()) ? result
				: withReplies(result,
						(reply) -> new ToolResponse(Objects.requireNonNullElse(reply.id(), ""), reply.name(),
								(isRefusal(reply.responseData())) ? calls.refusalFor(this.caller)
										: this.forPersons.getOrDefault(reply.responseData(), reply.responseData())));
	}

	static String forPerson(ToolResult result) {
		return new ToolResult(result.succeeded(), result.content(), result.value()).forModel();
	}

	/** A tool that writes the same is not shown either. */
	static boolean isRefusal(@Nullable String text) {
		return text != null && ToolResult.failure(text).isRefusal();
	}

	private static ToolExecutionResult withReplies(ToolExecutionResult result, UnaryOperator<ToolResponse> change) {
		List<Message> history = result.conversationHistory();
		if (history.isEmpty() || !(history.get(history.size() - 1) instanceof ToolResponseMessage last)) {
			return result;
		}
		List<ToolResponse> replies = last.getResponses().stream().map(change).toList();
		if (replies.equals(last.getResponses())) {
			return result;
		}
		List<Message> other = new ArrayList<>(history.subList(0, history.size() - 1));
		other.add(ToolResponseMessage.builder().responses(replies).metadata(last.getMetadata()).build());
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
			throw new TurnAbortedByHookException(ex, id, calls.refusalFor(this.caller),
					endWith(id, reply.name(), ex.getReason()));
		}
	}

	synchronized ToolExecutionResult endWith(String id, String tool, String reply) {
		this.replies.add(new ToolResponse(id, tool, reply));
		List<Message> history = conversation();
		history.add(ToolResponseMessage.builder().responses(List.copyOf(this.replies)).build());
		return ToolExecutionResult.builder().conversationHistory(history).build();
	}

	/**
	 * A call that a tool serves.
	 *
	 * @param id the id of the model's provider, or {@code null}
	 */
	record Taken(int place, @Nullable String id) {

		/** The call that another manager makes, or {@code null} if it cannot be seen. */
		static @Nullable Taken observed(String tool, ObservationRegistry observations) {
			Observation observation = observations.getCurrentObservation();
			return (observation != null && observation.getContext() instanceof ToolCallingObservationContext calling
					&& calling.getToolDefinition().name().equals(tool) && StringUtils.hasText(calling.getToolCallId()))
							? new Taken(0, calling.getToolCallId()) : null;
		}

	}

	/**
	 * A call whose tool threw.
	 *
	 * @param providerId the id of the provider, or {@code null}
	 */
	private record Failed(ToolCall call, @Nullable String providerId, String text) {

		boolean isAnsweredBy(ToolResponse reply) {
			return this.call.tool().equals(reply.name())
					&& Objects.equals(this.providerId, (StringUtils.hasText(reply.id())) ? reply.id() : null);
		}

	}

}
