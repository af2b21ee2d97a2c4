package io.agenthooks.spring.ai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.security.MethodSecurity;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * The tool of a call that waited for people: it works for whom the call was made, and
 * runs once, so whatever it throws is a result.
 */
record ResumedTool(GuardedCalls calls, ToolCallback tool, ToolIdentity identity,
		@Nullable ToolContext toolContext) implements ToolExecutor {

	@Override
	public ToolResult execute(ToolCall call) {
		String input = ToolArguments.write(call.arguments());
		@Nullable String reply = callerOf(call.context()).inTool(call)
			.execute(() -> this.calls.run(this.tool, this.identity, input, this.toolContext));
		return ToolResult.success((reply != null) ? reply : "");
	}

	private static Caller callerOf(CallContext context) {
		CallContext known = CallContext.empty()
			.withSessionId(context.sessionId())
			.withRunId(context.runId())
			.withRootRunId(context.rootRunId())
			.withAgent(context.agent())
			.withUser(context.user())
			.withAuthorities(context.authorities())
			.withClaims(context.claims());
		return Caller.of(known, Login.GUEST);
	}

	@Override
	public String failureText(Throwable failure) {
		Throwable cause = (failure instanceof ToolExecutionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		if (cause instanceof AgentAbortedException inner) {
			// An agent inside of the tool, which was ended or waits for people itself.
			return "The tool did not finish: " + inner.getReason();
		}
		return (failure instanceof ToolExecutionException ex) ? ToolRun.textOf(ex)
				: "Exception occurred in tool: %s (%s)".formatted(this.identity.modelName(),
						failure.getClass().getSimpleName());
	}

	@Override
	public @Nullable String denialText(Throwable failure) {
		return MethodSecurity.denialOf(failure, GuardedCalls.class);
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		return this.calls.objection(this.tool, this.tool.getToolDefinition(), call);
	}

	/** Nothing of its context, which may be secret. */
	@Override
	public String toString() {
		return "ResumedTool[" + this.identity + "]";
	}

}
