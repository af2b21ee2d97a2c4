package io.agenthooks.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

import io.agenthooks.CallContext;
import io.agenthooks.spring.process.ProcessHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

/**
 * A question to a program that runs, against a line to the same program and back. The
 * program is a line of Perl, which does as good as nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ProcessBenchmark {

	private static final List<String> RESPONDER = List.of("perl", "-e",
			"$| = 1; while (<STDIN>) { /\"id\":(\\d+)/; print \"{\\\"id\\\":$1,\\\"result\\\":{\\\"action\\\":\\\"continue\\\"}}\\n\" }");

	private static final ToolCall CALL = ToolCall.of("0b1c2d3e-call", "run_command",
			Map.of("command", "ls -la /var/log", "timeout", 30), CallContext.ofSession("0b1c2d3e-session"));

	/** As long as the question that the hook asks. */
	private static final byte[] LINE = ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + "x".repeat(380) + "\"}\n")
		.getBytes(StandardCharsets.US_ASCII);

	private @Nullable Process raw;

	private @Nullable BufferedReader replies;

	private @Nullable HookedApplication application;

	/**
	 * Start both programs.
	 * @throws IOException if one cannot be started
	 */
	@Setup
	public void start() throws IOException {
		this.raw = new ProcessBuilder(RESPONDER).start();
		this.replies = this.raw.inputReader();
		this.application = new HookedApplication(Map.of("type", "process", "config.command[0]", RESPONDER.get(0),
				"config.command[1]", RESPONDER.get(1), "config.command[2]", RESPONDER.get(2), "config.intercept[0]",
				"before_tool", "config.timeout", "30s"), ProcessHooksAutoConfiguration.class);
	}

	/**
	 * Stop both programs.
	 */
	@TearDown
	public void stop() {
		Objects.requireNonNull(this.raw).destroy();
		Objects.requireNonNull(this.application).close();
	}

	/**
	 * A line to the program and back, and nothing around it.
	 * @return the line that came back
	 * @throws IOException if the program has ended
	 */
	@Benchmark
	public String rawPipe() throws IOException {
		OutputStream input = Objects.requireNonNull(this.raw).getOutputStream();
		input.write(LINE);
		input.flush();
		return Objects.requireNonNull(this.replies).readLine();
	}

	/**
	 * One call at a time.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolResult hook() {
		return Objects.requireNonNull(this.application).execute(CALL);
	}

}
