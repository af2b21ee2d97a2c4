package io.agenthooks.sample.tools;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

import io.agenthooks.sample.SampleProperties;

/**
 * Runs a shell command in the workspace. A command has a time limit, its output has a
 * size limit, and when it ends nothing that it started is left running.
 * <p>
 * This is not a sandbox: a command can do whatever the user who runs the sample can do.
 */
@Component
class RunCommandTool implements DisposableBean {

	static final int MAX_OUTPUT_BYTES = 64 * 1024;

	private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

	private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

	/**
	 * The shell reads the command from its input. As an argument the command would be
	 * limited in length, and in some locales {@code ?} would take the place of its
	 * characters: the shell would run what no hook has seen.
	 */
	private static final String SHELL = "command=$(cat); exec < /dev/null; eval \"$command\"";

	/** With a process group of its own, a command can be killed with all its children. */
	private static final boolean GROUPED = Stream.of(PATH.split(":"))
		.anyMatch((directory) -> Files.isExecutable(Path.of(directory, "setsid")));

	private final Workspace workspace;

	private final Duration timeout;

	private final Set<Process> running = ConcurrentHashMap.newKeySet();

	RunCommandTool(Workspace workspace, SampleProperties properties) {
		this.workspace = workspace;
		this.timeout = properties.commandTimeout();
	}

	@Tool(name = "run_command", description = "Run a shell command in the workspace", resultConverter = PlainText.class)
	String run(@ToolParam(description = "The command, as the shell takes it") String command) throws IOException {
		PlainText.check("command", command);
		Process process = start();
		this.running.add(process);
		try {
			send(command, process);
			String output = await(process);
			if (process.exitValue() != 0) {
				throw new ToolFailedException(
						"The command ended with exit code %d\n%s".formatted(process.exitValue(), output));
			}
			return output;
		}
		finally {
			kill(process);
			this.running.remove(process);
		}
	}

	@Override
	public void destroy() throws IOException {
		for (Process process : this.running) {
			kill(process);
		}
	}

	private Process start() throws IOException {
		List<String> shell = List.of("/bin/sh", "-c", SHELL);
		ProcessBuilder builder = new ProcessBuilder(
				(GROUPED) ? Stream.concat(Stream.of("setsid"), shell.stream()).toList() : shell);
		builder.directory(this.workspace.root().toFile());
		builder.redirectErrorStream(true);
		// The environment of the application may hold secrets.
		Map<String, String> environment = builder.environment();
		environment.clear();
		environment.putAll(Map.of("PATH", PATH, "HOME", this.workspace.root().toString(), "LANG", "C.UTF-8"));
		return builder.start();
	}

	private static void send(String command, Process process) throws IOException {
		try (OutputStream input = process.getOutputStream()) {
			input.write(command.getBytes(StandardCharsets.UTF_8));
		}
	}

	/**
	 * Wait for the end and collect the output. Never blocks in a read: a child that
	 * outlives the shell may hold the output open.
	 */
	private String await(Process process) throws IOException {
		long start = System.nanoTime();
		InputStream stream = process.getInputStream();
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		while (true) {
			boolean ended = !process.isAlive();
			byte[] bytes = stream.readNBytes(stream.available());
			output.write(bytes, 0, Math.min(bytes.length, MAX_OUTPUT_BYTES + 1 - output.size()));
			if (bytes.length == 0 && ended) {
				return text(output);
			}
			if (System.nanoTime() - start > this.timeout.toNanos()) {
				throw new ToolFailedException(
						"The command was killed after %d ms\n%s".formatted(this.timeout.toMillis(), text(output)));
			}
			if (bytes.length == 0) {
				pause(process);
			}
		}
	}

	private static String text(ByteArrayOutputStream output) {
		String text = new String(output.toByteArray(), 0, Math.min(output.size(), MAX_OUTPUT_BYTES),
				StandardCharsets.UTF_8);
		return (output.size() <= MAX_OUTPUT_BYTES) ? text : text + "\n(the rest of the output is left out)";
	}

	private static void pause(Process process) {
		try {
			process.waitFor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ToolFailedException("The command was killed because the call was cancelled");
		}
	}

	/**
	 * Kill a command and its children, also those whose parent is gone: they are still in
	 * the group.
	 */
	private static void kill(Process process) throws IOException {
		Stream.concat(process.descendants(), Stream.of(process.toHandle()))
			.toList()
			.forEach(ProcessHandle::destroyForcibly);
		if (GROUPED) {
			new ProcessBuilder("/bin/sh", "-c", "kill -KILL -" + process.pid()).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
	}

}
