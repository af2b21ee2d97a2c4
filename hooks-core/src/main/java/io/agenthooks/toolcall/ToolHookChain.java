package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.Failures;
import io.agenthooks.chain.Probe;

/**
 * Asks the hooks about a tool call, runs the tool if none objects, and tells the hooks
 * how the call ended. This file is the whole flow of a call:
 * <ol>
 * <li>The call is refused at once if tools are switched off, or if its run was
 * aborted.</li>
 * <li>Pre-call hooks are asked one after the other, each with the arguments as the hooks
 * before it left them. The first to deny, respond or abort settles the call. A hook that
 * fails denies.</li>
 * <li>Every {@linkplain PreToolHook#isRepeatable() policy} has to agree to the final
 * arguments: those that were asked before a change are asked again, and those after an
 * answer are asked too.</li>
 * <li>The {@linkplain ToolExecutor#objection tool} must accept the final arguments.</li>
 * <li>If a hook wants a person to approve, the {@link ToolApprover} is asked, about the
 * final arguments.</li>
 * <li>The tool runs, or the agent gets the reason or the answer, or an exception ends the
 * turn or the run.</li>
 * <li>Result hooks may replace what the tool returned or a hook answered.</li>
 * <li>Post-call hooks learn how the call ended, whatever happened.</li>
 * </ol>
 * The chain blocks the calling thread and starts none. It is safe for use by many
 * threads. Its hooks can be {@linkplain #replaceHooks replaced} as a whole; a call that
 * is under way keeps those that it began with.
 *
 * @since 0.1.0
 */
public final class ToolHookChain {

	/**
	 * The most characters that the arguments of a call may have as JSON, unless the
	 * application says otherwise.
	 */
	public static final int DEFAULT_MAX_ARGUMENTS_SIZE = 8 * 1024 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(ToolHookChain.class);

	private static final ToolResult PROBED = ToolResult.failure("Tool call denied: it only proves the gate");

	private final ToolApprover approver;

	private final @Nullable ToolCallListener listener;

	private final AbortedRuns abortedRuns;

	private final Map<String, WarningThrottle> warnings = new ConcurrentHashMap<>();

	private volatile HookSet hooks;

	private volatile boolean toolsEnabled = true;

	private volatile int maxArgumentsSize = DEFAULT_MAX_ARGUMENTS_SIZE;

	/**
	 * Create a chain in which nobody can be asked for approval.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends PostToolHook> postCall) {
		this(preCall, postCall, ToolApprover.nobody());
	}

	/**
	 * Create a chain of hooks that decide and hooks that learn.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends PostToolHook> postCall,
			ToolApprover approver) {
		this(preCall, List.of(), postCall, approver, null);
	}

	/**
	 * Create a chain.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 * @param listener who hears of everything that happens, or {@code null} for nobody
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall, ToolApprover approver, @Nullable ToolCallListener listener) {
		this(preCall, results, postCall, approver, listener, new AbortedRuns());
	}

	/**
	 * Create a chain that refuses what other chains have aborted.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 * @param listener who hears of everything that happens, or {@code null} for nobody
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall, ToolApprover approver, @Nullable ToolCallListener listener,
			AbortedRuns abortedRuns) {
		this.abortedRuns = Objects.requireNonNull(abortedRuns, "'abortedRuns' must not be null");
		this.hooks = HookSet.of(preCall, results, postCall);
		this.approver = Objects.requireNonNull(approver, "'approver' must not be null");
		this.listener = listener;
	}

	/**
	 * Put other hooks into the place of all present ones. Calls that are under way keep
	 * the hooks that they began with.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public void replaceHooks(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall) {
		this.hooks = HookSet.of(preCall, results, postCall);
	}

	/**
	 * Switch all tools on or off. While they are off every call is denied without asking
	 * a hook. One that waits for a hook or an approval is denied when that has answered;
	 * a tool that already runs is not stopped.
	 * @param enabled whether tools may run
	 */
	public void setToolsEnabled(boolean enabled) {
		this.toolsEnabled = enabled;
	}

