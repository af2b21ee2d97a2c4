package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.StringUtils;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Probe;
import io.agenthooks.flow.Conversation;
import io.agenthooks.spring.ai.ToolCallBatch.Taken;
import io.agenthooks.spring.approval.ApprovalPendingException;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Leads calls of tools through the hooks: the whole way from the text that the model
 * wrote to the one that it gets to read.
 */
final class GuardedCalls {

	private static final Logger logger = LoggerFactory.getLogger(GuardedCalls.class);

	/** What Spring AI calls the client among what it gives to a tool of a server. */
	private static final String MCP_CLIENT = "exchange";

	private final Supplier<ToolHookChain> chain;

	private final Supplier<ObservationRegistry> observations;

	private final Supplier<OfferedSchemas> offered;

	private final Callers callers;

	private final ToolIdentities identities;

	private final ToolContexts contexts;

	GuardedCalls(Supplier<ToolHookChain> chain, Supplier<ObservationRegistry> observations,
			Supplier<OfferedSchemas> offered, Callers callers, ToolIdentities identities, ToolContexts contexts) {
		this.chain = chain;
		this.observations = observations;
		this.offered = offered;
		this.callers = callers;
		this.identities = identities;
		this.contexts = contexts;
	}

	/**
	 * Lead a probe to the chain.
	 */
	String askAboutProbe() {
		return this.chain.get().execute(ToolCall.of(ProbeTool.NAME, Map.of()), ProbeTool.EXECUTOR).forModel();
	}

	/**
	 * Let the hooks see what an application made of the failure of a call for the model.
	 */
	ToolResult review(ToolCall call, String text) {
		return this.chain.get().review(call, ToolResult.failure(text));
	}

