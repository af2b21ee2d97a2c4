package io.agenthooks.spring.audit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;

record RunEntry(AgentRun run, @Nullable LlmUsage usage, EndedCall ended, List<AskedHook> asked, long time,
		boolean hasBegun) implements CallEntry {

	static RunEntry of(RunOutcome outcome, List<AskedHook> asked, long time) {
		return new RunEntry(outcome.run(), outcome.usage(), EndedCall.of(outcome), asked, time,
				outcome.decision().verdict() == Verdict.APPROVE);
	}

	@Override
	public String kind() {
		return RUN;
	}

	@Override
	public String id() {
		return this.run.id();
	}

	@Override
	public CallContext context() {
		return this.run.context();
	}

	@Override
	public long weight() {
		return this.run.prompt().length();
	}

}
