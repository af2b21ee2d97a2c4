package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * Asks the hooks about a tool call, runs the tool if none objects, and tells the hooks
 * how the call ended. This file is the whole flow of a call:
 * <ol>
 * <li>Pre-call hooks are asked one after the other, each with the arguments as the hooks
 * before it left them. The first to deny, respond or abort settles the call. A hook that
 * fails denies.</li>
 * <li>Every {@linkplain PreToolHook#isRepeatable() policy} has to agree to the final
 * arguments: those that were asked before a change are asked again, and those after an
 * answer are asked too.</li>
 * <li>If a hook wants a person to approve, the {@link ToolApprover} is asked, about the
 * final arguments.</li>
 * <li>The tool runs, or the agent gets the reason or the answer, or an exception ends the
 * turn or the run.</li>
 * <li>Post-call hooks learn how the call ended, whatever happened.</li>
 * </ol>
 * The chain blocks the calling thread and starts none. It is immutable and safe for use
 * by many threads.
 *
 * @since 0.1.0
 */
public final class ToolHookChain {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookChain.class);

	private static final String NESTING_LIMIT = "nesting-limit";

	private final NamedPreToolHook[] preCall;

	/** Whether the pre-call hook at the same index is to be asked again. */
	private final boolean[] policy;

	private final NamedPostToolHook[] postCall;

	private final ToolApprover approver;

	/**
	 * Create a chain in which nobody can be asked for approval.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends PostToolHook> postCall) {
		this(preCall, postCall, ToolApprover.nobody());
	}

	/**
	 * Create a chain.
	 * @param preCall the hooks that decide before the tool runs, in order
	 * @param postCall the hooks that learn how a call ended, in order
	 * @param approver who answers when a hook wants a person to approve
	 */
	public ToolHookChain(List<? extends PreToolHook> preCall, List<? extends PostToolHook> postCall,
			ToolApprover approver) {
		this.preCall = preCall.stream().map(NamedPreToolHook::of).toArray(NamedPreToolHook[]::new);
		this.policy = new boolean[this.preCall.length];
		for (int i = 0; i < this.policy.length; i++) {
			this.policy[i] = this.preCall[i].isRepeatable();
		}
		this.postCall = postCall.stream().map(NamedPostToolHook::of).toArray(NamedPostToolHook[]::new);
		this.approver = Objects.requireNonNull(approver, "'approver' must not be null");
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
		if (this.preCall.length == 0 && this.postCall.length == 0) {
			return executor.execute(call);
		}
		Nesting nesting = Nesting.ofThisThread();
		if (nesting.isRunning(this, call)) {
			return executor.execute(call);
		}
		nesting.enter();
		try {
			Ruling ruling = new Ruling(call, this.preCall.length, (this.postCall.length > 0) ? System.nanoTime() : 0);
			if (nesting.isTooDeep()) {
				ruling.settle(ToolDecision.deny("Calls of tools are nested too deep"), NESTING_LIMIT);
			}
			else {
				decide(ruling);
			}
			return carryOut(ruling, executor, nesting);
		}
		finally {
			nesting.leave();
		}
	}

	private void decide(Ruling ruling) {
		askHooks(ruling);
		if (!ruling.isRefused()) {
			askPolicies(ruling);
		}
		if (!ruling.isRefused() && ruling.question != null) {
			askApprover(ruling, ruling.question);
		}
	}

	private void askHooks(Ruling ruling) {
		for (int i = 0; i < this.preCall.length; i++) {
			NamedPreToolHook hook = this.preCall[i];
			ToolDecision decision = ask(hook, ruling);
			switch (decision.verdict()) {
				case APPROVE -> ruling.approve((ToolDecision.Approve) decision, hook.name());
				case MODIFY -> {
					ruling.change((ToolDecision.Modify) decision, hook.name());
					ruling.unseenBefore = i;
				}
				case ASK -> ruling.ask((ToolDecision.Ask) decision, hook.name());
				case RESPOND -> {
					ruling.settle(decision, hook.name());
					ruling.unseenFrom = i + 1;
					return;
				}
				case DENY, ABORT -> {
					ruling.settle(decision, hook.name());
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
		for (int i = 0; i < this.preCall.length; i++) {
			if (!this.policy[i] || (i >= ruling.unseenBefore && i < ruling.unseenFrom)) {
				continue;
			}
			NamedPreToolHook hook = this.preCall[i];
			ToolDecision decision = ask(hook, ruling);
			switch (decision.verdict()) {
				case APPROVE -> ruling.approve((ToolDecision.Approve) decision, hook.name());
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
					ruling.settle(decision, hook.name());
					return;
				}
			}
		}
	}

	private static ToolDecision ask(NamedPreToolHook hook, Ruling ruling) {
		logger.trace("Asking the hook '{}'", hook.name());
		try {
			@Nullable ToolDecision decision = hook.preCall(ruling.call);
			return (decision != null) ? decision : undecided(hook.name());
		}
		catch (Throwable ex) {
			ruling.thrown = ex;
			Failures.log(logger, "The hook '" + hook.name() + "'", ex, "the call is denied");
			return ToolDecision.deny("The hook failed");
		}
	}

	private static ToolDecision undecided(String hook) {
		logger.warn("The hook '{}' decided nothing; the call is denied", hook);
		return ToolDecision.deny("The hook decided nothing");
	}

	/**
	 * Ask the approver. A person who changes the arguments has approved the changed ones,
	 * so policies may still object but need not ask again.
	 */
	private void askApprover(Ruling ruling, ToolDecision.Ask question) {
		String asker = Objects.requireNonNull(ruling.asker);
		ToolDecision answer = answer(ruling, question);
		switch (answer.verdict()) {
			case APPROVE -> ruling.approve((ToolDecision.Approve) answer, asker);
			case MODIFY -> {
				if (ruling.isAnswered()) {
					ruling.settle(ToolDecision.deny("The approver changed a call that a hook had answered"), asker);
					return;
				}
				ruling.change((ToolDecision.Modify) answer, asker);
				ruling.unseenBefore = this.preCall.length;
				askPolicies(ruling);
			}
			case DENY, ABORT -> ruling.settle(answer, asker);
			case ASK, RESPOND -> ruling.settle(ToolDecision.deny("The approver neither approved nor denied"), asker);
		}
	}

	/**
	 * The answer to a question; the question itself if there is none.
	 */
	private ToolDecision answer(Ruling ruling, ToolDecision.Ask question) {
		try {
			return Objects.requireNonNullElse(this.approver.approve(ruling.call, question), question);
		}
		catch (Throwable ex) {
			ruling.thrown = ex;
			Failures.log(logger, "The approver", ex, "the call is denied");
			return ToolDecision.deny("The approver failed");
		}
	}

	private ToolResult carryOut(Ruling ruling, ToolExecutor executor, Nesting nesting) {
		return switch (ruling.decision.verdict()) {
			case APPROVE, MODIFY -> run(ruling, executor, nesting);
			case RESPOND -> respond(ruling, (ToolDecision.Respond) ruling.decision);
			case DENY -> refuse(ruling, (ToolDecision.Deny) ruling.decision);
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
			if (this.postCall.length > 0) {
				end(ruling, ToolCallStatus.FAILED, null, ex);
			}
			throw ex;
		}
		end(ruling, (result.succeeded()) ? ToolCallStatus.SUCCEEDED : ToolCallStatus.FAILED, result, null);
		return result;
	}

	private ToolResult respond(Ruling ruling, ToolDecision.Respond decision) {
		end(ruling, ToolCallStatus.ANSWERED, decision.result(), null);
		return decision.result();
	}

	private ToolResult refuse(Ruling ruling, ToolDecision.Deny decision) {
		if (ruling.thrown instanceof VirtualMachineError error && Failures.isFatal(error)) {
			end(ruling, ToolCallStatus.DENIED, null, error);
			throw error;
		}
		ToolResult result = ToolResult
			.failure("Tool call denied by hook '%s': %s".formatted(ruling.decidedBy, decision.reason()));
		end(ruling, ToolCallStatus.DENIED, result, null);
		return result;
	}

	private ToolCallAbortedException abort(Ruling ruling, ToolDecision.Abort decision) {
		ToolCallAbortedException ex = ToolCallAbortedException.of(ruling.call, Objects.requireNonNull(ruling.decidedBy),
				decision);
		end(ruling, ToolCallStatus.ABORTED, null, ex);
		return ex;
	}

	private void end(Ruling ruling, ToolCallStatus status, @Nullable ToolResult result, @Nullable Throwable failure) {
		if (this.postCall.length == 0) {
			return;
		}
		ToolOutcome outcome = new ToolOutcome(ruling.requested, ruling.call, ruling.decision, ruling.decidedBy, status,
				result, failure, Duration.ofNanos(System.nanoTime() - ruling.start), ruling.failedOpen);
		for (NamedPostToolHook hook : this.postCall) {
			try {
				hook.postCall(outcome);
			}
			catch (Throwable ex) {
				Failures.log(logger, "The post-call hook '" + hook.name() + "'", ex, "the outcome stands");
			}
		}
	}

	/**
	 * What the hooks have said about one call so far.
	 */
	private static final class Ruling {

		private final ToolCall requested;

		private final long start;

		private ToolCall call;

		private ToolDecision decision = ToolDecision.approve();

		private @Nullable String decidedBy;

		private ToolDecision.@Nullable Ask question;

		private @Nullable String asker;

		private List<String> failedOpen = List.of();

		/** Policies below this index saw other arguments than the final ones. */
		private int unseenBefore;

		/**
		 * Policies from this index on have not seen the call, because it was answered.
		 */
		private int unseenFrom;

		/** What a hook or the approver threw; the call is denied then. */
		private @Nullable Throwable thrown;

		Ruling(ToolCall requested, int hooks, long start) {
			this.requested = requested;
			this.call = requested;
			this.unseenFrom = hooks;
			this.start = start;
		}

		void approve(ToolDecision.Approve approval, String by) {
			if (approval.failure() == null) {
				return;
			}
			logger.warn("The hook '{}' failed open on the call '{}': {}", by, SafeText.name(this.call.id()),
					approval.failure());
			if (!this.failedOpen.contains(by)) {
				this.failedOpen = Stream.concat(this.failedOpen.stream(), Stream.of(by)).toList();
			}
		}

		void change(ToolDecision.Modify modification, String by) {
			this.call = this.call.withArguments(modification.arguments());
			settle(modification, by);
		}

		void ask(ToolDecision.Ask ask, String by) {
			if (this.question == null) {
				this.question = ask;
				this.asker = by;
			}
			else if (!this.question.question().contains(ask.question())) {
				this.question = new ToolDecision.Ask(this.question.question() + "; " + ask.question());
			}
		}

		void settle(ToolDecision decision, String by) {
			this.decision = decision;
			this.decidedBy = by;
		}

		boolean isAnswered() {
			return this.decision.verdict() == Verdict.RESPOND;
		}

		boolean isRefused() {
			return this.decision.verdict() == Verdict.DENY || this.decision.verdict() == Verdict.ABORT;
		}

	}

}
