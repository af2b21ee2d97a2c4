package io.agenthooks.spring.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AbortedRuns;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.spring.flow.FlowConfig.FlowTools;
import io.agenthooks.spring.origin.NamesTools;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

class ConfiguredFlowHook implements RehearsedHook, PostToolHook, NamesTools, AutoCloseable {

	private final FlowToolHook hook;

	private final FlowConfig config;

	private final AbortedRuns.Listening runs;

	ConfiguredFlowHook(FlowToolHook hook, FlowConfig config, AbortedRuns.Listening runs) {
		this.hook = hook;
		this.config = config;
		this.runs = runs;
	}

	@Override
	public void close() {
		this.runs.close();
	}

	@Override
	public String name() {
		return this.hook.name();
	}

	@Override
	public boolean isRepeatable() {
		return this.hook.isRepeatable();
	}

	@Override
	public boolean mayAsk() {
		return this.hook.mayAsk();
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return this.hook.preCall(call);
	}

	@Override
	public ToolDecision rehearse(ToolCall call) {
		return this.hook.rehearse(call);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		this.hook.postCall(outcome);
	}

	@Override
	public List<Names> names() {
		List<Names> names = new ArrayList<>();
		add(names, "untrusted", this.config.untrusted(), List.of());
		add(names, "trusted", this.config.trusted(), List.of());
		add(names, "private", this.config.privateTools(), List.of());
		List<FlowConfig.Sink> sinks = (this.config.sinks() != null) ? this.config.sinks() : List.of();
		for (int i = 0; i < sinks.size(); i++) {
			FlowConfig.Sink sink = sinks.get(i);
			add(names, "sinks[" + i + "]", sink.tools(),
					(sink.namedBy() != null) ? List.copyOf(sink.namedBy().keySet()) : List.of());
		}
		return names;
	}

	/**
	 * Tools of servers are not known at the start, so of their arguments nothing is said.
	 */
	private static void add(List<Names> names, String option, @Nullable List<FlowTools> tools, List<String> arguments) {
		List<FlowTools> written = (tools != null) ? tools : List.of();
		List<String> globs = written.stream()
			.filter((each) -> each.mcpServers() == null && each.tools() != null)
			.flatMap((each) -> each.tools().stream())
			.toList();
		boolean onServers = written.stream().anyMatch((each) -> each.mcpServers() != null);
		List<String> servers = written.stream()
			.map(FlowTools::mcpServers)
			.filter(Objects::nonNull)
			.flatMap(List::stream)
			.toList();
		names.add(new Names(option, globs, (onServers) ? List.of() : arguments, servers));
	}

}
