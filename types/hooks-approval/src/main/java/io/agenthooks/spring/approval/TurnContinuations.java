package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.Nesting;
import io.agenthooks.spring.approval.ContinuationAttempt.Result;
import io.agenthooks.spring.approval.ContinuationStore.Claim;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.TurnContinuedEvent;
import io.agenthooks.spring.threads.HooksThreads;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Goes on with turns when people have decided: those that this node hears of at once, and
 * those that others left now and then.
 */
final class TurnContinuations implements ContinuedTurns, ToolHookChain.LastCheck, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(TurnContinuations.class);

	private static final String THREADS = "hooks-continuation";

	private static final Duration FAREWELL = Duration.ofSeconds(10);

	private static final int AT_ONCE = 16;

	private static final int LEFT = 100;

	private static final int TRIES_TO_KEEP = 4;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final ContinuationStore store;

	private final SharedApprovals approvals;

	private final ContinuationAttempt attempt;

	private final BooleanSupplier paused;

	private final Consumer<TurnContinuedEvent> events;

	private final Times times;

	private final Semaphore places = new Semaphore(AT_ONCE);

	private final Set<ContinuationLease> held = ConcurrentHashMap.newKeySet();

	/** The leases by the outermost runs of the agents that go on. */
	private final Map<String, ContinuationLease> runs = new ConcurrentHashMap<>();

	private volatile @Nullable Threads threads;

	private volatile boolean left;

	/** While it is paused, turns are left for later. */
	TurnContinuations(ContinuationStore store, SharedApprovals approvals, ContinuationAttempt attempt,
			BooleanSupplier paused, Consumer<TurnContinuedEvent> events, Times times) {
		this.store = store;
		this.approvals = approvals;
		this.attempt = attempt;
		this.paused = paused;
		this.events = events;
		this.times = times;
	}

	@Override
	public Optional<ContinuedTurn> find(String approvalId) {
		return this.store.find(approvalId);
	}

	int continuationsOf(List<ApprovalRequest> waiting) {
		return waiting.stream()
			.map(ApprovalRequest::context)
			.map((context) -> (context != null) ? lease(context) : null)
			.mapToInt((lease) -> (lease != null) ? lease.claim().continuations() + 1 : 0)
			.max()
			.orElse(0);
	}

	private @Nullable ContinuationLease lease(CallContext context) {
		String root = context.rootRunId();
		return (root != null) ? this.runs.get(root) : null;
	}

	@Override
	public @Nullable String objection(ToolCall call) {
		ContinuationLease lease = lease(call.context());
		return (lease != null) ? lease.objection(call) : null;
	}

	void decided(ApprovalChangedEvent event) {
		if (event.resumable()) {
			begin(event.request().id());
		}
	}

	private void begin(String question) {
		Threads threads = this.threads;
		if (threads == null || this.paused.getAsBoolean()) {
			return;
		}
		if (!this.places.tryAcquire()) {
			this.left = true;
			return;
		}
		try {
			threads.agents().execute(() -> {
				try {
					goOn(question);
				}
				finally {
					this.places.release();
					if (this.left) {
						sweep();
					}
				}
			});
		}
		catch (RejectedExecutionException ex) {
			this.places.release();
		}
	}

	private void goOn(String question) {
		try {
			ApprovalRequest request = this.approvals.find(question).orElse(null);
			Claim claim = (request != null) ? this.store.claim(question, UniqueId.next(), until()) : null;
			if (request != null && claim != null) {
				ContinuationLease lease = new ContinuationLease(this.store, claim, this.approvals::now,
						this.times.lease());
				lease.expect(request.context());
				this.held.add(lease);
				try {
					settle(lease, request, run(lease, request));
				}
				finally {
					this.held.remove(lease);
				}
			}
		}
		catch (RuntimeException | LinkageError ex) {
			// Without its text, which may be the driver's. The turn is left for later.
			this.warnings.warn("A turn that waited for people could not go on: " + ex.getClass().getName());
		}
	}

	private Result run(ContinuationLease lease, ApprovalRequest request) {
		try {
			return this.attempt.run(lease, request, (continuation, turn) -> ask(lease, continuation, turn));
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("A turn that waited for people could not go on", ex);
			return ContinuationAttempt.retry(ex.getClass().getName());
		}
	}

	private String ask(ContinuationLease lease, ConversationContinuation continuation, ResumedTurn turn) {
		String run = UniqueId.next();
		this.runs.put(run, lease);
		Nesting.ofThisThread().setRootRun(run);
		try {
			return continuation.goOn(turn);
		}
		finally {
			Nesting.ofThisThread().setRootRun(null);
			this.runs.remove(run);
		}
	}

	private void settle(ContinuationLease lease, ApprovalRequest request, Result result) {
		Claim claim = lease.claim();
		if (result.end() != null) {
			finish(claim, request, result.end());
		}
		else if (!result.pending().isEmpty()) {
			boolean unused = this.store.release(claim, false, Instant.EPOCH);
			// Whoever decided meanwhile could not claim the turn.
			result.pending()
				.stream()
				.filter((id) -> this.approvals.find(id)
					.filter((other) -> other.state() != ApprovalState.PENDING)
					.isPresent())
				.findFirst()
				.ifPresent(this::begin);
		}
		else if (this.threads == null) {
			boolean unused = this.store.release(claim, true, Instant.EPOCH);
		}
		else if (claim.attempts() >= ContinuationAttempt.MAX_ATTEMPTS) {
			finish(claim, request, new ContinuedTurn(ContinuedTurn.Status.FAILED, null,
					"It was tried %d times, the last time with %s.".formatted(claim.attempts(), result.failure()),
					List.of()));
		}
		else {
			Duration pause = this.times.firstPause().multipliedBy(1L << (2 * (claim.attempts() - 1)));
			// The clock of the store is not exactly that of this node.
			boolean unused = this.store.release(claim, true, this.approvals.now().plus(pause.dividedBy(2)));
			later(() -> begin(request.id()), pause);
		}
	}

	private void finish(Claim claim, ApprovalRequest request, ContinuedTurn end) {
		if (!keep(claim, end)) {
			this.warnings
				.warn("The answer of an agent that went on is not kept: another node goes on with the turn, or it "
						+ "was ended");
			return;
		}
		if (end.reason() != null) {
			logger.warn("The turn that waited for the question '{}' does not go on ({}): {}", request.id(),
					end.status(), end.reason());
		}
		try {
			this.events.accept(new TurnContinuedEvent(this.approvals.find(request.id()).orElse(request), end));
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("A listener to turns that go on failed with " + ex.getClass().getName());
		}
	}

	/** The store may be away for a moment, and the answer would be lost. */
	private boolean keep(Claim claim, ContinuedTurn end) {
		for (int i = 1;; i++) {
			try {
				return this.store.finish(claim, end, this.approvals.now());
			}
			catch (RuntimeException ex) {
				if (i == TRIES_TO_KEEP) {
					throw ex;
				}
				LockSupport.parkNanos(this.times.firstPause().toNanos());
			}
		}
	}

	private Instant until() {
		return this.approvals.now().plus(this.times.lease());
	}

	private void later(Runnable work, Duration pause) {
		Threads threads = this.threads;
		if (threads != null) {
			try {
				var unused = threads.timer().schedule(work, pause.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("The application is shutting down, so a turn is left");
			}
		}
	}

	private void renew() {
		for (ContinuationLease lease : this.held) {
			try {
				lease.renew();
			}
			catch (RuntimeException | LinkageError ex) {
				this.warnings.warn("The right to go on with a turn could not be renewed: " + ex.getClass().getName());
			}
		}
	}

	private void sweep() {
		try {
			this.left = false;
			this.store.due(LEFT).forEach(this::begin);
		}
		catch (RuntimeException | LinkageError ex) {
			this.warnings.warn("Turns that are left could not be read: " + ex.getClass().getName());
		}
	}

	@Override
	public synchronized void start() {
		if (this.threads == null) {
			Threads threads = new Threads(HooksThreads.unbounded(THREADS), HooksThreads.timer(THREADS + "-timer"));
			this.threads = threads;
			long beat = this.times.lease().toMillis() / 3;
			var unused = threads.timer().scheduleWithFixedDelay(this::renew, beat, beat, TimeUnit.MILLISECONDS);
			var unused2 = threads.timer()
				.scheduleWithFixedDelay(this::sweep, 0, this.times.sweep().toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	@Override
	public void stop() {
		Threads threads;
		synchronized (this) {
			threads = this.threads;
			this.threads = null;
		}
		if (threads != null) {
			int unused = HooksThreads.end(threads.agents(), FAREWELL);
			threads.timer().shutdownNow();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.threads != null;
	}

	@Override
	public int getPhase() {
		return HooksThreads.QUESTIONS;
	}

	record Times(Duration lease, Duration sweep, Duration firstPause) {

		static final Times DEFAULT = new Times(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(1));

	}

	private record Threads(ExecutorService agents, ScheduledExecutorService timer) {
	}

}
