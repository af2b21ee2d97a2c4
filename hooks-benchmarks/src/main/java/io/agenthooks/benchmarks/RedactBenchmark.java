package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * The cost of redacting a result, with all detectors: one with nothing to hide, which is
 * the common case, one with secrets, and one that was made to be slow.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RedactBenchmark {

	/** The content of the result. */
	@Param
	public Content content = Content.CLEAN_1KB;

	private final ToolResultHook hook = new RedactToolHook(RedactConfig.defaults());

	private final ToolCall call = ToolCall.of("read_file", Map.of());

	private ToolResult result = ToolResult.success("");

	/**
	 * Make the result.
	 */
	@Setup
	public void makeResult() {
		this.result = ToolResult.success(this.content.text());
	}

	/**
	 * The hook.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolDecision redact() {
		return this.hook.onResult(this.call, this.result);
	}

	/**
	 * The text of a result.
	 */
	public enum Content {

		/** Nothing to hide. */
		CLEAN_1KB,

		/** Five secrets of each kind. */
		HITS_1KB,

		/** Nothing to hide. */
		CLEAN_100KB,

		/** Nothing but the beginnings of secrets. */
		BEGINNINGS_100KB,

		/** Nothing but addresses. */
		HITS_100KB;

		private static final int SHORT = 1024;

		private static final int LONG = 102_400;

		private static final List<String> BEGINNINGS = List.of("AKIA", "eyJaaaaaaaa.", "ghp_", "github_pat_",
				"-----BEGIN RSA PRIVATE KEY-----", "password=", "\"secret\": \"", "xoxb-", "sk-", "bob@", "http://u:",
				"Authorization: Bearer ", "4111 1111 ", "aws_secret_key = \"", "\n", "x", " ");

		String text() {
			return switch (this) {
				case CLEAN_1KB -> Texts.benign(SHORT);
				case CLEAN_100KB -> Texts.benign(LONG);
				case HITS_1KB -> ("bob@example.com 4111 1111 1111 1111 DB_PASSWORD=hunter2 AKIAIOSFODNN7EXAMPLE "
						+ Texts.benign(124) + "\n")
					.repeat(5);
				case HITS_100KB -> "bob.smith@example.com,".repeat(LONG / 22);
				case BEGINNINGS_100KB -> Texts.mixture(BEGINNINGS, LONG);
			};
		}

	}

}
