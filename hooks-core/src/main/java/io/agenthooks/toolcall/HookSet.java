package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.agenthooks.BuiltInDecider;

/**
 * The hooks of a chain at one moment. Immutable, so a call sees them as a whole.
 * <p>
 * Which of them are for a tool is found out once, so a hook costs nothing for the tools
 * that it is not for. Models and servers invent names of tools, so only some are
 * remembered, and no long ones.
 */
final class HookSet {

	static final int MAX_TOOLS = 1_000;

	static final int MAX_NAME_LENGTH = 256;

	final NamedPreToolHook[] preCall;

	final NamedToolResultHook[] results;

	final NamedPostToolHook[] postCall;

	/** Whether some hook is not for all tools. */
	private final boolean selective;

	private final Map<ToolIdentity, HookSet> byTool = new ConcurrentHashMap<>();

	private HookSet(NamedPreToolHook[] preCall, NamedToolResultHook[] results, NamedPostToolHook[] postCall) {
		this.preCall = preCall;
		this.results = results;
		this.postCall = postCall;
		this.selective = Stream.of(preCall, results, postCall)
			.<ToolHook>flatMap(Stream::of)
			.anyMatch((hook) -> !ToolHook.ALL_TOOLS.equals(hook.tools()));
	}

	static HookSet of(List<? extends PreToolHook> preCall, List<? extends ToolResultHook> results,
			List<? extends PostToolHook> postCall) {
		HookSet hooks = new HookSet(preCall.stream().map(NamedPreToolHook::of).toArray(NamedPreToolHook[]::new),
				results.stream().map(NamedToolResultHook::of).toArray(NamedToolResultHook[]::new),
				postCall.stream().map(NamedPostToolHook::of).toArray(NamedPostToolHook[]::new));
		Stream.of(hooks.preCall, hooks.results, hooks.postCall)
			.<ToolHook>flatMap(Stream::of)
			.forEach((hook) -> BuiltInDecider.requireFree(hook.name()));
		return hooks;
	}

	boolean isEmpty() {
		return this.preCall.length == 0 && this.results.length == 0 && this.postCall.length == 0;
	}

	/**
	 * The hooks that are for a tool.
	 */
	HookSet forTool(ToolIdentity tool) {
		if (!this.selective) {
			return this;
		}
		HookSet known = this.byTool.get(tool);
		if (known != null) {
			return known;
		}
		HookSet selected = select(tool);
		if (this.byTool.size() < MAX_TOOLS && isShort(tool.modelName()) && isShort(tool.name())
				&& (tool.server() == null || isShort(tool.server()))) {
			this.byTool.put(tool, selected);
		}
		return selected;
	}

	/**
	 * For how many tools it is remembered which hooks are for them.
	 */
	int remembered() {
		return this.byTool.size();
	}

	private static boolean isShort(String name) {
		return name.length() <= MAX_NAME_LENGTH;
	}

	private HookSet select(ToolIdentity tool) {
		return new HookSet(Stream.of(this.preCall).filter((hook) -> isFor(hook, tool)).toArray(NamedPreToolHook[]::new),
				Stream.of(this.results).filter((hook) -> isFor(hook, tool)).toArray(NamedToolResultHook[]::new),
				Stream.of(this.postCall).filter((hook) -> isFor(hook, tool)).toArray(NamedPostToolHook[]::new));
	}

	/**
	 * A hook that cannot say whether it is for a tool is asked about it. That it throws
	 * here must not end the call: nobody would hear of its end.
	 */
	private static boolean isFor(ToolHook hook, ToolIdentity tool) {
		try {
			return ToolScope.isFor(hook.tools(), tool);
		}
		catch (Throwable ex) {
			return true;
		}
	}

}
