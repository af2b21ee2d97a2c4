package io.agenthooks.toolcall;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.SafeText;
import io.agenthooks.chain.ChainKind;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookSet;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Step;

/**
 * What is particular to tool calls: how decisions, results, outcomes and events of them
 * look, and that hooks are chosen by the tool.
 */
final class ToolKind extends ChainKind<ToolCall, ToolResult, ToolDecision, ToolCallEvent> {

	/** Of more names, a plan is not kept: a server may choose them. */
	private static final int MAX_OTHER_NAMES = 16;

	private static final ToolKind INSTANCE = new ToolKind();

	private ToolKind() {
		super("tool call",
				new Decisions<>(ToolDecision.approve(), ToolDecision::deny, ToolDecision::abortRun,
						ToolDecision::failedOpen, ToolDecision::observed),
				new Events<>(ToolCallEvent.Started::new, ToolCallEvent.HookFailed::new, ToolCallEvent.FailedOpen::new),
				ToolHookChain.class);
	}

	static ToolKind instance() {
		return INSTANCE;
	}

	static HookSet<ToolCall, ToolResult, ToolDecision> hooks(List<? extends PreToolHook> preCall,
			List<? extends ToolResultHook> results, List<? extends PostToolHook> postCall) {
		return entries(preCall.stream().map(HookEntry::<PreToolHook>of).toList(),
				results.stream().map(HookEntry::<ToolResultHook>of).toList(),
				postCall.stream().map(HookEntry::<PostToolHook>of).toList());
	}

	static HookSet<ToolCall, ToolResult, ToolDecision> entries(List<HookEntry<PreToolHook>> preCall,
			List<HookEntry<ToolResultHook>> results, List<HookEntry<PostToolHook>> postCall) {
		return HookSet.of(INSTANCE, preCall.stream().map(ToolKind::deciding).toList(),
				results.stream().map(ToolKind::replacing).toList(), postCall.stream().map(ToolKind::learning).toList());
	}

	static Step<ToolCall, ToolCall, ToolDecision> deciding(HookEntry<PreToolHook> entry) {
		PreToolHook hook = entry.hook();
		return Step.of(INSTANCE, entry, tools(hook), hook.isRepeatable(), (call, same) -> hook.preCall(call));
	}

	static Step<ToolCall, ToolResult, ToolDecision> replacing(HookEntry<ToolResultHook> entry) {
		ToolResultHook hook = entry.hook();
		return Step.of(INSTANCE, entry, tools(hook), false, hook::onResult);
	}

	static Step<ToolCall, ToolOutcome, ToolDecision> learning(HookEntry<PostToolHook> entry) {
		PostToolHook hook = entry.hook();
		return Step.of(INSTANCE, entry, tools(hook), false, (call, outcome) -> {
			hook.postCall(outcome);
			return null;
		});
	}

	private static Predicate<String> tools(ToolHook hook) {
		return Objects.requireNonNull(hook.tools(), "'tools' must not be null");
	}

	/**
	 * For which tools a hook is, by itself and by what is said about it.
	 */
	static Predicate<String> tools(HookEntry<? extends ToolHook> entry) {
		Predicate<String> own = tools(entry.hook());
		if (ToolHook.ALL_TOOLS.equals(own)) {
			return entry.targets();
		}
		return (ToolHook.ALL_TOOLS.equals(entry.targets())) ? own : ToolScope.ofNames(entry.targets()).and(own);
	}

	@Override
	protected String describe(ToolCall call) {
		return "call '" + SafeText.name(call.id()) + "' of the tool '" + SafeText.name(call.tool()) + "'";
	}

	@Override
	protected ToolIdentity target(ToolCall call) {
		return call.identity();
	}

	@Override
	protected boolean endsOnAnyThread() {
		return false;
	}

	@Override
	protected boolean isFor(Predicate<String> tools, Object tool) {
		return ToolScope.isFor(tools, (ToolIdentity) tool);
	}

