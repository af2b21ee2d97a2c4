package io.agenthooks.spring.limit;

import io.agenthooks.chain.CallNote;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookHealth;

/** The same answer again and again, failures in a row, or too many questions in a run. */
final class LoopLlmHook implements PreLlmHook, PostLlmHook, CountingHook, HookHealth {

	private final String name;

	private final LoopSettings settings;

	private final LoopStore store;

	private final CallNote<Open> open = new CallNote<>();

	private final CallsLeft left;

	LoopLlmHook(String name, LlmLoopConfig config, LimitStores stores) {
		this.name = name;
		this.settings = LoopSettings
			.of(new LoopConfig(config.repeats(), new LoopConfig.Steps(0, 0, 0), config.failures(), config.calls(),
					config.missing(), config.maxRuns(), config.forgetAfter(), config.per()));
		this.store = stores.loops("model calls\n" + name, this.settings);
		this.left = new CallsLeft(stores.kind());
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LoopToolHook.Run run = LoopToolHook.Run.of(call.context(), this.settings.per());
		if (run == null) {
			return (this.settings.missing() == OnMissingKey.SKIP) ? LlmDecision.approve()
					: LlmDecision.deny(LoopToolHook.UNKNOWN_RUN);
		}
		String model = LoopToolHook.digest(run.id(), "model");
		LoopStore.Entered answer = this.store.enter(run.key(), model, model);
		int left = answer.looked().left();
		this.left.add((left < Integer.MAX_VALUE) ? left : -1, null);
		RunCalls.Finding finding = answer.looked().finding();
		if (finding.passes() && !this.open.leave(new Open(answer.run(), run.id(), model))) {
			this.store.leave(answer.run());
			return LlmDecision.deny(LimitKeys.ENDED);
		}
		return decision(finding);
	}

	private static LlmDecision decision(RunCalls.Finding finding) {
		String text = switch (finding.kind()) {
			case REPEATS, PING_PONG -> "The model has given the same answer %d times.";
			case FAILURES -> "The model has failed %d times in a row.";
			case CALLS -> "This run has made %d model calls.";
		};
		String what = text.formatted(finding.count());
		return switch (finding.step()) {
			case NONE -> LlmDecision.approve();
			case WARN ->
				LlmDecision.approve().withAdditionalContext(what + " Try something else, or say what is in the way.");
			case DENY -> LlmDecision.deny(what);
			case ABORT -> LlmDecision.abortTurn(what + " The agent is in a loop.");
		};
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		Open entered = this.open.take();
		if (entered == null) {
			return;
		}
		LlmResponse response = outcome.originalResponse();
		switch (outcome.status()) {
			case FAILED -> this.store.end(entered.run(), entered.model(), entered.model(),
					LoopToolHook.digest(entered.id(), "failed"), true);
			case SUCCEEDED, ANSWERED, ABORTED -> {
				if (response != null) {
					this.store.end(entered.run(), entered.model(), entered.model(), answerOf(entered.id(), response),
							false);
				}
			}
			case DENIED, CANCELLED -> {
				// There is no answer to compare.
			}
		}
	}

	private static String answerOf(String run, LlmResponse response) {
		String[] calls = response.toolCalls()
			.stream()
			.map((call) -> LoopToolHook.digest(call.name(), call.arguments()))
			.toArray(String[]::new);
		return LoopToolHook.digest(run, response.text(), LoopToolHook.digest(calls));
	}

	@Override
	public CallsLeft left() {
		return this.left;
	}

	/** Each run has its own, and most end long before. */
	@Override
	public double remainingCalls() {
		return -1;
	}

	@Override
	public Report health() {
		return this.store.health();
	}

	private record Open(LoopStore.Run run, String id, String model) {
	}

}
