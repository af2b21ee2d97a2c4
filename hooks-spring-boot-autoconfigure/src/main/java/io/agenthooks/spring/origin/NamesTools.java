package io.agenthooks.spring.origin;

import java.util.List;
import java.util.Objects;

/**
 * A hook whose configuration names tools and their arguments. Names that no tool has are
 * told when the application starts, as far as all tools are known then.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NamesTools {

	List<Names> names();

	/**
	 * Tools that are named at one place.
	 *
	 * @param option where they are written, as a path within the {@code config}
	 * @param tools globs of their names, of which each should match one
	 * @param arguments the arguments of them that are named, of which each should be one
	 * of at least one of the tools, and each tool should have one; {@code a.b} is an
	 * argument within another. Case, {@code _} and {@code -} make no difference. Empty if
	 * none is named
	 * @param servers globs of the names of MCP servers that are named, of which each
	 * should match one
	 * @since 0.1.0
	 */
	record Names(String option, List<String> tools, List<String> arguments, List<String> servers) {

		public Names {
			Objects.requireNonNull(option, "'option' must not be null");
			tools = List.copyOf(tools);
			arguments = List.copyOf(arguments);
			servers = List.copyOf(servers);
		}

	}

}
