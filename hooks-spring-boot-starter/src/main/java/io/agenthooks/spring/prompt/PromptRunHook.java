package io.agenthooks.spring.prompt;

import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookHealth;

/**
 * Lets a {@linkplain Judge judge} decide whether runs may begin.
 *
 * @param judge the judge
 */
record PromptRunHook(Judge<AgentRun, RunDecision> judge) implements PreRunHook, HookHealth, AutoCloseable {

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return this.judge.judge(run, JudgedData.of(run));
	}

	@Override
	public Report health() {
		return this.judge.health();
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
