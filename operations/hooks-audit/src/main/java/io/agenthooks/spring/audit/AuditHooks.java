package io.agenthooks.spring.audit;

import java.time.Clock;
import java.util.List;
import java.util.Map;

import org.springframework.core.Ordered;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

class AuditHooks implements PostToolHook, PostLlmHook, PostRunHook, HookCounts, HookHealth, Ordered {

	static final String NAME = "audit";

	private final AuditLog log;

	private final AskedHooks asked;

	private final Clock clock;

	AuditHooks(AuditLog log, AskedHooks asked, Clock clock) {
		this.log = log;
		this.asked = asked;
		this.clock = clock;
		asked.readBy(NAME, List.of(ToolCall.class, LlmCall.class, AgentRun.class));
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.log.add(ToolEntry.of(outcome, this.asked.ofThisCall(), this.clock.millis()));
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		this.log.add(LlmEntry.of(outcome, this.asked.ofThisCall(), this.clock.millis()));
	}

	@Override
	public void postRun(RunOutcome outcome) {
		this.log.add(RunEntry.of(outcome, this.asked.ofThisCall(), this.clock.millis()));
	}

	@Override
	public long droppedNotifications() {
		return this.log.dropped();
	}

	@Override
	public Report health() {
		return new Report((this.log.isWritable() && !this.log.isCut()) ? State.UP : State.DOWN, false,
				Map.of("waiting_calls", this.log.backlog(), "calls_not_recorded", this.log.dropped(), "end_was_cut",
						this.log.isCut()));
	}

	/**
	 * Denies what cannot be recorded. As a policy it is asked about every call, also one
	 * that another hook has answered.
	 */
	static final class Strict extends AuditHooks implements PreToolHook, PreLlmHook, PreRunHook {

		private static final String REASON = "The audit cannot be written";

		private final AuditLog log;

		Strict(AuditLog log, AskedHooks asked, Clock clock) {
			super(log, asked, clock);
			this.log = log;
		}

		@Override
		public boolean mayAsk() {
			return false;
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			return (this.log.isWritable()) ? ToolDecision.approve() : ToolDecision.deny(REASON);
		}

		@Override
		public LlmDecision preCall(LlmCall call) {
			return (this.log.isWritable()) ? LlmDecision.approve() : LlmDecision.deny(REASON);
		}

		@Override
		public RunDecision preRun(AgentRun run) {
			return (this.log.isWritable()) ? RunDecision.approve() : RunDecision.deny(REASON);
		}

		@Override
		public boolean isRepeatable() {
			return true;
		}

	}

}
