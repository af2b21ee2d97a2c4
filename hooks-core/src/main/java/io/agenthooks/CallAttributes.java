package io.agenthooks;

/**
 * Names of {@linkplain CallContext#attributes() attributes} that the hooks themselves
 * give to calls that go to an MCP server, or come from an MCP client.
 *
 * @since 0.1.0
 */
public final class CallAttributes {

	/**
	 * The name of the MCP server whose tool is called: that of the connection in the
	 * application's configuration, not the one that the server gives itself. On a call it
	 * always agrees with the identity of the tool: a {@code CallContextCustomizer} may
	 * give one only to a tool of which the framework does not know the server.
	 */
	public static final String MCP_SERVER = "mcp.server";

	/**
	 * The name that a tool has on its MCP server. It is there for every tool that is on
	 * one, also if it is not known on which.
	 */
	public static final String MCP_TOOL = "mcp.tool";

	/**
	 * The name that an MCP client gives itself, if it calls a tool of this application.
	 * Nobody has checked it: any client may say that it is another.
	 */
	public static final String MCP_CLIENT = "mcp.client";

	/**
	 * The version that an MCP client gives itself.
	 */
	public static final String MCP_CLIENT_VERSION = "mcp.client_version";

	private CallAttributes() {
	}

}
