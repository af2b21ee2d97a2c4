package io.agenthooks.spring.ai;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.guard.HandedOverCalls.Carried;

/** The view of Spring AI's tools of the clients of the application's own server. */
final class McpExchanges {

	/** Spring AI's name for the client, in the context of a tool of a server. */
	private static final String EXCHANGE = "exchange";

	private static final boolean present = ClassUtils.isPresent("io.modelcontextprotocol.server.McpSyncServerExchange",
			McpExchanges.class.getClassLoader());

	private McpExchanges() {
	}

	/** The approved call of a client that a tool runs for, or {@code null}. */
	static @Nullable Carried callOf(@Nullable ToolContext toolContext) {
		Object exchange = (present && toolContext != null) ? toolContext.getContext().get(EXCHANGE) : null;
		return (exchange != null) ? Known.callOf(exchange) : null;
	}

	/** Loaded only if the MCP SDK is there. */
	private static final class Known {

		static @Nullable Carried callOf(Object exchange) {
			McpTransportContext transport = transportOf(exchange);
			return (transport != null && transport.get(Carried.KEY) instanceof Carried carried) ? carried : null;
		}

		private static @Nullable McpTransportContext transportOf(Object exchange) {
			if (exchange instanceof McpSyncServerExchange sync) {
				return sync.transportContext();
			}
			if (exchange instanceof McpAsyncServerExchange async) {
				return async.transportContext();
			}
			return (exchange instanceof McpTransportContext transport) ? transport : null;
		}

	}

}
