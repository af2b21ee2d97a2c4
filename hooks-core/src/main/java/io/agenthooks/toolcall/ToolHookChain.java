package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.Hook;
import io.agenthooks.RefusalText;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.Explained;
import io.agenthooks.chain.Gate;
import io.agenthooks.chain.HookChain;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookSet;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Probe;
import io.agenthooks.chain.WatchedCall;

/**
 * Asks the hooks about a tool call, runs the tool if none objects, and tells the hooks
 * how the call ended:
 * <ol>
 * <li>The call is refused at once if {@linkplain ToolNames#problem no tool can have} its
 * name, if tools are switched off, or if its run was aborted.</li>
 * <li>Pre-call hooks are asked one after the other, each with the arguments as the hooks
 * before it left them. The first to deny, respond or abort settles the call. A hook that
 * fails denies.</li>
 * <li>Every {@linkplain PreToolHook#isRepeatable() policy} has to agree to the final
 * arguments: those that were asked before a change are asked again, and those after an
 * answer are asked too.</li>
 * <li>The {@linkplain ToolExecutor#objection tool} must accept the final arguments.</li>
 * <li>If a hook wants a person to approve, the {@link ToolApprover} is asked, about the
 * final arguments. If it keeps the question until people have time, the turn ends.</li>
 * <li>The tool runs, or the agent gets the reason or the answer, or an exception ends the
 * turn or the run.</li>
 * <li>Result hooks may replace what the tool returned or a hook answered.</li>
 * <li>Post-call hooks learn how the call ended, whatever happened.</li>
 * </ol>
 * The chain blocks the calling thread and starts none. It is safe for use by many
 * threads. Its hooks can be {@linkplain #replaceEntries replaced} as a whole; a call that
 * is under way keeps those that it began with.
 *
 * @since 0.1.0
 */
@SuppressWarnings("try") // bindings only end
public final class ToolHookChain extends HookChain<ToolCall, ToolResult, ToolDecision, ToolCallEvent> {

	/**
	 * The most characters that the arguments of a call may have as JSON, unless the
	 * application says otherwise.
	 */
	public static final int DEFAULT_MAX_ARGUMENTS_SIZE = 8 * 1024 * 1024;

	private static final String NO_TOOL = "No tool can have this name: it ";

	private static final ToolResult PROBED = ToolResult.failure("Tool call denied: it only proves the gate");

	private volatile RefusalText refusalText = RefusalText.of(RefusalText.DEFAULT);

	private volatile int maxArgumentsSize = DEFAULT_MAX_ARGUMENTS_SIZE;

