package io.agenthooks.toolcall;

import java.util.List;

import io.agenthooks.chain.HookEntry;

/** Puts other hooks into a chain. */
public final class ReplacedHooks {

	private ReplacedHooks() {
	}

	public static void replace(ToolHookChain chain, List<? extends PreToolHook> preCall,
			List<? extends ToolResultHook> results, List<? extends PostToolHook> postCall) {
		chain.replaceEntries(preCall.stream().map(HookEntry::<PreToolHook>of).toList(),
				results.stream().map(HookEntry::<ToolResultHook>of).toList(),
				postCall.stream().map(HookEntry::<PostToolHook>of).toList());
	}

}
