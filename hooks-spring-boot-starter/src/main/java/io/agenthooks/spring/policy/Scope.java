package io.agenthooks.spring.policy;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.pattern.Budget;
import io.agenthooks.run.AgentRun;
import io.agenthooks.spring.ended.EndedCall;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * What the conditions of a policy see while they are asked about one call: the call, one
 * time for all of them, and the work that is left.
 */
final class Scope {

	private static final @Nullable Object[] NO_LOCALS = {};

	private final @Nullable HookedCall call;

	private final @Nullable ToolOutcome outcome;

	private final Clock clock;

	private @Nullable Instant now;

	private @Nullable Budget budget;

	private @Nullable EndedCall end;

	/** The variables of the loops of the condition that is asked. */
	@Nullable Object[] locals = NO_LOCALS;

	Scope(@Nullable HookedCall call, Clock clock) {
		this(call, null, clock);
	}

	private Scope(@Nullable HookedCall call, @Nullable ToolOutcome outcome, Clock clock) {
		this.call = call;
		this.outcome = outcome;
		this.clock = clock;
	}

	/**
	 * What there is of a call that has ended, as the hooks left it.
	 */
	static Scope afterCall(ToolOutcome outcome, Clock clock) {
		return new Scope(outcome.effective(), outcome, clock);
	}

	/**
	 * What there is before any call.
	 */
	static Scope beforeCalls() {
		return new Scope(null, Clock.systemUTC());
	}

	private HookedCall call() {
		return Objects.requireNonNull(this.call, "There is no call yet");
	}

	ToolCall toolCall() {
		return (ToolCall) call();
	}

	ToolOutcome outcome() {
		return Objects.requireNonNull(this.outcome, "The call has not ended yet");
	}

	EndedCall end() {
		EndedCall end = this.end;
		if (end == null) {
			end = EndedCall.of(outcome(), outcome().status().value());
			this.end = end;
		}
		return end;
	}

	LlmCall llmCall() {
		return (LlmCall) call();
	}

	AgentRun run() {
		return (AgentRun) call();
	}

	Map<String, @Nullable Object> arguments() {
		return toolCall().arguments();
	}

	CallContext context() {
		return call().context();
	}

	String id() {
		return call().id();
	}

	Instant now() {
		Instant now = this.now;
		if (now == null) {
			now = this.clock.instant();
			this.now = now;
		}
		return now;
	}

	/**
	 * Make room for the variables of loops.
	 */
	void begin(int locals) {
		if (this.locals.length < locals) {
			this.locals = new Object[locals];
		}
	}

	/**
	 * Take some of the work that may go into one call.
	 * @throws Budget.ExhaustedException if less than that is left
	 */
	void spend(long steps) {
		Budget budget = this.budget;
		if (budget == null) {
			budget = new Budget();
			this.budget = budget;
		}
		budget.spend(steps);
	}

}
