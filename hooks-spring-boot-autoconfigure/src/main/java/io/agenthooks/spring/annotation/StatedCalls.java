package io.agenthooks.spring.annotation;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolIdentity;

/**
 * Tools of the application about whose calls methods of their bean say something.
 *
 * @param tools the names of the tools
 * @param preview the method that says what a call would do, or {@code null}
 * @param mustMatch whether an approval is void if the preview has changed
 * @param version the method that returns the version of what a call is about, or
 * {@code null}
 * @since 0.1.0
 */
public record StatedCalls(Set<String> tools, @Nullable CallMethod preview, boolean mustMatch,
		@Nullable CallMethod version) {

	/** Say something about calls. */
	public StatedCalls {
		tools = Set.copyOf(tools);
	}

	/**
	 * Whether a tool is one of these.
	 * @param tool the tool
	 * @return whether it is one of the application with one of the names
	 */
	public boolean areOf(ToolIdentity tool) {
		return tool.isOfApplication() && (this.tools.contains(tool.name()) || this.tools.contains(tool.modelName()));
	}

}
