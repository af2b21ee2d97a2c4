package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.toolcall.ToolCall;

/**
 * Cancels the questions of runs and sessions that were aborted. The call that is aborted
 * does not wait for that: another thread does it. Until it is done, this node cancels
 * such a question as soon as anybody looks at it, so no person can approve it here. If
 * one cannot be cancelled, the others still are, and that one is tried again for a while,
 * at the latest when the application ends. After that it waits until its time is over.
 */
final class AbortedQuestions {

	/** There are not more open questions, unless the bounds were raised. */
	private static final int MAX_QUESTIONS = 100_000;

	private static final int MAX_ABORTS = AbortedRuns.MAX_RUNS;

	/** With so many failures in a row, the store is away. */
	private static final int MAX_FAILURES = 5;

	private static final int ATTEMPTS = 6;

	private static final Logger logger = LoggerFactory.getLogger(AbortedQuestions.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final Set<Scope> aborted = ConcurrentHashMap.newKeySet();

	/** The number of aborts that are no longer remembered. */
	private final AtomicInteger forgotten = new AtomicInteger();

	private final ApprovalStore store;

	private final BackgroundWork work;

	private final Duration firstPause;

	private final Cancellation cancellation;

	AbortedQuestions(ApprovalStore store, BackgroundWork work, Duration firstPause, Cancellation cancellation) {
		this.store = store;
		this.work = work;
		this.firstPause = firstPause;
		this.cancellation = cancellation;
	}

	/** Does not wait for the store. */
	void abort(CallContext context) {
		Scope scope = Scope.of(context);
		if (scope == null) {
			return;
		}
		if (this.aborted.size() >= MAX_ABORTS) {
			this.warnings.warn("Questions to people about calls of an aborted run wait until their time is over, since "
					+ "those of too many runs are being cancelled");
			return;
		}
		if (this.aborted.add(scope)) {
			this.work.execute(() -> cancelAll(scope, 1));
		}
	}

	boolean isAborted(ApprovalRequest request) {
		if (this.aborted.isEmpty() || ApprovalRules.isEnd(request.state())) {
			return false;
		}
		return (request.runId() != null && this.aborted.contains(new Scope(request.runId(), null, null, null)))
				|| this.aborted.contains(new Scope(null, request.sessionId(), request.user(), request.agent()));
	}

	/**
	 * Once, and not for long: the application ends, and no other node knows of the
	 * aborts.
	 */
	void finish() {
		this.aborted.forEach((scope) -> this.work.execute(() -> {
			// What is left cannot be approved here until the very end.
			if (tryAll(scope)) {
				forget(scope);
			}
		}));
		this.work.finish();
	}

	private void cancelAll(Scope scope, int attempt) {
		if (!tryAll(scope) && attempt < ATTEMPTS) {
			this.work.execute(() -> cancelAll(scope, attempt + 1), this.firstPause.multipliedBy(1L << (attempt - 1)));
		}
		else {
			forget(scope);
		}
	}

	private void forget(Scope scope) {
		this.forgotten.incrementAndGet();
		this.aborted.remove(scope);
	}

	/** If it changes while a question is read, that may have been cancelled meanwhile. */
	int forgotten() {
		return this.forgotten.get();
	}

	private boolean tryAll(Scope scope) {
		try {
			return cancelAll(scope);
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("Questions to people about calls of an aborted run could not be read to be cancelled: "
					+ ex.getClass().getName());
			return false;
		}
	}

	/** Others may end some of them meanwhile, so their ids are read at once. */
	private boolean cancelAll(Scope scope) {
		SuspendedStore turns = this.store.suspended();
		if (turns != null) {
			turns.continuations()
				.endAll(scope.run(), scope.session(), scope::covers, MAX_QUESTIONS, this.store.clock().instant());
		}
		List<String> ids = this.store.openOf(scope.run(), scope.session(), MAX_QUESTIONS);
		boolean all = ids.size() < MAX_QUESTIONS;
		int failures = 0;
		for (String id : ids) {
			if (this.work.isClosed() || failures == MAX_FAILURES) {
				return false;
			}
			try {
				this.cancellation.cancel(id, scope::covers);
				failures = 0;
			}
			catch (RuntimeException | LinkageError ex) {
				this.warnings.warn("A question to people about a call of an aborted run could not be cancelled: "
						+ ex.getClass().getName());
				all = false;
				// One that cannot be read says nothing of the others.
				failures += (ex instanceof IllegalStateException) ? 0 : 1;
			}
		}
		return all;
	}

	/** The reason why people need not decide about a call any more, or {@code null}. */
	static @Nullable String whyVoid(ToolCall call, ObjectProvider<ToolHooks> toolHooks,
			ObjectProvider<AbortedRuns> abortedRuns) {
		return toolHooks.stream()
			.filter(ToolSwitch.class::isInstance)
			.flatMap((hooks) -> Stream.ofNullable(((ToolSwitch) hooks).whyOff(call)))
			.findFirst()
			.orElseGet(() -> whyVoid(call.context(), toolHooks, abortedRuns));
	}

	static @Nullable String whyVoid(CallContext context, ObjectProvider<ToolHooks> toolHooks,
			ObjectProvider<AbortedRuns> abortedRuns) {
		if (!toolHooks.stream().allMatch(ToolHooks::areToolsEnabled)) {
			return "All tools are switched off";
		}
		List<AbortedRuns> memories = abortedRuns.stream().toList();
		return (memories.stream().anyMatch((aborted) -> aborted.peek(context) != null))
				? "The run was aborted while this call waited for a person" : null;
	}

	/** Whether it is only not known yet what other nodes switched off. */
	static boolean isKillSwitchUnknown(ObjectProvider<ToolHooks> toolHooks) {
		return toolHooks.stream()
			.anyMatch((hooks) -> hooks instanceof ToolSwitch known
					&& known.switchedOff().stream().anyMatch((off) -> off.through().equals(ToolSwitch.STORE)));
	}

	@FunctionalInterface
	interface Cancellation {

		void cancel(String id, Predicate<ApprovalRequest> which);

	}

	/** The target of an abort: a run, or else a session of one user and one agent. */
	private record Scope(@Nullable String run, @Nullable String session, @Nullable String user,
			@Nullable String agent) {

		static @Nullable Scope of(CallContext context) {
			if (context.runId() != null) {
				return new Scope(context.runId(), null, null, null);
			}
			return (context.sessionId() != null) ? new Scope(null, context.sessionId(), context.user(), context.agent())
					: null;
		}

		boolean covers(ApprovalRequest request) {
			return this.run != null
					|| (Objects.equals(this.user, request.user()) && Objects.equals(this.agent, request.agent()));
		}

	}

}
