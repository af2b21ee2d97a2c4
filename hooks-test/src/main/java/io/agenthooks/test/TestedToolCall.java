package io.agenthooks.test;

import java.util.List;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * A call that a test made, and what became of it, for AssertJ's
 * {@code assertThat(hooks.call(..))}.
 *
 * @since 0.1.0
 */
public final class TestedToolCall extends Tested<ToolOutcome, ToolCallEvent>
		implements AssertProvider<TestedToolCallAssert> {

	private final @Nullable ToolResult result;

	TestedToolCall(ToolOutcome outcome, @Nullable ToolResult result, @Nullable Exception failure,
			List<ToolCallEvent> events) {
		super(outcome, failure, events);
		this.result = result;
	}

	/**
	 * Return the result that the agent got.
	 * @return the result, or {@code null} if there was an exception
	 */
	public @Nullable ToolResult result() {
		return this.result;
	}

	/**
	 * Use {@code assertThat(call)} instead.
	 */
	@Override
	public TestedToolCallAssert assertThat() {
		return new TestedToolCallAssert(this);
	}

}
