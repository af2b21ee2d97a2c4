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
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * The tool of one call as the chain sees it. It gets the text that the model wrote,
 * unless that is no longer what was approved.
 *
 * @param calls leads to the tool
 * @param tool the tool
 * @param definition what the model knows of the tool
 * @param identity which tool it is, as far as Spring AI knows
 * @param json the arguments as the model wrote them
 * @param requested the same as the hooks see them
 * @param toolContext what the application gives to the tool
 * @param caller who calls
 */
record ToolRun(GuardedCalls calls, ToolCallback tool, ToolDefinition definition, ToolIdentity identity, String json,
		Map<String, @Nullable Object> requested, @Nullable ToolContext toolContext,
		Caller caller) implements ToolExecutor {

	@Override
	public ToolResult execute(ToolCall call) {
		AgentAbortedException abortion = this.caller.abortedBy();
		if (abortion != null) {
			// The run ended while the hooks decided.
			throw abortion;
		}
		Map<String, @Nullable Object> approved = call.arguments();
		String input = (approved.equals(this.requested)) ? this.json : ToolArguments.write(approved);
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
