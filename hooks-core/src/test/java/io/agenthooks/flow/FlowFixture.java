package io.agenthooks.flow;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * An agent of a bank that reads mails: a chain with the hook, and a person who says no.
 */
final class FlowFixture {

	static final CallContext RUN = CallContext.empty().withRunId("r1");

	final FlowToolHook hook;

	final ToolHookChain chain;

	@Nullable String question;

	FlowFixture() {
		this(false, FlowRules.DEFAULT_MAX_RUNS);
	}

	FlowFixture(boolean always, int maxRuns) {
		this(always, maxRuns, null);
	}

	FlowFixture(boolean always, int maxRuns, @Nullable FlowStore store) {
		List<Sink> sinks = List.of(
				new Sink((tool) -> tool.isNamed("send_money"),
						Map.of("recipient", List.of(Source.user(), Source.trusted()), "amount",
								List.of(Source.user()))),
				new Sink((tool) -> tool.isNamed("send_email"),
						Map.of("to",
								List.of(Source.user(), Source.trusted(), Source.list(List.of("*@example.com")),
										Source.test("board"::equals)))),
				new Sink((tool) -> tool.isNamed("fetch"),
						Map.of("url", List.of(Source.user(), Source.list(List.of("https://docs.example.com/*"))))),
				new Sink((tool) -> tool.isNamed("run_command"), Map.of()));
		this.hook = new FlowToolHook("flow",
				new FlowRules((tool) -> tool.anyName((name) -> name.startsWith("read_")),
						(tool) -> Set.of("lookup_customer", "read_trusted").contains(tool.name()),
						(tool) -> tool.isNamed("list_transactions"), sinks, always, false, maxRuns),
				store);
		ToolApprover nobody = (call, question) -> {
			this.question = question.question();
			return ToolDecision.deny("no");
		};
		this.chain = new ToolHookChain(List.of(this.hook), List.of(this.hook), nobody);
	}

	ToolResult call(CallContext context, String tool, Map<String, ? extends @Nullable Object> arguments,
			String result) {
		this.question = null;
		return this.chain.execute(ToolCall.of(tool, arguments, context), (call) -> ToolResult.success(result));
	}

	/** A tool that returns something. */
	void read(String tool, String result) {
		call(RUN, tool, Map.of(), result);
	}

	/**
	 * Whether a call passes without a question, in a run that begins with these words.
	 */
	boolean passes(String words, String tool, Map<String, ? extends @Nullable Object> arguments) {
		return Conversation.ofUser(words).execute(() -> call(RUN, tool, arguments, "done")).succeeded();
	}

}
