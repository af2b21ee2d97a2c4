package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.origin.WrappedTools;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Finds the MCP server of a tool by the key that the application gave the client.
 * LangChain4j's module for MCP may be absent, and its tools do not tell their client, so
 * this reads fields.
 */
final class ToolOrigins {

	static final String REMOTE_TOOL = "dev.langchain4j.mcp.McpToolExecutor";

	private static final boolean mcpPresent = ClassUtils.isPresent(REMOTE_TOOL, ToolOrigins.class.getClassLoader());

	private static final Object SEVERAL = new Object();

	private final Map<String, Object> clients = new ConcurrentHashMap<>();

	/**
	 * Before any tool of the invocation is called; {@code null} if it is the
	 * application's.
	 */
	@SuppressWarnings("ReferenceEquality") // of the very client
	@Nullable Remote originOf(ToolExecutor executor, @Nullable ToolSpecification tool) {
		if (!mcpPresent) {
			return null;
		}
		List<Object> ends = WrappedTools.behind(executor).stream().filter((end) -> !isOwn(end)).toList();
		if (ends.isEmpty()) {
			return null;
		}
		ends.stream().filter((end) -> !isKnown(end)).findFirst().ifPresent(WrappedTools::warnOf);
		Remote origin = (ends.size() == 1) ? read(ends.get(0)) : unknown(ends);
		String key = origin.key();
		Object client = origin.client();
		if (key != null && client != null) {
			this.clients.merge(key, client, (before, other) -> (before == other) ? other : SEVERAL);
		}
		return (tool != null) ? new Remote(client, key, origin.names(), hintsOf(tool)) : origin;
	}

	private static ToolHints hintsOf(ToolSpecification tool) {
		Map<String, Object> said = (tool.metadata() != null) ? tool.metadata() : Map.of();
		return new ToolHints(hint(said, "readOnlyHint"), hint(said, "destructiveHint"), hint(said, "idempotentHint"),
				hint(said, "openWorldHint"));
	}

	private static @Nullable Boolean hint(Map<String, Object> said, String name) {
		return (said.get(name) instanceof Boolean hint) ? hint : null;
	}

	@SuppressWarnings("ReferenceEquality") // of the very client
	ToolIdentity identityOf(@Nullable Remote origin, String modelName) {
		if (origin == null) {
			return ToolIdentity.ofApplication(modelName);
		}
		String key = origin.key();
		if (key == null || this.clients.get(key) != origin.client()) {
			return ToolIdentity.onUnknownServer(origin.names(), modelName).withHints(origin.hints());
		}
		String name = (origin.names().isEmpty()) ? modelName : origin.names().iterator().next();
		return ToolIdentity.onServer(key, name, modelName).withHints(origin.hints());
	}

	/** For certain, whatever its method calls. */
	private static boolean isOwn(Object executor) {
		return executor.getClass().getName().startsWith("dev.langchain4j.service.");
	}

	static boolean isKnown(Object executor) {
		return isOwn(executor) || executor.getClass().getName().startsWith("dev.langchain4j.mcp.");
	}

	private static @Nullable Class<?> remoteType(Class<?> tool) {
		for (Class<?> type = tool; type != null; type = type.getSuperclass()) {
			if (type.getName().equals(REMOTE_TOOL)) {
				return type;
			}
		}
		return null;
	}

	private static Remote read(Object tool) {
		Class<?> type = remoteType(tool.getClass());
		Object client = (type != null) ? read(type, "mcpClient", tool) : null;
		Object name = (type != null) ? read(type, "fixedToolName", tool) : null;
		Object key = (client != null) ? keyOf(client) : null;
		return new Remote(client, (key instanceof String text && isConfigured(text)) ? text : null,
				(name instanceof Optional<?> fixed && fixed.orElse(null) instanceof String text) ? Set.of(text)
						: Set.of(),
				ToolHints.none());
	}

	private static Remote unknown(List<Object> tools) {
		return new Remote(null, null,
				tools.stream().flatMap((tool) -> read(tool).names().stream()).collect(Collectors.toSet()),
				ToolHints.none());
	}

	private static @Nullable Object read(Class<?> type, String name, Object tool) {
		Field field = ReflectionUtils.findField(type, name);
		if (field == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, tool);
	}

	static @Nullable Object keyOf(Object client) {
		return Arrays.stream(client.getClass().getMethods())
			.filter((method) -> method.getName().equals("key") && method.getParameterCount() == 0)
			.findFirst()
			.map((method) -> {
				ReflectionUtils.makeAccessible(method);
				return ReflectionUtils.invokeMethod(method, client);
			})
			.orElse(null);
	}

	/** A client without a key gets a random one, which no rule can name. */
	static boolean isConfigured(String key) {
		try {
			return !key.isEmpty() && !UUID.fromString(key).toString().equals(key);
		}
		catch (IllegalArgumentException ex) {
			return true;
		}
	}

	/**
	 * A tool of an MCP server.
	 *
	 * @param client the connection to the server, or {@code null} if it is not known
	 * @param key its name, or {@code null} if it has none or that is not known
	 */
	record Remote(@Nullable Object client, @Nullable String key, Set<String> names, ToolHints hints) {
	}

}
