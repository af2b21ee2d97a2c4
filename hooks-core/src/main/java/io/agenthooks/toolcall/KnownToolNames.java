package io.agenthooks.toolcall;

import org.jspecify.annotations.Nullable;

/**
 * Remembers some names that tools can have, so that each is examined once. Safe for use
 * by many threads.
 */
final class KnownToolNames {

	/** How many names are remembered; a power of two. */
	private static final int SIZE = 64;

	/**
	 * The names by their hash. Threads may see another one, or none, which changes
	 * nothing.
	 */
	private final @Nullable String[] names = new String[SIZE];

	/**
	 * Why no tool can have a name, or {@code null}.
	 */
	@Nullable String problem(String name) {
		int place = name.hashCode() & (SIZE - 1);
		String known = this.names[place];
		if (name.equals(known)) {
			return null;
		}
		String problem = ToolNames.problem(name);
		if (problem == null && known == null) {
			this.names[place] = name;
		}
		return problem;
	}

}
