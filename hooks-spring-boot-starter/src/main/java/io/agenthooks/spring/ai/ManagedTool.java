package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

import io.agenthooks.chain.CarriedCall;
import io.agenthooks.spring.caller.Caller;

/**
 * A call as a manager of another class than Spring AI's makes it. It is unknown what that
 * runs, so it is given each call alone, once the hooks have approved it.
 */
final class ManagedTool implements ToolCallback {

	/** What Spring AI's own manager says of a tool that the prompt does not offer. */
	private static final String NOT_FOUND = "No ToolCallback found";

	private final ToolCallingManager manager;

	private final SpringAiToolHooks hooks;

	private final Prompt prompt;

	private final ChatResponse response;

	private final AssistantMessage message;

	private final AssistantMessage.ToolCall call;

	/** The tool of this name that the prompt offers. */
	private final @Nullable ToolCallback offered;

	private boolean returnDirect;

	private boolean unknown;

	ManagedTool(ToolCallingManager manager, SpringAiToolHooks hooks, Prompt prompt, ChatResponse response,
			AssistantMessage message, AssistantMessage.ToolCall call) {
		this.manager = manager;
		this.hooks = hooks;
		this.prompt = prompt;
		this.response = response;
		this.message = message;
		this.call = call;
		this.offered = tools().stream()
			.filter((tool) -> tool.getToolDefinition().name().equals(call.name()))
			.findFirst()
			.orElse(null);
		this.returnDirect = this.offered != null && this.offered.getToolMetadata().returnDirect();
	}

	private List<ToolCallback> tools() {
		return (this.prompt.getOptions() instanceof ToolCallingChatOptions options
				&& options.getToolCallbacks() != null) ? options.getToolCallbacks() : List.of();
	}

	/**
	 * What the prompt knows the tool by.
	 */
	ToolCallback origin() {
		return (this.offered != null) ? GuardedToolCallback.unwrap(this.offered) : this;
	}

	/**
	 * Who calls, as the tools of the prompt know it.
	 */
	@Nullable Caller caller() {
		return tools().stream()
			.map((tool) -> GuardedToolCallback.callerOf(tool, this.hooks))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Whether the reply goes to the user and not to the model.
	 */
	boolean isReturnDirect() {
		return this.returnDirect;
	}

	/**
	 * Whether the manager had no tool of the name when it was called.
	 */
	boolean isUnknown() {
		return this.unknown;
	}

	@Override
	public ToolDefinition getToolDefinition() {
		if (this.offered != null) {
			return this.offered.getToolDefinition();
		}
		String name = Objects.requireNonNullElse(this.call.name(), "");
		if (this.prompt.getOptions() instanceof ToolCallingChatOptions options) {
			List<ToolDefinition> own = this.manager.resolveToolDefinitions(options);
			for (ToolDefinition definition : (own != null) ? own : List.<ToolDefinition>of()) {
				if (name.equals(definition.name())) {
					return definition;
				}
			}
		}
		return new UnknownTool(name).getToolDefinition();
	}

	@Override
	public ToolMetadata getToolMetadata() {
		return (this.offered != null) ? this.offered.getToolMetadata() : ToolMetadata.builder().build();
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	public String call(String toolInput, @Nullable ToolContext toolContext) {
		ToolExecutionResult result;
		try {
			result = this.hooks.calls()
				.handOver((carried) -> this.manager.executeToolCalls(prompt(carried), responseWith(toolInput)));
		}
		catch (RuntimeException ex) {
			if (this.offered == null && isNotFound(ex)) {
				this.unknown = true;
				return UnknownTool.REASON;
			}
			throw ex;
		}
		this.returnDirect = result.returnDirect();
		List<Message> history = result.conversationHistory();
		if (!history.isEmpty() && history.get(history.size() - 1) instanceof ToolResponseMessage replies) {
			for (ToolResponse reply : replies.getResponses()) {
				if (replies.getResponses().size() == 1 || Objects.equals(reply.id(), this.call.id())) {
					return Objects.requireNonNullElse(reply.responseData(), "");
				}
			}
		}
		throw new IllegalStateException(
				"%s gave no reply to the call of a tool".formatted(this.manager.getClass().getName()));
	}

	private static boolean isNotFound(Throwable failure) {
		return String.valueOf(failure.getMessage()).startsWith(NOT_FOUND)
				|| (failure.getCause() != null && isNotFound(failure.getCause()));
	}

	/**
	 * The prompt with a tool that serves the approved call.
	 * @param carried what travels with that, or {@code null} if nothing
	 */
	private Prompt prompt(@Nullable CarriedCall carried) {
		if (!(this.prompt.getOptions() instanceof ToolCallingChatOptions options) || tools().isEmpty()) {
			return this.prompt;
		}
		Caller caller = this.hooks.callers().here();
		// Another tool of the same name is not what was decided about.
		List<ToolCallback> tools = tools().stream()
			.<ToolCallback>map((tool) -> GuardedToolCallback.deliver(tool, this.hooks, caller,
					tool.equals(this.offered) ? carried : null))
			.toList();
		return new Prompt(this.prompt.getInstructions(), options.mutate().toolCallbacks(tools).build());
	}

	private ChatResponse responseWith(String toolInput) {
		AssistantMessage alone = this.message.mutate()
			.toolCalls(List
				.of(new AssistantMessage.ToolCall(this.call.id(), this.call.type(), this.call.name(), toolInput)))
			.build();
		return ChatResponse.builder().from(this.response).generations(List.of(new Generation(alone))).build();
	}

}
