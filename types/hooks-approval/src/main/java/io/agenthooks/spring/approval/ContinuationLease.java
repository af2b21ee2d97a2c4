package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.spring.approval.ContinuationStore.Claim;
import io.agenthooks.toolcall.ToolCall;

/**
 * The right of this node to go on with a turn, for a time. Each call of a tool meanwhile
 * is noted in the store first, which lets it run only if no other node has the right, and
 * nobody has ended the turn.
 */
final class ContinuationLease {

	static final String LOST = "The turn of this agent goes on elsewhere, or was ended";

	private static final String AWAY = "It cannot be told whether this agent may still go on";

	private final ContinuationStore store;

	private final Claim claim;

	private final InstantSource clock;

	private final Duration time;

	private final AtomicInteger tools = new AtomicInteger();

	private @Nullable CallContext request;

	private @Nullable String run;

	private volatile @Nullable String stopped;

	ContinuationLease(ContinuationStore store, Claim claim, InstantSource clock, Duration time) {
		this.store = store;
		this.claim = claim;
		this.clock = clock;
		this.time = time;
	}

	Claim claim() {
		return this.claim;
	}

	/** The context of the call that waited, which all calls of the agent have to have. */
	void expect(@Nullable CallContext request) {
		this.request = request;
	}

	boolean hasRunTools() {
		return this.tools.get() > 0;
	}

	@Nullable String stopped() {
		return this.stopped;
	}

	void renew() {
		if (!this.store.renew(this.claim, until())) {
			this.stopped = LOST;
		}
	}

	private Instant until() {
		return this.clock.instant().plus(this.time);
	}

	synchronized @Nullable String objection(ToolCall call) {
		if (this.stopped == null) {
			this.stopped = whyStopped(call);
		}
		if (this.stopped == null) {
			this.tools.incrementAndGet();
		}
		return this.stopped;
	}

	private @Nullable String whyStopped(ToolCall call) {
		String difference = differenceIn(call.context());
		if (difference != null) {
			return "The %s of the request that waited could not be restored".formatted(difference);
		}
		try {
			return (this.store.beginTool(this.claim, until())) ? null : LOST;
		}
		catch (RuntimeException ex) {
			return AWAY;
		}
	}

	/** The first call is the agent's own; an agent inside of a tool may have another. */
	private @Nullable String differenceIn(CallContext context) {
		CallContext request = this.request;
		if (request == null) {
			return null;
		}
		if (this.run == null) {
			this.run = Objects.requireNonNullElse(context.runId(), "");
		}
		return (this.run.equals(Objects.requireNonNullElse(context.runId(), ""))) ? difference(request, context) : null;
	}

	static @Nullable String difference(CallContext request, CallContext now) {
		if (!Objects.equals(request.user(), now.user())) {
			return "user";
		}
		if (!Objects.equals(request.sessionId(), now.sessionId())) {
			return "session";
		}
		if (!Objects.equals(request.agent(), now.agent())) {
			return "agent";
		}
		if (!Objects.equals(request.role(), now.role())) {
			return "role";
		}
		if (!Objects.equals(request.workspace(), now.workspace())) {
			return "workspace";
		}
		if (!request.authorities().equals(now.authorities())) {
			return "authorities";
		}
		return (request.claims().equals(now.claims())) ? null : "claims";
	}

}
