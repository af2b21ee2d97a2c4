package io.agenthooks.spring.mcp;

import java.util.Collections;
import java.util.Map;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;

/**
 * The client that calls a tool of this application.
 *
 * @param sessionId the session, or {@code null} if the server keeps none
 * @param client what the client says of itself, or {@code null} if nothing
 */
record McpCaller(Object exchange, @Nullable String sessionId, McpSchema.@Nullable Implementation client,
		@Nullable McpTransportContext transport) {

	/** Spring AI's name for the client, in the context of a tool. */
	private static final String EXCHANGE = "exchange";

	/** The protocol's name for what a client sends beside the arguments. */
	static final String META = "_meta";

	static McpCaller of(@Nullable Object exchange) {
		McpTransportContext transport = transportOf(exchange);
		if (exchange instanceof McpSyncServerExchange sync) {
			return new McpCaller(exchange, sync.sessionId(), sync.getClientInfo(), transport);
		}
		if (exchange instanceof McpAsyncServerExchange async) {
			return new McpCaller(exchange, async.sessionId(), async.getClientInfo(), transport);
		}
		return new McpCaller((exchange != null) ? exchange : McpTransportContext.EMPTY, null, null, transport);
	}

	static @Nullable McpTransportContext transportOf(@Nullable Object exchange) {
		if (exchange instanceof McpSyncServerExchange sync) {
			return sync.transportContext();
		}
		if (exchange instanceof McpAsyncServerExchange async) {
			return async.transportContext();
		}
		return (exchange instanceof McpTransportContext transport) ? transport : null;
	}

	CallContext context() {
		CallContext context = CallContext.ofSession(this.sessionId);
		return (this.client == null) ? context
				: context.withAgent(this.client.name())
					.withAttribute(CallAttributes.MCP_CLIENT, this.client.name())
					.withAttribute(CallAttributes.MCP_CLIENT_VERSION, this.client.version());
	}

	/** The request's own part may be {@code null}. */
	Map<String, Object> toolContext(@Nullable Map<String, Object> meta) {
		return (meta != null) ? Map.of(EXCHANGE, this.exchange, META, Collections.unmodifiableMap(meta))
				: Map.of(EXCHANGE, this.exchange);
	}

	/** Nothing of it, since headers may be in there. */
	@Override
	public String toString() {
		return "McpCaller";
	}

}
