package io.agenthooks;

/**
 * The kind of names that a {@link Glob} matches. Says which characters such names can
 * have, so that a mistake is told from what is unusual.
 *
 * @since 0.1.0
 */
public enum NameKind {

	/**
	 * Names of tools. Models and protocols let them have letters, digits, {@code _},
	 * {@code -}, {@code .}, {@code /} and {@code :}, executors of your own much more; but
	 * never white space, nor what quotes, groups or separates names.
	 */
	TOOL("tool", true),

	/** Names of models, such as {@code openai/gpt-4o} and {@code llama3.2:latest}. */
	MODEL("model", true),

	/**
	 * Names of agents. Those that a client of an MCP server says of itself are any text.
	 */
	AGENT("agent", false),

	/**
	 * Names of roles, such as {@code admin}, {@code ROLE_USER} or {@code DOMAIN\staff}.
	 */
	ROLE("role", false),

	/** Names of workspaces, which may be paths of any system. */
	WORKSPACE("workspace", false),

	/** Names of users, such as {@code ann@example.com} or {@code DOMAIN\ann}. */
	USER("user", false),

	/** Authorities of users, such as {@code ROLE_ADMIN} or {@code SCOPE_read:mail}. */
	AUTHORITY("permission", false),

	/** Names of the connections to MCP servers. */
	MCP_SERVER("MCP server", false),

	/** Names of an unknown kind. */
	ANY("name", false);

	private final String noun;

	private final boolean strict;

	NameKind(String noun, boolean strict) {
		this.noun = noun;
		this.strict = strict;
	}

	/**
	 * Return the word for such a name in a sentence.
	 * @return the word, such as {@code tool}
	 */
	public String noun() {
		return this.noun;
	}

	boolean isStrict() {
		return this.strict;
	}

	/**
	 * Whether a dot before a {@code *} may be a dot that such names have: in a version,
	 * as in {@code gpt-4.*}, in a name that has had a dot before, as in
	 * {@code com.acme.*}, or in the name of a file. A tool has none of them:
	 * {@code delete.*} is a regular expression.
	 */
	boolean mayHoldDot(String before) {
		if (this == TOOL || before.isEmpty()) {
			return false;
		}
		char last = before.charAt(before.length() - 1);
		return Character.isDigit(last)
				|| (Character.isLetter(last) && (before.indexOf('.') > 0 || before.indexOf('/') >= 0));
	}

	boolean mayHoldBackslash(int next, int afterNext) {
		return switch (this) {
			case TOOL, MODEL -> false;
			case WORKSPACE, ANY -> !("dwsDWS".indexOf(next) >= 0 && afterNext == '+');
			// Nothing but a wildcard: DOMAIN\* is everybody of a domain.
			case AGENT, ROLE, USER, AUTHORITY, MCP_SERVER ->
				next == '*' || next == '?' || (Character.isLetterOrDigit(next)
						&& !("dwsDWSbB".indexOf(next) >= 0 && "+*?{".indexOf(afterNext) >= 0));
		};
	}

}