	@Override
	protected boolean isShort(Object target) {
		ToolIdentity tool = (ToolIdentity) target;
		return isShort(tool.modelName()) && isShort(tool.name()) && (tool.server() == null || isShort(tool.server()))
				&& tool.otherNames().size() <= MAX_OTHER_NAMES
				&& tool.otherNames().stream().allMatch((name) -> isShort(name));
	}

	@Override
	protected ToolCall change(ToolCall call, ToolDecision modification, String hook) {
		return call.withArguments(((ToolDecision.Modify) modification).arguments());
	}

	@Override
	protected ToolDecision join(ToolDecision question, ToolDecision another) {
		String asked = ((ToolDecision.Ask) question).question();
		String more = ((ToolDecision.Ask) another).question();
		return (asked.contains(more)) ? question : new ToolDecision.Ask(asked + "; " + more);
	}

	@Override
	protected ToolResult answer(ToolDecision answer) {
		return ((ToolDecision.Respond) answer).result();
	}

	@Override
	protected ToolResult denied(String hook, String reason) {
		return ToolResult.failure("Tool call denied by hook '" + hook + "': " + reason);
	}

	@Override
	protected ToolResult withheld(ToolResult before, String hook, String reason) {
		return ToolResult.failure("Tool result withheld by hook '" + hook + "': " + reason);
	}

	@Override
	protected @Nullable RuntimeException exception(ToolCall call, String hook, ToolDecision refusal) {
		return (refusal instanceof ToolDecision.Abort abort) ? ToolCallAbortedException.of(call, hook, abort) : null;
	}

	@Override
	protected ToolResult complete(ToolResult result, String additionalContext) {
		return result.withAdditionalContext((result.additionalContext() != null)
				? AdditionalContext.join(result.additionalContext(), additionalContext) : additionalContext);
	}

	@Override
	protected void end(Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage, Ending ending,
			@Nullable ToolResult original, @Nullable ToolResult result, @Nullable Throwable failure) {
		ToolOutcome outcome = new ToolOutcome(passage.requested(), passage.call(), passage.decision(),
				passage.decidedBy(), status(ending), original, result, failure, passage.duration(),
				passage.replacedBy(), passage.failedOpen(), passage.wouldDeny());
		passage.tellEnd(outcome, ToolCallEvent.Ended::of);
	}

	private static ToolCallStatus status(Ending ending) {
		return switch (ending) {
			case SUCCEEDED -> ToolCallStatus.SUCCEEDED;
			case FAILED, CANCELLED -> ToolCallStatus.FAILED;
			case DENIED -> ToolCallStatus.DENIED;
			case DISABLED -> ToolCallStatus.DISABLED;
			case ANSWERED -> ToolCallStatus.ANSWERED;
			case ABORTED -> ToolCallStatus.ABORTED;
		};
	}

	@Override
	protected ToolCallEvent modified(ToolCall before, ToolCall call, String hook) {
		return new ToolCallEvent.Modified(before, call, hook);
	}

	@Override
	protected @Nullable ToolCallEvent refused(ToolCall call, String hook, ToolDecision refusal) {
		return (refusal instanceof ToolDecision.Deny denial && denial.budgetExceeded())
				? new ToolCallEvent.BudgetExceeded(call, denial.reason(), hook) : null;
	}

	@Override
	protected ToolCallEvent personAsked(ToolCall call, String hook, ToolDecision question) {
		return new ToolCallEvent.ApprovalRequested(call, (ToolDecision.Ask) question, hook);
	}

	@Override
	protected ToolCallEvent personAnswered(ToolCall call, String hook, ToolDecision question, ToolDecision answer) {
		return new ToolCallEvent.ApprovalSettled(call, (ToolDecision.Ask) question, answer, hook);
	}

	@Override
	protected ToolCallEvent replaced(ToolCall call, ToolResult before, ToolResult result, String hook) {
		return new ToolCallEvent.ResultReplaced(call, before, result, hook);
	}

}
