package io.agenthooks.llmcall;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortScope;
import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.chain.ChainKind;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookSet;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Step;

final class LlmKind extends ChainKind<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> {

	private static final Logger logger = LoggerFactory.getLogger(LlmHookChain.class);

	private static final LlmKind INSTANCE = new LlmKind();

	private LlmKind() {
		super("model call",
				new Decisions<>(LlmDecision.approve(), LlmDecision::deny, LlmDecision::abortRun,
						LlmDecision::failedOpen, LlmDecision::observed, LlmKind::explained),
				null, null, LlmHookChain.class);
	}

	static LlmKind instance() {
		return INSTANCE;
	}

	static HookSet<LlmCall, LlmResponse, LlmDecision> hooks(List<HookEntry<PreLlmHook>> preCall,
			List<HookEntry<LlmResponseHook>> responses, List<HookEntry<PostLlmHook>> postCall) {
		return HookSet.of(INSTANCE, preCall.stream().map(LlmKind::deciding).toList(),
				responses.stream().map(LlmKind::replacing).toList(), postCall.stream().map(LlmKind::learning).toList());
	}

	private static Step<LlmCall, LlmCall, LlmDecision> deciding(HookEntry<PreLlmHook> entry) {
		PreLlmHook hook = entry.hook();
		return Step.of(INSTANCE, entry, HookEntry.ALL_TARGETS, hook.isRepeatable(), (call, same) -> hook.preCall(call));
	}

	private static Step<LlmCall, LlmResponse, LlmDecision> replacing(HookEntry<LlmResponseHook> entry) {
		LlmResponseHook hook = entry.hook();
		return Step.of(INSTANCE, entry, hook::onResponse);
	}

	private static Step<LlmCall, LlmOutcome, LlmDecision> learning(HookEntry<PostLlmHook> entry) {
		PostLlmHook hook = entry.hook();
		return Step.of(INSTANCE, entry, (call, outcome) -> {
			hook.postCall(outcome);
			return null;
		});
	}

	@Override
	protected @Nullable String target(LlmCall call) {
		return call.model();
	}

	/**
	 * No hook may change the tools of a call, nor its caller, who decides which hooks are
	 * for it.
	 */
	@Override
	protected LlmCall change(LlmCall call, LlmDecision modification, String hook) {
		LlmCall changed = ((LlmDecision.Modify) modification).call();
		if (!changed.tools().equals(call.tools())) {
			logger.warn("The hook '{}' changed the tools of a model call, which no hook can; they stay", hook);
		}
		return new LlmCall(call.id(), changed.messages(), changed.model(), changed.options(), call.tools(),
				call.context());
	}

	@Override
	protected LlmResponse answer(LlmDecision answer) {
		return ((LlmDecision.Respond) answer).response();
	}

	@Override
	protected LlmResponse denied(String hook, String reason) {
		return LlmResponse.denied(hook, reason);
	}

	@Override
	protected LlmResponse withheld(LlmResponse before, String hook, String reason) {
		return LlmResponse.withheld(hook, reason, before);
	}

	@Override
	protected @Nullable RuntimeException exception(LlmCall call, String hook, LlmDecision refusal) {
		AbortScope scope = refusal.scope();
		return (scope != null) ? new LlmCallAbortedException(call, hook, HookDecision.reasonOf(refusal.reason()), scope)
				: null;
	}

	@Override
	protected LlmCall inform(LlmCall call, String additionalContext) {
		return call.withAdditionalContext(additionalContext);
	}

	@Override
	protected void end(Passage<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> passage, Ending ending,
			@Nullable LlmResponse original, @Nullable LlmResponse response, @Nullable Throwable failure) {
		LlmOutcome outcome = new LlmOutcome(passage.requested(), passage.call(), passage.decision(),
				passage.decidedBy(), status(ending), original, response, failure, passage.duration(),
				passage.replacedBy(), passage.failedOpen(), passage.wouldDeny(), passage.withheld());
		passage.tellEnd(outcome, LlmCallEvent.Ended::new);
	}

	private static LlmCallStatus status(Ending ending) {
		return switch (ending) {
			case SUCCEEDED -> LlmCallStatus.SUCCEEDED;
			case FAILED -> LlmCallStatus.FAILED;
			case DENIED, DISABLED -> LlmCallStatus.DENIED;
			case ANSWERED -> LlmCallStatus.ANSWERED;
			case ABORTED, PENDING -> LlmCallStatus.ABORTED;
			case CANCELLED -> LlmCallStatus.CANCELLED;
		};
	}

	private static LlmDecision explained(LlmDecision refusal, String reason) {
		HookRule rule = HookRule.replacing(refusal);
		if (refusal instanceof LlmDecision.Abort abort) {
			return new LlmDecision.Abort(reason, abort.scope(), rule);
		}
		return (refusal instanceof LlmDecision.Deny deny) ? new LlmDecision.Deny(reason, deny.additionalContext(), rule)
				: refusal;
	}

	@Override
	protected LlmCallEvent started(LlmCall call) {
		return new LlmCallEvent.Started(call);
	}

	@Override
	protected LlmCallEvent hookFailed(LlmCall call, String hook, String failure) {
		return new LlmCallEvent.HookFailed(call, hook, failure);
	}

	@Override
	protected LlmCallEvent failedOpen(LlmCall call, String hook, String failure) {
		return new LlmCallEvent.FailedOpen(call, hook, failure);
	}

	@Override
	protected LlmCallEvent modified(LlmCall before, LlmCall call, String hook) {
		return new LlmCallEvent.Modified(before, call, hook);
	}

	@Override
	protected LlmCallEvent replaced(LlmCall call, LlmResponse before, LlmResponse response, String hook) {
		return new LlmCallEvent.ResponseReplaced(call, before, response, hook);
	}

}
