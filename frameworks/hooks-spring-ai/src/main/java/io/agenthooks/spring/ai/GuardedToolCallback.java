package io.agenthooks.spring.ai;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

import io.agenthooks.chain.Probe;
import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.caller.Caller;

/** A tool whose calls pass the hooks. Not final: aspects may need a proxy of it. */
class GuardedToolCallback implements ToolCallback, WrapsTool {

	private final ToolCallback tool;

	private final SpringAiToolHooks hooks;

	private final @Nullable Caller caller;

	private final @Nullable ToolCallBatch batch;

	private @Nullable ToolDefinition definition;

	GuardedToolCallback(ToolCallback tool, SpringAiToolHooks hooks, @Nullable Caller caller,
			@Nullable ToolCallBatch batch) {
		this.tool = tool;
		this.hooks = hooks;
		this.caller = caller;
		this.batch = batch;
	}

	static ToolCallback unwrap(ToolCallback tool) {
		return (tool instanceof GuardedToolCallback guarded) ? guarded.unwrap() : tool;
	}

	/** A tool that is in a batch stays in it: one manager may decorate another. */
	static GuardedToolCallback of(ToolCallback tool, SpringAiToolHooks hooks, @Nullable Caller caller,
			@Nullable ToolCallBatch batch) {
		if (!(tool instanceof GuardedToolCallback guarded) || guarded.hooks != hooks) {
			return new GuardedToolCallback(tool, hooks, caller, batch);
		}
		if (guarded.batch != null || (caller == null && batch == null)) {
			return guarded;
		}
		GuardedToolCallback called = new GuardedToolCallback(guarded.tool, hooks,
				(guarded.caller != null && batch != null) ? guarded.caller : caller, batch);
		called.definition = guarded.definition;
		return called;
	}

	ToolCallback unwrap() {
		return (this.tool instanceof GuardedToolCallback guarded) ? guarded.unwrap() : this.tool;
	}

	@Override
	public Collection<?> wrappedTools() {
		return List.of(this.tool);
	}

	@Override
	public ToolDefinition getToolDefinition() {
		ToolDefinition definition = this.definition;
		if (definition == null) {
			definition = new GuardedToolDefinition(this.tool.getToolDefinition());
			this.definition = definition;
		}
		return definition;
	}

	@Override
	public ToolMetadata getToolMetadata() {
		return this.tool.getToolMetadata();
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	public String call(String toolInput, @Nullable ToolContext toolContext) {
		if (Probe.isUnderWay()) {
			return this.hooks.calls().askAboutProbe();
		}
		return this.hooks.calls().call(this.tool, getToolDefinition(), toolInput, toolContext, this.caller, this.batch);
	}

	static @Nullable Caller callerOf(@Nullable ToolCallback tool, SpringAiToolHooks hooks) {
		return (tool instanceof GuardedToolCallback guarded && guarded.hooks == hooks) ? guarded.caller : null;
	}

	static @Nullable Caller callerOf(ToolCallback tool, HiddenTools hiding) {
		return (tool instanceof GuardedToolCallback guarded && guarded.hooks.hiddenTools() == hiding) ? guarded.caller
				: null;
	}

	@Override
	public String toString() {
		return "Guarded " + this.tool;
	}

}
