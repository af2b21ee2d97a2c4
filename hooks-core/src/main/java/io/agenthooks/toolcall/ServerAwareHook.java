package io.agenthooks.toolcall;

/**
 * A hook that allows tools by their names. On its own it goes by what no other server can
 * choose, see {@link ToolGlobs#allow}; narrowed to the tools of named servers, the names
 * of the tools there are enough.
 *
 * @since 0.1.0
 */
public interface ServerAwareHook {

	/**
	 * The same hook, for the tools of named MCP servers only.
	 * @return the hook
	 */
	PreToolHook forNamedServers();

}
