package io.agenthooks.spring.prompt;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;

/**
 * Lets a {@linkplain Judge judge} decide whether runs may begin.
 */
record PromptRunHook(Judge<AgentRun, RunDecision> judge) implements PreRunHook, JudgingHook {

	@Override
	public RunDecision preRun(AgentRun run) {
		return this.judge.judge(run, JudgedData::of);
	}

}