	private volatile @Nullable LastCheck lastCheck;

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
		this(preCall, List.of(), postCall, approver, null, new AbortedRuns());
	}

	/**
	 * Create a chain.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 * @param listener gets every event, or {@code null} for none
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall, ToolApprover approver, @Nullable ToolCallListener listener,
			AbortedRuns abortedRuns) {
		this(ToolKind.hooks(preCall, results, postCall), approver, listener, abortedRuns);
	}

	private ToolHookChain(HookSet<ToolCall, ToolResult, ToolDecision> hooks, ToolApprover approver,
			@Nullable ToolCallListener listener, AbortedRuns abortedRuns) {
		super(new Gate<>(ToolKind.instance(), hooks, listener, new ApproverOfTools(approver), abortedRuns));
	}

	/**
	 * Create a chain of hooks with what is said about each.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 * @param listener gets every event, or {@code null} for none
	 * @param abortedRuns the runs that hooks have aborted
	 * @return the chain
	 */
	public static ToolHookChain of(List<HookEntry<PreToolHook>> preCall, List<HookEntry<ToolResultHook>> results,
			List<HookEntry<PostToolHook>> postCall, ToolApprover approver, @Nullable ToolCallListener listener,
			AbortedRuns abortedRuns) {
		return new ToolHookChain(ToolKind.entries(preCall, results, postCall), approver, listener, abortedRuns);
	}

	/**
	 * Put other hooks into the place of all present ones. Calls that are under way keep
	 * the hooks that they began with.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param results the hooks that may replace results, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public void replaceEntries(List<HookEntry<PreToolHook>> preCall, List<HookEntry<ToolResultHook>> results,
			List<HookEntry<PostToolHook>> postCall) {
		this.gate.setHooks(ToolKind.entries(preCall, results, postCall));
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
	 * Switch all tools on or off. While they are off every call is denied without asking
	 * a hook, also one that waits for a hook or an approval; a tool that runs already is
	 * not stopped.
	 * @param enabled whether tools may run
	 */
	public void setToolsEnabled(boolean enabled) {
		this.gate.setClosed((enabled) ? null : "Tools are switched off");
	}

	/**
	 * Switch some calls off, as {@link #setToolsEnabled} does all, also as they are when
	 * a hook or a person has changed them.
	 * @param reasons finds the reason why a call is denied, which the model reads, or
	 * {@code null} if hooks decide; {@code null} if they decide about all. What fails
	 * denies.
	 */
	public void setToolsOff(@Nullable Function<ToolCall, @Nullable String> reasons) {
		this.gate.setClosedFor(reasons);
	}

	/**
	 * Whether tools may run.
	 * @return {@code true} unless all of them are switched off
	 */
	public boolean isToolsEnabled() {
		return this.gate.isOpen();
	}

	/**
	 * Let somebody say of each call, when its tool is about to run, whether the agent
	 * that makes it still may: if not, its run is aborted.
	 * @param lastCheck says so
	 */
	public void setLastCheck(LastCheck lastCheck) {
		this.lastCheck = Objects.requireNonNull(lastCheck, "'lastCheck' must not be null");
	}

	/**
	 * Set how large the arguments of a call may be, as it comes and as hooks change it:
	 * others are denied.
	 * @param maxArgumentsSize the most characters that they may have as JSON
	 */
	public void setMaxArgumentsSize(int maxArgumentsSize) {
		if (maxArgumentsSize < 2) {
			throw new IllegalArgumentException("'maxArgumentsSize' must be 2 or more");
		}
		this.maxArgumentsSize = maxArgumentsSize;
	}

	/**
	 * Return the largest size of the arguments of a call.
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
		return this.gate.abortedRuns().endRun(run);
	}

	/**
	 * Forget that a run was aborted, and hand on how.
	 * @param run the id of the run
	 * @param heir gets how the run was aborted, if it was, before that is forgotten
	 */
	public void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		this.gate.abortedRuns().endRun(run, heir);
	}

	/**
	 * Forget that a session was aborted: it is over.
	 * @param session the id of the session
	 * @param user the user of its calls, or {@code null} if they have none
	 * @param agent the agent of its calls, or {@code null} if they have none
	 * @return whether it had been aborted
	 */
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		return this.gate.abortedRuns().endSession(session, user, agent);
	}

	/**
	 * Let a call pass the hooks and, if none objects, run its tool.
	 * @param call the call
	 * @param executor runs the tool
	 * @return the result of the tool, the answer of a hook, or a failed result with the
	 * reason of the denial
	 * @throws ToolCallAbortedException if a hook ends the turn or the run
	 */
	public ToolResult execute(ToolCall call, ToolExecutor executor) {
		if (Probe.deny(this)) {
			return PROBED;
		}
		Nesting nesting = Nesting.ofThisThread();
		String root = nesting.rootRunAround(call.context());
		if (root != null) {
			return execute(call.withContext(call.context().withRootRunId(root)), executor);
		}
		if (isTooLarge(call)) {
			return refuse(call.withArguments(Map.of()), BuiltInDecider.ARGUMENTS.value(), tooLarge());
		}
		if (this.lastCheck == null && this.gate.isUnhooked() && executor.objection(call) == null) {
			return (this.gate.isWatched()) ? executeWatched(call, executor) : ToolExecution.alone(call, executor);
		}
		String problem = ToolNames.problem(call.tool());
		if (problem != null) {
			return refuse(call, BuiltInDecider.TOOL_NAME.value(), NO_TOOL + problem);
		}
		ToolResult delivered = nesting.deliver(this, call, executor,
				() -> ToolExecution.orFailure(executor.execute(call)));
		if (delivered != null) {
			return delivered;
		}
		nesting.enter();
		try {
			return execute(this.gate.enter(call), executor, nesting);
		}
		finally {
			nesting.leave();
		}
	}

	/**
	 * Let a call pass the hooks with an answer that belongs to this execution alone:
	 * another call, even an equal one at the same time, never gets it.
	 * @param call the call
	 * @param executor runs the tool
	 * @param approver answers in place of the approver of the chain, on this thread
	 * @return what the agent gets, as above
	 * @throws ToolCallAbortedException if a hook ends the turn or the run
	 */
	public ToolResult execute(ToolCall call, ToolExecutor executor, ToolApprover approver) {
		if (Probe.deny(this)) {
			return PROBED;
		}
		if (isTooLarge(call)) {
			return refuse(call.withArguments(Map.of()), BuiltInDecider.ARGUMENTS.value(), tooLarge());
		}
		String problem = ToolNames.problem(call.tool());
		if (problem != null) {
			return refuse(call, BuiltInDecider.TOOL_NAME.value(), NO_TOOL + problem);
		}
		Nesting nesting = Nesting.ofThisThread();
		nesting.enter();
		try {
			return execute(this.gate.enter(call, new ApproverOfTools(approver)), executor, nesting);
		}
		finally {
			nesting.leave();
		}
	}

	private ToolResult execute(Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage,
			ToolExecutor executor, Nesting nesting) {
		try (WatchedCall.Binding binding = passage.bind()) {
			ToolResult settled = passage.begin(nesting, (call) -> objection(call, executor));
			if (settled != null) {
				return settled;
			}
			checkLast(passage);
			ToolResult result;
			try {
				nesting.carryOut(this, passage.call(), executor);
				try {
					result = ToolExecution.orFailure(executor.execute(passage.call()));
				}
				finally {
					nesting.carriedOut();
				}
			}
			catch (Throwable ex) {
				String denial = ToolExecution.denial(executor, ex);
				if (denial != null) {
					return passage.refuseLate(ToolExecution.DENIER, denial);
				}
				result = ToolExecution.failure(executor, ex);
				if (result == null) {
					passage.end(Ending.FAILED, null, ex);
					throw ex;
				}
				return passage.finish(Ending.FAILED, result, ex);
			}
			return passage.finish(ToolExecution.ending(result), result);
		}
	}

	private void checkLast(Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage) {
		LastCheck check = this.lastCheck;
		String objection = (check != null) ? check.objection(passage.call()) : null;
		if (objection != null) {
			RunAbortedException ex = new RunAbortedException(passage.call(), BuiltInDecider.CANCELLED.value(),
					objection);
			passage.end(Ending.ABORTED, null, ex);
			throw ex;
		}
	}

	/**
	 * Run a tool for a call that changes nothing, and that nobody decides about, counts
	 * or learns of: it is part of a question about another call.
	 * @param call the call
	 * @param executor runs the tool
	 * @return the result
	 */
	public ToolResult executeUndecided(ToolCall call, ToolExecutor executor) {
		return Nesting.ofThisThread()
			.carryOutUndecided(this, call, () -> ToolExecution.orFailure(ToolExecution.alone(call, executor)));
	}

	private ToolResult executeWatched(ToolCall call, ToolExecutor executor) {
		Nesting nesting = Nesting.ofThisThread();
		ToolResult delivered = nesting.deliver(this, call, executor,
				() -> ToolExecution.orFailure(ToolExecution.alone(call, executor)));
		if (delivered != null) {
			return delivered;
		}
		Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage = this.gate.enterUnhooked(call);
		if (passage == null) {
			return ToolExecution.alone(call, executor);
		}
		try (WatchedCall.Binding binding = passage.bind()) {
			return nesting.carryOutUndecided(this, call, () -> ToolExecution.watched(passage, executor));
		}
	}

	/**
	 * Let the result hooks see what the model will read of a call that has ended, because
	 * somebody made another text of its failure. Post-call hooks do not learn of it.
	 * @param call the call
	 * @param result the text, as a failed result
	 * @return what the model may read
	 * @throws ToolCallAbortedException if a hook ends the turn or the run
	 */
	public ToolResult review(ToolCall call, ToolResult result) {
		return this.gate.review(call, ToolExecution.ending(result), result);
	}

	/**
	 * Say what would happen to a call. No tool runs and no person is asked; nothing is
	 * told, counted or remembered.
	 * @param call the call
	 * @param executor the tool, of which it is only asked whether it
	 * {@linkplain ToolExecutor#objection accepts} the call
	 * @param live whether every hook is asked, and not only policies and those that
	 * {@linkplain Hook#isExplainable() may be}
	 * @return what would happen
	 */
	public Explained<ToolCall, ToolDecision> explain(ToolCall call, ToolExecutor executor, boolean live) {
		Nesting nesting = Nesting.ofThisThread();
		nesting.enter();
		try {
			if (isTooLarge(call)) {
				return this.gate.refused(call.withArguments(Map.of()),
						new Explained.Refusal(BuiltInDecider.ARGUMENTS, tooLarge()));
			}
			boolean passes = this.gate.isUnhooked() && isAccepted(call, executor);
			String problem = (passes) ? null : ToolNames.problem(call.tool());
			Explained.Refusal refusal = (problem != null)
					? new Explained.Refusal(BuiltInDecider.TOOL_NAME, NO_TOOL + problem) : null;
			return this.gate.explain(call, live, refusal, !passes && nesting.isTooDeep(),
					(last) -> objection(last, executor));
		}
		finally {
			nesting.leave();
		}
	}

	/**
	 * Whether a hook is asked about a call.
	 * @param hook the name of the hook
	 * @param call the call
	 * @return whether there is such a hook that decides and is for the call
	 */
	public boolean asks(String hook, ToolCall call) {
		return this.gate.asks(hook, call);
	}

	/**
	 * Whether hooks hide tools from some callers.
	 * @return whether each tool has to be {@linkplain #hides looked at} before it is
	 * offered
	 */
	public boolean isHiding() {
		return this.gate.hasDeciding((hook) -> hook instanceof HidingHook hiding && hiding.isHiding());
	}

	/**
	 * Whether a tool is not to be offered, because a hook denies every call of it.
	 * @param call a call as whoever asks for tools would make it, without arguments
	 * @return whether a hook hides the tool
	 */
	public boolean hides(ToolCall call) {
		return this.gate.hiddenBy(call, call.tool(), (hook) -> hook instanceof HidingHook hiding && hiding.hides(call),
				(hook) -> new ToolCallEvent.Hidden(call, hook)) != null;
	}

	/**
	 * Deny a call without asking hooks, because its arguments cannot be read or the tool
	 * is unknown. It is reported as any other denial.
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
		// A listener or a hook that is told of it may make another call that is refused.
		Nesting nesting = Nesting.ofThisThread();
		nesting.enter();
		try {
			return this.gate.enter(call).refuse(refusedBy, reason);
		}
		finally {
			nesting.leave();
		}
	}

	/**
	 * Deny a call that waited for people, as they decided now. No hook is asked.
	 * @param call the call
	 * @param question what they were asked
	 * @param askedBy the name of the hook that asked
	 * @param approver gives their decision; what is no denial denies, too
	 * @return a failed result with the reason
	 * @throws ToolCallAbortedException if the run of the call was aborted
	 */
	public ToolResult refuse(ToolCall call, ToolDecision.Ask question, String askedBy, ToolApprover approver) {
		if (Probe.deny(this)) {
			return PROBED;
		}
		Nesting nesting = Nesting.ofThisThread();
		nesting.enter();
		try {
			return this.gate.enter(call, new ApproverOfTools(approver)).refuseAnswered(question, askedBy);
		}
		finally {
			nesting.leave();
		}
	}

	private static boolean isAccepted(ToolCall call, ToolExecutor executor) {
		try {
			return executor.objection(call) == null;
		}
		catch (Throwable ex) {
			return false;
		}
	}

	private @Nullable String objection(ToolCall call, ToolExecutor executor) {
		return (isTooLarge(call)) ? tooLarge() : executor.objection(call);
	}

	private boolean isTooLarge(ToolCall call) {
		return call.length() > this.maxArgumentsSize;
	}

	private String tooLarge() {
		return "The arguments are too large: they may have %d characters".formatted(this.maxArgumentsSize);
	}

	/**
	 * The last check of each call before its tool runs.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface LastCheck {

		/**
		 * Find the reason why the agent may not go on.
		 * @param call the call, as all hooks let it pass
		 * @return the reason, or {@code null}
		 */
		@Nullable String objection(ToolCall call);

	}

}
