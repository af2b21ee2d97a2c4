package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.CollectionUtils;

import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.Probe;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Takes the tools that hooks hide from who asks a model out of what it is offered.
 * Whoever calls tools keeps them, so that their calls are decided as any.
 */
final class HiddenTools {

	private static final Logger logger = LoggerFactory.getLogger(HiddenTools.class);

	private final Supplier<ToolHookChain> chain;

	private final Callers callers;

	private final ToolIdentities identities;

	private final ToolContexts contexts;

	HiddenTools(Supplier<ToolHookChain> chain, Callers callers, ToolIdentities identities, ToolContexts contexts) {
		this.chain = chain;
		this.callers = callers;
		this.identities = identities;
		this.contexts = contexts;
	}

	static boolean hasTools(@Nullable ChatOptions options) {
		return options instanceof ToolCallingChatOptions calling
				&& !CollectionUtils.isEmpty(calling.getToolCallbacks());
	}

	boolean isHiding() {
		return !Probe.isUnderWay() && this.chain.get().isHiding();
	}

	Prompt offer(Prompt prompt, @Nullable ChatOptions options, Supplier<Caller> asking) {
		if (!(options instanceof ToolCallingChatOptions calling) || !hasTools(options)) {
			return prompt;
		}
		List<ToolCallback> tools = Objects.requireNonNull(calling.getToolCallbacks());
		List<ToolCallback> offered = offered(tools, calling.getToolContext(), asking);
		return (offered.size() == tools.size()) ? prompt
				: new Prompt(prompt.getInstructions(), calling.mutate().toolCallbacks(offered).build());
	}

	List<ToolCallback> offered(List<ToolCallback> tools, @Nullable Map<String, Object> given, Supplier<Caller> asking) {
		if (tools.isEmpty() || !isHiding()) {
			return tools;
		}
		ToolCallBatch batch = new ToolCallBatch(List.of(), new AssistantMessage(""), tools);
		ToolContext toolContext = (given != null) ? new ToolContext(given) : null;
		Caller asks = asking.get();
		List<ToolCallback> offered = tools.stream().filter((tool) -> {
			Caller known = GuardedToolCallback.callerOf(tool, this);
			return !isHidden(tool, tool.getToolDefinition().name(), batch, toolContext, (known != null) ? known : asks);
		}).toList();
		return (offered.size() < tools.size()) ? offered : tools;
	}

	boolean isHidden(String name, @Nullable Map<String, Object> given, @Nullable Caller known) {
		return isHiding() && isHidden(new UnknownTool(name), name, null,
				(given != null) ? new ToolContext(given) : null, (known != null) ? known : this.callers.here());
	}

	private boolean isHidden(ToolCallback tool, String name, @Nullable ToolCallBatch batch,
			@Nullable ToolContext toolContext, Caller caller) {
		ToolIdentity identity = this.identities.of(tool, name, batch);
		CallContext context;
		try {
			context = this.contexts.complete(identity, caller.context(), toolContext, caller);
			identity = identity.completedBy(context);
		}
		catch (RuntimeException ex) {
			logger.debug("The context of a call failed", ex);
			// So would that of each call, which is denied then.
			return true;
		}
		return this.chain.get().hides(ToolCall.of(UniqueId.next(), identity, Map.of(), context));
	}

}
