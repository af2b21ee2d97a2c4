package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

record AsyncPreToolHook(Duration timeout,
		Function<ToolCall, ? extends CompletionStage<ToolDecision>> hook) implements PreToolHook {

	AsyncPreToolHook {
		Objects.requireNonNull(hook, "'hook' must not be null");
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("'timeout' must be above zero");
		}
	}

	@Override
	public String name() {
		return UNNAMED;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		CompletableFuture<ToolDecision> decision = this.hook.apply(call).toCompletableFuture();
		try {
			return decision.get(TimeUnit.NANOSECONDS.convert(this.timeout), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("No decision within " + this.timeout.toMillis() + " ms");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The wait for a decision was interrupted");
		}
		catch (ExecutionException ex) {
			throw unwrapped(ex);
		}
		finally {
			decision.cancel(true);
		}
	}

	private static RuntimeException unwrapped(ExecutionException ex) {
		if (ex.getCause() instanceof Error error) {
			throw error;
		}
		return (ex.getCause() instanceof RuntimeException cause) ? cause
				: new IllegalStateException("The hook failed", ex.getCause());
	}

}
