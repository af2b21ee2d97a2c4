package io.agenthooks;

/**
 * Names of {@linkplain CallContext#attributes() attributes} that the hooks themselves
 * give to calls of tools.
 *
 * @since 0.1.0
 */
public final class CallAttributes {

	/**
	 * The name of the MCP server whose tool is called: that of the connection in the
	 * application's configuration. It always agrees with the identity of the tool: a
	 * {@code CallContextCustomizer} may give one only to a tool of which the framework
	 * does not know the server.
	 */
	public static final String MCP_SERVER = "mcp.server";

	/** The name that a tool has on its MCP server, also if it is not known on which. */
	public static final String MCP_TOOL = "mcp.tool";

	/** The name that an MCP client gives itself. Nobody has checked it. */
	public static final String MCP_CLIENT = "mcp.client";

	/** The version that an MCP client gives itself. */
	public static final String MCP_CLIENT_VERSION = "mcp.client_version";

	/**
	 * The id that the provider of the model gave to a call of a tool, such as
	 * {@code call_1}, if it did. It tells calls apart only within one answer of a model.
	 */
	public static final String PROVIDER_CALL_ID = "provider.call_id";

	private CallAttributes() {
	}

}
