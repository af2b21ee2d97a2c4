package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A server with one tool, "search", in the memory of the test, which keeps what the tool
 * was called with. The client is the real one.
 */
final class McpServer implements McpClientTransport {

	final List<McpSchema.CallToolRequest> calls = Collections.synchronizedList(new ArrayList<>());

	private @Nullable Function<Mono<McpSchema.JSONRPCMessage>, Mono<McpSchema.JSONRPCMessage>> client;

	/**
	 * A client as Spring AI's auto-configuration makes it for a connection.
	 */
	McpSyncClient client(String connection) {
		McpSyncClient client = McpClient.sync(this)
			.clientInfo(McpSchema.Implementation.builder("spring-ai-mcp-client - " + connection, "1.0")
				.title(connection)
				.build())
			.build();
		client.initialize();
		return client;
	}

	@Override
	public Mono<Void> connect(Function<Mono<McpSchema.JSONRPCMessage>, Mono<McpSchema.JSONRPCMessage>> handler) {
		this.client = handler;
		return Mono.empty();
	}

	@Override
	public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
		return (message instanceof McpSchema.JSONRPCRequest request) ? Objects.requireNonNull(this.client)
			.apply(Mono
				.just(new McpSchema.JSONRPCResponse(McpSchema.JSONRPC_VERSION, request.id(), resultOf(request), null)))
			.then() : Mono.empty();
	}

	private Object resultOf(McpSchema.JSONRPCRequest request) {
		return switch (request.method()) {
			case McpSchema.METHOD_INITIALIZE -> new McpSchema.InitializeResult(ProtocolVersions.MCP_2025_11_25,
					McpSchema.ServerCapabilities.builder().tools(false).build(),
					McpSchema.Implementation.builder("calls-itself-bank", "1.0").build(), null, null);
			case McpSchema.METHOD_TOOLS_LIST -> new McpSchema.ListToolsResult(List.of(McpSchema.Tool
				.builder("search", Map.of("type", "object", "properties", Map.of("text", Map.of("type", "string"))))
				.description("Search")
				.annotations(McpSchema.ToolAnnotations.builder().readOnlyHint(true).build())
				.build()), null, null);
			case McpSchema.METHOD_TOOLS_CALL -> {
				this.calls.add((McpSchema.CallToolRequest) request.params());
				yield McpSchema.CallToolResult.builder().addTextContent("found").build();
			}
			default -> throw new IllegalArgumentException(request.method());
		};
	}

	@Override
	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	public <T> T unmarshalFrom(Object data, TypeRef<T> typeRef) {
		return (T) data;
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.empty();
	}

}
