package io.agenthooks.spring.binding;

import java.util.function.Predicate;

import io.agenthooks.toolcall.ToolHook;

/**
 * A hook made from an entry of the configuration.
 *
 * @param hook the hook
 * @param name its name
 * @param type its type
 * @param place where it is written, such as {@code application.yaml:6:9}
 * @param entry what is written
 * @param tools whether the hook is for the tool of a name
 * @param ownFailOpen whether the hook itself sees to {@code fail_open}
 * @param ownTimeout whether the hook itself sees to {@code timeout}
 * @since 0.1.0
 */
public record ConfiguredToolHook(ToolHook hook, String name, String type, String place, ToolHookEntry entry,
		Predicate<String> tools, boolean ownFailOpen, boolean ownTimeout) {

	/**
	 * Whether the hook is not for all tools.
	 * @return whether the entry has a {@code match} or a {@code matcher}
	 */
	public boolean isForSomeTools() {
		return this.entry.match() != null || this.entry.matcher() != null;
	}

}
