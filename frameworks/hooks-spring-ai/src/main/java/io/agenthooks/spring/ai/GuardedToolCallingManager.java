package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.CollectionUtils;

import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.Probe;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.guard.KnownMethods;

/**
 * Gives the tools of a prompt to Spring AI's own manager behind the hooks, so all else
 * stays as that does it. A manager of another class may run tools that the prompt does
 * not know, so it is refused.
 */
final class GuardedToolCallingManager implements ToolCallingManager {

	/** The guarded methods: a further one would get the tools of a prompt unguarded. */
	static final KnownMethods KNOWN = KnownMethods.of(ToolCallingManager.class,
			"resolveToolDefinitions(ToolCallingChatOptions)", "executeToolCalls(Prompt, ChatResponse)");

	static final String INSTEAD = "A ToolCallingManager of another class than Spring AI's own may run tools that no hook "
			+ "sees: let 'ToolCallingManager.builder()' make it, and put what yours does into an aspect around that bean, "
			+ "or into the tools";

	private static final Logger logger = LoggerFactory.getLogger(GuardedToolCallingManager.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ToolCallingManager manager;

	private final SpringAiToolHooks hooks;

	private final ToolCallbackResolver fallback;

	GuardedToolCallingManager(ToolCallingManager manager, SpringAiToolHooks hooks, ToolCallbackResolver fallback) {
		this.manager = Objects.requireNonNull(manager, "'manager' must not be null");
		if (!isOfSpringAi(manager)) {
			throw new UnguardedToolException(
					"The manager of tool calls is of %s. %s.".formatted(manager.getClass(), INSTEAD));
		}
		this.hooks = hooks;
		this.fallback = fallback;
	}

	@Override
	public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
		List<ToolDefinition> definitions = this.manager.resolveToolDefinitions(chatOptions);
		List<ToolCallback> tools = chatOptions.getToolCallbacks();
		if (definitions == null || definitions.isEmpty()) {
			return definitions;
		}
		List<ToolCallback> all = (tools != null) ? tools : List.of();
		this.hooks.calls().remember(all);
		Map<String, Object> given = chatOptions.getToolContext();
		List<ToolCallback> offered = this.hooks.hiddenTools().offered(all, given, this.hooks.callers()::here);
		return definitions.stream()
			.filter((definition) -> find(definition.name(), offered) != null
					|| (find(definition.name(), all) == null && !isHidden(definition.name(), all, given)))
			.toList();
	}

	/** Whether a hook hides a tool that only the manager knows. */
	private boolean isHidden(String name, List<ToolCallback> others, @Nullable Map<String, Object> given) {
		Caller known = others.stream()
			.map((tool) -> GuardedToolCallback.callerOf(tool, this.hooks))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		return this.hooks.hiddenTools().isHidden(name, given, known);
	}

