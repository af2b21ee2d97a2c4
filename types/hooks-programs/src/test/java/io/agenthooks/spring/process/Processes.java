package io.agenthooks.spring.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.program.CommandLine;
import io.agenthooks.toolcall.ToolCall;

/**
 * Makes process hooks for tests.
 *
 * @param command what is run
 * @param env its variables
 * @param intercept what it is asked
 * @param observe what it is told
 * @param timeout how long an answer may take
 * @param helloTimeout how long the start may take
 * @param failOpen whether it fails open
 * @param restart what happens when it ends
 */
record Processes(CommandLine command, Map<String, String> env, List<String> intercept, List<String> observe,
		Duration timeout, Duration helloTimeout, boolean failOpen, ProcessConfig.@Nullable Restart restart) {

	/**
	 * Returns the greeting, and ends when it is asked something.
	 */
	static final String ENDS_AT_EVERY_CALL = "read line; echo '{\"id\":1,\"result\":{}}'; read line; exit 3";

	/**
	 * A program of the test resources that is asked before calls.
	 */
	static Processes program(String interpreter, String file) {
		return of(CommandLine
			.of(List.of(interpreter, Path.of("src/test/resources/programs", file).toAbsolutePath().toString())));
	}

	static Processes gate() {
		return program("python3", "gate.py");
	}

	static Processes llmGate() {
		return program("python3", "llm_gate.py").intercept("before_llm", "after_llm");
	}

	static Processes shell(String line) {
		return of(CommandLine.of(line));
	}

	private static Processes of(CommandLine command) {
		return new Processes(command, Map.of(), List.of("before_tool"), List.of(), Duration.ofSeconds(30),
				Duration.ofSeconds(30), false,
				new ProcessConfig.Restart(3, Duration.ofMillis(20), Duration.ofSeconds(30)));
	}

	Processes env(String name, String value) {
		Map<String, String> env = new LinkedHashMap<>(this.env);
		env.put(name, value);
		return new Processes(this.command, env, this.intercept, this.observe, this.timeout, this.helloTimeout,
				this.failOpen, this.restart);
	}

	Processes intercept(String... points) {
		return new Processes(this.command, this.env, List.of(points), this.observe, this.timeout, this.helloTimeout,
				this.failOpen, this.restart);
	}

	Processes notAsked() {
		return intercept(new String[0]);
	}

	Processes observe(String... events) {
		return new Processes(this.command, this.env, this.intercept, List.of(events), this.timeout, this.helloTimeout,
				this.failOpen, this.restart);
	}

	Processes timeout(Duration timeout) {
		return new Processes(this.command, this.env, this.intercept, this.observe, timeout, this.helloTimeout,
				this.failOpen, this.restart);
	}

	Processes helloTimeout(Duration helloTimeout) {
		return new Processes(this.command, this.env, this.intercept, this.observe, this.timeout, helloTimeout,
				this.failOpen, this.restart);
	}

	Processes failingOpen() {
		return new Processes(this.command, this.env, this.intercept, this.observe, this.timeout, this.helloTimeout,
				true, this.restart);
	}

	ProcessToolHook hook() {
		return (ProcessToolHook) factory(new ProcessPrograms()).create("gate", config());
	}

	ToolHookFactory<ProcessConfig> factory(ProcessPrograms programs) {
		return programs.toolHooks();
	}

	ProcessConfig config() {
		return config(this.timeout, this.timeout, this.failOpen);
	}

	/**
	 * A configuration for a hook around model calls.
	 */
	ProcessConfig llmConfig() {
		return config(this.timeout, null, this.failOpen);
	}

	/**
	 * A configuration for a hook around runs.
	 */
	ProcessConfig runConfig() {
		return config(null, null, null);
	}

	private ProcessConfig config(@Nullable Duration timeout, @Nullable Duration approvalTimeout,
			@Nullable Boolean failOpen) {
		return new ProcessConfig(this.command, null, this.env, null, this.observe, this.intercept, timeout,
				this.helloTimeout, approvalTimeout, null, failOpen, DataSize.ofKilobytes(64), this.restart, null);
	}

	static ToolCall call(String what) {
		return ToolCall.of("run_command", Map.of("do", what));
	}

	static ToolCall raw(String reply) {
		return ToolCall.of("run_command", Map.of("do", "raw", "text", reply.replace('\'', '"')));
	}

}
