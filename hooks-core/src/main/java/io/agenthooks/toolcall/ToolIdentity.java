package io.agenthooks.toolcall;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.SafeText;

/**
 * The identity of a tool: where it comes from, its own name there, and the name that the
 * model sees. A tool has one identity and several names, of which some are chosen by the
 * server, and one may depend on what other servers call their tools.
 * <ol>
 * <li>Whatever <em>denies, asks, narrows or redacts</em> looks at
 * {@linkplain #anyName(Predicate) every name}; one that matches is enough.</li>
 * <li>Whatever <em>allows or exempts</em> looks at the server and at the tool's own name
 * there, as {@link ToolGlobs#allow}: no other server can choose these.</li>
 * <li>Of a tool whose server is not known nothing is certain, so nothing but {@code *}
 * allows it.</li>
 * </ol>
 *
 * @param server the name of the connection to the MCP server that has the tool, as the
 * application configured it; {@value #APPLICATION} for a tool of the application itself,
 * {@code null} if the tool is on an unknown MCP server
 * @param name the name that the tool has there
 * @param modelName the name that the model sees
 * @param otherNames further names that the tool may have on a server, if it may be one of
 * several tools
 * @param hints what the tool says about itself, which belongs to no identity: two that
 * differ in nothing else are equal
 * @since 0.1.0
 */
