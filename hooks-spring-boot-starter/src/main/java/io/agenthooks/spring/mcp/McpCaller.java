package io.agenthooks.spring.mcp;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;

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
 * @param exchange how the tool sees the client
 * @param sessionId the session, or {@code null} if the server keeps none
 * @param client what the client says of itself, or {@code null} if nothing
 * @param transport what the transport knows of the call
 */
record McpCaller(Object exchange, @Nullable String sessionId, McpSchema.@Nullable Implementation client,
		@Nullable McpTransportContext transport) {

	/** What Spring AI calls the client among what it gives to a tool. */
	private static final String EXCHANGE = "exchange";

	/** What the protocol calls that which a client sends beside the arguments. */
	static final String META = "_meta";

	static McpCaller of(@Nullable Object exchange) {
		if (exchange instanceof McpSyncServerExchange sync) {
			return new McpCaller(exchange, sync.sessionId(), sync.getClientInfo(), sync.transportContext());
		}
		if (exchange instanceof McpAsyncServerExchange async) {
			return new McpCaller(exchange, async.sessionId(), async.getClientInfo(), async.transportContext());
		}
		return new McpCaller((exchange != null) ? exchange : McpTransportContext.EMPTY, null, null,
				(exchange instanceof McpTransportContext transport) ? transport : null);
	}

	CallContext context() {
		CallContext context = CallContext.ofSession(this.sessionId);
		return (this.client == null) ? context
				: context.withAgent(this.client.name())
					.withAttribute(CallAttributes.MCP_CLIENT, this.client.name())
					.withAttribute(CallAttributes.MCP_CLIENT_VERSION, this.client.version());
	}

	/**
	 * What customizers are given.
	 * @param meta what the client sent beside the arguments, or {@code null} if nothing
	 */
	Map<String, Object> toolContext(@Nullable Map<String, Object> meta) {
		return (meta != null) ? Map.of(EXCHANGE, this.exchange, META, Collections.unmodifiableMap(meta))
				: Map.of(EXCHANGE, this.exchange);
	}

	/**
	 * Whether an object on the way to the tool is a client's exchange that stands for
	 * this one, and this call of it as far as the transport tells calls apart.
	 */
	@SuppressWarnings("ReferenceEquality") // equal contexts may be of different calls
	boolean isBehind(Object exchange) {
		McpCaller other = of(exchange);
		return (other.sessionId != null || other.transport != null) && Objects.equals(this.sessionId, other.sessionId)
				&& this.transport == other.transport;
	}

	/**
	 * Nothing of it, since headers may be in there.
	 */
	@Override
	public String toString() {
		return "McpCaller";
	}

}
