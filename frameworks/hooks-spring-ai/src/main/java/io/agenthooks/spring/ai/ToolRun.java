package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.security.MethodSecurity;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * The tool of one call as the chain sees it. It gets the text that the model wrote,
 * unless another was approved. What it throws is kept for the application; the model gets
 * what the hooks leave of its text.
 */
final class ToolRun implements ToolExecutor {

	private final GuardedCalls calls;

	private final ToolCallback tool;

	private final ToolDefinition definition;

	private final ToolIdentity identity;

	private final String json;

	private final Map<String, @Nullable Object> requested;

	private final @Nullable ToolContext toolContext;

	private final Caller caller;

	private @Nullable ToolExecutionException failure;

	ToolRun(GuardedCalls calls, ToolCallback tool, ToolDefinition definition, ToolIdentity identity, String json,
			Map<String, @Nullable Object> requested, @Nullable ToolContext toolContext, Caller caller) {
		this.calls = calls;
		this.tool = tool;
		this.definition = definition;
		this.identity = identity;
		this.json = json;
		this.requested = requested;
		this.toolContext = toolContext;
		this.caller = caller;
	}

	@Override
	public ToolResult execute(ToolCall call) {
		AgentAbortedException abortion = this.caller.abortedBy();
		if (abortion != null) {
			// The run ended while the hooks decided.
			if (BuiltInDecider.CANCELLED.value().equals(abortion.getHook())) {
				// Nobody would hear of an exception but the log.
				return ToolResult.failure(abortion.getReason());
			}
			throw abortion;
		}
		Map<String, @Nullable Object> approved = call.arguments();
		String input = (approved.equals(this.requested)) ? this.json : ToolArguments.write(approved);
		this.calls.mayReach(this.tool, this.identity, this.toolContext);
		// In this very method: Spring AI makes an exception for each text that it gives
		// to a method, and each method on the stack makes that slower.
		Caller around = Caller.setOfThread(callerFor(call));
		try {
			@Nullable String reply = (this.toolContext != null) ? this.tool.call(input, this.toolContext) : this.tool.call(input);
			return ToolResult.success((reply != null) ? reply : "");
		}
		catch (RuntimeException ex) {
			throw thrown(ApprovalPendingException.orFailure(ex));
		}
		finally {
			Caller.setOfThread(around);
		}
	}

	/** A hook may have ended an agent, or another tool, inside of the tool. */
	private static RuntimeException thrown(RuntimeException failure) {
		AgentAbortedException inner = (failure instanceof ToolExecutionException)
				? AgentAbortedException.causeOf(failure) : null;
		return (inner != null) ? inner : failure;
	}

	private Caller callerFor(ToolCall call) {
		CallContext told = call.context();
		CallContext own = this.caller.context();
		if (Objects.equals(told.sessionId(), own.sessionId()) && Objects.equals(told.runId(), own.runId())
				&& Objects.equals(told.rootRunId(), own.rootRunId()) && Objects.equals(told.user(), own.user())
				&& told.authorities().equals(own.authorities()) && told.claims().equals(own.claims())) {
			return this.caller.inTool(call);
		}
		return this.caller.inTool(call,
				own.withSessionId(told.sessionId())
					.withRunId(told.runId())
					.withRootRunId(told.rootRunId())
					.withUser(told.user())
					.withAuthorities(told.authorities())
					.withClaims(told.claims()));
	}

	/** Only of such an exception Spring AI makes a text. */
	@Override
	public @Nullable String failureText(Throwable failure) {
		if (!(failure instanceof ToolExecutionException ex)) {
			return null;
		}
		this.failure = ex;
		return textOf(ex);
	}

	@Override
	public @Nullable String denialText(Throwable failure) {
		return MethodSecurity.denialOf(failure, ToolRun.class);
	}

	static String textOf(ToolExecutionException failure) {
		String message = failure.getMessage();
		return (message != null && !message.isBlank()) ? message
				: "Exception occurred in tool: %s (%s)".formatted(failure.getToolDefinition().name(),
						Objects.requireNonNullElse(failure.getCause(), failure).getClass().getSimpleName());
	}

	/** The exception of the tool, as the model may read it, or {@code null}. */
	@Nullable ToolExecutionException failure(ToolResult decided) {
		ToolExecutionException failure = this.failure;
		if (failure == null || decided.succeeded()) {
			return null;
		}
		String text = decided.forModel();
		return (text.equals(textOf(failure))) ? failure : new ReviewedToolException(failure, text);
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		return this.calls.objection(this.tool, this.definition, call);
	}

}