	void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		this.chain.get().endRun(run, heir);
	}

	/**
	 * Let the call of a tool pass the hooks: the whole way from the text that the model
	 * wrote to the one that it gets to read.
	 */
	String call(ToolCallback tool, ToolDefinition definition, String toolInput, @Nullable ToolContext toolContext,
			@Nullable Caller knownCaller, @Nullable ToolCallBatch batch) {
		String name = definition.name();
		String json = (StringUtils.hasText(toolInput)) ? toolInput : "{}";
		ToolIdentity identity = this.identities.of(tool, name, batch);
		if (batch == null || tool instanceof UnknownTool) {
			String delivered = deliver(tool, identity, json, toolContext);
			if (delivered != null) {
				return delivered;
			}
		}
		String id = UniqueId.next();
		Taken taken = (batch != null) ? batch.take(name, toolInput) : Taken.observed(name, this.observations.get());
		String replyId = (taken != null && taken.id() != null) ? taken.id() : id;
		Caller caller = (knownCaller != null) ? knownCaller : this.callers.here();
		try {
			ToolResult result = decide(id, taken, tool, definition, identity, json, toolContext, caller, batch);
			if (batch != null) {
				batch.add(taken, replyId, name, result);
			}
			return result.forModel();
		}
		catch (TurnSuspendedException ex) {
			if (batch == null) {
				throw new ApprovalPendingException(List.of(ex));
			}
			return batch.suspend(taken, ex);
		}
		catch (TurnAbortedException ex) {
			ToolCallBatch ended = (batch != null) ? batch
					: new ToolCallBatch(List.of(), new AssistantMessage(""), List.of());
			throw new TurnAbortedByHookException(ex, replyId, ended.endWith(replyId, name, ex.getReason()));
		}
	}

	/**
	 * Run a tool for a call that is approved already: between the tool that the model
	 * calls and the bean that does the work may stand others, such as Spring AI's
	 * {@code AugmentedToolCallback}, and the client of a server of the application may
	 * have called it. A tool may also be an agent whose own calls are others, and are
	 * decided.
	 * @return what the tool returned, or {@code null} if the call is to be decided
	 */
	private @Nullable String deliver(ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		String delivered = deliver(identity, tool, identity, json, toolContext);
		Object client = (delivered == null && identity.isOfApplication() && toolContext != null)
				? toolContext.getContext().get(MCP_CLIENT) : null;
		return (client != null) ? deliver(client, tool, identity, json, toolContext) : delivered;
	}

	/**
	 * Run a tool for a call that is approved already.
	 * @param carrier what travelled with the call
	 * @return what the tool returned, or {@code null} if the call is to be decided
	 */
	@Nullable String deliver(Object carrier, ToolCallback tool, String name, String json, @Nullable ToolContext toolContext) {
		return deliver(carrier, tool, this.identities.of(tool, name, null), json, toolContext);
	}

	private @Nullable String deliver(Object presented, ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		ToolHookChain chain = this.chain.get();
		return Nesting.deliver(chain, presented,
				(approved) -> approved instanceof ToolCall call && call.tool().equals(identity.modelName())
						&& covers(call.arguments(), json, chain.getMaxArgumentsSize())
						&& MethodTools.objection(tool, call.arguments()) == null,
				() -> (tool instanceof UnknownTool) ? UnknownTool.REASON
						: Objects.requireNonNullElse(run(tool, identity, json, toolContext), ""));
	}

	/**
	 * Whether there is no argument in a text that was not approved.
	 */
	private static boolean covers(Map<String, @Nullable Object> approved, String json, int maxSize) {
		try {
			return ToolArguments.parse(json, maxSize)
				.entrySet()
				.stream()
				.allMatch((argument) -> approved.containsKey(argument.getKey())
						&& isSame(approved.get(argument.getKey()), argument.getValue()))
					|| json.equals(ToolArguments.write(approved));
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	/**
	 * Whether two values are the same as JSON: who reads 1.50 may write 1.5.
	 */
	private static boolean isSame(@Nullable Object value, @Nullable Object other) {
		return Objects.equals(value, other) || CanonicalJson.write(value).equals(CanonicalJson.write(other));
	}

	/**
	 * Run a tool. Behind it may be another that is guarded.
	 */
	String run(ToolCallback tool, ToolIdentity identity, String json, @Nullable ToolContext toolContext) {
		mayReach(tool, identity);
		return (toolContext != null) ? tool.call(json, toolContext) : tool.call(json);
	}

	/**
	 * Let the call that is carried out reach a tool that is guarded, if one is behind the
	 * tool.
	 */
	void mayReach(ToolCallback tool, ToolIdentity identity) {
		if (!(tool instanceof MethodToolCallback || tool instanceof FunctionToolCallback)) {
			Nesting.ofThisThread().mayReach(this.chain.get(), identity);
		}
	}

	/**
	 * Run the tool of a call that is carried out, when others than this thread may lead
	 * to it.
	 * @param carrier what travels with the call
	 */
	<T> T handOver(Object carrier, Supplier<T> work) {
		return Nesting.ofThisThread().handOver(this.chain.get(), carrier::equals, work);
	}

	/**
	 * Remember what the tools of a prompt accept. Those of servers are told apart by
	 * their class only, as whatever else would ask them.
	 */
	void remember(List<ToolCallback> tools) {
		if (Probe.isUnderWay()) {
			return;
		}
		for (ToolCallback tool : tools) {
			ToolCallback bare = GuardedToolCallback.unwrap(tool);
			if (!SpringAiToolGuard.isMcp(bare.getClass()) && !(bare instanceof ProbeTool)) {
				ToolDefinition definition = bare.getToolDefinition();
				this.offered.get().add(definition.name(), definition.inputSchema());
			}
		}
	}

	private ToolResult decide(String id, @Nullable Taken taken, ToolCallback tool, ToolDefinition definition,
			ToolIdentity known, String json, @Nullable ToolContext toolContext, Caller caller,
			@Nullable ToolCallBatch batch) {
		ToolIdentity identity = known;
		CallContext context = (taken != null && taken.id() != null)
				? caller.context().withAttribute(CallAttributes.PROVIDER_CALL_ID, taken.id()) : caller.context();
		try {
			context = this.contexts.complete(identity, context, toolContext, caller);
			identity = identity.completedBy(context);
		}
		catch (RuntimeException ex) {
			logger.warn("The context of a call failed with {}; the call is denied (stack trace at DEBUG)",
					ex.getClass().getName());
			logger.debug("The context of a call failed", ex);
			return refuse(id, identity, context, BuiltInDecider.CONTEXT.value(), "The context of the call failed");
		}
		AgentAbortedException abortion = caller.abortedBy();
		if (abortion != null) {
			return refuse(id, identity, context, abortion.getHook(), abortion.getReason());
		}
		if (tool instanceof UnknownTool) {
			return refuse(id, identity, context, BuiltInDecider.UNKNOWN_TOOL.value(), UnknownTool.REASON);
		}
		if (identity.isOfApplication() && !(tool instanceof ManagedTool)) {
			this.offered.get().add(identity.name(), definition.inputSchema());
		}
		ToolHookChain chain = this.chain.get();
		ToolCall call;
		try {
			call = ToolArguments.parseCall(id, identity, json, chain.getMaxArgumentsSize(), context);
		}
		catch (InvalidToolArgumentsException ex) {
			return refuse(id, identity, context, BuiltInDecider.ARGUMENTS.value(), ex.getMessage());
		}
		ToolRun run = new ToolRun(this, tool, definition, known, json, call.arguments(), toolContext, caller);
		Conversation around = (batch != null) ? Conversation
			.setOfThread(batch.conversationForHooks((name) -> this.identities.of(name, batch), caller)) : null;
		try {
			ToolResult result = chain.execute(call, run);
			ToolExecutionException failure = run.failure(result);
			if (failure == null) {
				return result;
			}
			if (batch != null) {
				batch.addFailed(call, taken, String.valueOf(failure.getMessage()));
			}
			throw failure;
		}
		catch (AgentAbortedException ex) {
			if (caller instanceof ClientRun client) {
				client.abort(ex);
			}
			throw ex;
		}
		finally {
			if (batch != null) {
				Conversation.setOfThread(around);
			}
		}
	}

	private ToolResult refuse(String id, ToolIdentity tool, CallContext context, String refusedBy, String reason) {
		return this.chain.get().refuse(ToolCall.of(id, tool, Map.of(), context), refusedBy, reason);
	}

}
