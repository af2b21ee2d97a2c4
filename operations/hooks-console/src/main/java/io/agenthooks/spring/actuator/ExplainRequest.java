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

/**
 * A question what would happen to a call.
 *
 * @param known whether there is such a tool, as far as anything is known
 */
record ExplainRequest(ToolCall call, boolean live, boolean known) {

	private static final String TOOL_NAME = "tool_name";

	private static final String ARGUMENTS = "arguments";

	private static final String SERVER = "server";

	private static final String SERVER_TOOL = "server_tool";

	private static final String SESSION = "session_id";

	private static final String RUN = "run_id";

	private static final String AGENT = "agent";

	private static final String USER = "user";

	private static final String AUTHORITIES = "authorities";

	private static final String CLAIMS = "claims";

	private static final String ROLE = "role";

	private static final String WORKSPACE = "workspace";

	private static final String ATTEMPT = "attempt";

	private static final String LIVE = "live";

	private static final Set<String> MEMBERS = Set.of(TOOL_NAME, ARGUMENTS, SERVER, SERVER_TOOL, SESSION, RUN, AGENT,
			USER, AUTHORITIES, CLAIMS, ROLE, WORKSPACE, ATTEMPT, LIVE);

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
		String tool = text(TOOL_NAME, members);
		if (tool == null || tool.isBlank()) {
			throw new InvalidRequestException("'tool_name' is missing");
		}
		// What goes wrong here is no mistake in the request, and its message may be that
		// of
		// a tool.
		List<FoundTool> named = tools.apply(tool);
		try {
			CallContext context = context(members);
			ToolIdentity identity = identity(tool, text(SERVER, members), text(SERVER_TOOL, members), named);
			boolean known = named.stream().anyMatch((each) -> each.identity().equals(identity));
			Map<String, @Nullable Object> arguments = object(ARGUMENTS, members);
			return new ExplainRequest(ToolCall.of(UniqueId.next(), identity, arguments, context),
					Boolean.TRUE.equals(value(LIVE, Boolean.class, "true or false", members)), known);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * The tool that is meant: the one with its own name on the server that is named, as
	 * far as these are given, or the only one of the name.
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
		CallContext context = CallContext.ofSession(text(SESSION, members))
			.withRunId(text(RUN, members))
			.withAgent(text(AGENT, members))
			.withUser(text(USER, members));
		List<String> authorities = texts(AUTHORITIES, members);
		if (!authorities.isEmpty()) {
			context = context.withAuthorities(authorities);
		}
		Map<String, @Nullable Object> claims = object(CLAIMS, members);
		if (!claims.isEmpty()) {
			context = context.withClaims(claims);
		}
		String role = text(ROLE, members);
		String workspace = text(WORKSPACE, members);
		context = (role != null) ? context.withRole(role) : context;
		context = (workspace != null) ? context.withWorkspace(workspace) : context;
		Number attempt = value(ATTEMPT, Number.class, "a number", members);
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

	/** A body that is not a call. */
	static final class InvalidRequestException extends RuntimeException {

		InvalidRequestException(String message) {
			super(message, null, false, false);
		}

	}

}