public record ToolIdentity(@Nullable String server, String name, String modelName, List<String> otherNames,
		ToolHints hints) {

	/** The server of the tools that are on none. */
	public static final String APPLICATION = "";

	private static final String SEPARATOR = "__";

	/** Claude Code's beginning of the names of tools of MCP servers. */
	private static final String MCP = "mcp" + SEPARATOR;

	/** An unknown server; no connection is called so. */
	private static final String UNKNOWN = "?";

	/**
	 * Create an identity.
	 * @throws IllegalArgumentException if a tool of the application has two names
	 */
	public ToolIdentity {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(modelName, "'modelName' must not be null");
		Objects.requireNonNull(hints, "'hints' must not be null");
		otherNames = List.copyOf(otherNames);
		if (APPLICATION.equals(server) && !name.equals(modelName)) {
			throw new IllegalArgumentException("A tool of the application has one name");
		}
	}

	/**
	 * Create an identity.
	 * @param server the server, as above
	 * @param name the name that the tool has there
	 * @param modelName the name that the model sees
	 * @throws IllegalArgumentException if a tool of the application has two names
	 */
	public ToolIdentity(@Nullable String server, String name, String modelName) {
		this(server, name, modelName, List.of(), ToolHints.none());
	}

	/**
	 * A tool of the application itself.
	 * @param name its name
	 * @return the identity
	 */
	public static ToolIdentity ofApplication(String name) {
		Objects.requireNonNull(name, "'tool' must not be null");
		return new ToolIdentity(APPLICATION, name, name);
	}

	/**
	 * A tool of an MCP server.
	 * @param server the name of the connection, as the application configured it
	 * @param name the name that the tool has on the server
	 * @param modelName the name that the model sees
	 * @return the identity
	 * @throws IllegalArgumentException if the server has no name
	 */
	public static ToolIdentity onServer(String server, String name, String modelName) {
		if (server.isEmpty()) {
			throw new IllegalArgumentException("'server' must not be empty");
		}
		return new ToolIdentity(server, name, modelName);
	}

	/**
	 * A tool of an unknown MCP server.
	 * @param name the name that the tool has on the server
	 * @param modelName the name that the model sees
	 * @return the identity
	 */
	public static ToolIdentity onUnknownServer(String name, String modelName) {
		return new ToolIdentity(null, name, modelName);
	}

	/**
	 * A tool that is one of several tools of MCP servers, and it is not known which.
	 * @param names the names that these have on their servers, which may be none
	 * @param modelName the name that the model sees
	 * @return the identity
	 */
	public static ToolIdentity onUnknownServer(Set<String> names, String modelName) {
		return (names.size() == 1) ? onUnknownServer(names.iterator().next(), modelName)
				: new ToolIdentity(null, modelName, modelName, List.copyOf(names), ToolHints.none());
	}

	/**
	 * Return the identity of a tool by the {@linkplain CallAttributes attributes} of its
	 * call; one of the application if they say nothing. If they name another tool, they
	 * may have been handed on from a call of that, so the server counts as unknown.
	 * @param modelName the name that the model sees
	 * @param context the context of the call
	 * @return the identity
	 */
	public static ToolIdentity of(String modelName, CallContext context) {
		ToolIdentity tool = ofApplication(modelName).completedBy(context);
		return (tool.name().equals(modelName)) ? tool : onUnknownServer(tool.name(), modelName);
	}

	/**
	 * This identity with what the attributes of a call say of the server, if that is not
	 * known yet.
	 * @param context the context of the call
	 * @return the completed identity
	 */
	public ToolIdentity completedBy(CallContext context) {
		Map<String, Object> attributes = Objects.requireNonNull(context, "'context' must not be null").attributes();
		if (attributes.isEmpty() || (this.server != null && !isOfApplication())) {
			return this;
		}
		String given = textOf(attributes, CallAttributes.MCP_SERVER);
		String tool = textOf(attributes, CallAttributes.MCP_TOOL);
		if (given == null && tool == null) {
			return this;
		}
		return new ToolIdentity(given, (tool != null && isOfApplication()) ? tool : this.name, this.modelName,
				this.otherNames, this.hints);
	}

	/**
	 * Whether a call is one of this tool, of which only the context of the call says on
	 * which server it is.
	 * @param call the call
	 * @return {@code false} if the server of this tool is known
	 */
	public boolean isNamedBy(ToolCall call) {
		return this.server == null && !isOfApplication() && completedBy(call.context()).equals(call.identity());
	}

	/**
	 * This identity with what the tool says about itself.
	 * @param hints what it says
	 * @return the identity, which equals this one
	 */
	public ToolIdentity withHints(ToolHints hints) {
		return (hints.equals(this.hints)) ? this
				: new ToolIdentity(this.server, this.name, this.modelName, this.otherNames, hints);
	}

	private static @Nullable String textOf(Map<String, Object> attributes, String name) {
		Object value = attributes.get(name);
		return (value == null || value.toString().isEmpty()) ? null : value.toString();
	}

	/**
	 * A context whose {@linkplain CallAttributes attributes} say what this identity does.
	 * @param context the context of a call
	 * @return the context with, or without, the attributes
	 */
	public CallContext describeIn(CallContext context) {
		Map<String, Object> attributes = context.attributes();
		Object tool = (isOfApplication()) ? null : this.name;
		Object server = (isOfApplication()) ? null : this.server;
		if ((attributes.isEmpty() && tool == null) || (Objects.equals(attributes.get(CallAttributes.MCP_TOOL), tool)
				&& Objects.equals(attributes.get(CallAttributes.MCP_SERVER), server))) {
			return context;
		}
		Map<String, Object> agreed = new LinkedHashMap<>(attributes);
		put(agreed, CallAttributes.MCP_SERVER, server);
		put(agreed, CallAttributes.MCP_TOOL, tool);
		return new CallContext(context.sessionId(), context.runId(), context.rootRunId(), context.user(),
				context.authorities(), context.claims(), context.agent(), context.role(), context.workspace(),
				context.attempt(), agreed);
	}

	private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
		if (value != null) {
			attributes.put(name, value);
		}
		else {
			attributes.remove(name);
		}
	}

	/**
	 * Whether the tool is one of the application itself.
	 * @return {@code false} if it is on an MCP server
	 */
	public boolean isOfApplication() {
		return APPLICATION.equals(this.server);
	}

	/**
	 * Whether this is one of the names of the tool. For rules that restrict: anybody may
	 * have chosen the name.
	 * @param name the name
	 * @return whether the tool is called so
	 */
	public boolean isNamed(String name) {
		return anyName(name::equals);
	}

	/**
	 * Whether any name of the tool passes a test. For rules that restrict.
	 * @param test tests a name, for instance a {@link Glob}
	 * @return whether one passes
	 */
	public boolean anyName(Predicate<String> test) {
		return names().stream().anyMatch(test);
	}

	/**
	 * Every name that a rule may give the tool: that which the model sees, its own, its
	 * own as frameworks write it for models ({@code delete_repo} for
	 * {@code delete-repo}), {@code server__name} and {@code mcp__server__name}.
	 * @return the names, that which the model sees first
	 */
	public List<String> names() {
		if (isOfApplication()) {
			return List.of(this.modelName);
		}
		Set<String> names = new LinkedHashSet<>();
		names.add(this.modelName);
		addOwn(this.name, names);
		this.otherNames.forEach((name) -> addOwn(name, names));
		names.add(stableName());
		names.remove("");
		return List.copyOf(names);
	}

	private void addOwn(String name, Set<String> names) {
		String plain = plain(name);
		names.add(name);
		names.add(plain);
		if (this.server != null) {
			names.add(this.server + SEPARATOR + name);
			names.add(this.server + SEPARATOR + plain);
			names.add(MCP + this.server + SEPARATOR + name);
			names.add(MCP + plainServer(this.server) + SEPARATOR + plain);
		}
	}

	/**
	 * The name where only one can be told, which does not depend on other servers: that
	 * of a tool of the application, or {@code mcp__server__name}.
	 * @return the name
	 */
	public String stableName() {
		return (isOfApplication()) ? this.name
				: MCP + ((this.server != null) ? plainServer(this.server) : UNKNOWN) + SEPARATOR + this.name;
	}

	/** The name as Spring AI writes it for models. */
	static String plain(String name) {
		StringBuilder plain = new StringBuilder(name.length());
		for (int i = 0; i < name.length();) {
			int character = name.codePointAt(i);
			i += Character.charCount(character);
			if (character == '-') {
				plain.append('_');
			}
			else if (isWord(character) || Character.UnicodeScript.of(character) == Character.UnicodeScript.HAN) {
				plain.appendCodePoint(character);
			}
		}
		return plain.toString();
	}

	private static String plainServer(String server) {
		StringBuilder plain = new StringBuilder(server.length());
		server.codePoints()
			.forEach((character) -> plain.appendCodePoint((isWord(character) || character == '-') ? character : '_'));
		return plain.toString();
	}

	private static boolean isWord(int character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || character == '_';
	}

	/**
	 * The tool in words, such as {@code 'alt_1_read' ('read' of the MCP server 'files')}.
	 * @return one safe line
	 */
	public String describe() {
		String shown = "'" + SafeText.name(this.modelName) + "'";
		if (isOfApplication()) {
			return shown;
		}
		String own = "'" + SafeText.name(this.name) + "'";
		String server = (this.server != null) ? "the MCP server '" + SafeText.name(this.server) + "'"
				: "an MCP server that is not known for certain";
		return (shown.equals(own)) ? shown + " of " + server : shown + " (" + own + " of " + server + ")";
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ToolIdentity tool && this.modelName.equals(tool.modelName)
				&& this.name.equals(tool.name) && Objects.equals(this.server, tool.server)
				&& this.otherNames.equals(tool.otherNames);
	}

	/** As {@link #equals}, without the hints. */
	@Override
	public int hashCode() {
		return 31 * this.modelName.hashCode() + this.name.hashCode();
	}

	@Override
	public String toString() {
		return "ToolIdentity[" + describe() + "]";
	}

}
