package io.agenthooks.llmcall;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.RefusalText;
import io.agenthooks.chain.Gate;
import io.agenthooks.chain.HookChain;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Probe;

/**
 * Asks the hooks about a model call, has the model asked if none objects, and tells the
 * hooks how the call ended:
 * <ol>
 * <li>The call is refused at once if its run was aborted.</li>
 * <li>Pre-call hooks are asked one after the other, each with the call as the hooks
 * before it left it. The first to deny, respond or abort settles the call. A hook that
 * fails denies.</li>
 * <li>Every {@linkplain PreLlmHook#isRepeatable() policy} has to agree to the final
 * call.</li>
 * <li>The model is asked, or the agent gets the reason or the answer, or an exception
 * ends the turn or the run.</li>
 * <li>Response hooks may replace what the model or a hook answered.</li>
 * <li>Post-call hooks learn how the call ended, whatever happened.</li>
 * </ol>
 * A call that is streamed takes the same way in two steps: {@link #begin} and, with what
 * the model answered, {@link LlmCallInProgress#finish}.
 * <p>
 * The chain blocks the calling thread and starts none. It is safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class LlmHookChain extends HookChain<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> {

	private volatile RefusalText refusalText = RefusalText.of(RefusalText.DEFAULT);

	/**
	 * Create a chain of hooks for all calls.
	 * @param preCall the hooks that decide before the model is asked, in order
	 * @param responses the hooks that may replace responses, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public LlmHookChain(List<? extends PreLlmHook> preCall, List<? extends LlmResponseHook> responses,
			List<? extends PostLlmHook> postCall) {
		this(preCall.stream().map(HookEntry::<PreLlmHook>of).toList(),
				responses.stream().map(HookEntry::<LlmResponseHook>of).toList(),
				postCall.stream().map(HookEntry::<PostLlmHook>of).toList(), null, new AbortedRuns());
	}

	/**
	 * Create a chain.
	 * @param preCall the hooks that decide before the model is asked, in order
	 * @param responses the hooks that may replace responses, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param listener gets every event, or {@code null} for none
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public LlmHookChain(List<HookEntry<PreLlmHook>> preCall, List<HookEntry<LlmResponseHook>> responses,
			List<HookEntry<PostLlmHook>> postCall, @Nullable LlmCallListener listener, AbortedRuns abortedRuns) {
		super(new Gate<>(LlmKind.instance(), LlmKind.hooks(preCall, responses, postCall), listener, null, abortedRuns));
	}

	/**
	 * Put other hooks into the place of all present ones. Calls that are under way keep
	 * the hooks that they began with.
	 * @param preCall the hooks that decide before the model is asked, in order
	 * @param responses the hooks that may replace responses, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public void replaceEntries(List<HookEntry<PreLlmHook>> preCall, List<HookEntry<LlmResponseHook>> responses,
			List<HookEntry<PostLlmHook>> postCall) {
		this.gate.setHooks(LlmKind.hooks(preCall, responses, postCall));
	}

	/**
	 * Return the text for a person who waits without a model in front. The chain itself
	 * shows it to nobody.
	 * @return the text
	 */
	public RefusalText getRefusalText() {
		return this.refusalText;
	}

	/**
	 * Replace what a person reads whom no model is in front of.
	 * @param refusalText the text
	 */
	public void setRefusalText(RefusalText refusalText) {
		this.refusalText = Objects.requireNonNull(refusalText, "'refusalText' must not be null");
	}

	/**
	 * Whether there is no hook. Some may watch nevertheless.
	 * @return {@code true} if calls go their way
	 */
	public boolean isEmpty() {
		return this.gate.getHooks().isEmpty();
	}

	/**
	 * Whether there is neither a hook nor an active watch.
	 * @return {@code true} if the chain can be skipped
	 */
	public boolean isIdle() {
		return isEmpty() && !this.gate.isWatchedWithoutHooks();
	}

	/**
	 * Whether there is neither a hook nor any watch.
	 * @return {@code true} if the chain can be skipped until these change
	 */
	public boolean isUnused() {
		return isEmpty() && !this.gate.canBeWatchedWithoutHooks();
	}

	/**
	 * Let a call pass the hooks and, if none objects, ask the model.
	 * @param call the call
	 * @param executor asks the model
	 * @return the response of the model, the answer of a hook, or the reason of a denial
	 * @throws LlmCallAbortedException if a hook ends the turn or the run
	 */
	public LlmResponse execute(LlmCall call, LlmExecutor executor) {
		LlmCallInProgress progress = begin(call);
		LlmResponse settled = progress.settled();
		if (settled != null) {
			return settled;
		}
		LlmResponse response;
		try {
			response = Objects.requireNonNull(executor.execute(progress.call()), "The model gave no response");
		}
		catch (Throwable ex) {
			progress.fail(ex);
			throw ex;
		}
		return progress.finish(response);
	}

	/**
	 * Let a call pass the hooks that decide before the model is asked.
	 * @param call the call
	 * @return the call in progress. Unless it is {@linkplain LlmCallInProgress#settled()
	 * settled}, the caller asks the model and ends it by {@code finish}, {@code fail} or
	 * {@code cancel}.
	 * @throws LlmCallAbortedException if a hook ends the turn or the run
	 */
	public LlmCallInProgress begin(LlmCall call) {
		if (Probe.deny(this)) {
			throw new LlmCallAbortedException(call, "probe", "it only proves the gate", AbortScope.RUN);
		}
		Nesting nesting = Nesting.ofThisThread();
		String root = nesting.rootRunAround(call.context());
		LlmCall rooted = (root != null) ? call.withContext(call.context().withRootRunId(root)) : call;
		nesting.enter();
		try {
			Passage<LlmCall, LlmResponse, LlmDecision, LlmCallEvent> passage = this.gate.enter(rooted);
			return new LlmCallInProgress(passage, passage.begin(nesting, null));
		}
		finally {
			nesting.leave();
		}
	}

}