	@Override
	public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse received) {
		ChatResponse chatResponse = withNames(received);
		AssistantMessage message = findCalls(chatResponse);
		if (message == null) {
			// The other manager says how it takes that. It may read calls from the text.
			return this.manager.executeToolCalls(guard(prompt), chatResponse);
		}
		ToolCallingChatOptions calling = (prompt.getOptions() instanceof ToolCallingChatOptions given) ? given
				: ToolCallingChatOptions.builder().build();
		if (Probe.isUnderWay()) {
			// The other manager would observe the call.
			List<ToolCallback> guarded = guard(calling, message, batch(calling, message, prompt.getInstructions()))
				.getToolCallbacks();
			Objects.requireNonNull(guarded).forEach((tool) -> tool.call("{}"));
			return ToolExecutionResult.builder().conversationHistory(prompt.getInstructions()).build();
		}
		ToolCallBatch batch = batch(calling, message, prompt.getInstructions());
		ToolExecutionResult result;
		try {
			result = batch.review(this.manager
				.executeToolCalls(new Prompt(prompt.getInstructions(), guard(calling, message, batch)), chatResponse),
					this.hooks.calls());
		}
		catch (Throwable ex) {
			this.hooks.turnEnd().cancel(batch);
			if (ex instanceof ReviewedToolException reviewed) {
				// No text for the model, but an exception of the application.
				throw reviewed.failure();
			}
			throw ex;
		}
		return batch.forPerson(this.hooks.turnEnd().end(batch, result), this.hooks.calls());
	}

	static boolean isOfSpringAi(ToolCallingManager manager) {
		return manager.getClass() == DefaultToolCallingManager.class
				|| AopUtils.getTargetClass(manager) == DefaultToolCallingManager.class;
	}

	private static @Nullable AssistantMessage findCalls(ChatResponse response) {
		return response.getResults()
			.stream()
			.map(Generation::getOutput)
			.filter(AssistantMessage::hasToolCalls)
			.findFirst()
			.orElse(null);
	}

	/**
	 * A call without a name is one of an unknown tool, and no reason for the others not
	 * to be made.
	 */
	private static ChatResponse withNames(ChatResponse response) {
		if (allHaveNames(response)) {
			return response;
		}
		List<Generation> generations = response.getResults()
			.stream()
			.map((generation) -> new Generation(withNames(generation.getOutput()), generation.getMetadata()))
			.toList();
		return new ChatResponse(generations, response.getMetadata());
	}

	private static boolean allHaveNames(ChatResponse response) {
		return response.getResults()
			.stream()
			.flatMap((generation) -> generation.getOutput().getToolCalls().stream())
			.noneMatch((call) -> call.name() == null);
	}

	private static AssistantMessage withNames(AssistantMessage message) {
		return message.mutate()
			.toolCalls(message.getToolCalls()
				.stream()
				.map((call) -> new AssistantMessage.ToolCall(call.id(), call.type(),
						Objects.requireNonNullElse(call.name(), ""), call.arguments()))
				.toList())
			.build();
	}

	private Prompt guard(Prompt prompt) {
		if (!(prompt.getOptions() instanceof ToolCallingChatOptions options)
				|| CollectionUtils.isEmpty(options.getToolCallbacks())) {
			return prompt;
		}
		Caller caller = this.hooks.callers().here();
		List<ToolCallback> guarded = options.getToolCallbacks()
			.stream()
			.<ToolCallback>map((tool) -> GuardedToolCallback.of(tool, this.hooks, caller, null))
			.toList();
		return new Prompt(prompt.getInstructions(), options.mutate().toolCallbacks(guarded).build());
	}

	private static ToolCallBatch batch(ToolCallingChatOptions calling, AssistantMessage message,
			List<Message> history) {
		return new ToolCallBatch(history, message, given(calling));
	}

	private static List<ToolCallback> given(ToolCallingChatOptions calling) {
		return (calling.getToolCallbacks() != null) ? calling.getToolCallbacks() : List.of();
	}

	private ToolCallingChatOptions guard(ToolCallingChatOptions calling, AssistantMessage message,
			ToolCallBatch batch) {
		List<ToolCallback> given = given(calling);
		// Now, since the other manager may run the tools on threads of its own.
		Caller caller = this.hooks.callers().here();
		List<ToolCallback> called = new ArrayList<>(message.getToolCalls().size());
		for (AssistantMessage.ToolCall call : message.getToolCalls()) {
			if (find(call.name(), called) == null) {
				ToolCallback tool = find(call.name(), given);
				called
					.add(GuardedToolCallback.of((tool != null) ? tool : find(call.name()), this.hooks, caller, batch));
			}
		}
		ToolCallingChatOptions guarded = calling.mutate().toolCallbacks(called).build();
		// Whatever else is in there could be called past the hooks.
		if (!called.equals(guarded.getToolCallbacks())
				|| !Objects.equals(calling.getToolContext(), guarded.getToolContext())) {
			throw new UnguardedToolException(
					("A copy of the options of %s has other tools, or another context, than it is "
							+ "given, so calls would pass no hooks. Let its mutate() copy it, and toolCallbacks(List) replace.")
						.formatted(calling.getClass()));
		}
		return guarded;
	}

	/** Of two, Spring AI calls the first. */
	private static @Nullable ToolCallback find(@Nullable String name, List<ToolCallback> tools) {
		return tools.stream()
			.filter((tool) -> Objects.equals(name, tool.getToolDefinition().name()))
			.findFirst()
			.orElse(null);
	}

	private ToolCallback find(String name) {
		ToolCallback tool = this.fallback.resolve(name);
		if (tool == null) {
			tool = new UnknownTool(name);
			this.warnings
				.warn("A model called the tool '%s', which is not among the tools of its prompt; the call is refused"
					.formatted(SafeText.name(name)));
		}
		return tool;
	}

}
