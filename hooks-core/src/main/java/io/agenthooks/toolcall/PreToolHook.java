package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookEntry;

/**
 * Decides about a tool call before the tool runs.
 * <p>
 * A hook is called by many threads at once. One that throws or returns {@code null}
 * denies the call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public non-sealed interface PreToolHook extends ToolHook {

	/**
	 * Decide about a call.
	 * @param call the call, with the arguments as the hooks before this one left them
	 * @return the decision
	 */
	ToolDecision preCall(ToolCall call);

	/**
	 * Whether asking this hook again about the same call is harmless and cheap: it
	 * depends on the call alone and has no side effect. Such a <em>policy</em> is also
	 * asked when a later hook changed the arguments or answered the call, so neither is a
	 * way around it.
	 * @return {@code false} unless overridden
	 */
	default boolean isRepeatable() {
		return false;
	}

	/**
	 * Whether the hook may want a person to decide. That is told at the start, if people
	 * can be asked and no hook wants them, or the other way round.
	 * @return {@code true} unless overridden by a hook that never does
	 */
	default boolean mayAsk() {
		return true;
	}

	/**
	 * A hook under another name.
	 * @param name the name
	 * @param hook the hook
	 * @return the named hook
	 */
	static PreToolHook named(String name, PreToolHook hook) {
		return EnteredToolHook.deciding(HookEntry.of(hook).named(name));
	}

	/**
	 * A hook for some tools only; it has no objection to calls of the others.
	 * @param tools whether the hook is for a tool of this name, such as
	 * {@link Glob#anyOf(String...) Glob.anyOf("run_*")}, or a {@link ToolScope}
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static PreToolHook forTools(Predicate<String> tools, PreToolHook hook) {
		return EnteredToolHook.deciding(HookEntry.of(hook).forTargets(ToolScope.ofNames(tools)));
	}

	/**
	 * A hook for calls of some agents, roles, workspaces or sessions only; it has no
	 * objection to others.
	 * @param contexts whether the hook is for calls of this context
	 * @param hook the hook
	 * @return the narrowed hook
	 */
	static PreToolHook forContexts(Predicate<CallContext> contexts, PreToolHook hook) {
		return EnteredToolHook.deciding(HookEntry.of(hook).forContexts(contexts));
	}

	/**
	 * A hook that decides on threads of its own, while the calling thread waits. A
	 * decision that does not come in time, that is {@code null} or an exception, is a
	 * failure of the hook.
	 * @param timeout how long to wait, above zero; then the decision is cancelled
	 * @param hook starts to decide, and returns what the decision will be
	 * @return the hook
	 */
	static PreToolHook async(Duration timeout, Function<ToolCall, ? extends CompletionStage<ToolDecision>> hook) {
		return new AsyncPreToolHook(timeout, hook);
	}

	/**
	 * A hook that approves the call when the hook itself fails. Each such approval is
	 * marked in the {@linkplain ToolOutcome#failedOpen() outcome}.
	 * @param hook the hook
	 * @return the hook that fails open
	 */
	static PreToolHook failOpen(PreToolHook hook) {
		return EnteredToolHook.deciding(HookEntry.of(hook).failingOpen());
	}

	/**
	 * A hook as a dry run: it decides, what it would have done is logged, and the call
	 * passes.
	 * @param hook the hook
	 * @return the observing hook
	 */
	static PreToolHook observeOnly(PreToolHook hook) {
		return EnteredToolHook.deciding(HookEntry.of(hook).observing());
	}

}
