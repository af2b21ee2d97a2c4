package io.agenthooks.spring.ai;

import java.lang.reflect.Field;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.mcp.AsyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;

/**
 * Says which MCP server a tool belongs to, if it does. The tool does not tell its client,
 * which is why this reads a private field.
 */
final class McpOrigin {

	private static final boolean mcpPresent = ClassUtils.isPresent("org.springframework.ai.mcp.SyncMcpToolCallback",
			McpOrigin.class.getClassLoader());

	private McpOrigin() {
	}

	/**
	 * Add the name of the server, and that of the tool there.
	 */
	static CallContext addTo(CallContext context, ToolCallback tool) {
		return (mcpPresent) ? Mcp.addTo(context, tool) : context;
	}

	/**
	 * What needs the classes of MCP.
	 */
	private static final class Mcp {

		private static final String CLIENT = "mcpClient";

		private static final String CONNECTION = " - ";

		private static final @Nullable Field syncClient = field(SyncMcpToolCallback.class);

		private static final @Nullable Field asyncClient = field(AsyncMcpToolCallback.class);

		private static @Nullable Field field(Class<?> type) {
			Field field = ReflectionUtils.findField(type, CLIENT);
			if (field != null) {
				ReflectionUtils.makeAccessible(field);
			}
			return field;
		}

		static CallContext addTo(CallContext context, ToolCallback tool) {
			if (tool instanceof SyncMcpToolCallback sync) {
				return addTo(context, clientInfo(syncClient, sync), sync.getOriginalToolName());
			}
			return (tool instanceof AsyncMcpToolCallback async)
					? addTo(context, clientInfo(asyncClient, async), async.getOriginalToolName()) : context;
		}

		private static CallContext addTo(CallContext context, McpSchema.@Nullable Implementation client, String tool) {
			CallContext known = context.withAttribute(CallAttributes.MCP_TOOL, tool);
			return (client != null) ? known.withAttribute(CallAttributes.MCP_SERVER, connectionOf(client)) : known;
		}

		/**
		 * Spring AI names each client after the connection: one that waits in its title,
		 * and all at the end of their names.
		 */
		private static String connectionOf(McpSchema.Implementation client) {
			String name = client.name();
			int end = name.lastIndexOf(CONNECTION);
			return (client.title() != null) ? client.title()
					: (end >= 0) ? name.substring(end + CONNECTION.length()) : name;
		}

		private static McpSchema.@Nullable Implementation clientInfo(@Nullable Field field, ToolCallback tool) {
			Object client = (field != null) ? ReflectionUtils.getField(field, tool) : null;
			if (client instanceof McpSyncClient sync) {
				return sync.getClientInfo();
			}
			return (client instanceof McpAsyncClient async) ? async.getClientInfo() : null;
		}

	}

}
