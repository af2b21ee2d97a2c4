package io.agenthooks.spring.process;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The points and events that the program of a hook at this place may want, named as in
 * PicoClaw.
 */
enum ProcessPlace {

	TOOL_CALL("hooks.tool_call", "pre_call"),

	LLM_CALL("hooks.llm_call", "pre_call"),

	RUN("hooks.run", "pre_run");

	/** Points that come before the call or the run. */
	private static final Set<String> EARLY = Set.of("before_tool", "approve_tool", "tool_exec_start", "before_llm",
			"llm_request", "turn_start");

	private final String key;

	private final String pre;

	ProcessPlace(String key, String pre) {
		this.key = key;
		this.pre = pre;
	}

	String key() {
		return this.key;
	}

	String pre() {
		return this.pre;
	}

	List<String> points() {
		return switch (this) {
			case TOOL_CALL -> List.of("before_tool", "approve_tool", "after_tool");
			case LLM_CALL -> List.of("before_llm", "after_llm");
			case RUN -> List.of();
		};
	}

	List<String> events() {
		return switch (this) {
			case TOOL_CALL -> List.of("tool_exec_start", "tool_exec_end", "tool_exec_skipped");
			case LLM_CALL -> List.of("llm_request", "llm_response");
			case RUN -> List.of("turn_start", "turn_end");
		};
	}

	static boolean isEarly(String name) {
		return EARLY.contains(name);
	}

	/** Events have two names. */
	static @Nullable ProcessPlace of(String name) {
		return Stream.of(values())
			.filter((place) -> place.points().contains(name)
					|| place.events().stream().anyMatch((event) -> event.equals(name) || kindOf(event).equals(name)))
			.findFirst()
			.orElse(null);
	}

	/** As in PicoClaw today, such as {@code agent.tool.exec_end}. */
	static String kindOf(String event) {
		return "agent." + event.replaceFirst("_", ".");
	}

}
