package io.agenthooks;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Decides about a call when no hook does. No hook may have such a name.
 *
 * @since 0.1.0
 */
public enum BuiltInDecider {

	/** Tools are switched off. */
	KILL_SWITCH("kill-switch"),

	/** The application ends, so no further call begins. */
	SHUTDOWN("shutdown"),

	/** Calls are nested too deep. */
	NESTING_LIMIT("nesting-limit"),

	/** Too many aborted runs have not ended: {@link AbortedRuns#isFullFor}. */
	ABORT_LIMIT("abort-limit"),

	/** The arguments cannot be read, or the tool does not take them. */
	ARGUMENTS("arguments"),

	/** There is no such tool. */
	UNKNOWN_TOOL("unknown-tool"),

	/** No tool can have the name that is called. */
	TOOL_NAME("tool-name"),

	/** The caller could not be found out. */
	CONTEXT("context"),

	/** The tool itself says that the caller may not call it. */
	METHOD_SECURITY("method-security"),

	/** The agent that makes the call was cancelled. */
	CANCELLED("cancelled"),

	/** No decider: the value in metrics for a call that no hook settled. */
	NONE("none");

	private final String value;

	BuiltInDecider(String value) {
		this.value = value;
	}

	/**
	 * The name, as it stands in outcomes, metrics and audit.
	 * @return the name
	 */
	public String value() {
		return this.value;
	}

	/**
	 * The decider whose name a reader could take a name for, whatever its case,
	 * separators and full-width letters.
	 * @param name the name of a hook
	 * @return the decider, or {@code null} if the name is free
	 */
	public static @Nullable BuiltInDecider ofName(String name) {
		String plain = plain(name);
		return Arrays.stream(values()).filter((decider) -> plain.equals(plain(decider.value))).findFirst().orElse(null);
	}

	/**
	 * Refuse a name that no hook may have.
	 * @param name the name of a hook
	 * @return the name
	 * @throws IllegalArgumentException if it is the name of a built-in decider
	 */
	public static String requireFree(String name) {
		BuiltInDecider decider = ofName(name);
		if (decider != null) {
			throw new IllegalArgumentException(
					"No hook may be named '%s': '%s' is the name of a decision that ".formatted(SafeText.name(name),
							decider.value) + "Agent Hooks makes itself. Give the hook another name.");
		}
		return name;
	}

	private static String plain(String name) {
		return Normalizer.normalize(SafeText.name(name), Normalizer.Form.NFKC)
			.toLowerCase(Locale.ROOT)
			.replaceAll("[\\s_.-]", "");
	}

}
