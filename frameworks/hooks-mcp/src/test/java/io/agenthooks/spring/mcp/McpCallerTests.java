package io.agenthooks.spring.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpCaller}.
 */
class McpCallerTests {

	private final List<McpCaller> callers = new ArrayList<>();

	private final McpServerSession session = new McpServerSession("session-1", Duration.ofSeconds(10), new Silent(),
			(request) -> Mono.just(
					InitializeResult
						.builder("2025-06-18", McpSchema.ServerCapabilities.builder().build(),
								Implementation.builder("server", "1").build())
						.build()),
			Map.of(McpSchema.METHOD_TOOLS_CALL, (exchange, parameters) -> {
				this.callers.add(McpCaller.of(exchange));
				return Mono.just("");
			}), Map.of());

	/**
	 * Else a client could lift the abort of its session, which is of this agent, and
	 * choose by whose rules its calls are decided.
	 */
	@Test
	void clientThatInitializesAgainStaysWhoItIs() {
		initialize("honest");
		call();
		initialize("other");
		call();
		assertThat(this.callers).extracting((caller) -> caller.context().agent()).containsExactly("honest", "honest");
		assertThat(this.callers).extracting((caller) -> caller.context().sessionId())
			.containsExactly("session-1", "session-1");
	}

	private void initialize(String client) {
		handle(new McpSchema.JSONRPCRequest(McpSchema.METHOD_INITIALIZE, client,
				InitializeRequest
					.builder("2025-06-18", McpSchema.ClientCapabilities.builder().build(),
							Implementation.builder(client, "1").build())
					.build()));
		handle(new McpSchema.JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED, null));
	}

	private void call() {
		handle(new McpSchema.JSONRPCRequest(McpSchema.METHOD_TOOLS_CALL, "call", Map.of()));
	}

	private void handle(JSONRPCMessage message) {
		this.session.handle(message)
			.contextWrite((context) -> context.put(McpTransportContext.KEY, McpTransportContext.EMPTY))
			.block(Duration.ofSeconds(10));
	}

	/**
	 * A transport that sends nothing.
	 */
	private static final class Silent implements McpServerTransport {

		@Override
		public Mono<Void> sendMessage(JSONRPCMessage message) {
			return Mono.empty();
		}

		@Override
		public Mono<Void> closeGracefully() {
			return Mono.empty();
		}

		@Override
		public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
			return McpJsonDefaults.getMapper().convertValue(data, type);
		}

	}

}
