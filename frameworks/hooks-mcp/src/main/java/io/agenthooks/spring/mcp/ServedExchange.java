package io.agenthooks.spring.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ListRootsResult;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.guard.HandedOverCalls.Carried;

/**
 * The client as the tool of an approved call sees it, made for this call: sessions and
 * transports are those of many calls, and cannot tell which is on its way.
 */
final class ServedExchange {

	private ServedExchange() {
	}

	static Object of(@Nullable Object exchange, Carried call, CallToolRequest request, Object handler) {
		if (exchange instanceof McpSyncServerExchange sync) {
			return new Sync(sync, Transport.of(sync.transportContext(), call, request, handler));
		}
		if (exchange instanceof McpAsyncServerExchange async) {
			return new Async(async, Transport.of(async.transportContext(), call, request, handler));
		}
		return (exchange == null || exchange instanceof McpTransportContext)
				? Transport.of((McpTransportContext) exchange, call, request, handler) : exchange;
	}

	/**
	 * {@code null} if it was made for none, for another request, or for the tool itself
	 * that calls.
	 */
	@SuppressWarnings("ReferenceEquality") // of the very request and tool
	static @Nullable Carried callOf(@Nullable Object exchange, CallToolRequest request, Object handler) {
		return (McpCaller.transportOf(exchange) instanceof Transport own && own.request == request
				&& own.handler != handler) ? own.call : null;
	}

	private record Transport(McpTransportContext transport, Carried call, CallToolRequest request,
			Object handler) implements McpTransportContext {

		static Transport of(@Nullable McpTransportContext transport, Carried call, CallToolRequest request,
				Object handler) {
			McpTransportContext bare = (transport instanceof Transport own) ? own.transport : transport;
			return new Transport((bare != null) ? bare : EMPTY, call, request, handler);
		}

		@Override
		public @Nullable Object get(String key) {
			return (key.equals(Carried.KEY)) ? this.call : this.transport.get(key);
		}

		/** Nothing of it, since headers may be in there. */
		@Override
		public String toString() {
			return "ServedExchange";
		}

	}

	static final class Sync extends McpSyncServerExchange {

		private final McpSyncServerExchange exchange;

		private final McpTransportContext transport;

		@SuppressWarnings("NullAway") // everything is led to the exchange
		Sync(McpSyncServerExchange exchange, McpTransportContext transport) {
			super(null);
			this.exchange = exchange;
			this.transport = transport;
		}

		@Override
		public McpTransportContext transportContext() {
			return this.transport;
		}

		@Override
		public String sessionId() {
			return this.exchange.sessionId();
		}

		@Override
		public McpSchema.ClientCapabilities getClientCapabilities() {
			return this.exchange.getClientCapabilities();
		}

		@Override
		public McpSchema.Implementation getClientInfo() {
			return this.exchange.getClientInfo();
		}

		@Override
		public CreateMessageResult createMessage(CreateMessageRequest createMessageRequest) {
			return this.exchange.createMessage(createMessageRequest);
		}

		@Override
		public ElicitResult createElicitation(ElicitRequest elicitRequest) {
			return this.exchange.createElicitation(elicitRequest);
		}

		@Override
		public ListRootsResult listRoots() {
			return this.exchange.listRoots();
		}

		@Override
		public ListRootsResult listRoots(String cursor) {
			return this.exchange.listRoots(cursor);
		}

		@Override
		public void loggingNotification(LoggingMessageNotification loggingMessageNotification) {
			this.exchange.loggingNotification(loggingMessageNotification);
		}

		@Override
		public void progressNotification(ProgressNotification progressNotification) {
			this.exchange.progressNotification(progressNotification);
		}

		@Override
		public Object ping() {
			return this.exchange.ping();
		}

	}

	static final class Async extends McpAsyncServerExchange {

		private final McpAsyncServerExchange exchange;

		@SuppressWarnings("NullAway") // everything is led to the exchange
		Async(McpAsyncServerExchange exchange, McpTransportContext transport) {
			super(exchange.sessionId(), null, exchange.getClientCapabilities(), exchange.getClientInfo(), transport);
			this.exchange = exchange;
		}

		@Override
		public Mono<CreateMessageResult> createMessage(CreateMessageRequest createMessageRequest) {
			return this.exchange.createMessage(createMessageRequest);
		}

		@Override
		public Mono<ElicitResult> createElicitation(ElicitRequest elicitRequest) {
			return this.exchange.createElicitation(elicitRequest);
		}

		@Override
		public Mono<ListRootsResult> listRoots() {
			return this.exchange.listRoots();
		}

		@Override
		public Mono<ListRootsResult> listRoots(String cursor) {
			return this.exchange.listRoots(cursor);
		}

		@Override
		public Mono<Void> loggingNotification(LoggingMessageNotification loggingMessageNotification) {
			return this.exchange.loggingNotification(loggingMessageNotification);
		}

		@Override
		public Mono<Void> progressNotification(ProgressNotification progressNotification) {
			return this.exchange.progressNotification(progressNotification);
		}

		@Override
		public Mono<Object> ping() {
			return this.exchange.ping();
		}

	}

}
