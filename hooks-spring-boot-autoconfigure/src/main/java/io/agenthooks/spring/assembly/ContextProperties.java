package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The options of {@code hooks.context}. For IDEs, as {@link ToolCallHooksProperties}.
 *
 * @param claims Names of the claims about the user that hooks get, as the token has them;
 * none unless set.
 * @param users Globs of names of users that hooks may name, beside those that the start
 * finds.
 * @param authorities Globs of authorities that the application grants in a form of its
 * own, such as REFUND. Those that begin with ROLE_, SCOPE_ or FACTOR_ need not be listed.
 * @param agents Globs of names of agents that hooks may name, beside those that the start
 * finds.
 * @param roles Globs of roles that the application gives to calls.
 * @param workspaces Globs of workspaces that the application gives to calls.
 * @param mcpServers Globs of names of MCP servers that hooks may name, beside those that
 * the start finds.
 * @param tools Globs of names of tools that hooks may name, beside those that the start
 * finds.
 */
@ConfigurationProperties("hooks.context")
record ContextProperties(List<String> claims, List<String> users, List<String> authorities, List<String> agents,
		List<String> roles, List<String> workspaces, List<String> mcpServers, List<String> tools) {
}
