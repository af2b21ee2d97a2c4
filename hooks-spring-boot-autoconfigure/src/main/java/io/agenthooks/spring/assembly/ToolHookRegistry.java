package io.agenthooks.spring.assembly;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.Explanation;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.ended.SessionEnds;
import io.agenthooks.spring.ended.ToolSwitch;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Adds hooks around tool calls, and switches all tools off.
 */
final class ToolHookRegistry extends RunTimeHooks<ToolHook> implements ToolHooks, ToolSwitch {

	private static final Logger logger = LoggerFactory.getLogger(ToolHookRegistry.class);

	private final ToolHookChain chain;

	private final Explainer explainer;

	private final Supplier<List<ToolSwitch.Watch>> watches;

	private final Supplier<List<SessionEnds>> sessionEnds;

	private List<String> unguarded = List.of();

	private volatile @Nullable Switched lastSwitch;

	ToolHookRegistry(HookAssembly<ToolHook> assembly, ToolHookChain chain,
			UnaryOperator<List<HookEntry<ToolResultHook>>> results, KnownTargets targets,
			Supplier<List<ToolSwitch.Watch>> watches, Supplier<List<SessionEnds>> sessionEnds) {
		super(assembly, chain,
				(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreToolHook.class),
						results.apply(hooks.entries(Phase.RESULT, ToolResultHook.class)),
						hooks.entries(Phase.POST_CALL, PostToolHook.class)));
		this.chain = chain;
		this.explainer = new Explainer(chain, targets);
		this.watches = watches;
		this.sessionEnds = sessionEnds;
	}

	/** Know executors whose calls do not pass the chain, whatever is done to it. */
	synchronized void markUnguarded(List<String> executors) {
		this.unguarded = executors;
		refuseHooks("executors are not guarded: " + executors);
	}

	@Override
	public void disableTools() {
		switchTools(false, CurrentUser.ofSpringSecurity().ofThread().user(), APPLICATION);
	}

	@Override
	public void enableTools() {
		switchTools(true, CurrentUser.ofSpringSecurity().ofThread().user(), APPLICATION);
	}

	@Override
	public synchronized void switchTools(boolean enabled, @Nullable String user, String through) {
		this.chain.setToolsEnabled(enabled);
		this.lastSwitch = new Switched(enabled, Instant.now().truncatedTo(ChronoUnit.MILLIS), user, through);
		this.watches.get().forEach((watch) -> watch.switched(enabled, user, through));
		if (!enabled && !this.unguarded.isEmpty()) {
			throw new IllegalStateException(
					"Tools are switched off, except those of executors that are not guarded: " + this.unguarded);
		}
		logger.warn((enabled) ? "Tools are switched on" : "Tools are switched off: every call is denied");
	}

	@Override
	public @Nullable Switched lastSwitch() {
		return this.lastSwitch;
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
