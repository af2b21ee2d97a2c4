package io.agenthooks.sample.tools;

import org.springframework.stereotype.Component;

/**
 * Tells what the agent runs on, which does not change while it runs.
 */
@Component
class DescribeMachineTool implements Tool {

	@Override
	public String name() {
		return "describe_machine";
	}

	@Override
	public String run(ToolArguments arguments) {
		return "%s on %s, Java %s, %d processors".formatted(System.getProperty("os.name"),
				System.getProperty("os.arch"), Runtime.version().feature(), Runtime.getRuntime().availableProcessors());
	}

}
