package io.agenthooks.benchmarks;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.spring.command.CommandHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * A command that ends at once, as a hook and bare.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CommandBenchmark {

	private static final String COMMAND = "exit 0";

	private static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls -la /var/log"));

	private final byte[] input = new byte[300];

	private @Nullable HookedApplication application;

	/**
	 * Start the application.
	 */
	@Setup
	public void start() {
		this.application = new HookedApplication(Map.of("type", "command", "config.command", COMMAND),
				CommandHooksAutoConfiguration.class);
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void close() {
		Objects.requireNonNull(this.application).close();
	}

	/**
	 * Start the command, and read what it writes until it ends.
	 * @return its exit code
	 * @throws Exception if it cannot be started
	 */
	@Benchmark
	public int bareSpawn() throws Exception {
		Process process = new ProcessBuilder("/bin/sh", "-c", COMMAND).start();
		try (var stream = process.getOutputStream()) {
			stream.write(this.input);
		}
		catch (IOException ex) {
			// It does not read.
		}
		process.getInputStream().readAllBytes();
		process.getErrorStream().readAllBytes();
		return process.waitFor();
	}

	/**
	 * Ask the hook.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult hook() {
		return Objects.requireNonNull(this.application).execute(CALL);
	}

}
