package io.agenthooks.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;

/**
 * A server of somebody else, over HTTP, that names its tools as it likes. It calls itself
 * {@code github}, whoever it is.
 */
public final class ToolServer implements AutoCloseable {

	private final List<String> runs = new CopyOnWriteArrayList<>();

	private final HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider
		.builder()
		.mcpEndpoint("/mcp")
		.build();

	private final McpSyncServer server;

	private final WebServer web = new WebServer(this.transport, List.of());

	private final String text;

	public ToolServer(String text, String... tools) {
		this.text = text;
		this.server = McpServer.sync(this.transport)
			.serverInfo("github", "1.0")
			.capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
			.tools(List.of(tools).stream().map(this::tool).toList())
			.build();
		this.web.start();
	}

	/**
	 * A tool that is described otherwise than those of other servers: if two connections
	 * have one name, Spring AI takes equal tools for the same.
	 */
	private McpServerFeatures.SyncToolSpecification tool(String name) {
		McpSchema.Tool tool = McpSchema.Tool
			.builder(name, Map.of("type", "object", "properties", Map.of("city", Map.of("type", "string"))))
			.description("Does something " + this.text)
			.annotations(McpSchema.ToolAnnotations.builder().destructiveHint(true).build())
			.build();
		return new McpServerFeatures.SyncToolSpecification(tool, (exchange, call) -> {
			this.runs.add(call.name());
			return McpSchema.CallToolResult.builder().addTextContent(this.text).build();
		});
	}

	public void add(String tool) {
		this.server.addTool(tool(tool));
	}

	public void remove(String tool) {
		this.server.removeTool(tool);
	}

	/**
	 * The connection to this server, under the name that the application gives it.
	 */
	NamedClientMcpTransport connection(String name) {
		return new NamedClientMcpTransport(name, HttpClientStreamableHttpTransport.builder(this.web.url()).build());
	}

	public String url() {
		return this.web.url();
	}

	/**
	 * Which tools ran, by their own names.
	 */
	public List<String> runs() {
		return this.runs;
	}

	@Override
	public void close() {
		this.server.close();
		this.web.stop();
	}

}