	/**
	 * Whether tools may run.
	 * @return {@code true} unless switched off
	 */
	public boolean isToolsEnabled() {
		return this.toolsEnabled;
	}

	/**
	 * Set how large the arguments of a call may be. One with larger arguments is denied
	 * without asking a hook, and so is one whose arguments a hook makes larger.
	 * @param maxArgumentsSize the most characters that they may have as JSON
	 */
	public void setMaxArgumentsSize(int maxArgumentsSize) {
		if (maxArgumentsSize < 2) {
			throw new IllegalArgumentException("'maxArgumentsSize' must be 2 or more");
		}
		this.maxArgumentsSize = maxArgumentsSize;
	}

	/**
	 * How large the arguments of a call may be. Who reads arguments from a text refuses a
	 * longer one before reading it.
	 * @return the most characters that they may have as JSON
	 */
	public int getMaxArgumentsSize() {
		return this.maxArgumentsSize;
	}

	/**
	 * Forget that a run was aborted: it is over, and another may begin under its id.
	 * @param run the id of the run
	 * @return whether it had been aborted
	 */
	public boolean endRun(String run) {
		return this.abortedRuns.endRun(run);
	}

	/**
	 * Forget that a session was aborted, by a call that knew no run: it is over, and
	 * another may begin under its id.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether it had been aborted
	 */
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return this.abortedRuns.endSession(session, user, agent);
	}

	/**
	 * Let a call pass the hooks and, if none objects, run its tool.
	 * @param call the call
	 * @param executor runs the tool
	 * @return what the agent gets: the result of the tool, the answer of a hook, or a
	 * failed result with the reason of the denial
	 * @throws ToolCallAbortedException if a hook ends the turn or the run
	 */
	public ToolResult execute(ToolCall call, ToolExecutor executor) {
		if (Probe.deny(this)) {
			return PROBED;
		}
		if (isTooLarge(call)) {
			return refuse(call.withArguments(Map.of()), BuiltInDecider.ARGUMENTS.value(), tooLarge());
		}
		HookSet hooks = this.hooks;
		ToolCallListener listener = whoListens();
		if (hooks.isEmpty() && listener == null && this.toolsEnabled && this.abortedRuns.isEmpty()
				&& executor.objection(call) == null) {
			return executor.execute(call);
		}
		Nesting nesting = Nesting.ofThisThread();
		if (nesting.isRunning(this, call)) {
			return executor.execute(call);
		}
		nesting.enter();
		try {
			Ruling ruling = new Ruling(call, hooks.forTool(call.identity()), listener);
			if (listener != null) {
				tell(new ToolCallEvent.Started(call), ruling);
			}
			decide(ruling, executor, nesting);
			return carryOut(ruling, executor, nesting);
		}
		finally {
			nesting.leave();
		}
	}

	/**
	 * Deny a call that is not one to decide about, because its arguments cannot be read
	 * or nobody knows the tool. Who observes calls learns of it as of any other denial.
	 * @param call the call, as far as it is known
	 * @param refusedBy who denies it, in place of a hook's name
	 * @param reason why; the model gets to read it
	 * @return a failed result with the reason
	 * @throws ToolCallAbortedException if the run of the call was aborted
	 */
	public ToolResult refuse(ToolCall call, String refusedBy, String reason) {
		if (Probe.deny(this)) {
			return PROBED;
		}
		Ruling ruling = new Ruling(call, this.hooks.forTool(call.identity()), whoListens());
		tell(new ToolCallEvent.Started(call), ruling);
		admit(ruling);
		if (!ruling.isRefused()) {
			ruling.settle(ToolDecision.deny(reason), refusedBy);
		}
		if (ruling.decision instanceof ToolDecision.Abort abort) {
			throw abort(ruling, abort);
		}
		return deny(ruling, (ToolDecision.Deny) ruling.decision);
	}

	private boolean isTooLarge(ToolCall call) {
		return call.length() > this.maxArgumentsSize;
	}

	private String tooLarge() {
		return "The arguments are too large: they may have %d characters".formatted(this.maxArgumentsSize);
	}

	private @Nullable ToolCallListener whoListens() {
		try {
			return (this.listener != null && this.listener.isListening()) ? this.listener : null;
		}
		catch (RuntimeException ex) {
			return this.listener;
		}
	}

	private void decide(Ruling ruling, ToolExecutor executor, Nesting nesting) {
		admit(ruling);
		if (!ruling.isRefused() && nesting.isTooDeep()) {
			ruling.settle(ToolDecision.deny("Calls of tools are nested too deep"),
					BuiltInDecider.NESTING_LIMIT.value());
		}
		if (!ruling.isRefused()) {
			askHooks(ruling);
		}
		if (!ruling.isRefused()) {
			askPolicies(ruling);
		}
		askTool(ruling, executor);
		if (!ruling.isRefused() && ruling.question != null) {
			askApprover(ruling, ruling.question);
			askTool(ruling, executor);
		}
		if (!ruling.isRefused()) {
			// The answer of a hook or of a person may have taken long.
			admit(ruling);
		}
	}

	/**
	 * Refuse what is not for hooks to decide.
	 */
	private void admit(Ruling ruling) {
		if (!this.toolsEnabled) {
			ruling.disabled = true;
			ruling.settle(ToolDecision.deny("Tools are switched off"), BuiltInDecider.KILL_SWITCH.value());
			return;
		}
		AbortedRuns.Abortion abortion = this.abortedRuns.find(ruling.call.context());
		if (abortion != null) {
			ruling.settle(ToolDecision.abortRun(abortion.reason()), abortion.hook());
		}
		else if (this.abortedRuns.isFullFor(ruling.call.context())) {
			ruling.settle(ToolDecision.deny("Too many aborted runs have not ended"),
					BuiltInDecider.ABORT_LIMIT.value());
		}
	}

	private void askHooks(Ruling ruling) {
		NamedPreToolHook[] hooks = ruling.hooks.preCall;
		for (int i = 0; i < hooks.length; i++) {
			NamedPreToolHook hook = hooks[i];
			ToolDecision decision = ask(hook, ruling);
			switch (decision.verdict()) {
				case APPROVE -> approve((ToolDecision.Approve) decision, hook.name(), ruling);
				case MODIFY -> {
					change((ToolDecision.Modify) decision, hook.name(), ruling);
					ruling.unseenBefore = i;
				}
				case ASK -> ruling.ask((ToolDecision.Ask) decision, hook.name());
				case RESPOND -> {
					ruling.settle(decision, hook.name());
					ruling.unseenFrom = i + 1;
					return;
				}
				case DENY, ABORT -> {
					refuse(decision, hook.name(), ruling);
					return;
				}
			}
		}
	}

	/**
	 * Ask the policies that have not seen the final arguments. They may object; they may
	 * no longer change anything, nor need they if the tool will not run.
	 */
	private void askPolicies(Ruling ruling) {
		NamedPreToolHook[] hooks = ruling.hooks.preCall;
		for (int i = 0; i < hooks.length; i++) {
			NamedPreToolHook hook = hooks[i];
			if (!hook.isRepeatable() || (i >= ruling.unseenBefore && i < ruling.unseenFrom)) {
				continue;
			}
			ToolDecision decision = ask(hook, ruling);
			switch (decision.verdict()) {
				case APPROVE -> approve((ToolDecision.Approve) decision, hook.name(), ruling);
				case MODIFY -> {
					if (!ruling.isAnswered()
							&& !((ToolDecision.Modify) decision).arguments().equals(ruling.call.arguments())) {
						ruling.settle(ToolDecision.deny("The hook wants to change arguments that are final"),
								hook.name());
						return;
					}
				}
				case ASK -> ruling.ask((ToolDecision.Ask) decision, hook.name());
				case RESPOND -> {
					if (!ruling.isAnswered()) {
						ruling.settle(decision, hook.name());
					}
				}
				case DENY, ABORT -> {
					refuse(decision, hook.name(), ruling);
					return;
				}
			}
		}
	}

	/**
	 * Ask whether the tool can be called with these arguments, if it is about to be.
	 */
	private void askTool(Ruling ruling, ToolExecutor executor) {
		if (ruling.isRefused() || ruling.isAnswered()) {
			return;
		}
		try {
			String objection = (isTooLarge(ruling.call)) ? tooLarge() : executor.objection(ruling.call);
			if (objection != null) {
				ruling.settle(ToolDecision.deny(objection), BuiltInDecider.ARGUMENTS.value());
			}
		}
		catch (Throwable ex) {
			ruling.thrown = ex;
			Failures.log(logger, "The check of the arguments", ex, "the call is denied");
			ruling.settle(ToolDecision.deny("The arguments could not be checked"), BuiltInDecider.ARGUMENTS.value());
		}
	}

	private ToolDecision ask(NamedPreToolHook hook, Ruling ruling) {
		logger.trace("Asking the hook '{}'", hook.name());
		try {
			@Nullable ToolDecision decision = hook.preCall(ruling.call);
			return (decision != null) ? heard(decision, ruling) : undecided(hook.name(), ruling);
		}
		catch (Throwable ex) {
			return failed(hook.name(), ex, "the call is denied", ruling);
		}
	}

	private static ToolDecision heard(ToolDecision decision, Ruling ruling) {
		ruling.add(decision.additionalContext());
		return decision;
	}

	private ToolDecision failed(String hook, Throwable ex, String consequence, Ruling ruling) {
		ruling.thrown = ex;
		Failures.log(logger, "The hook '" + hook + "'", ex, consequence);
		tell(new ToolCallEvent.HookFailed(ruling.call, hook, ex.getClass().getName()), ruling);
		return ToolDecision.deny("The hook failed");
	}

	private ToolDecision undecided(String hook, Ruling ruling) {
		logger.warn("The hook '{}' decided nothing; that counts as a denial", hook);
		tell(new ToolCallEvent.HookFailed(ruling.call, hook, "no decision"), ruling);
		return ToolDecision.deny("The hook decided nothing");
	}

	private void approve(ToolDecision.Approve approval, String hook, Ruling ruling) {
		if (approval.failure() != null) {
			ruling.failedOpen = with(ruling.failedOpen, hook);
			this.warnings.computeIfAbsent(hook, (name) -> new WarningThrottle(logger))
				.warn("The hook '%s' failed open on the call '%s': %s".formatted(hook, SafeText.name(ruling.call.id()),
						approval.failure()));
			tell(new ToolCallEvent.FailedOpen(ruling.call, hook, approval.failure()), ruling);
		}
		if (approval.observed() == Verdict.DENY || approval.observed() == Verdict.ABORT) {
			ruling.wouldDeny = with(ruling.wouldDeny, hook);
		}
	}

	private void change(ToolDecision.Modify modification, String hook, Ruling ruling) {
		ToolCall before = ruling.call;
		ruling.call = before.withArguments(modification.arguments());
		ruling.settle(modification, hook);
		tell(new ToolCallEvent.Modified(before, ruling.call, hook), ruling);
	}

	private void refuse(ToolDecision decision, String hook, Ruling ruling) {
		ruling.settle(decision, hook);
		if (decision instanceof ToolDecision.Deny denial && denial.budgetExceeded()) {
			tell(new ToolCallEvent.BudgetExceeded(ruling.call, denial.reason(), hook), ruling);
		}
		if (decision instanceof ToolDecision.Abort abort && abort.scope() == AbortScope.RUN) {
			this.abortedRuns.remember(ruling.call.context(), abort.reason(), hook);
		}
	}

	/**
	 * Ask the approver. A person who changes the arguments has approved the changed ones,
	 * so policies may still object but need not ask again.
	 */
	private void askApprover(Ruling ruling, ToolDecision.Ask question) {
		String asker = Objects.requireNonNull(ruling.asker);
		tell(new ToolCallEvent.ApprovalRequested(ruling.call, question, asker), ruling);
		ToolDecision answer = answer(ruling, question, asker);
		tell(new ToolCallEvent.ApprovalSettled(ruling.call, question, answer, asker), ruling);
		switch (answer.verdict()) {
			case APPROVE -> approve((ToolDecision.Approve) answer, asker, ruling);
			case MODIFY -> {
				if (ruling.isAnswered()) {
					ruling.settle(ToolDecision.deny("The approver changed a call that a hook had answered"), asker);
					return;
				}
				change((ToolDecision.Modify) answer, asker, ruling);
				ruling.unseenBefore = ruling.hooks.preCall.length;
				askPolicies(ruling);
			}
			case DENY, ABORT -> refuse(answer, asker, ruling);
			case ASK, RESPOND -> throw new IllegalStateException("No answer to a question");
		}
	}

	private ToolDecision answer(Ruling ruling, ToolDecision.Ask question, String asker) {
		try {
			@Nullable ToolDecision answer = this.approver.approve(ruling.call, question);
			return (answer == null || answer.verdict() == Verdict.ASK || answer.verdict() == Verdict.RESPOND)
					? ToolDecision.deny("The approver neither approved nor denied") : heard(answer, ruling);
		}
		catch (Throwable ex) {
			ruling.thrown = ex;
			Failures.log(logger, "The approver", ex, "the call is denied");
			tell(new ToolCallEvent.HookFailed(ruling.call, asker, ex.getClass().getName()), ruling);
			return ToolDecision.deny("The approver failed");
		}
	}

	private ToolResult carryOut(Ruling ruling, ToolExecutor executor, Nesting nesting) {
		return switch (ruling.decision.verdict()) {
			case APPROVE, MODIFY -> run(ruling, executor, nesting);
			case RESPOND -> finish(ruling, ToolCallStatus.ANSWERED, ((ToolDecision.Respond) ruling.decision).result());
			case DENY -> deny(ruling, (ToolDecision.Deny) ruling.decision);
			case ABORT -> throw abort(ruling, (ToolDecision.Abort) ruling.decision);
			case ASK -> throw new IllegalStateException("A question does not settle a call");
		};
	}

	private ToolResult run(Ruling ruling, ToolExecutor executor, Nesting nesting) {
		ToolResult result;
		try {
			@Nullable ToolResult returned = nesting.run(this, ruling.call, executor);
			result = (returned != null) ? returned : ToolResult.failure("The tool returned nothing");
		}
		catch (Throwable ex) {
			// end(..) asks this too; asked here, it spares the ruling an allocation.
			if (ruling.isObserved()) {
				end(ruling, ToolCallStatus.FAILED, null, ex);
			}
			throw ex;
		}
		return finish(ruling, (result.succeeded()) ? ToolCallStatus.SUCCEEDED : ToolCallStatus.FAILED, result);
	}

	private ToolResult deny(Ruling ruling, ToolDecision.Deny decision) {
		ToolCallStatus status = (ruling.disabled) ? ToolCallStatus.DISABLED : ToolCallStatus.DENIED;
		throwIfFatal(ruling, status);
		ToolResult result = ruling.complete(
				ToolResult.failure("Tool call denied by hook '%s': %s".formatted(ruling.decidedBy, decision.reason())));
		end(ruling, status, result, null);
		return result;
	}

	/**
	 * A failure of the virtual machine itself is the caller's, too.
	 */
	private void throwIfFatal(Ruling ruling, ToolCallStatus status) {
		if (ruling.thrown instanceof VirtualMachineError error && Failures.isFatal(error)) {
			end(ruling, status, null, error);
			throw error;
		}
	}

	private ToolCallAbortedException abort(Ruling ruling, ToolDecision.Abort decision) {
		ToolCallAbortedException ex = ToolCallAbortedException.of(ruling.call, ruling.decider(), decision);
		end(ruling, ToolCallStatus.ABORTED, null, ex);
		return ex;
	}

	/**
	 * Let the result hooks see what the agent would get.
	 */
	private ToolResult finish(Ruling ruling, ToolCallStatus status, ToolResult result) {
		ruling.originalResult = result;
		ToolResult replaced = result;
		for (NamedToolResultHook hook : ruling.hooks.results) {
			replaced = decideResult(hook, replaced, ruling);
			throwIfFatal(ruling, status);
		}
		ToolResult complete = ruling.complete(replaced);
		end(ruling, status, complete, null);
		return complete;
	}

	private ToolResult decideResult(NamedToolResultHook hook, ToolResult result, Ruling ruling) {
		ToolDecision decision = ask(hook, result, ruling);
		return switch (decision.verdict()) {
			case APPROVE -> {
				approve((ToolDecision.Approve) decision, hook.name(), ruling);
				yield result;
			}
			case RESPOND -> replace(result, ((ToolDecision.Respond) decision).result(), hook.name(), ruling);
			case DENY -> withhold(result, ((ToolDecision.Deny) decision).reason(), hook.name(), ruling);
			case MODIFY, ASK ->
				withhold(result, "The hook decided what cannot be done to a result", hook.name(), ruling);
			case ABORT -> {
				refuse(decision, hook.name(), ruling);
				throw abort(ruling, (ToolDecision.Abort) decision);
			}
		};
	}

	private ToolDecision ask(NamedToolResultHook hook, ToolResult result, Ruling ruling) {
		try {
			@Nullable ToolDecision decision = hook.onResult(ruling.call, result);
			return (decision != null) ? heard(decision, ruling) : undecided(hook.name(), ruling);
		}
		catch (Throwable ex) {
			return failed(hook.name(), ex, "the result is withheld", ruling);
		}
	}

	private ToolResult withhold(ToolResult before, String reason, String hook, Ruling ruling) {
		return replace(before, ToolResult.failure("Tool result withheld by hook '%s': %s".formatted(hook, reason)),
				hook, ruling);
	}

	private ToolResult replace(ToolResult before, ToolResult result, String hook, Ruling ruling) {
		ruling.replacedBy = with(ruling.replacedBy, hook);
		tell(new ToolCallEvent.ResultReplaced(ruling.call, before, result, hook), ruling);
		return result;
	}

	private void end(Ruling ruling, ToolCallStatus status, @Nullable ToolResult result, @Nullable Throwable failure) {
		if (!ruling.isObserved()) {
			return;
		}
		ToolOutcome outcome = ruling.outcome(status, result, failure);
		for (NamedPostToolHook hook : ruling.hooks.postCall) {
			try {
				hook.postCall(outcome);
			}
			catch (Throwable ex) {
				Failures.log(logger, "The post-call hook '" + hook.name() + "'", ex, "the outcome stands");
				tell(new ToolCallEvent.HookFailed(ruling.call, hook.name(), ex.getClass().getName()), ruling);
			}
		}
		if (ruling.listener != null) {
			tell(ToolCallEvent.Ended.of(outcome), ruling);
		}
	}

	private static void tell(ToolCallEvent event, Ruling ruling) {
		if (ruling.listener == null) {
			return;
		}
		try {
			ruling.listener.onEvent(event);
		}
		catch (Throwable ex) {
			Failures.log(logger, "A listener to tool calls", ex, "the call goes on");
		}
	}

	private static List<String> with(List<String> names, String name) {
		return (names.contains(name)) ? names : Stream.concat(names.stream(), Stream.of(name)).toList();
	}

}
