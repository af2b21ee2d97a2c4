package io.agenthooks.spring.prompt;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The events of which a judge is asked, with the data that it can get then. */
enum JudgedEvent {

	PRE_TOOL_USE,

	/** Before the agent sees the result. */
	POST_TOOL_USE,

	PRE_LLM_CALL,

	/** Before the agent sees the response. */
	POST_LLM_CALL,

	PRE_RUN;

	/** All of the data in one object. */
	static final String INPUT = "INPUT";

	/** The one that says nothing of the call itself. */
	static final String EVENT = "EVENT";

	private static final Set<String> EVERYWHERE = Set.of(INPUT, EVENT, "AGENT_NAME");

	boolean mayAsk() {
		return this == PRE_TOOL_USE;
	}

	/** Here or elsewhere. */
	static boolean isPlaceholder(String name) {
		return Arrays.stream(values()).anyMatch((event) -> event.knows(name));
	}

	String placeholders() {
		return Stream.concat(own().stream(), Stream.of(INPUT))
			.sorted()
			.map((name) -> "$" + name)
			.collect(Collectors.joining(" or "));
	}

	boolean knows(String placeholder) {
		return EVERYWHERE.contains(placeholder) || own().contains(placeholder);
	}

	/** Only the placeholders that do not have a value everywhere. */
	private Set<String> own() {
		return switch (this) {
			case PRE_TOOL_USE -> Set.of("TOOL_NAME", "TOOL_INPUT");
			case POST_TOOL_USE -> Set.of("TOOL_NAME", "TOOL_INPUT", "TOOL_OUTPUT");
			case PRE_LLM_CALL, PRE_RUN -> Set.of("PROMPT");
			case POST_LLM_CALL -> Set.of("PROMPT", "RESPONSE");
		};
	}

}
