package io.agenthooks.test;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;

/**
 * Assertions about the calls that reached the tools. A message names the tools; it shows
 * arguments only where the assertion is about them.
 *
 * @since 0.1.0
 */
public final class RecordingToolExecutorAssert
		extends AbstractAssert<RecordingToolExecutorAssert, RecordingToolExecutor> {

	RecordingToolExecutorAssert(RecordingToolExecutor actual) {
		super(actual, RecordingToolExecutorAssert.class);
	}

	/**
	 * Verify that a tool ran at least once.
	 * @param tool the name of the tool
	 * @return this
	 */
	public RecordingToolExecutorAssert hasRun(String tool) {
		if (!tools().contains(tool)) {
			throw failure("%nExpecting the tool '%s' to have run, but %s", tool, ran());
		}
		return this;
	}

	/**
	 * Verify that a tool ran at least once with these arguments.
	 * @param tool the name of the tool
	 * @param arguments all its arguments
	 * @return this
	 */
	public RecordingToolExecutorAssert hasRun(String tool, Map<String, ? extends @Nullable Object> arguments) {
		hasRun(tool);
		Map<String, @Nullable Object> expected = ToolCall.of(tool, arguments).arguments();
		List<Map<String, @Nullable Object>> actual = calls().stream()
			.filter((call) -> call.tool().equals(tool))
			.map(ToolCall::arguments)
			.toList();
		if (!actual.contains(expected)) {
			throw failureWithActualExpected((actual.size() == 1) ? actual.get(0) : actual, expected,
					"%nExpecting the tool '%s' to have run with the arguments%n  %s%nbut it ran with%n  %s", tool,
					expected, actual);
		}
		return this;
	}

	/**
	 * Verify that these tools ran, in this order, and no others.
	 * @param tools the names of the tools, once for each time that it ran
	 * @return this
	 */
	public RecordingToolExecutorAssert hasRunOnly(String... tools) {
		List<String> expected = List.of(tools);
		if (!tools().equals(expected)) {
			throw failureWithActualExpected(tools(), expected,
					"%nExpecting exactly the tools%n  %s%nto have run, but %s", expected, ran());
		}
		return this;
	}

	/**
	 * Verify that no tool ran.
	 * @return this
	 */
	public RecordingToolExecutorAssert hasRunNothing() {
		if (!calls().isEmpty()) {
			throw failure("%nExpecting no tool to have run, but %s", ran());
		}
		return this;
	}

	private List<ToolCall> calls() {
		isNotNull();
		return this.actual.calls();
	}

	private List<String> tools() {
		return calls().stream().map(ToolCall::tool).toList();
	}

	private String ran() {
		return (calls().isEmpty()) ? "no tool ran" : "there ran " + tools();
	}

}
