package io.agenthooks.spring.flow;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The {@code config} of a {@code flow} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param untrusted Tools whose results may be anyone's words: globs of their names, or
 * MCP servers. Required, unless always is set.
 * @param trusted Tools whose results may name values: globs of their names, or MCP
 * servers. Tools of MCP servers are written server__name.
 * @param sinks Tools whose calls have effects, and who may name the values of their
 * arguments. Required.
 * @param privateTools Tools whose results are private. Once there is private and
 * untrusted data, results of trusted tools name nothing any more.
 * @param always Whether the rules hold also before untrusted data is there.
 * @param then What becomes of a call of which somebody else named a value.
 * @param maxRuns Number of sessions and runs that are remembered at most.
 */
record FlowConfig(@Nullable List<FlowTools> untrusted, @Nullable List<FlowTools> trusted, @Nullable List<Sink> sinks,
		@Name("private") @Nullable List<FlowTools> privateTools, @Nullable Boolean always, @Nullable Then then,
		@Nullable Integer maxRuns) {

	/**
	 * Tools whose calls have effects.
	 *
	 * @param tools Tools whose calls have effects: globs of their names, or MCP servers.
	 * @param namedBy Sources that may name the values of an argument, by its name: user,
	 * trusted, a list or a bean. Without it, each call after untrusted data is too much.
	 */
	record Sink(@Nullable List<FlowTools> tools, @Nullable Map<String, List<FlowSource>> namedBy) {
	}

	/**
	 * Tools, by their names or by where they are.
	 *
	 * @param tools Globs of the names of tools; all of the servers unless set.
	 * @param mcpServers Globs of the names of MCP servers that have the tools.
	 */
	record FlowTools(@Nullable List<String> tools, @Nullable List<String> mcpServers) {

		/**
		 * Tools by their names alone.
		 * @param glob a glob of the names
		 * @return the tools
		 */
		static FlowTools of(String glob) {
			return new FlowTools(List.of(glob), null);
		}

	}

	/**
	 * A source that may name a value.
	 *
	 * @param from Where the value was read: user or trusted; the word alone says the
	 * same.
	 * @param list Values, or globs of them.
	 * @param bean Name of a bean that is a Predicate of texts.
	 */
	record FlowSource(@Nullable String from, @Nullable List<String> list, @Nullable String bean) {

		/**
		 * Where a value was read.
		 * @param from user or trusted
		 * @return the source
		 */
		static FlowSource of(String from) {
			return new FlowSource(from, null, null);
		}

	}

	/** The consequence for a call of which somebody else named a value. */
	enum Then {

		/**
		 * A person may let it pass.
		 */
		ASK,

		/**
		 * The agent gets the reason.
		 */
		DENY

	}

}
