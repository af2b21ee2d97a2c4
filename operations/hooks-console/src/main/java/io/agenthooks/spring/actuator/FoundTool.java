package io.agenthooks.spring.actuator;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolIdentity;

/** A tool, with the guard that its calls pass, or {@code null}. */
record FoundTool(ToolIdentity identity, String source, @Nullable String guardedBy) {

	/** The member in place of a way through the hooks. */
	static final String UNGUARDED = "unguarded";

	/** Unguarded tools come first, because they need attention. */
	static final Comparator<FoundTool> ORDER = Comparator.comparing(FoundTool::isGuarded)
		.thenComparing((tool) -> tool.identity().modelName())
		.thenComparing((tool) -> tool.identity().stableName())
		.thenComparing(FoundTool::source);

	boolean isGuarded() {
		return this.guardedBy != null;
	}

}
