package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.BaseChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.Flux;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.caller.ReactiveCaller;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.SuspendedTurn;

/**
 * Lets a client go on with a conversation that was resumed. It comes before all other
 * advisors: the user has to be known before the run begins.
 * <p>
 * A memory around the calls of tools knows the question and gets the answer from here.
 * One that sees each call of the model knows the conversation up to the results, so the
 * prompt has no more than these.
 */
final class ResumedConversationAdvisor implements CallAdvisor, StreamAdvisor, PriorityOrdered {

	private static final ChatClientMessageAggregator aggregator = new ChatClientMessageAggregator();

	private final List<Message> messages;

	private final SuspendedTurn turn;

	private final ApprovalRequest request;

	private final CurrentUser user;

	ResumedConversationAdvisor(List<Message> messages, SuspendedTurn turn, ApprovalRequest request, CurrentUser user) {
		this.messages = messages;
		this.turn = turn;
		this.request = request;
		this.user = user;
	}

	@Override
	public String getName() {
		return "Agent Hooks of resumed conversations";
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		List<BaseChatMemoryAdvisor> memories = outerMemories(chain.getCallAdvisors());
		CallAdvisorChain rest = RepeatableChain.behind(this, chain, (advisors) -> without(memories, advisors));
		ChatClientRequest goingOn = goOn(request, hasInnerMemory(chain.getCallAdvisors()));
		ChatClientResponse response = callerFor(this.user.ofThread()).execute(() -> rest.nextCall(goingOn));
		for (BaseChatMemoryAdvisor memory : memories) {
			response = memory.after(response, chain);
		}
		return response;
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		List<BaseChatMemoryAdvisor> memories = outerMemories(chain.getStreamAdvisors());
		StreamAdvisorChain rest = RepeatableChain.behind(this, chain, (advisors) -> without(memories, advisors));
		ChatClientRequest goingOn = goOn(request, hasInnerMemory(chain.getStreamAdvisors()));
		return Flux.defer(() -> {
			// Before anything can lead to another thread.
			Login ofThread = this.user.ofThread();
			return ReactiveCaller.of(this.user).flatMapMany((ofReactor) -> {
				Caller caller = callerFor(ofReactor.or(() -> ofThread));
				return aggregator.aggregateChatClientResponse(
						rest.nextStream(goingOn).contextWrite((context) -> context.put(Caller.class, caller)),
						(response) -> memories.forEach((memory) -> memory.after(response, chain)));
			});
		});
	}

	/**
	 * Of one who is not logged in here it is known what was known when the turn ended.
	 */
	private Caller callerFor(Login here) {
		String user = this.request.user();
		CallContext kept = this.request.context();
		Login login = Login.GUEST;
		if (user != null) {
			login = (user.equals(here.user())) ? here : (kept != null) ? Login.GUEST.as(kept) : Login.of(user);
		}
		// The run of who goes on by itself, if it is one.
		CallContext context = login
			.in(CallContext.empty().withSessionId(session()).withRootRunId(Caller.rootRun(null)));
		return new ResumedCaller(context, login.as(context), this.turn.textsOf(), this.turn.usersTexts(),
				ReadTurns.usersTexts(this.messages), this.turn.origin());
	}

	private @Nullable String session() {
		return (this.request.sessionId().isEmpty()) ? null : this.request.sessionId();
	}

	private ChatClientRequest goOn(ChatClientRequest request, boolean remembered) {
		List<Message> messages = this.messages;
		if (remembered) {
			messages = new ArrayList<>(request.prompt().getSystemMessages());
			messages.add(this.messages.get(this.messages.size() - 1));
		}
		Map<String, @Nullable Object> context = new HashMap<>(request.context());
		String session = session();
		if (session != null) {
			context.putIfAbsent(ChatMemory.CONVERSATION_ID, session);
		}
		return ChatClientRequest.builder()
			.prompt(new Prompt(messages, request.prompt().getOptions()))
			.context(context)
			.build();
	}

	/** The memories that see a question once, however many tools are called. */
	private static List<BaseChatMemoryAdvisor> outerMemories(List<? extends Advisor> advisors) {
		return advisors.subList(0, loop(advisors))
			.stream()
			.filter(BaseChatMemoryAdvisor.class::isInstance)
			.map(BaseChatMemoryAdvisor.class::cast)
			.toList();
	}

	private static boolean hasInnerMemory(List<? extends Advisor> advisors) {
		return advisors.subList(loop(advisors), advisors.size())
			.stream()
			.anyMatch(BaseChatMemoryAdvisor.class::isInstance);
	}

	private static int loop(List<? extends Advisor> advisors) {
		for (int i = 0; i < advisors.size(); i++) {
			if (advisors.get(i) instanceof ToolAdvisor) {
				return i;
			}
		}
		return advisors.size();
	}

	private static List<Advisor> without(List<BaseChatMemoryAdvisor> memories, List<Advisor> advisors) {
		return advisors.stream().filter((advisor) -> !memories.contains(advisor)).toList();
	}

}
