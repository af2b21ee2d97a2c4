package io.agenthooks.spring.actuator;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.UniqueId;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolIdentity;

/** A question about a call; the tool is known as far as anything is. */
record ExplainRequest(ToolCall call, boolean live, boolean known) {

	private static final Set<String> MEMBERS = Set.of("tool_name", "arguments", "server", "server_tool", "session_id",
			"run_id", "agent", "user", "authorities", "claims", "role", "workspace", "attempt", "live");

	private static final StrictJson json = new StrictJson(1);

	static ExplainRequest read(String text, Function<String, List<FoundTool>> tools) {
		Map<String, @Nullable Object> members;
		try {
			members = json.readObject(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (InvalidJsonException ex) {
			throw new InvalidRequestException("The body is not a readable JSON object: " + ex.getMessage());
		}
		for (String name : members.keySet()) {
			if (!MEMBERS.contains(name)) {
				throw new InvalidRequestException("'%s' is not known. Known are: %s".formatted(SafeText.name(name),
						String.join(", ", MEMBERS.stream().sorted().toList())));
			}
		}
		String tool = text("tool_name", members);
		if (tool == null || tool.isBlank()) {
			throw new InvalidRequestException("'tool_name' is missing");
		}
		// A failure here is no mistake in the request, and its message may be a tool's.
		List<FoundTool> named = tools.apply(tool);
		try {
			CallContext context = context(members);
			ToolIdentity identity = identity(tool, text("server", members), text("server_tool", members), named);
			boolean known = named.stream().anyMatch((each) -> each.identity().equals(identity));
			Map<String, @Nullable Object> arguments = object("arguments", members);
			return new ExplainRequest(ToolCall.of(UniqueId.next(), identity, arguments, context),
					Boolean.TRUE.equals(value("live", Boolean.class, "true or false", members)), known);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * The tool with its own name on the server that is named, or the only one of the
	 * name.
	 */
	private static ToolIdentity identity(String tool, @Nullable String server, @Nullable String serverTool,
			List<FoundTool> named) {
		boolean ofApplication = ToolIdentity.APPLICATION.equals(server);
		if (serverTool != null && (ofApplication || serverTool.isBlank())) {
			throw new InvalidRequestException("'server_tool' has to be the name that a tool has on its MCP server");
		}
		List<ToolIdentity> known = named.stream()
			.map(FoundTool::identity)
			.filter((identity) -> server == null || server.equals(identity.server()))
			.filter((identity) -> serverTool == null
					|| (!identity.isOfApplication() && serverTool.equals(identity.name())))
			.distinct()
			.toList();
		if (known.size() == 1) {
			return known.get(0);
		}
		if (server != null && !ofApplication) {
			return ToolIdentity.onServer(server, (serverTool != null) ? serverTool : tool, tool);
		}
		return (serverTool != null) ? ToolIdentity.onUnknownServer(serverTool, tool) : ToolIdentity.ofApplication(tool);
	}

	private static CallContext context(Map<String, @Nullable Object> members) {
		CallContext context = CallContext.ofSession(text("session_id", members))
			.withRunId(text("run_id", members))
			.withAgent(text("agent", members))
			.withUser(text("user", members));
		List<String> authorities = texts("authorities", members);
		if (!authorities.isEmpty()) {
			context = context.withAuthorities(authorities);
		}
		Map<String, @Nullable Object> claims = object("claims", members);
		if (!claims.isEmpty()) {
			context = context.withClaims(claims);
		}
		String role = text("role", members);
		String workspace = text("workspace", members);
		context = (role != null) ? context.withRole(role) : context;
		context = (workspace != null) ? context.withWorkspace(workspace) : context;
		Number attempt = value("attempt", Number.class, "a number", members);
		return (attempt != null) ? context.withAttempt(attempt.intValue()) : context;
	}

	private static @Nullable String text(String name, Map<String, @Nullable Object> members) {
		return value(name, String.class, "a text", members);
	}

	@SuppressWarnings("unchecked") // JSON has texts as names
	private static Map<String, @Nullable Object> object(String name, Map<String, @Nullable Object> members) {
		Map<?, ?> object = value(name, Map.class, "an object", members);
		return (object != null) ? (Map<String, @Nullable Object>) object : Map.of();
	}

	private static List<String> texts(String name, Map<String, @Nullable Object> members) {
		List<?> list = value(name, List.class, "a list of texts", members);
		List<String> texts = new ArrayList<>();
		for (Object element : (list != null) ? list : List.of()) {
			if (!(element instanceof String text)) {
				throw new InvalidRequestException("'%s' has to be a list of texts".formatted(name));
			}
			texts.add(text);
		}
		return texts;
	}

	private static <T> @Nullable T value(String name, Class<T> type, String words,
			Map<String, @Nullable Object> members) {
		Object value = members.get(name);
		if (value != null && !type.isInstance(value)) {
			throw new InvalidRequestException("'%s' has to be %s".formatted(name, words));
		}
		return type.cast(value);
	}

	static final class InvalidRequestException extends RuntimeException {

		InvalidRequestException(String message) {
			super(message, null, false, false);
		}

	}

}
