package io.agenthooks.spring.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.agenthooks.Glob;
import io.agenthooks.spring.flow.FlowConfig.FlowTools;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolIdentity;

record ToolSet(List<Part> parts, boolean isEverything) {

	private static final String EVERYTHING = "*";

	static ToolSet of(List<FlowTools> written) {
		boolean everything = false;
		List<String> names = new ArrayList<>();
		List<Part> parts = new ArrayList<>();
		for (FlowTools tools : written) {
			if (FlowTools.of(EVERYTHING).equals(tools)) {
				everything = true;
			}
			else if (tools.mcpServers() == null) {
				names.addAll((tools.tools() != null) ? tools.tools() : List.of());
			}
			else {
				List<String> globs = (tools.tools() != null) ? tools.tools() : List.of("*");
				parts.add(new Part(ToolGlobs.of(globs), Glob.anyOf(tools.mcpServers()), true));
			}
		}
		if (!names.isEmpty()) {
			parts.add(new Part(ToolGlobs.of(names), (server) -> true, false));
		}
		return new ToolSet(parts, everything);
	}

	ToolSet withoutEverything() {
		return new ToolSet(this.parts, false);
	}

	/**
	 * For what makes stricter: a tool of a server that is not known is on each of them.
	 */
	boolean match(ToolIdentity tool) {
		return this.isEverything || this.parts.stream().anyMatch((part) -> part.match(tool));
	}

	/** By what no other server can choose. */
	boolean allow(ToolIdentity tool) {
		return this.isEverything || this.parts.stream().anyMatch((part) -> part.allow(tool));
	}

	record Part(ToolGlobs names, Predicate<String> servers, boolean onServer) {

		boolean match(ToolIdentity tool) {
			if (!this.onServer) {
				return this.names.match(tool);
			}
			String server = tool.server();
			return !tool.isOfApplication() && (server == null || this.servers.test(server)) && this.names.match(tool);
		}

		boolean allow(ToolIdentity tool) {
			if (!this.onServer) {
				return this.names.allow(tool, false);
			}
			String server = tool.server();
			return !tool.isOfApplication() && server != null && this.servers.test(server)
					&& this.names.allow(tool, true);
		}

	}

}
