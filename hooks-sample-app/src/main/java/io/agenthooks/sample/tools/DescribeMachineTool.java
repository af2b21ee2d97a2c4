package io.agenthooks.sample.tools;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.stereotype.Component;

/** Tells what the agent runs on, which does not change while it runs. */
@Component
class DescribeMachineTool {

	@Tool(name = "describe_machine", description = "Tell which machine this is", resultConverter = PlainText.class)
	String describe() {
		return "%s on %s, Java %s, %d processors".formatted(System.getProperty("os.name"),
				System.getProperty("os.arch"), Runtime.version().feature(), Runtime.getRuntime().availableProcessors());
	}

}
