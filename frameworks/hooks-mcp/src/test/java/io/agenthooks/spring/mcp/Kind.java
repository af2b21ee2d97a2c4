package io.agenthooks.spring.mcp;

/**
 * The kinds of servers that Spring AI makes.
 */
enum Kind {

	SYNC("SYNC", "STREAMABLE"), ASYNC("ASYNC", "STREAMABLE"), STATELESS_SYNC("SYNC", "STATELESS"),
	STATELESS_ASYNC("ASYNC", "STATELESS");

	private final String type;

	private final String protocol;

	Kind(String type, String protocol) {
		this.type = type;
		this.protocol = protocol;
	}

	boolean isStateless() {
		return this.protocol.equals("STATELESS");
	}

	String[] properties() {
		return new String[] { "spring.ai.mcp.server.type=" + this.type,
				"spring.ai.mcp.server.protocol=" + this.protocol };
	}

}
