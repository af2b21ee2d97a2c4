package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.flow.Conversation;
import io.agenthooks.flow.Conversation.Turn;
import io.agenthooks.flow.FlowRules;
import io.agenthooks.flow.FlowRules.Sink;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.flow.FlowStore;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * A node of an application whose agent reads mails and pays, with a person who says no.
 */
final class FlowNode {

	static final CallContext SESSION = CallContext.ofSession("session-of-ada");

	final FlowToolHook hook;

	private final ToolHookChain chain;

	@Nullable String question;

	FlowNode(FlowStore store) {
		Sink pay = new Sink((tool) -> tool.isNamed("pay"), Map.of("to", List.of(Source.user(), Source.trusted())));
		this.hook = new FlowToolHook("flow",
				new FlowRules((tool) -> tool.isNamed("read_mail"), (tool) -> tool.isNamed("lookup"),
						(tool) -> tool.isNamed("list_accounts"), List.of(pay), false, false, 100),
				store);
		ToolApprover nobody = (call, question) -> {
			this.question = question.question();
			return ToolDecision.deny("no");
		};
		this.chain = new ToolHookChain(List.of(this.hook), List.of(this.hook), nobody);
	}

	ToolResult call(CallContext context, String tool, Map<String, ? extends @Nullable Object> arguments,
			String result) {
		return this.chain.execute(ToolCall.of(tool, arguments, context), (call) -> ToolResult.success(result));
	}

	/** A tool that returns something. */
	ToolResult read(String tool, String result) {
		return call(SESSION, tool, Map.of(), result);
	}

	/** Whether a payment passes at the beginning of a session. */
	boolean pays(String to) {
		this.question = null;
		return Conversation.ofUser("Pay them")
			.execute(() -> call(SESSION, "pay", Map.of("to", to), "paid"))
			.succeeded();
	}

	/** Whether a payment passes in a session that goes on. */
	boolean paysLater(String to) {
		this.question = null;
		return Conversation.of(List.of(Turn.user("Hello"), Turn.model(), Turn.user("Pay them")))
			.execute(() -> call(SESSION, "pay", Map.of("to", to), "paid"))
			.succeeded();
	}

}
