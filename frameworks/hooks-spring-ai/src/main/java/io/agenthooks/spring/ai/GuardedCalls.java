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
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.util.StringUtils;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.Probe;
import io.agenthooks.flow.Conversation;
import io.agenthooks.spring.ai.ToolCallBatch.Taken;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.guard.HandedOverCalls;
import io.agenthooks.spring.guard.HandedOverCalls.Carried;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnAbortedException;
import io.agenthooks.toolcall.TurnSuspendedException;

/** Leads calls of tools from the text that the model wrote to the one that it reads. */
record GuardedCalls(Supplier<ToolHookChain> chain, Supplier<ObservationRegistry> observations,
		Supplier<OfferedSchemas> offered, Callers callers, ToolIdentities identities, ToolContexts contexts) {

	private static final Logger logger = LoggerFactory.getLogger(GuardedCalls.class);

	String askAboutProbe() {
		return this.chain.get().execute(ToolCall.of(ProbeTool.NAME, Map.of()), ProbeTool.EXECUTOR).forModel();
	}

	ToolResult review(ToolCall call, String text) {
		return this.chain.get().review(call, ToolResult.failure(text));
	}

	void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		this.chain.get().endRun(run, heir);
	}

	String call(ToolCallback tool, ToolDefinition definition, String toolInput, @Nullable ToolContext toolContext,
			@Nullable Caller knownCaller, @Nullable ToolCallBatch batch) {
		String name = definition.name();
		String json = (StringUtils.hasText(toolInput)) ? toolInput : "{}";
		ToolIdentity identity = this.identities.of(tool, name, batch);
		if (batch == null) {
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
				return batch.add(taken, replyId, name, result);
			}
			if (tool.getToolMetadata().returnDirect()) {
				// Nobody knows here whether other tools were called as well, so that a
				// model reads all results.
				return (result.isRefusal()) ? refusalFor(caller) : ToolCallBatch.forPerson(result);
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
			throw new TurnAbortedByHookException(ex, replyId, refusalFor(caller),
					ended.endWith(replyId, name, ex.getReason()));
		}
	}

	/** The text for a person who waits without a model in front. */
	String refusalFor(@Nullable Caller caller) {
		return this.chain.get()
			.getRefusalText()
			.in((caller != null) ? caller.locale() : LocaleContextHolder.getLocale());
	}

	/**
	 * Run a tool for a call that is approved already: other tools, or the client of a
	 * server of the application, may stand before it. A call that a tool makes itself is
	 * another: the two are told apart by their arguments, by what the application gives
	 * to the tool, and by each approved call being handed on once. {@code null} if the
	 * call is to be decided.
	 */
	private @Nullable String deliver(ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		String delivered = HandedOverCalls.deliver(this.chain.get(), Reachable.class,
				(reachable, approved) -> reachable.isReachedBy(tool, identity, toolContext)
						&& isSame(approved, reachable.tool(), tool, identity, json),
				() -> runDelivered(tool, identity, json, toolContext));
		Carried carried = (delivered == null && identity.isOfApplication()) ? McpExchanges.callOf(toolContext) : null;
		Carried taken = (carried != null)
				? carried.take(this.chain.get(), (approved) -> isSame(approved, tool, tool, identity, json)) : null;
		return (taken != null) ? taken.carryOut(() -> runDelivered(tool, identity, json, toolContext)) : delivered;
	}

	private String runDelivered(ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		return Objects.requireNonNullElse(run(tool, identity, json, toolContext), "");
	}

	private boolean isSame(HookedCall approved, ToolCallback outer, ToolCallback tool, ToolIdentity identity,
			String json) {
		int maxSize = this.chain.get().getMaxArgumentsSize();
		return approved instanceof ToolCall call && call.tool().equals(identity.modelName())
				&& (ToolArguments.isSame(call.arguments(), json, maxSize) || ToolArguments
					.isSame(AugmentedArguments.takenOff(outer, call.arguments(), tool), json, maxSize))
				&& MethodTools.objection(tool, call, this.chain.get()) == null;
	}

	String run(ToolCallback tool, ToolIdentity identity, String json, @Nullable ToolContext toolContext) {
		mayReach(tool, identity, toolContext);
		return (toolContext != null) ? tool.call(json, toolContext) : tool.call(json);
	}

	@Nullable String objection(ToolCallback tool, ToolDefinition definition, ToolCall call) {
		String objection = ToolSchema.of(definition.inputSchema()).objection(call.arguments());
		return (objection != null) ? objection : MethodTools.objection(tool, call, this.chain.get());
	}

	/** Let the call that is carried out reach a guarded tool behind the tool. */
	void mayReach(ToolCallback tool, ToolIdentity identity, @Nullable ToolContext toolContext) {
		if (!(tool instanceof MethodToolCallback || tool instanceof FunctionToolCallback)) {
			HandedOverCalls.mayReach(this.chain.get(), new Reachable(tool, identity, toolContext));
		}
	}

	/** Remember what the tools of a prompt accept, but ask no server for it. */
	void remember(List<ToolCallback> tools) {
		if (Probe.isUnderWay()) {
			return;
		}
		for (ToolCallback tool : tools) {
			ToolCallback bare = GuardedToolCallback.unwrap(tool);
			if (!(bare instanceof ProbeTool)) {
				ToolDefinition told = bare.getToolDefinition();
				this.offered.get().offer(() -> this.identities.of(tool, told.name(), null));
				this.offered.get()
					.tell(told.name(), Objects.requireNonNullElse(told.description(), ""), told.inputSchema());
			}
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
		if (identity.isOfApplication()) {
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

	/**
	 * The tool that a call which is carried out may come to on its thread.
	 *
	 * @param given what the application gives to it, or {@code null}
	 */
	private record Reachable(ToolCallback tool, ToolIdentity identity, @Nullable ToolContext given) {

		/**
		 * Whether a call comes to it by way of another tool, which need not hand on what
		 * it was given; of anything else customizers may make another context. One that
		 * calls itself runs once more.
		 */
		@SuppressWarnings("ReferenceEquality") // of the very tool; what is given is
												// compared next
		boolean isReachedBy(ToolCallback tool, ToolIdentity identity, @Nullable ToolContext given) {
			return this.tool != tool && this.identity.equals(identity)
					&& (given == null || given == this.given || given.getContext().equals(contextOf(this.given)));
		}

		private static Map<String, Object> contextOf(@Nullable ToolContext given) {
			return (given != null) ? given.getContext() : Map.of();
		}

	}

}
