package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.BaseChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.SafeText;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.RestoredContext;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;

/**
 * Goes on with turns of {@code ChatClient} beans: the same one is asked again, with the
 * same parameters and context of tools.
 *
 * @param clients gives the clients by the names of their beans
 */
record SpringAiContinuation(SpringAiApprovals approvals, Supplier<Map<String, ChatClient>> clients,
		Supplier<List<CallContextCustomizer>> customizers) implements ConversationContinuation {

	@Override
	public String format() {
		return ConversationJson.FORMAT;
	}

	@Override
	public @Nullable String unusable() {
		Map<String, ChatClient> clients = this.clients.get();
		return (clients.isEmpty()) ? "There is no ChatClient bean."
				: (clients.values().stream().noneMatch(SpringAiContinuation::remembers))
						? "No ChatClient bean has a memory." : null;
	}

	private static boolean remembers(ChatClient client) {
		return SpringAiClientGuard.advisorsOf(client).anyMatch(BaseChatMemoryAdvisor.class::isInstance);
	}

	private @Nullable ChatClient find(SuspendedTurn turn) {
		String name = (turn.origin() != null) ? turn.origin().client() : null;
		List<ChatClient> found = new ArrayList<>();
		this.clients.get().forEach((bean, client) -> {
			Object given = SpringAiClientGuard.parametersOf(client).get(AgentHooks.CONTINUATION);
			if (Objects.requireNonNullElse(given, bean).equals(name)) {
				found.add(client);
			}
		});
		return (found.size() == 1) ? found.get(0) : null;
	}

	@Override
	public @Nullable String objection(SuspendedTurn turn, ApprovalRequest request) {
		Origin origin = Objects.requireNonNull(turn.origin());
		ChatClient client = find(turn);
		String name = SafeText.name(String.valueOf(origin.client()));
		if (client == null) {
			return "There is no ChatClient bean '%s' here, or there are several.".formatted(name);
		}
		if (!remembers(client)) {
			return "The ChatClient bean '%s' has no memory.".formatted(name);
		}
		KeptRequest kept = KeptRequest.read(origin);
		Defaults defaults = Defaults.of(client, kept);
		if (!kept.shape().equals(defaults.shape())) {
			return ("The request had other tools, advisors or options than the ChatClient bean '%s' has by itself: "
					+ "make them its defaults.")
				.formatted(name);
		}
		return (RestoredContext.isSame(request.context(), this.customizers.get(), () -> {
			Map<String, @Nullable Object> given = new HashMap<>(kept.parameters());
			given.putAll(kept.toolContext());
			return given;
		})) ? null : RestoredContext.OBJECTION;
	}

	@Override
	public ResumableTools tools(SuspendedTurn turn) {
		KeptRequest kept = KeptRequest.read(Objects.requireNonNull(turn.origin()));
		return this.approvals.tools(Defaults.of(Objects.requireNonNull(find(turn)), kept).tools(),
				(kept.toolContext().isEmpty()) ? null : new ToolContext(kept.toolContext()));
	}

	@Override
	public String goOn(ResumedTurn turn) {
		ResumedConversation conversation = this.approvals.conversation(turn);
		if (conversation.isReturnDirect()) {
			return conversation.results().stream().map(ToolResponse::responseData).collect(Collectors.joining("\n"));
		}
		KeptRequest kept = KeptRequest.read(Objects.requireNonNull(turn.turn().origin()));
		ChatClient client = Objects.requireNonNull(find(turn.turn()));
		String answer = request(client, kept, conversation.advisor()).call().content();
		return Objects.requireNonNullElse(answer, "");
	}

	private static ChatClient.ChatClientRequestSpec request(ChatClient client, KeptRequest kept, Advisor advisor) {
		return client.prompt()
			.advisors((advisors) -> advisors.params(kept.parameters()).advisors(advisor))
			.toolContext(kept.toolContext());
	}

	private record Defaults(List<ToolCallback> tools, String shape) {

		static Defaults of(ChatClient client, KeptRequest kept) {
			Look look = new Look();
			ChatClientResponse unused = request(client, kept, look).call().chatClientResponse();
			return Objects.requireNonNull(look.seen, "The client asked no advisor");
		}

	}

	/** The first advisor, which looks at the question, and does not hand it on. */
	private static final class Look implements CallAdvisor, PriorityOrdered {

		private @Nullable Defaults seen;

		@Override
		public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
			List<ToolCallback> tools = (request.prompt().getOptions() instanceof ToolCallingChatOptions options
					&& options.getToolCallbacks() != null) ? options.getToolCallbacks() : List.of();
			this.seen = new Defaults(List.copyOf(tools), KeptRequest.shapeOf(request, chain.getCallAdvisors()));
			return ChatClientResponse.builder().context(Map.of()).build();
		}

		@Override
		public String getName() {
			return "Agent Hooks of clients that go on";
		}

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
