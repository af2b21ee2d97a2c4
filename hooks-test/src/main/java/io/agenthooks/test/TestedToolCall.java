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
public final class TestedToolCall implements AssertProvider<TestedToolCallAssert> {

	private final ToolOutcome outcome;

	private final @Nullable ToolResult result;

	private final @Nullable Exception failure;

	private final List<ToolCallEvent> events;

	TestedToolCall(ToolOutcome outcome, @Nullable ToolResult result, @Nullable Exception failure,
			List<ToolCallEvent> events) {
		this.outcome = outcome;
		this.result = result;
		this.failure = failure;
		this.events = List.copyOf(events);
	}

	/**
	 * How the call ended, as post-call hooks see it.
	 * @return the outcome
	 */
	public ToolOutcome outcome() {
		return this.outcome;
	}

	/**
	 * What the agent got.
	 * @return the result, or {@code null} if there was an exception
	 */
	public @Nullable ToolResult result() {
		return this.result;
	}

	/**
	 * The exception that reached the caller: that of the tool, or of an abort.
	 * @return the exception, or {@code null} if there was a result
	 */
	public @Nullable Exception failure() {
		return this.failure;
	}

	/**
	 * Everything that happened to the call, in order.
	 * @return the events; none if the hooks are switched off
	 */
	public List<ToolCallEvent> events() {
		return this.events;
	}

	/**
	 * Use {@code assertThat(call)} instead.
	 */
	@Override
	public TestedToolCallAssert assertThat() {
		return new TestedToolCallAssert(this);
	}

	/**
	 * The call without arguments, result and failure.
	 */
	@Override
	public String toString() {
		return "TestedToolCall[" + this.outcome + "]";
	}

}
