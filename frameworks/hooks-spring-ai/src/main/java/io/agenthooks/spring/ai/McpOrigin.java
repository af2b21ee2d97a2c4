package io.agenthooks.spring.ai;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.mcp.AsyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Finds the MCP server of a tool, and its name there. The tool does not tell its client,
 * which is why this reads a private field. What the server calls itself is of no
 * interest: anybody can call himself anything.
 */
final class McpOrigin {

	private static final boolean mcpPresent = ClassUtils.isPresent("org.springframework.ai.mcp.SyncMcpToolCallback",
			McpOrigin.class.getClassLoader());

	private McpOrigin() {
	}

	/**
	 * A wrapper that says so has the identity of what it wraps. If there are several, if
	 * it does not say, or if another connection has the same name, the server is unknown.
	 */
	static ToolIdentity identityOf(ToolCallback tool, String modelName, Supplier<Collection<?>> others) {
		ToolCallback bare = GuardedToolCallback.unwrap(tool);
		return (!mcpPresent || isOwn(bare)) ? ToolIdentity.ofApplication(modelName)
				: Mcp.identityOf(bare, modelName, others);
	}

	/** A method or function of the application is its own tool, whatever that calls. */
	private static boolean isOwn(Object tool) {
		return tool instanceof UnknownTool || tool.getClass() == MethodToolCallback.class
				|| tool.getClass() == FunctionToolCallback.class;
	}

	static boolean isRemote(Object tool) {
		return mcpPresent && Mcp.isRemote(tool.getClass());
	}

	static Set<String> connectionsOf(Collection<?> clients) {
		return (mcpPresent)
				? clients.stream().map(Mcp::connectionOf).filter((name) -> !name.isEmpty()).collect(Collectors.toSet())
				: Set.of();
	}

	static boolean isSame(ToolCallback tool, ToolCallback other) {
		return mcpPresent && Mcp.isSame(tool, other);
	}

	/** The code that needs the classes of MCP. */
	private static final class Mcp {

		private static final String CLIENT = "mcpClient";

		private static final String CONNECTION = " - ";

		private static final String TOOL = "tool";

		private static final @Nullable Field syncClient = field(SyncMcpToolCallback.class, CLIENT);

		private static final @Nullable Field asyncClient = field(AsyncMcpToolCallback.class, CLIENT);

		private static final @Nullable Field syncTool = field(SyncMcpToolCallback.class, TOOL);

		private static final @Nullable Field asyncTool = field(AsyncMcpToolCallback.class, TOOL);

		private static @Nullable Field field(Class<?> type, String name) {
			Field field = ReflectionUtils.findField(type, name);
			if (field != null) {
				ReflectionUtils.makeAccessible(field);
			}
			return field;
		}

		static ToolIdentity identityOf(ToolCallback tool, String modelName, Supplier<Collection<?>> others) {
			List<?> ends = (isRemote(tool.getClass())) ? List.of(tool)
					: WrappedTools.behind(tool, AugmentedArguments::wrappedBy)
						.stream()
						.filter((end) -> !isOwn(end))
						.toList();
			if (ends.isEmpty()) {
				return ToolIdentity.ofApplication(modelName);
			}
			ends.stream().filter((end) -> !isRemote(end.getClass())).findFirst().ifPresent(WrappedTools::warnOf);
			if (ends.size() != 1 || !isRemote(ends.get(0).getClass())) {
				Set<String> names = ends.stream()
					.filter((end) -> isRemote(end.getClass()))
					.map(Mcp::nameOf)
					.collect(Collectors.toSet());
				return ToolIdentity.onUnknownServer(names, modelName);
			}
			Object only = ends.get(0);
			String name = nameOf(only);
			Object client = clientOf(only);
			String server = connectionOf(client);
			ToolIdentity identity = (client == null || server.isEmpty() || isShared(client, server, others.get()))
					? ToolIdentity.onUnknownServer(name, modelName) : ToolIdentity.onServer(server, name, modelName);
			return identity.withHints(hintsOf(only));
		}

		private static ToolHints hintsOf(Object remote) {
			Field field = (remote instanceof SyncMcpToolCallback) ? syncTool : asyncTool;
			Object tool = (field != null) ? ReflectionUtils.getField(field, remote) : null;
			McpSchema.ToolAnnotations said = (tool instanceof McpSchema.Tool known) ? known.annotations() : null;
			return (said != null) ? new ToolHints(said.readOnlyHint(), said.destructiveHint(), said.idempotentHint(),
					said.openWorldHint()) : ToolHints.none();
		}

		private static String nameOf(Object remote) {
			return (remote instanceof SyncMcpToolCallback sync) ? sync.getOriginalToolName()
					: ((AsyncMcpToolCallback) remote).getOriginalToolName();
		}

		@SuppressWarnings("ReferenceEquality") // of the very client
		static boolean isSame(ToolCallback tool, ToolCallback other) {
			return isRemote(tool.getClass()) && isRemote(other.getClass()) && clientOf(tool) != null
					&& clientOf(tool) == clientOf(other) && nameOf(tool).equals(nameOf(other));
		}

		static boolean isRemote(Class<?> tool) {
			return SyncMcpToolCallback.class.isAssignableFrom(tool)
					|| AsyncMcpToolCallback.class.isAssignableFrom(tool);
		}

		@SuppressWarnings("ReferenceEquality") // of the very client
		private static boolean isShared(Object client, String server, Collection<?> others) {
			for (Object other : others) {
				Object otherClient = clientOf(other);
				if (otherClient != null && otherClient != client && server.equals(connectionOf(otherClient))) {
					return true;
				}
			}
			return false;
		}

		private static @Nullable Object clientOf(@Nullable Object toolOrClient) {
			if (toolOrClient instanceof GuardedToolCallback guarded) {
				return clientOf(guarded.unwrap());
			}
			if (toolOrClient instanceof SyncMcpToolCallback) {
				return (syncClient != null) ? ReflectionUtils.getField(syncClient, toolOrClient) : null;
			}
			if (toolOrClient instanceof AsyncMcpToolCallback) {
				return (asyncClient != null) ? ReflectionUtils.getField(asyncClient, toolOrClient) : null;
			}
			return (toolOrClient instanceof McpSyncClient || toolOrClient instanceof McpAsyncClient) ? toolOrClient
					: null;
		}

		/** Spring AI names each client after the connection. Empty if there is none. */
		private static String connectionOf(@Nullable Object client) {
			McpSchema.Implementation info = (client instanceof McpSyncClient sync) ? sync.getClientInfo()
					: (client instanceof McpAsyncClient async) ? async.getClientInfo() : null;
			if (info == null) {
				return "";
			}
			if (info.title() != null) {
				return info.title();
			}
			String name = info.name();
			int end = name.lastIndexOf(CONNECTION);
			return (end >= 0) ? name.substring(end + CONNECTION.length()) : name;
		}

	}

}
