package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/** Finds the identities of tools, beside all others of the application. */
record ToolIdentities(Supplier<List<?>> mcpClients) {

	ToolIdentity of(ToolCallback tool, String name, @Nullable ToolCallBatch batch) {
		return McpOrigin.identityOf(tool, name, () -> clientsBeside(batch));
	}

	/** The clients of MCP servers beside which a connection needs a name of its own. */
	private Collection<?> clientsBeside(@Nullable ToolCallBatch batch) {
		List<Object> clients = new ArrayList<>(this.mcpClients.get());
		if (batch != null) {
			clients.addAll(batch.offered());
		}
		return clients;
	}

	/** Of a name that the model could not choose nothing is certain. */
	ToolIdentity of(String name, ToolCallBatch batch) {
		for (ToolCallback tool : batch.offered()) {
			if (tool.getToolDefinition().name().equals(name)) {
				return of(GuardedToolCallback.unwrap(tool), name, batch);
			}
		}
		return new ToolIdentity(null, name, name);
	}

	boolean isOf(ToolCall call, ToolCallback tool) {
		return of(tool, call.tool(), null).equals(call.identity());
	}

	/**
	 * Whether only the context of the call names the server. A tool of the application is
	 * never taken for one of a server.
	 */
	boolean mayBeOf(ToolCall call, ToolCallback tool) {
		return of(tool, call.tool(), null).isNamedBy(call);
	}

}
