package io.agenthooks.toolcall;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.Passage;

/** Runs tools, and makes what the agent gets of one that throws or returns nothing. */
final class ToolExecution {

	/** Denies in place of a hook when a tool says that it may not be called. */
	static final String DENIER = BuiltInDecider.METHOD_SECURITY.value();

	private ToolExecution() {
	}

	static ToolResult alone(ToolCall call, ToolExecutor executor) {
		try {
			return executor.execute(call);
		}
		catch (Throwable ex) {
			String denial = denial(executor, ex);
			ToolResult failure = (denial != null) ? ToolResult.denied(DENIER, denial) : failure(executor, ex);
			if (failure == null) {
				throw ex;
			}
			return failure;
		}
	}

	static ToolResult watched(Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage,
			ToolExecutor executor) {
		ToolResult result;
		try {
			result = executor.execute(passage.call());
		}
		catch (Throwable ex) {
			String denial = denial(executor, ex);
			if (denial != null) {
				return passage.refuseLate(DENIER, denial);
			}
			ToolResult failure = failure(executor, ex);
			passage.end(Ending.FAILED, failure, ex);
			if (failure == null) {
				throw ex;
			}
			return failure;
		}
		ToolResult told = orFailure(result);
		passage.end(ending(told), told, null);
		return result;
	}

	static @Nullable ToolResult failure(ToolExecutor executor, Throwable thrown) {
		String text = text(thrown, executor::failureText);
		return (text != null) ? ToolResult.failure(text) : null;
	}

	static @Nullable String denial(ToolExecutor executor, Throwable thrown) {
		return text(thrown, executor::denialText);
	}

	/** An abort, and a failure of the virtual machine, are not texts. */
	private static @Nullable String text(Throwable thrown, Function<Throwable, @Nullable String> texts) {
		if (thrown instanceof ToolCallAbortedException || thrown instanceof VirtualMachineError) {
			return null;
		}
		try {
			return texts.apply(thrown);
		}
		catch (RuntimeException ex) {
			// The caller gets what was thrown, and the model nothing.
			return null;
		}
	}

	static ToolResult orFailure(@Nullable ToolResult result) {
		return (result != null) ? result : ToolResult.failure("The tool returned nothing");
	}

	static Ending ending(ToolResult result) {
		return (result.succeeded()) ? Ending.SUCCEEDED : Ending.FAILED;
	}

}
