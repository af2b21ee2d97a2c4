package io.agenthooks.spring.cel;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.pattern.Budget;
import io.agenthooks.run.AgentRun;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;

/** A call as all conditions of a policy see it, with one time and one budget of work. */
final class Scope {

	private static final @Nullable Object[] NO_LOCALS = {};

	private final @Nullable HookedCall call;

	private final @Nullable ToolOutcome outcome;

	private final Clock clock;

	private @Nullable Instant now;

	private @Nullable Budget budget;

	private @Nullable EndedCall end;

	/** As patterns read them, once somebody asked. */
	private @Nullable PlainTexts plainTexts;

	private boolean plain;

	@Nullable Object[] locals = NO_LOCALS;

	Scope(@Nullable HookedCall call, Clock clock) {
		this(call, null, clock);
	}

	private Scope(@Nullable HookedCall call, @Nullable ToolOutcome outcome, Clock clock) {
		this.call = call;
		this.outcome = outcome;
		this.clock = clock;
	}

	/** As the hooks left the call. */
	static Scope afterCall(ToolOutcome outcome, Clock clock) {
		return new Scope(outcome.effective(), outcome, clock);
	}

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
			end = EndedCall.of(outcome());
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
		return (this.plain) ? plainTexts().arguments() : toolCall().arguments();
	}

	String text(String text) {
		return (this.plain) ? PlainTexts.plain(text, this::budget) : text;
	}

	/**
	 * Without invisible characters, each in its usual form (NFKC), as patterns read them.
	 */
	boolean isPlain() {
		return this.plain;
	}

	/** {@code null} if the plain spelling is the same. */
	@Nullable Object inPlainSpelling(Supplier<Object> asked) {
		return (isSpelledPlainly()) ? null : plainly(asked);
	}

	/** {@code null} if they have another spelling. */
	@Nullable Object ifSpelledPlainly(Supplier<Object> asked) {
		return (isSpelledPlainly()) ? plainly(asked) : null;
	}

	private Object plainly(Supplier<Object> asked) {
		this.plain = true;
		try {
			return asked.get();
		}
		finally {
			this.plain = false;
		}
	}

	@SuppressWarnings("ReferenceEquality") // the very map, if nothing changed
	private boolean isSpelledPlainly() {
		HookedCall call = call();
		if (call instanceof LlmCall llm) {
			return llm.messages().stream().allMatch((message) -> PlainTexts.isPlain(message.text()));
		}
		return (call instanceof AgentRun run) ? PlainTexts.isPlain(run.prompt())
				: plainTexts().arguments() == toolCall().arguments();
	}

	private PlainTexts plainTexts() {
		PlainTexts texts = this.plainTexts;
		if (texts == null) {
			texts = PlainTexts.of(toolCall().arguments(), this::budget);
			this.plainTexts = texts;
		}
		return texts;
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

	void begin(int locals) {
		if (this.locals.length < locals) {
			this.locals = new Object[locals];
		}
	}

	void spend(long steps) {
		budget().spend(steps);
	}

	Budget budget() {
		Budget budget = this.budget;
		if (budget == null) {
			budget = new Budget();
			this.budget = budget;
		}
		return budget;
	}

}
