package io.agenthooks.toolcall;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.chain.ChainKind;
import io.agenthooks.chain.Ending;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookSet;
import io.agenthooks.chain.Passage;
import io.agenthooks.chain.Step;

final class ToolKind extends ChainKind<ToolCall, ToolResult, ToolDecision, ToolCallEvent> {

	/** Of more names, a plan is not kept: a server may choose them. */
	private static final int MAX_OTHER_NAMES = 16;

	private static final ToolKind INSTANCE = new ToolKind();

	private ToolKind() {
		super("tool call",
				new Decisions<>(ToolDecision.approve(), ToolDecision::deny, ToolDecision::abortRun,
						ToolDecision::failedOpen, ToolDecision::observed, ToolKind::explained),
				new ToolMasking(), new ToolPeople(), ToolHookChain.class);
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
		return Step.of(INSTANCE, entry, tools(hook), hook.isRepeatable(), (hook instanceof RehearsedHook rehearsed)
				? new Rehearsed(rehearsed) : (call, same) -> hook.preCall(call));
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
	protected ToolResult answer(ToolDecision answer) {
		return ((ToolDecision.Respond) answer).result();
	}

	@Override
	protected ToolResult denied(String hook, String reason) {
		return ToolResult.denied(hook, reason);
	}

	@Override
	protected ToolResult withheld(ToolResult before, String hook, String reason) {
		return ToolResult.withheld(hook, reason);
	}

	@Override
	protected @Nullable RuntimeException exception(ToolCall call, String hook, ToolDecision refusal) {
		if (refusal instanceof ToolDecision.Ask question && question.pending() != null) {
			return new TurnSuspendedException(call, hook, question.pending());
		}
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
				passage.replacedBy(), passage.failedOpen(), passage.wouldDeny(), approval(passage), passage.withheld());
		passage.tellEnd(outcome, ToolCallEvent.Ended::of);
	}

	private static @Nullable Approval approval(Passage<ToolCall, ToolResult, ToolDecision, ToolCallEvent> passage) {
		ToolDecision answer = passage.answer();
		String asker = passage.asker();
		return (answer != null && asker != null && passage.question() instanceof ToolDecision.Ask question)
				? new Approval(question, asker, answer.verdict(),
						Objects.requireNonNullElse(passage.approver(), ToolApprover.UNNAMED), answer.answered(),
						answer.pending())
				: null;
	}

	private static ToolCallStatus status(Ending ending) {
		return switch (ending) {
			case SUCCEEDED -> ToolCallStatus.SUCCEEDED;
			case FAILED, CANCELLED -> ToolCallStatus.FAILED;
			case DENIED -> ToolCallStatus.DENIED;
			case DISABLED -> ToolCallStatus.DISABLED;
			case ANSWERED -> ToolCallStatus.ANSWERED;
			case ABORTED -> ToolCallStatus.ABORTED;
			case PENDING -> ToolCallStatus.PENDING;
		};
	}

	private static ToolDecision explained(ToolDecision refusal, String reason) {
		HookRule rule = HookRule.replacing(refusal);
		if (refusal instanceof ToolDecision.Abort abort) {
			return new ToolDecision.Abort(reason, abort.scope(), rule, abort.answered());
		}
		return (refusal instanceof ToolDecision.Deny deny)
				? new ToolDecision.Deny(reason, deny.budgetExceeded(), deny.additionalContext(), rule, deny.answered())
				: refusal;
	}

	@Override
	protected ToolCallEvent started(ToolCall call) {
		return new ToolCallEvent.Started(call);
	}

	@Override
	protected ToolCallEvent hookFailed(ToolCall call, String hook, String failure) {
		return new ToolCallEvent.HookFailed(call, hook, failure);
	}

	@Override
	protected ToolCallEvent failedOpen(ToolCall call, String hook, String failure) {
		return new ToolCallEvent.FailedOpen(call, hook, failure);
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
	protected ToolCallEvent replaced(ToolCall call, ToolResult before, ToolResult result, String hook) {
		return new ToolCallEvent.ResultReplaced(call, before, result, hook);
	}

	private record Rehearsed(RehearsedHook hook) implements Step.Question<ToolCall, ToolCall, ToolDecision> {

		@Override
		public ToolDecision ask(ToolCall call, ToolCall same) {
			return this.hook.preCall(call);
		}

		@Override
		public @Nullable ToolDecision rehearse(ToolCall call, ToolCall same) {
			ToolDecision decision = this.hook.rehearse(call);
			return (decision != null) ? decision : ask(call, same);
		}

	}

}
