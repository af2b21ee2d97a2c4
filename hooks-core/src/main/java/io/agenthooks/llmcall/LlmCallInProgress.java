package io.agenthooks.llmcall;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.chain.HookDecision;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Passage;

/**
 * A model call that the hooks have decided about, until it ends. Whoever asks the model
 * ends it, once; what comes after the first end changes nothing. Any thread may end it.
 *
 * @since 0.1.0
 */
public final class LlmCallInProgress {

	private final LlmHookChain chain;

	private final Passage<LlmCall, LlmDecision, LlmCallEvent> passage;

	private List<String> replacedBy = List.of();

	private @Nullable LlmResponse originalResponse;

	private volatile @Nullable LlmResponse settled;

	LlmCallInProgress(LlmHookChain chain, Passage<LlmCall, LlmDecision, LlmCallEvent> passage) {
		this.chain = chain;
		this.passage = passage;
	}

	/**
	 * The call as the model has to get it.
	 * @return the call as the hooks left it
	 */
	public LlmCall call() {
		return this.passage.call();
	}

	/**
	 * What the agent gets without the model being asked.
	 * @return the response if a hook denied or answered the call, which then has ended;
	 * otherwise {@code null}
	 */
	public @Nullable LlmResponse settled() {
		return this.settled;
	}

	/**
	 * Whether a hook may replace the response, so that nobody must see a part of it
	 * before it is finished.
	 * @return {@code false} if it may be shown as it comes
	 */
	public boolean hasResponseHooks() {
		return this.chain.responses.stream().anyMatch((entry) -> !entry.observe() && this.passage.isFor(entry));
	}

	void begin() {
		this.passage.tell(new LlmCallEvent.Started(this.passage.requested()));
		this.passage.decide(this.chain.preCall, PreLlmHook::preCall, PreLlmHook::isRepeatable);
		LlmDecision decision = this.passage.decision();
		switch (decision.verdict()) {
			case DENY -> {
				LlmResponse denial = LlmResponse.denied(
						"Model call denied by hook '%s': %s".formatted(this.passage.decidedBy(), decision.reason()),
						null);
				throwIfFatal(LlmCallStatus.DENIED);
				this.settled = denial;
				end(LlmCallStatus.DENIED, denial, null);
			}
			case ABORT -> throw abort(decision, Objects.requireNonNull(this.passage.decidedBy()));
			case RESPOND -> {
				this.settled = finish(((LlmDecision.Respond) decision).response(), LlmCallStatus.ANSWERED);
			}
			default -> {
				String context = this.passage.additionalContext();
				if (context != null) {
					this.passage.complete(call().withAdditionalContext(context));
				}
			}
		}
	}

	/**
	 * End the call with what the model answered.
	 * @param response the response
	 * @return what the agent gets: the response, or what hooks put into its place
	 * @throws LlmCallAbortedException if a hook ends the turn or the run
	 * @throws CancellationException if the call has ended already
	 */
	public LlmResponse finish(LlmResponse response) {
		return finish(Objects.requireNonNull(response, "'response' must not be null"), LlmCallStatus.SUCCEEDED);
	}

	private LlmResponse finish(LlmResponse response, LlmCallStatus status) {
		if (!this.passage.claimEnd()) {
			throw new CancellationException("The model call has ended already");
		}
		this.originalResponse = response;
		LlmResponse replaced = response;
		for (HookEntry<LlmResponseHook> entry : this.chain.responses) {
			replaced = decide(entry, replaced);
			throwIfFatal(status);
		}
		tellEnd(status, replaced, null);
		return replaced;
	}

	private LlmResponse decide(HookEntry<LlmResponseHook> entry, LlmResponse response) {
		LlmDecision decision = this.passage.ask(entry, (hook) -> hook.onResponse(call(), response),
				"the response is withheld");
		return switch (decision.verdict()) {
			case APPROVE -> response;
			case RESPOND -> replace(response, ((LlmDecision.Respond) decision).response(), entry.name());
			case DENY -> withhold(response, HookDecision.reasonOf(decision.reason()), entry.name());
			case MODIFY, ASK -> withhold(response, "The hook decided what cannot be done to a response", entry.name());
			case ABORT -> {
				this.passage.refuse(decision, entry.name());
				throw abort(decision, entry.name());
			}
		};
	}

	private LlmResponse withhold(LlmResponse before, String reason, String hook) {
		return replace(before,
				LlmResponse.denied("Model response withheld by hook '%s': %s".formatted(hook, reason), before), hook);
	}

	private LlmResponse replace(LlmResponse before, LlmResponse response, String hook) {
		this.replacedBy = Passage.with(this.replacedBy, hook);
		this.passage.tell(new LlmCallEvent.ResponseReplaced(call(), before, response, hook));
		return response;
	}

	private LlmCallAbortedException abort(LlmDecision decision, String hook) {
		LlmCallAbortedException ex = new LlmCallAbortedException(call(), hook, HookDecision.reasonOf(decision.reason()),
				Objects.requireNonNullElse(decision.scope(), AbortScope.RUN));
		this.passage.claimEnd();
		tellEnd(LlmCallStatus.ABORTED, null, ex);
		return ex;
	}

	/**
	 * End the call with what went wrong when the model was asked.
	 * @param failure what went wrong
	 */
	public void fail(Throwable failure) {
		end(LlmCallStatus.FAILED, null, failure);
	}

	/**
	 * End the call because nobody waits for its response any more.
	 */
	public void cancel() {
		end(LlmCallStatus.CANCELLED, null, null);
	}

	private void throwIfFatal(LlmCallStatus status) {
		Error fatal = this.passage.fatal();
		if (fatal != null) {
			this.passage.claimEnd();
			tellEnd(status, null, fatal);
			throw fatal;
		}
	}

	private void end(LlmCallStatus status, @Nullable LlmResponse response, @Nullable Throwable failure) {
		if (this.passage.claimEnd()) {
			tellEnd(status, response, failure);
		}
	}

	private void tellEnd(LlmCallStatus status, @Nullable LlmResponse response, @Nullable Throwable failure) {
		LlmOutcome outcome = new LlmOutcome(this.passage.requested(), call(), this.passage.decision(),
				this.passage.decidedBy(), status, this.originalResponse, response, failure, this.passage.duration(),
				this.replacedBy, this.passage.failedOpen(), this.passage.wouldDeny());
		this.passage.end(this.chain.postCall, PostLlmHook::postCall, outcome, LlmCallEvent.Ended::new);
	}

}
