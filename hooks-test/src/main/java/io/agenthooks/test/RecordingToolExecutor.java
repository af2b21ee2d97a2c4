package io.agenthooks.test;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.assertj.core.api.AssertProvider;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

/**
 * Tools of a test: they remember every call that reached them, and return what the test
 * wants. Unless told otherwise, the tool {@code read_file} returns {@code ran read_file}.
 * Safe for use by many threads. Without Spring it serves as well:
 * {@code new HookedToolExecutor(new RecordingToolExecutor(), chain)}.
 *
 * @since 0.1.0
 */
public final class RecordingToolExecutor implements ToolExecutor, AssertProvider<RecordingToolExecutorAssert> {

	private final Queue<ToolCall> calls = new ConcurrentLinkedQueue<>();

	private final Map<String, ToolExecutor> byTool = new ConcurrentHashMap<>();

	private volatile ToolExecutor otherTools = (call) -> ToolResult.success("ran " + call.tool());

	/**
	 * Let every tool succeed.
	 * @param content the text for the model
	 * @return this executor
	 */
	public RecordingToolExecutor returning(String content) {
		return running((call) -> ToolResult.success(content));
	}

	/**
	 * Let every tool fail.
	 * @param error the text for the model
	 * @return this executor
	 */
	public RecordingToolExecutor failing(String error) {
		return running((call) -> ToolResult.failure(error));
	}

	/**
	 * Let other tools run, which may also throw.
	 * @param tools runs every tool that has not {@linkplain #forTool its own}
	 * @return this executor
	 */
	public RecordingToolExecutor running(ToolExecutor tools) {
		this.otherTools = Objects.requireNonNull(tools, "'tools' must not be null");
		return this;
	}

	/**
	 * Say what one tool does.
	 * @param name the name of the tool
	 * @param tool runs this tool
	 * @return this executor
	 */
	public RecordingToolExecutor forTool(String name, ToolExecutor tool) {
		this.byTool.put(name, Objects.requireNonNull(tool, "'tool' must not be null"));
		return this;
	}

	@Override
	public ToolResult execute(ToolCall call) {
		this.calls.add(call);
		return this.byTool.getOrDefault(call.tool(), this.otherTools).execute(call);
	}

	/**
	 * The calls that reached the tools, with the arguments as the tools got them.
	 * @return the calls so far, in order
	 */
	public List<ToolCall> calls() {
		return List.copyOf(this.calls);
	}

	/**
	 * Use {@code assertThat(executor)} instead.
	 */
	@Override
	public RecordingToolExecutorAssert assertThat() {
		return new RecordingToolExecutorAssert(this);
	}

}
