package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.caller.CarriedContext;
import io.agenthooks.spring.external.AskedByHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Denies a call if no answer comes in time. The approver runs on another thread, with the
 * context of the call, and is left there when the time is over. While too many threads
 * hang so, calls are denied at once.
 */
final class BoundedApprover implements ToolApprover {

	/** The name of approvers in metrics. */
	static final String NAME = "approver";

	private static final Logger logger = LoggerFactory.getLogger(BoundedApprover.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ToolApprover approver;

	private final String name;

	private final Duration timeout;

	private final ExecutorService threads;

	private final BoundCounts counts;

	BoundedApprover(ToolApprover approver, String name, Duration timeout, ExecutorService threads, BoundCounts counts) {
		this.approver = approver;
		this.name = name;
		this.timeout = timeout;
		this.threads = threads;
		this.counts = counts;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public ToolDecision approve(ToolCall call, ToolDecision.Ask question) {
		if (this.counts.abandonedThreads() >= TimeLimit.MAX_THREADS) {
			this.counts.skipped();
			this.warnings.warn("The approver is not asked, and calls are denied: " + TimeLimit.MAX_THREADS
					+ " of its threads hang");
			return ToolDecision.deny("This call needs the approval of a person, and the approver does not respond");
		}
		Duration own = this.approver.timeout(question);
		Duration timeout = (own != null) ? own : this.timeout;
		FutureTask<ToolDecision> answer = new FutureTask<>(
				CarriedContext.carry(AskedByHook.carry(() -> answerOf(this.approver.approve(call, question)))));
		AtomicBoolean left = new AtomicBoolean();
		try {
			this.threads.execute(() -> {
				answer.run();
				this.counts.leave(left);
			});
			return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			this.counts.abandon(left);
			this.counts.timedOut();
			this.warnings.warn("No approver answered within %d ms, so the call is denied".formatted(timeout.toMillis())
					+ ((own != null) ? "" : " ('hooks.tool_call.approval_timeout')"));
			return ToolDecision.deny("Nobody approved this call within " + inWords(timeout));
		}
		catch (InterruptedException ex) {
			this.counts.abandon(left);
			Thread.currentThread().interrupt();
			return ToolDecision.deny("The wait for an approval was interrupted");
		}
		catch (ExecutionException ex) {
			return failed(ex.getCause());
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
		finally {
			answer.cancel(true);
		}
	}

	private static ToolDecision answerOf(@Nullable ToolDecision answer) {
		return Objects.requireNonNullElseGet(answer,
				() -> ToolDecision.deny("The approver neither approved nor denied"));
	}

	private ToolDecision failed(@Nullable Throwable failure) {
		if (this.threads.isShutdown()) {
			return ToolDecision.deny("The application is shutting down, so this call cannot be approved");
		}
		if (failure instanceof Error error) {
			throw error;
		}
		throw (failure instanceof RuntimeException ex) ? ex : new IllegalStateException("The approver failed", failure);
	}

	private static String inWords(Duration timeout) {
		return (timeout.toMillis() % 1000 == 0) ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
	}

}
