package io.agenthooks.sample.tools;

import java.io.IOException;

/**
 * Something that the agent can do.
 */
interface Tool {

	/**
	 * The name by which the agent calls the tool.
	 */
	String name();

	/**
	 * Do it, and say what came of it.
	 * @throws ToolFailedException if it cannot be done; the agent gets to read the reason
	 * @throws IOException if the machine fails
	 */
	String run(ToolArguments arguments) throws ToolFailedException, IOException;

	/**
	 * A tool made of a name and what it does.
	 */
	static Tool of(String name, Body body) {
		return new Tool() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public String run(ToolArguments arguments) throws ToolFailedException, IOException {
				return body.run(arguments);
			}

		};
	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	interface Body {

		String run(ToolArguments arguments) throws ToolFailedException, IOException;

	}

}
