package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.spring.Caller;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * The tool of one call as the chain sees it. It gets the text that the model wrote,
 * unless that is no longer what was approved.
 */
final class ToolRun implements ToolExecutor {

	private final GuardedCalls calls;

	private final ToolCallback tool;

	private final ToolDefinition definition;

	private final ToolIdentity identity;

	private final String json;

	private final @Nullable ToolContext toolContext;

	private final Caller caller;

	private Map<String, @Nullable Object> requested = Map.of();

	ToolRun(GuardedCalls calls, ToolCallback tool, ToolDefinition definition, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext, Caller caller) {
		this.calls = calls;
		this.tool = tool;
		this.definition = definition;
		this.identity = identity;
		this.json = json;
		this.toolContext = toolContext;
		this.caller = caller;
	}

	ToolIdentity identity() {
		return this.identity;
	}

	Caller caller() {
		return this.caller;
	}

	@Nullable ToolContext toolContext() {
		return this.toolContext;
	}

	boolean isUnknown() {
		return this.tool instanceof UnknownTool;
	}

	/**
	 * Make the call by reading the arguments.
	 * @throws InvalidToolArgumentsException if they are not what arguments can be
	 */
	ToolCall call(String id, ToolIdentity completed, int maxSize, CallContext context) {
		ToolCall call = ToolArguments.parseCall(id, completed, this.json, maxSize, context);
		this.requested = call.arguments();
		return call;
	}

	@Override
	public ToolResult execute(ToolCall call) {
		AgentAbortedException abortion = this.caller.abortedBy();
		if (abortion != null) {
			// The run ended while the hooks decided.
			throw abortion;
		}
		Map<String, @Nullable Object> approved = call.arguments();
		String input = (approved == this.requested || approved.equals(this.requested)) ? this.json
				: ToolArguments.write(approved);
		try {
			@Nullable String reply = callerFor(call)
				.execute(() -> this.calls.run(this.tool, this.identity, input, this.toolContext));
			return ToolResult.success((reply != null) ? reply : "");
		}
		catch (ToolExecutionException ex) {
			// The tool is an agent itself, or calls tools, and a hook ended that.
			throw (ex.getCause() instanceof AgentAbortedException inner) ? inner : ex;
		}
	}

	/**
	 * Whom the tool works for, if it is an agent itself.
	 */
	private Caller callerFor(ToolCall call) {
		CallContext told = call.context();
		CallContext own = this.caller.context();
		if (Objects.equals(told.sessionId(), own.sessionId()) && Objects.equals(told.user(), own.user())) {
			return this.caller;
		}
		return (this.caller instanceof ClientRun run) ? run.as(told)
				: Caller.of(own.withSessionId(told.sessionId()).withUser(told.user()), this.caller.login());
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		return ToolSchema.of(this.definition.inputSchema()).objection(call.arguments());
	}

}
