package io.agenthooks.spring.actuator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.toolcall.ToolIdentity;

final class SwitchWriter {

	private static final String ALL = "switch";

	private static final String TOOL = "switch_tool";

	private static final String AGENT = "switch_agent";

	static final List<String> OPERATIONS = List.of(ALL, TOOL, AGENT);

	private SwitchWriter() {
	}

	/**
	 * Each way has an operation of its own: Spring Boot ignores members of a body that it
	 * does not know, and one that is mistyped must not switch all tools on.
	 */
	static ToolSwitch.Part part(String operation, @Nullable String tool, @Nullable String agent) {
		return switch (operation) {
			case ALL -> part(ToolSwitch.Part.Kind.ALL, "", (tool != null) ? tool : agent,
					"'%s' is for all tools: write '%s' or '%s' in the path".formatted(ALL, TOOL, AGENT));
			case TOOL -> part(ToolSwitch.Part.Kind.TOOL, tool, agent, "Write 'tool', and no 'agent'");
			default -> part(ToolSwitch.Part.Kind.AGENT, agent, tool, "Write 'agent', and no 'tool'");
		};
	}

	private static ToolSwitch.Part part(ToolSwitch.Part.Kind kind, @Nullable String glob, @Nullable String other,
			String mistake) {
		if (glob == null || other != null) {
			throw new IllegalArgumentException(mistake);
		}
		return new ToolSwitch.Part(kind, glob);
	}

	/** As far as that is known: at the start they are off by the configuration. */
	static Map<String, @Nullable Object> all(ToolHooks hooks) {
		ToolSwitch.Switched all = switchedOff(hooks).stream()
			.filter((off) -> off.part().kind() == ToolSwitch.Part.Kind.ALL)
			.findFirst()
			.orElse(null);
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("since", (all != null) ? all.at().toString() : null);
		members.put("user", (all != null) ? all.user() : null);
		members.put("through", (all != null) ? all.through() : null);
		return members;
	}

	private static List<ToolSwitch.Switched> switchedOff(@Nullable ToolHooks hooks) {
		return (hooks instanceof ToolSwitch known) ? known.switchedOff() : List.of();
	}

	/** Of a glob of tools, the known ones that it names. */
	static List<Map<String, @Nullable Object>> parts(@Nullable ToolHooks hooks, ToolInventory.Found found) {
		List<Map<String, @Nullable Object>> parts = new ArrayList<>();
		for (ToolSwitch.Switched off : switchedOff(hooks)) {
			ToolSwitch.Part part = off.part();
			if (part.kind() != ToolSwitch.Part.Kind.ALL) {
				boolean isTool = part.kind() == ToolSwitch.Part.Kind.TOOL;
				Map<String, @Nullable Object> members = new LinkedHashMap<>();
				members.put("tool", (isTool) ? part.glob() : null);
				members.put("agent", (isTool) ? null : part.glob());
				members.put("since", off.at().toString());
				members.put("user", off.user());
				members.put("through", off.through());
				members.put("known_tools", (isTool) ? namedBy(part.glob(), found) : null);
				parts.add(members);
			}
		}
		return parts;
	}

	private static List<String> namedBy(String glob, ToolInventory.Found found) {
		Glob names = Glob.of(glob);
		return found.tools()
			.stream()
			.map(FoundTool::identity)
			.filter((tool) -> tool.anyName(names))
			.map(ToolIdentity::modelName)
			.distinct()
			.toList();
	}

}
