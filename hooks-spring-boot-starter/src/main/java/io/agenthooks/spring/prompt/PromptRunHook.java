package io.agenthooks.spring.prompt;

import io.agenthooks.SafeText;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;

/**
 * Lets a {@linkplain Judge judge} decide whether runs may begin.
 *
 * @param judge the judge
 */
record PromptRunHook(Judge judge) implements PreRunHook, AutoCloseable {

	private static final Judge.Decisions<RunDecision> DECISIONS = Judge.Decisions.withoutPerson(RunDecision::approve,
			RunDecision::deny, RunDecision::failedOpen);

	@Override
	public String name() {
		return this.judge.name();
	}

	@Override
	public RunDecision preRun(AgentRun run) {
		return this.judge.judge(JudgedData.of(run), () -> "run '%s'".formatted(SafeText.name(run.id())), DECISIONS);
	}

	@Override
	public void close() {
		this.judge.close();
	}

}
