package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;

/**
 * A list of globs for tools, in both of its meanings: what is denied, asked about or
 * narrowed by it, and what is allowed or exempted by it.
 *
 * @since 0.1.0
 */
public final class ToolGlobs {

	private static final String SEPARATOR = "__";

	/** Claude Code's beginning of the names of tools of MCP servers. */
	private static final String MCP = "mcp" + SEPARATOR;

	/** Texts for a star: a glob that matches all of these has one there, too. */
	private static final List<String> SAMPLES = List.of("", "q7x_j9z", "Z", "-w4.k");

	private final Predicate<String> names;

	private final boolean everything;

	private final List<OnServer> onServers = new ArrayList<>();

	private ToolGlobs(Collection<String> globs) {
		this.names = Glob.anyOf(globs);
		this.everything = globs.stream().anyMatch((glob) -> glob.matches("\\*+"));
		for (String glob : globs) {
			OnServer onServer = OnServer.of(glob);
			if (onServer != null) {
				this.onServers.add(onServer);
			}
		}
	}

	/**
	 * Compile globs.
	 * @param globs the globs
	 * @return the list
	 */
	public static ToolGlobs of(Collection<String> globs) {
		return new ToolGlobs(globs);
	}

	/**
	 * Whether some globs that deny, by any name of a tool, leave nothing of another one.
	 * @param others the globs that deny
	 * @param glob the other one
	 * @return whether they are for all that it is for
	 */
	public static boolean cover(Collection<String> others, String glob) {
		if (others.contains(glob) || others.stream().anyMatch((other) -> other.matches("\\*+"))) {
			return true;
		}
		// What stands in brackets is not looked into.
		return glob.indexOf('[') < 0 && others.stream().anyMatch((other) -> covers(Glob.of(other), glob));
	}

	private static boolean covers(Glob other, String glob) {
		for (String sample : SAMPLES) {
			String name = glob.replace("*", sample).replace("?", (sample.isEmpty()) ? "Q" : sample.substring(0, 1));
			int own = name.indexOf(SEPARATOR) + SEPARATOR.length();
			if (!other.test(name) && !(own > SEPARATOR.length() && other.test(name.substring(own)))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether one of the globs matches one of the names of a tool: for whatever denies,
	 * asks, narrows or redacts.
	 * @param tool the tool
	 * @return whether one matches
	 */
	public boolean match(ToolIdentity tool) {
		return tool.anyName(this.names);
	}

	/**
	 * Whether one of the globs matches what no other server can choose of a tool: for
	 * whatever allows or exempts. A glob is
	 * <ul>
	 * <li>for tools of the application itself, by their name,</li>
	 * <li>for tools of MCP servers, by the name of the connection and their own name, if
	 * it is written {@code server__name} or {@code mcp__server__name}, where both parts
	 * are globs without two underscores,</li>
	 * <li>for every tool, if it is {@code *}.</li>
	 * </ul>
	 * @param tool the tool
	 * @param serversNamed whether it is said elsewhere for which MCP servers the list is,
	 * and the tool is on one of them: its names alone then count
	 * @return whether one matches
	 */
	public boolean allow(ToolIdentity tool, boolean serversNamed) {
		if (this.everything) {
			return true;
		}
		String server = tool.server();
		if (tool.isOfApplication()) {
			return this.names.test(tool.name());
		}
		if (server == null) {
			return false;
		}
		return (serversNamed && tool.anyName(this.names))
				|| this.onServers.stream().anyMatch((onServer) -> onServer.isFor(server, tool.name()));
	}

	private record OnServer(Glob server, Glob tool) {

		/**
		 * A glob, cut at its only two underscores, or {@code null} if it has no server,
		 * or if it is not certain where the server ends: {@code git__hub__x} may be the
		 * tool {@code hub__x} of {@code git}, or the tool {@code x} of {@code git__hub}.
		 */
		static @Nullable OnServer of(String glob) {
			String rest = glob;
			if (glob.startsWith(MCP) && glob.indexOf(SEPARATOR, MCP.length()) > 0) {
				rest = glob.substring(MCP.length());
			}
			int end = rest.indexOf(SEPARATOR);
			if (end <= 0 || rest.indexOf(SEPARATOR, end + 1) >= 0) {
				return null;
			}
			return new OnServer(Glob.of(rest.substring(0, end)), Glob.of(rest.substring(end + SEPARATOR.length())));
		}

		boolean isFor(String server, String name) {
			return this.server.test(server) && (this.tool.test(name) || this.tool.test(ToolIdentity.plain(name)));
		}

	}

}
