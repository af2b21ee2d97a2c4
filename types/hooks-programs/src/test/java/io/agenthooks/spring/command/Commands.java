package io.agenthooks.spring.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.dialect.HookSystem.Subject;
import io.agenthooks.spring.program.CommandLine;
import io.agenthooks.toolcall.ToolCall;

/**
 * Makes command hooks for tests.
 *
 * @param command what is run
 * @param dir where it runs
 * @param env its variables
 * @param timeout how long it may take
 * @param failOpen whether it fails open
 * @param requireDecision whether it has to say something
 * @param merge whether it changes only some arguments
 * @param maxConcurrent how many may run
 * @param system whose words it speaks
 */
record Commands(CommandLine command, @Nullable String dir, Map<String, String> env, @Nullable Duration timeout,
		boolean failOpen, boolean requireDecision, boolean merge, @Nullable Integer maxConcurrent,
		@Nullable HookSystem system) {

	static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls"));

	static Commands shell(String line) {
		return of(CommandLine.of(line));
	}

	static Commands exec(String... words) {
		return of(CommandLine.of(List.of(words)));
	}

	/**
	 * A program of the test resources.
	 */
	static Commands program(String... words) {
		String[] copy = words.clone();
		copy[copy.length - 1] = Path.of("src/test/resources/programs", words[words.length - 1])
			.toAbsolutePath()
			.toString();
		return of(CommandLine.of(List.of(copy)));
	}

	/**
	 * A command that reads its input, writes a text and ends with an exit code.
	 */
	static Commands replying(String text, int exitCode) {
		return shell("cat > /dev/null; printf %s \"$REPLY\"; exit " + exitCode).env("REPLY", text);
	}

	private static Commands of(CommandLine command) {
		return new Commands(command, null, Map.of(), null, false, false, false, null, null);
	}

	Commands in(Path dir) {
		return new Commands(this.command, dir.toString(), this.env, this.timeout, this.failOpen, this.requireDecision,
				this.merge, this.maxConcurrent, this.system);
	}

	Commands env(String name, String value) {
		return new Commands(this.command, this.dir, Map.of(name, value), this.timeout, this.failOpen,
				this.requireDecision, this.merge, this.maxConcurrent, this.system);
	}

	Commands timeout(Duration timeout) {
		return new Commands(this.command, this.dir, this.env, timeout, this.failOpen, this.requireDecision, this.merge,
				this.maxConcurrent, this.system);
	}

	Commands failingOpen() {
		return new Commands(this.command, this.dir, this.env, this.timeout, true, this.requireDecision, this.merge,
				this.maxConcurrent, this.system);
	}

	Commands requiringDecision() {
		return new Commands(this.command, this.dir, this.env, this.timeout, this.failOpen, true, this.merge,
				this.maxConcurrent, this.system);
	}

	Commands merging() {
		return new Commands(this.command, this.dir, this.env, this.timeout, this.failOpen, this.requireDecision, true,
				this.maxConcurrent, this.system);
	}

	Commands maxConcurrent(int maxConcurrent) {
		return new Commands(this.command, this.dir, this.env, this.timeout, this.failOpen, this.requireDecision,
				this.merge, maxConcurrent, this.system);
	}

	Commands speaking(HookSystem system) {
		return new Commands(this.command, this.dir, this.env, this.timeout, this.failOpen, this.requireDecision,
				this.merge, this.maxConcurrent, system);
	}

	private CommandConfig config() {
		return config(this.failOpen, this.requireDecision);
	}

	private CommandConfig config(@Nullable Boolean failOpen, @Nullable Boolean requireDecision) {
		return new CommandConfig(this.command, this.dir, this.env, null, this.timeout, failOpen,
				DataSize.ofMegabytes(1), requireDecision, (this.merge) ? true : null, this.maxConcurrent, null,
				this.system);
	}

	CommandToolHook hook() {
		return new CommandToolHook("check", CommandSettings.of(config(), Subject.TOOL_CALL));
	}

	CommandToolResultHook resultHook() {
		return new CommandToolResultHook("check", CommandSettings.of(config(), Subject.TOOL_CALL));
	}

	CommandRunHook runHook() {
		return new CommandRunHook("check", CommandSettings.of(config(), Subject.RUN));
	}

	CommandPostRunHook postRunHook() {
		return new CommandPostRunHook("check", CommandSettings.of(config(null, null), Subject.END_OF_RUN));
	}

	CommandLlmHook llmHook() {
		return new CommandLlmHook("check", CommandSettings.of(config(), Subject.LLM_CALL));
	}

	CommandLlmResponseHook resultLlmHook() {
		return new CommandLlmResponseHook("check", CommandSettings.of(config(), Subject.LLM_CALL));
	}

}
