package io.agenthooks.spring.scope;

import org.jspecify.annotations.Nullable;

/**
 * A kind of names that say who makes a call, or what is called.
 *
 * @since 0.1.0
 */
public enum Named {

	/** Users. */
	USER("user", "users", null),

	/** Authorities of users. */
	AUTHORITY("authority", "authorities", null),

	/** Claims of the token that a user logged in with. */
	CLAIM("claim", "claims", null),

	/** Agents; a call without one has an empty name. */
	AGENT("agent", "agents", ""),

	/** Roles of calls, which are not those of Spring Security. */
	ROLE("role", "roles", "agent"),

	/** Workspaces of calls. */
	WORKSPACE("workspace", "workspaces", "main"),

	/** MCP servers; a tool that is on none has an empty name there. */
	MCP_SERVER("MCP server", "mcp_servers", ""),

	/** Tools. */
	TOOL("tool", "tools", null);

	private final String noun;

	private final String option;

	private final @Nullable String usual;

	Named(String noun, String option, @Nullable String usual) {
		this.noun = noun;
		this.option = option;
		this.usual = usual;
	}

	public String noun() {
		return this.noun;
	}

	/**
	 * The option that lists such names, in a scope and below {@code hooks.context}.
	 * @return the name of the option
	 */
	public String option() {
		return this.option;
	}

	/** The name that a call has unless somebody gives it another, or {@code null}. */
	@Nullable String usual() {
		return this.usual;
	}

}
