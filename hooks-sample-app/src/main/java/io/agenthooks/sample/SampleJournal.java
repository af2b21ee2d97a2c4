package io.agenthooks.sample;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Keeps how the last calls ended, and tells who makes a call how that one ended. An agent
 * needs only the result; this sample also shows who decided, and why.
 */
@Component
class SampleJournal implements PostToolHook {

	static final int CAPACITY = 100;

	private final Deque<ToolOutcome> last = new ArrayDeque<>();

	private final Map<String, CompletableFuture<ToolOutcome>> followed = new ConcurrentHashMap<>();

	@Override
	public String name() {
		return "call-journal";
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		add(outcome);
		CompletableFuture<ToolOutcome> caller = this.followed.get(outcome.effective().id());
		if (caller != null) {
			caller.complete(outcome);
		}
	}

	/** Latest first. */
	List<ToolOutcome> last() {
		synchronized (this.last) {
			return List.copyOf(this.last);
		}
	}

	/**
	 * The outcomes of the calls of a run, oldest first, as far as they are among the last
	 * ones.
	 */
	List<ToolOutcome> ofRun(String run) {
		synchronized (this.last) {
			List<ToolOutcome> calls = new ArrayList<>();
			this.last.descendingIterator().forEachRemaining((outcome) -> {
				if (run.equals(outcome.effective().context().runId())) {
					calls.add(outcome);
				}
			});
			return calls;
		}
	}

	/** Make a call and tell how it ended, also if that was by an exception. */
	ToolOutcome follow(ToolCall call, ToolExecutor executor) {
		CompletableFuture<ToolOutcome> outcome = new CompletableFuture<>();
		long start = System.nanoTime();
		ToolResult result = null;
		RuntimeException failure = null;
		this.followed.put(call.id(), outcome);
		try {
			result = executor.execute(call);
		}
		catch (RuntimeException ex) {
			failure = ex;
		}
		finally {
			this.followed.remove(call.id());
		}
		if (!outcome.isDone()) {
			outcome.complete(unguarded(call, result, failure, Duration.ofNanos(System.nanoTime() - start)));
			add(outcome.join());
		}
		return outcome.join();
	}

	/**
	 * The outcome of a call that passed no hooks, because {@code hooks.tool_call.enabled}
	 * is {@code false}.
	 */
	private static ToolOutcome unguarded(ToolCall call, @Nullable ToolResult result, @Nullable RuntimeException failure,
			Duration duration) {
		boolean succeeded = result != null && result.succeeded();
		return ToolOutcome.of(call, (succeeded) ? ToolCallStatus.SUCCEEDED : ToolCallStatus.FAILED, result, failure,
				duration);
	}

	private void add(ToolOutcome outcome) {
		synchronized (this.last) {
			if (this.last.size() == CAPACITY) {
				this.last.removeLast();
			}
			this.last.addFirst(outcome);
		}
	}

}
