package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.outcome.SessionEnds;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

final class ToolHookRegistry extends RunTimeHooks<ToolHook>
		implements ToolHooks, ToolSwitch, SmartInitializingSingleton {

	private final ToolHookChain chain;

	private final Explainer explainer;

	private final Supplier<List<SessionEnds>> sessionEnds;

	private final KillSwitch killSwitch;

	private List<String> unguarded = List.of();

	ToolHookRegistry(HookAssembly<ToolHook> assembly, ToolHookChain chain,
			UnaryOperator<List<HookEntry<ToolResultHook>>> results, KnownTargets targets, KillSwitch killSwitch,
			Supplier<List<SessionEnds>> sessionEnds) {
		super(assembly, chain,
				(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreToolHook.class),
						results.apply(hooks.entries(Phase.RESULT, ToolResultHook.class)),
						hooks.entries(Phase.POST_CALL, PostToolHook.class)));
		this.chain = chain;
		this.explainer = new Explainer(chain, targets);
		this.killSwitch = killSwitch;
		this.sessionEnds = sessionEnds;
	}

	synchronized void markUnguarded(List<String> executors) {
		this.unguarded = executors;
		refuseHooks("executors are not guarded: " + executors);
	}

	@Override
	public void disableTools() {
		switchTools(false, Part.ALL, CurrentUser.ofSpringSecurity().ofThread().user(), APPLICATION);
	}

	@Override
	public void enableTools() {
		switchTools(true, Part.ALL, CurrentUser.ofSpringSecurity().ofThread().user(), APPLICATION);
	}

	@Override
	public void switchTools(boolean enabled, Part part, @Nullable String user, String through) {
		this.killSwitch.switchTools(enabled, part, user, through);
		List<String> unguarded = unguarded();
		if (!enabled && !unguarded.isEmpty()) {
			throw new IllegalStateException(
					"Tools are switched off, except those of executors that are not guarded: " + unguarded);
		}
	}

	private synchronized List<String> unguarded() {
		return this.unguarded;
	}

	@Override
	public List<Switched> switchedOff() {
		return this.killSwitch.off();
	}

	@Override
	public @Nullable String whyOff(ToolCall call) {
		return this.killSwitch.whyOff(call);
	}

	@Override
	public boolean isShared() {
		return this.killSwitch.isShared();
	}

	boolean areToolsOffAtStart() {
		return this.killSwitch.isOffAtStart();
	}

	/** Whether tools are off, or may be at any time because of another node. */
	boolean isSwitchInUse() {
		return isShared() || !areToolsEnabled() || !switchedOff().isEmpty();
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.killSwitch.started();
	}

	@Override
	public void close() {
		this.killSwitch.close();
		super.close();
	}

	@Override
	public boolean areToolsEnabled() {
		return this.chain.isToolsEnabled();
	}

	@Override
	public Explanation explain(ToolCall call, boolean live) {
		return this.explainer.explain(call, live, list());
	}

	@Override
	public boolean endRun(String run) {
		return this.chain.endRun(run);
	}

	@Override
	public boolean endSession(String session, @Nullable String user, @Nullable String agent) {
		boolean wasAborted = this.chain.endSession(session, user, agent);
		this.sessionEnds.get().forEach((ends) -> ends.ended(session, user, agent));
		return wasAborted;
	}

}
