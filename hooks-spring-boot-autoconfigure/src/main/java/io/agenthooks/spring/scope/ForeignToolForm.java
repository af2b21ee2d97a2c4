package io.agenthooks.spring.scope;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

/**
 * The ways in which other systems write tools and MCP servers. Here they would match
 * nothing: a tool of a server is {@code server__tool} or {@code mcp__server__tool}.
 */
final class ForeignToolForm {

	private static final String MCP = "mcp__";

	/** All tools of a server, as Claude Code's permissions have it. */
	private static final Pattern SERVER_ONLY = Pattern.compile("mcp__((?:(?!__)[^*?\\[])+)(?:__)?");

	/** Cursor's {@code MCP:tool}, {@code mcp:server/tool}, {@code mcp.server.tool}. */
	private static final Pattern MCP_PREFIX = Pattern.compile("(?i)mcp[:/.](?:([^:/.]+)[:/.])?([^:/.]+)");

	/** Windsurf's and Gemini's numbered or single separators. */
	private static final Pattern NUMBERED = Pattern.compile("mcp\\d+_(.+)");

	/** Kiro's {@code @server/tool}, and names with the sign of a mention. */
	private static final Pattern MENTION = Pattern.compile("[@#]([^/:]+)(?:[/:](.+))?");

	/** {@code server/tool}, {@code server:tool}, {@code functions.tool}. */
	private static final Pattern SEPARATED = Pattern.compile("([A-Za-z0-9_-]+)[/:.]([^/:]+)");

	private static final Set<String> NAMESPACES = Set.of("functions", "function", "tool", "tools", "default_api",
			"multi_tool_use");

	private ForeignToolForm() {
	}

	/** A sentence, or {@code null} if a tool that comes later may have the name. */
	static @Nullable String instead(String written, Collection<String> servers, boolean all) {
		Matcher form = SERVER_ONLY.matcher(written);
		if (form.matches()) {
			return ofServer(form.group(1), null, servers);
		}
		form = NUMBERED.matcher(written);
		if (form.matches()) {
			return named(form.group(1));
		}
		form = MCP_PREFIX.matcher(written);
		if (form.matches()) {
			return (form.group(1) != null) ? ofServer(form.group(1), form.group(2), servers) : named(form.group(2));
		}
		form = MENTION.matcher(written);
		if (form.matches()) {
			return (form.group(2) == null && !servers.contains(form.group(1)) && written.startsWith("#"))
					? named(form.group(1)) : ofServer(form.group(1), form.group(2), servers);
		}
		form = SEPARATED.matcher(written);
		if (form.matches()) {
			return ofParts(form.group(1), form.group(2), servers, all);
		}
		return ofSingleSeparator(written, servers);
	}

	/** Two parts with a sign in between, which the name of a tool may have, too. */
	private static @Nullable String ofParts(String first, String second, Collection<String> servers, boolean all) {
		if (NAMESPACES.contains(first.toLowerCase(Locale.ROOT))) {
			return named(second);
		}
		if (servers.contains(first)) {
			return ofServer(first, second, servers);
		}
		return (!all) ? null
				: (second.equals("*")) ? "Write the name of the tool, '%s', or for all tools of an MCP server '%s__*'."
					.formatted(SafeText.name(first), SafeText.name(first)) : ofServer(first, second, servers);
	}

	/** Gemini's {@code mcp_server_tool}, of a server that is known. */
	private static @Nullable String ofSingleSeparator(String written, Collection<String> servers) {
		for (String server : servers) {
			for (String before : new String[] { "mcp_" + server + "_", "mcp-" + server + "-" }) {
				if (written.startsWith(before) && written.length() > before.length()
						&& !written.startsWith(before + "_")) {
					return ofServer(server, written.substring(before.length()), servers);
				}
			}
		}
		return null;
	}

	private static String named(String tool) {
		return "Write the name of the tool, '%s'.".formatted(SafeText.name(tool));
	}

	private static String ofServer(String server, @Nullable String tool, Collection<String> servers) {
		String name = SafeText.name(server);
		String near = (servers.isEmpty() || servers.contains(server)) ? ""
				: " Known servers are %s.".formatted(String.join(", ", servers.stream().map(SafeText::name).toList()));
		return ((tool == null || tool.equals("*"))
				? "Write 'mcp_servers: [%s]' for the hook, or '%s__*'.".formatted(name, name)
				: "Write '%s__%s'.".formatted(name, SafeText.name(tool))) + near;
	}

	static @Nullable String serverOf(String written) {
		String name = (written.startsWith(MCP)) ? written.substring(MCP.length()) : written;
		int end = name.indexOf("__");
		return (end > 0 && end + 2 < name.length()) ? name.substring(0, end) : null;
	}

}
