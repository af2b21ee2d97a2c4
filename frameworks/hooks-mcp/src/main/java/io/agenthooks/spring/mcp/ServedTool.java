package io.agenthooks.spring.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.guard.HandedOverCalls;
import io.agenthooks.spring.guard.HandedOverCalls.Carried;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/** Keeps what the tool returned, which is more than hooks can read. */
final class ServedTool implements ToolExecutor {

	private final ToolHookChain chain;

	private final McpSchema.Tool tool;

	private final Object handler;

	private final McpCaller caller;

	private final CallToolRequest request;

	private final Login login;

	private final Run run;

	private Map<String, @Nullable Object> requested = Map.of();

	private @Nullable CallToolResult result;

	private @Nullable Throwable failure;

	ServedTool(ToolHookChain chain, McpSchema.Tool tool, Object handler, McpCaller caller, CallToolRequest request,
			Login login, Run run) {
		this.chain = chain;
		this.tool = tool;
		this.handler = handler;
		this.caller = caller;
		this.request = request;
		this.login = login;
		this.run = run;
	}

	McpSchema.Tool tool() {
		return this.tool;
	}

	Map<String, Object> toolContext() {
		return this.caller.toolContext(this.request.meta());
	}

	void request(Map<String, @Nullable Object> requested) {
		this.requested = requested;
	}

	Map<String, @Nullable Object> requested() {
		return this.requested;
	}

	@Nullable CallToolResult result() {
		return this.result;
	}

	@Nullable Throwable failure() {
		return this.failure;
	}

	Map<String, Object> arguments() {
		return (this.request.arguments() != null) ? this.request.arguments() : Map.of();
	}

	@Override
	public ToolResult execute(ToolCall call) {
		Map<String, Object> arguments = (call.arguments().equals(this.requested)) ? arguments()
				: new LinkedHashMap<>(call.arguments());
		CallToolRequest decided = new CallToolRequest(this.request.name(), arguments, this.request.meta());
		Caller caller = Caller.of(call.context(), this.login).inTool(call);
		this.result = HandedOverCalls.handOver(this.chain, (carried) -> run(carried, decided, caller));
		return (this.result != null) ? ServedResult.read(this.result) : ToolResult.failure("The tool returned nothing");
	}

	/** Run the tool. If it is an agent itself, that works for the client's user. */
	private @Nullable CallToolResult run(@Nullable Carried carried, CallToolRequest decided, Caller caller) {
		Object exchange = this.caller.exchange();
		Object served = (carried != null) ? ServedExchange.of(exchange, carried, decided, this.handler) : exchange;
		return caller.execute(() -> this.run.run(served, decided, caller));
	}

	/** The server tells the client what a tool threw. */
	@Override
	public @Nullable String failureText(Throwable failure) {
		if (failure instanceof AgentAbortedException || failure instanceof VirtualMachineError) {
			return null;
		}
		this.failure = failure;
		return ServedResult.textOf(failure);
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		String objection = ToolSchema.of(this.tool.inputSchema()).objection(call.arguments());
		return (objection != null) ? objection : ServedMethods.objection(this.handler, call, this.chain);
	}

	@FunctionalInterface
	interface Run {

		@Nullable CallToolResult run(Object exchange, CallToolRequest decided, Caller caller);

	}

}
