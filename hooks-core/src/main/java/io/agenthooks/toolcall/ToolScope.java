package io.agenthooks.toolcall;

import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The tools that a hook is for, by all that is known of a tool. A narrowed hook is for
 * every name of a tool, so that no name leads around it; exempted is only what no other
 * server can choose. A name alone is that of a tool of the application.
 *
 * @since 0.1.0
 */
public final class ToolScope implements Predicate<String> {

	private final Predicate<ToolIdentity> tools;

	private ToolScope(Predicate<ToolIdentity> tools) {
		this.tools = tools;
	}

	/**
	 * The tools of which one name passes a test.
	 * @param names tests a name
	 * @return the scope
	 */
	public static ToolScope ofNames(Predicate<String> names) {
		Objects.requireNonNull(names, "'names' must not be null");
		return (names instanceof ToolScope scope) ? scope : new ToolScope((tool) -> tool.anyName(names));
	}

	/**
	 * The tools of some MCP servers.
	 * @param servers tests the name of a server, which is
	 * {@value ToolIdentity#APPLICATION} for tools of the application itself; a tool whose
	 * server is not known is in every scope
	 * @return the scope
	 */
	public static ToolScope ofServers(Predicate<String> servers) {
		return new ToolScope((tool) -> isOn(servers, tool.server()));
	}

	private static boolean isOn(Predicate<String> servers, @Nullable String server) {
		return server == null || servers.test(server);
	}

	/**
	 * Whether a scope, or any other test of names, is for a tool.
	 * @param tools the scope or the test
	 * @param tool the tool
	 * @return whether it is for the tool
	 */
	public static boolean isFor(Predicate<String> tools, ToolIdentity tool) {
		return (tools instanceof ToolScope scope) ? scope.tools.test(tool) : tool.anyName(tools);
	}

	/**
	 * This scope without some tools.
	 * @param exempted the tools
	 * @param serversNamed whether the scope is for named servers, so that a tool's own
	 * name is enough to exempt it
	 * @return the new scope
	 */
	public ToolScope except(ToolGlobs exempted, boolean serversNamed) {
		return new ToolScope((tool) -> this.tools.test(tool) && !exempted.allow(tool, serversNamed));
	}

	@Override
	public boolean test(String name) {
		return this.tools.test(ToolIdentity.ofApplication(name));
	}

	/** The tools that are in this scope and pass another test, too. */
	@Override
	public ToolScope and(Predicate<? super String> other) {
		return new ToolScope((tool) -> this.tools.test(tool)
				&& ((other instanceof ToolScope scope) ? scope.tools.test(tool) : tool.anyName(other::test)));
	}

}
