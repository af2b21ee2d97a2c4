package io.agenthooks.run;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.chain.ChainKind;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookSet;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Step;
import io.agenthooks.llmcall.LlmUsage;

final class RunKind extends ChainKind<AgentRun, RunKind.Answer, RunDecision, RunEvent> {

	private static final RunKind INSTANCE = new RunKind();

	private RunKind() {
		super("run",
				new Decisions<>(RunDecision.approve(), RunDecision::deny, RunDecision::abortRun,
						RunDecision::failedOpen, RunDecision::observed, RunKind::explained),
				null, null, RunHookChain.class);
	}

	static RunKind instance() {
		return INSTANCE;
	}

	static HookSet<AgentRun, Answer, RunDecision> hooks(List<HookEntry<PreRunHook>> preRun,
			List<HookEntry<PostRunHook>> postRun) {
		return HookSet.of(INSTANCE, preRun.stream().map(RunKind::deciding).toList(), List.of(),
				postRun.stream().map(RunKind::learning).toList());
	}

	private static Step<AgentRun, AgentRun, RunDecision> deciding(HookEntry<PreRunHook> entry) {
		PreRunHook hook = entry.hook();
		return Step.of(INSTANCE, entry, (run, same) -> hook.preRun(run));
	}

	private static Step<AgentRun, RunOutcome, RunDecision> learning(HookEntry<PostRunHook> entry) {
		PostRunHook hook = entry.hook();
		return Step.of(INSTANCE, entry, (run, outcome) -> {
			hook.postRun(outcome);
			return null;
		});
	}

	@Override
	protected RuntimeException exception(AgentRun run, String hook, RunDecision refusal) {
		return new RunBlockedException(hook, HookDecision.reasonOf(refusal.reason()));
	}

	@Override
	protected void end(Passage<AgentRun, Answer, RunDecision, RunEvent> passage, Ending ending,
			@Nullable Answer original, @Nullable Answer answer, @Nullable Throwable failure) {
		RunOutcome outcome = new RunOutcome(passage.call(), passage.decision(), passage.decidedBy(), status(ending),
				(answer != null) ? answer.text() : null, (answer != null) ? answer.usage() : null, failure,
				passage.duration(), passage.failedOpen(), passage.wouldDeny());
		passage.tellEnd(outcome, RunEvent.Ended::new);
	}

	private static RunStatus status(Ending ending) {
		return switch (ending) {
			case SUCCEEDED, ANSWERED -> RunStatus.SUCCEEDED;
			case FAILED -> RunStatus.FAILED;
			case DENIED, DISABLED -> RunStatus.DENIED;
			case ABORTED -> RunStatus.ABORTED;
			case PENDING -> RunStatus.PENDING;
			case CANCELLED -> RunStatus.CANCELLED;
		};
	}

	private static RunDecision explained(RunDecision refusal, String reason) {
		HookRule rule = HookRule.replacing(refusal);
		if (refusal instanceof RunDecision.Abort) {
			return new RunDecision.Abort(reason, rule);
		}
		return (refusal instanceof RunDecision.Deny) ? new RunDecision.Deny(reason, rule) : refusal;
	}

	@Override
	protected RunEvent started(AgentRun call) {
		return new RunEvent.Started(call);
	}

	@Override
	protected RunEvent hookFailed(AgentRun call, String hook, String failure) {
		return new RunEvent.HookFailed(call, hook, failure);
	}

	@Override
	protected RunEvent failedOpen(AgentRun call, String hook, String failure) {
		return new RunEvent.FailedOpen(call, hook, failure);
	}

	/** The usage is {@code null} if nobody counted. */
	record Answer(String text, @Nullable LlmUsage usage) {
	}

}
