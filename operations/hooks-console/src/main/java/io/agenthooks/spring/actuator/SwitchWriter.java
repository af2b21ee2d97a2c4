package io.agenthooks.spring.actuator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.ended.ToolSwitch;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Writes which tools are switched off, and reads which are to be switched.
 */
final class SwitchWriter {

	private SwitchWriter() {
	}

	/**
	 * Read which tools are to be switched.
	 * @throws IllegalArgumentException if there is a mistake, which the message says
	 */
	static ToolSwitch.Part part(@Nullable String tool, @Nullable String agent) {
		if (tool != null && agent != null) {
			throw new IllegalArgumentException("'tool' and 'agent' are switched one at a time");
		}
		if (tool != null) {
			return new ToolSwitch.Part(ToolSwitch.Part.Kind.TOOL, tool);
		}
		return (agent != null) ? new ToolSwitch.Part(ToolSwitch.Part.Kind.AGENT, agent) : ToolSwitch.Part.ALL;
	}

	/**
	 * Since when tools are off and by whom, as far as that is known: at the start they
	 * are off by the configuration, and the chain itself may be told.
	 */
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

	/** The parts that are off. Of a glob of tools, the known ones that it names. */
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
