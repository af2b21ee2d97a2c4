package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * The kinds of calls that there are chains for, so that one test holds for all of them.
 */
enum KindOfCalls {

	TOOL_CALL {

		@Override
		Subject chain(Log log, List<Behavior> hooks) {
			List<HookEntry<PreToolHook>> entries = new ArrayList<>();
			for (Behavior behavior : hooks) {
				PreToolHook hook = (call) -> as(ToolDecision.class, behavior.decide(this));
				entries.add(behavior.entry(hook));
			}
			PostToolHook learning = log.outcomes::add;
			ToolHookChain chain = ToolHookChain.of(entries, List.of(), List.of(HookEntry.of(learning)),
					ToolApprover.nobody(), log.events::add, log.abortedRuns);
			return new Subject(chain, (context) -> {
				ToolResult result = chain.execute(ToolCall.of("run", Map.of(), context), (call) -> {
					log.made.add(call);
					return ToolResult.success("ran");
				});
				return (result.succeeded()) ? null : result.content();
			});
		}

		@Override
		ToolDecision approve() {
			return ToolDecision.approve();
		}

		@Override
		ToolDecision deny(String reason) {
			return ToolDecision.deny(reason);
		}

		@Override
		ToolDecision abortRun(String reason) {
			return ToolDecision.abortRun(reason);
		}

	},

	MODEL_CALL {

		@Override
		Subject chain(Log log, List<Behavior> hooks) {
			List<HookEntry<PreLlmHook>> entries = new ArrayList<>();
			for (Behavior behavior : hooks) {
				PreLlmHook hook = (call) -> as(LlmDecision.class, behavior.decide(this));
				entries.add(behavior.entry(hook));
			}
			PostLlmHook learning = log.outcomes::add;
			LlmHookChain chain = new LlmHookChain(entries, List.of(), List.of(HookEntry.of(learning)), log.events::add,
					log.abortedRuns);
			return new Subject(chain, (context) -> {
				LlmCall call = LlmCall.of(LlmMessage.user("Hello")).withModel("run").withContext(context);
				LlmResponse response = chain.execute(call, (asked) -> {
					log.made.add(asked);
					return LlmResponse.of("Hi");
				});
				return (LlmResponse.DENIED_BY_HOOK.equals(response.finishReason())) ? response.text() : null;
			});
		}

		@Override
		LlmDecision approve() {
			return LlmDecision.approve();
		}

		@Override
		LlmDecision deny(String reason) {
			return LlmDecision.deny(reason);
		}

		@Override
		LlmDecision abortRun(String reason) {
			return LlmDecision.abortRun(reason);
		}

	},

	RUN {

		@Override
		Subject chain(Log log, List<Behavior> hooks) {
			List<HookEntry<PreRunHook>> entries = new ArrayList<>();
			for (Behavior behavior : hooks) {
				PreRunHook hook = (run) -> as(RunDecision.class, behavior.decide(this));
				entries.add(behavior.entry(hook));
			}
			PostRunHook learning = log.outcomes::add;
			RunHookChain chain = new RunHookChain(entries, List.of(HookEntry.of(learning)), log.events::add,
					log.abortedRuns);
			return new Subject(chain, (context) -> {
				RunInProgress run = chain.begin(new AgentRun("r", "Hello", context));
				log.made.add(run.run());
				run.finish("Hi", null);
				return null;
			});
		}

		@Override
		RunDecision approve() {
			return RunDecision.approve();
		}

		@Override
		RunDecision deny(String reason) {
			return RunDecision.deny(reason);
		}

		@Override
		RunDecision abortRun(String reason) {
			return RunDecision.abortRun(reason);
		}

	};

	abstract Subject chain(Log log, List<Behavior> hooks);

	abstract HookDecision approve();

	abstract HookDecision deny(String reason);

	abstract HookDecision abortRun(String reason);

	@SuppressWarnings("NullAway") // tests what a hook must not return, too
	private static <D> D as(Class<D> type, @Nullable HookDecision decision) {
		return type.cast(decision);
	}

	/**
	 * What everybody learned.
	 */
	static final class Log {

		final List<Object> made = new ArrayList<>();

		final List<Object> outcomes = new ArrayList<>();

		final List<Object> events = new ArrayList<>();

		final AbortedRuns abortedRuns = new AbortedRuns();

		List<String> eventNames() {
			return this.events.stream().map((event) -> event.getClass().getSimpleName()).toList();
		}

		/**
		 * How the only call ended.
		 */
		End end() {
			if (this.outcomes.size() != 1) {
				throw new AssertionError("Not one outcome: " + this.outcomes);
			}
			return End.of(this.outcomes.get(0));
		}

	}

	/**
	 * A chain.
	 *
	 * @param gate the chain
	 * @param call makes a call of a context: the reason if it is denied by what stands
	 * for a result
	 */
	record Subject(Object gate, Function<CallContext, @Nullable String> call) {

		/**
		 * Make a call.
		 * @return why it did not happen, or {@code null} if it did
		 */
		@Nullable String execute() {
			return execute(CallContext.ofSession("s"));
		}

		@Nullable String execute(CallContext context) {
			try {
				return this.call.apply(context);
			}
			catch (AgentAbortedException ex) {
				return ex.getMessage();
			}
		}

	}

	/**
	 * What a hook does, and what is said about it.
	 *
	 * @param name its name
	 * @param decision what it decides
	 * @param said what is said about it
	 */
	record Behavior(String name, Function<KindOfCalls, @Nullable HookDecision> decision,
			UnaryOperator<HookEntry<?>> said) {

		static Behavior of(String name, Function<KindOfCalls, @Nullable HookDecision> decision) {
			return new Behavior(name, decision, (entry) -> entry);
		}

		static Behavior throwing(String name, Throwable failure) {
			return of(name, (kind) -> {
				throw Failures.rethrow(failure);
			});
		}

		Behavior failingOpen() {
			return with(HookEntry::failingOpen);
		}

		Behavior observing() {
			return with(HookEntry::observing);
		}

		Behavior with(UnaryOperator<HookEntry<?>> more) {
			return new Behavior(this.name, this.decision, (entry) -> more.apply(this.said.apply(entry)));
		}

		@Nullable HookDecision decide(KindOfCalls kind) {
			return this.decision.apply(kind);
		}

		@SuppressWarnings("unchecked") // what is said changes no hook
		<H extends Hook> HookEntry<H> entry(H hook) {
			return (HookEntry<H>) this.said.apply(HookEntry.of(hook).named(this.name));
		}

	}

	/**
	 * How a call ended.
	 *
	 * @param status its status
	 * @param decidedBy whose decision that is
	 * @param failedOpen the hooks that failed open
	 * @param wouldDeny the hooks that only observed
	 * @param failure the exception that the caller got
	 */
	record End(String status, @Nullable String decidedBy, List<String> failedOpen, List<String> wouldDeny,
			@Nullable Throwable failure) {

		static End of(Object outcome) {
			if (outcome instanceof ToolOutcome tool) {
				return new End(tool.status().value(), tool.decidedBy(), tool.failedOpen(), tool.wouldDeny(),
						tool.failure());
			}
			if (outcome instanceof LlmOutcome model) {
				return new End(model.status().value(), model.decidedBy(), model.failedOpen(), model.wouldDeny(),
						model.failure());
			}
			RunOutcome run = (RunOutcome) outcome;
			return new End(run.status().value(), run.decidedBy(), run.failedOpen(), run.wouldDeny(), run.failure());
		}

	}

}
