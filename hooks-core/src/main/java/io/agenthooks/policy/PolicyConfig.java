package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a policy allows and denies.
 *
 * @param allowTools Globs of the tools that may run; if set, all others are denied, and
 * an empty list denies every tool. Tools of MCP servers are written server__name, unless
 * mcp_servers is set.
 * @param denyTools Globs of the names of tools that must not run, even if they are
 * allowed as well; one of the names of a tool has to match.
 * @param denyArgumentPatterns Regular expressions by the name of an argument, at any
 * depth; a call is denied if one of them is found in the argument.
 * @param denyAnyArgumentPatterns Regular expressions for every argument, whatever its
 * name; a call is denied if one of them is found.
 * @since 0.1.0
 */
public record PolicyConfig(@Nullable List<String> allowTools, @Nullable List<String> denyTools,
		@Nullable Map<String, List<String>> denyArgumentPatterns, @Nullable List<String> denyAnyArgumentPatterns) {

	/**
	 * Create a configuration; the lists are copied.
	 */
	public PolicyConfig {
		allowTools = copyOf(allowTools);
		denyTools = copyOf(denyTools);
		denyArgumentPatterns = copyOf(denyArgumentPatterns);
		denyAnyArgumentPatterns = copyOf(denyAnyArgumentPatterns);
	}

	/**
	 * Copy a list as it is: mistakes in it are reported by the hook, all at once.
	 */
	private static @Nullable List<String> copyOf(@Nullable List<String> list) {
		return (list != null) ? Collections.unmodifiableList(new ArrayList<>(list)) : null;
	}

	private static @Nullable Map<String, List<String>> copyOf(@Nullable Map<String, List<String>> lists) {
		if (lists == null) {
			return null;
		}
		Map<String, List<String>> copy = new LinkedHashMap<>();
		lists.forEach((name, list) -> copy.put(name, (list != null) ? copyOf(list) : List.of()));
		return Collections.unmodifiableMap(copy);
	}

}
