package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import io.agenthooks.sample.SampleProperties;

/**
 * The tools without an application around them.
 */
final class TestTools {

	private TestTools() {
	}

	static SampleProperties properties(Path workspace, Duration commandTimeout) {
		return new SampleProperties(workspace.toString(), false, commandTimeout,
				new SampleProperties.Approvals("", "example.com"));
	}

	static Workspace workspace(Path directory) throws IOException {
		return new Workspace(properties(directory, Duration.ZERO));
	}

	static ToolBox toolBox(Path directory, Outbox outbox) throws IOException {
		SampleProperties properties = properties(directory, Duration.ofSeconds(30));
		Workspace workspace = new Workspace(properties);
		return new ToolBox(new AgentTools(new FileTools(workspace), new RunCommandTool(workspace, properties),
				new SendEmailTool(outbox), new DescribeMachineTool(), new RefundOrderTool(), new ReadMailTool(),
				new SendMoneyTool()));
	}

}
