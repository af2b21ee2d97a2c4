package io.agenthooks.sample.tools;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RunCommandTool}. A command that holds a named pipe open shows by it
 * whether it still runs.
 */
@Timeout(30)
class RunCommandToolTests {

	@TempDir
	private Path directory;

	@Test
	void runGivesOutputAndErrorOutput() throws Exception {
		assertThat(run("echo out; echo err >&2")).isEqualTo("out\nerr\n");
	}

	@Test
	void runGivesCommandNoInput() throws Exception {
		assertThat(run("cat; echo end")).isEqualTo("end\n");
	}

	@Test
	void runKeepsEveryCharacterOfCommand() throws Exception {
		String characters = "ｒｍ ｆ日本 \ud83d\ude00 -n % \\\\ \\n ?* $HOME `id`";
		assertThat(run("printf %s '" + characters + "'")).isEqualTo(characters);
	}

	@Test
	void runWhenCommandIsLongRunsAllOfIt() throws Exception {
		assertThat(run("#" + "x".repeat(1_000_000) + "\necho end")).isEqualTo("end\n");
	}

	@Test
	void runHidesEnvironmentOfApplication() throws Exception {
		assertThat(System.getenv()).isNotEmpty();
		assertThat(run("env").lines().map((line) -> line.substring(0, line.indexOf('=')))).isSubsetOf("PATH", "HOME",
				"LANG", "PWD", "OLDPWD", "SHLVL", "_");
	}

	@Test
	void runWhenOutputIsLargeLeavesOutTheRest() throws Exception {
		String output = run("yes | head -c 1000000");
		assertThat(output).hasSizeLessThan(RunCommandTool.MAX_OUTPUT_BYTES + 100)
			.startsWith("y\ny\n")
			.endsWith("(the rest of the output is left out)");
	}

	@Test
	void runWhenTimeIsOverKillsCommand() throws IOException {
		RunCommandTool tool = tool(Duration.ofSeconds(2));
		assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> run(tool, "echo started; sleep 60"))
			.withMessage("The command was killed after 2000 ms\nstarted\n");
	}

	@Test
	void runWhenOutputNeverEndsKillsCommand() throws IOException {
		RunCommandTool tool = tool(Duration.ofSeconds(2));
		assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> run(tool, "yes"))
			.withMessageStartingWith("The command was killed after 2000 ms\ny\ny\n");
	}

	@Test
	void runWhenCommandLeavesChildBehindKillsChild() throws Exception {
		Path alive = makePipe("alive");
		Path go = makePipe("go");
		CompletableFuture<String> output = runAsync(tool(Duration.ofSeconds(60)),
				"(sleep 60 > alive &); cat go; echo end");
		try (InputStream child = new FileInputStream(alive.toFile())) {
			Files.writeString(go, "");
			assertThat(output.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo("end\n");
			assertThat(child.read()).as("the child's end of the pipe").isEqualTo(-1);
		}
	}

	@Test
	void destroyKillsCommandsThatRunWithTheirChildren() throws Exception {
		Path alive = makePipe("alive");
		RunCommandTool tool = tool(Duration.ofSeconds(60));
		CompletableFuture<String> output = runAsync(tool, "sleep 60 > alive; sleep 60");
		try (InputStream child = new FileInputStream(alive.toFile())) {
			tool.destroy();
			assertThat(child.read()).as("the child's end of the pipe").isEqualTo(-1);
		}
		assertThat(output.handle((text, ex) -> text).orTimeout(1, TimeUnit.MINUTES).join()).isNull();
	}

	@Test
	void runWhenThreadIsInterruptedKillsCommandAndKeepsInterrupt() throws Exception {
		Path alive = makePipe("alive");
		RunCommandTool tool = tool(Duration.ofSeconds(60));
		FutureTask<Boolean> task = new FutureTask<>(() -> {
			assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> run(tool, "sleep 60 > alive"))
				.withMessageContaining("cancelled");
			return Thread.currentThread().isInterrupted();
		});
		Thread thread = new Thread(task);
		thread.start();
		try (InputStream child = new FileInputStream(alive.toFile())) {
			thread.interrupt();
			assertThat(child.read()).as("the child's end of the pipe").isEqualTo(-1);
		}
		assertThat(task.get()).isTrue();
	}

	private RunCommandTool tool(Duration timeout) throws IOException {
		return new RunCommandTool(TestTools.workspace(this.directory), TestTools.properties(this.directory, timeout));
	}

	private String run(String command) throws Exception {
		return run(tool(Duration.ofSeconds(30)), command);
	}

	private static String run(RunCommandTool tool, String command) throws IOException {
		return tool.run(command);
	}

	private static CompletableFuture<String> runAsync(RunCommandTool tool, String command) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return run(tool, command);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private Path makePipe(String name) throws Exception {
		run("mkfifo " + name);
		return this.directory.resolve(name);
	}

}
