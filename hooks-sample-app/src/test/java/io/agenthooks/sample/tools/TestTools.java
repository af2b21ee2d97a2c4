package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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
		FileTools files = new FileTools();
		return new ToolBox(List.of(files.readFile(workspace), files.writeFile(workspace),
				files.listDirectory(workspace), files.deleteFile(workspace), new RunCommandTool(workspace, properties),
				new SendEmailTool(outbox)));
	}

}
