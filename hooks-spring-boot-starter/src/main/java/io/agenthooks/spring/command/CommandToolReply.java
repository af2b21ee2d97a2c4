package io.agenthooks.spring.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * What a command wrote about a tool call or its result.
 */
final class CommandToolReply {

	private static final List<String> EVENTS_BEFORE = List.of("PreToolUse", "PermissionRequest", "preToolUse",
			"BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile");

	private static final List<String> EVENTS_AFTER = List.of("PostToolUse", "PostToolUseFailure", "postToolUse",
			"AfterTool");

	private CommandToolReply() {
	}

	/**
	 * The decision about a call.
	 * @throws InvalidJsonException if there is none
	 */
	static ToolDecision beforeCall(byte[] output, ToolCall call, boolean merge, boolean requireDecision) {
		CommandReply reply = CommandReply.of(output);
		ToolDecision objection = objection(reply, Objection.BLOCKS);
		if (objection != null) {
			return objection;
		}
		reply.check(EVENTS_BEFORE);
		CommandReply.Answer answer = reply.answer();
		Map<String, @Nullable Object> arguments = arguments(reply, call, merge);
		if (answer == CommandReply.Answer.MODIFY && arguments == null) {
			throw new InvalidJsonException("modifies the call, but has no arguments");
		}
		if (requireDecision && answer == null) {
			throw new InvalidJsonException("has no decision");
		}
		ToolDecision decision = ToolDecision.approve();
		if (answer == CommandReply.Answer.ASK) {
			if (arguments != null && !arguments.equals(call.arguments())) {
				throw new InvalidJsonException("asks about a call and changes it, which cannot be done at once");
			}
			decision = ToolDecision.ask(reply.reason());
		}
		else if (arguments != null) {
			decision = ToolDecision.modify(arguments);
		}
		return withContext(reply, decision);
	}

	/**
	 * The decision about a result. Claude Code's {@code block} comes after the tool has
	 * run: the model gets to read why beside the result. Gemini CLI's {@code deny} takes
	 * the result away.
	 * @throws InvalidJsonException if there is no decision
	 */
	static ToolDecision afterCall(byte[] output, ToolResult result, boolean requireDecision) {
		CommandReply reply = CommandReply.of(output);
		ToolDecision objection = objection(reply, Objection.DENIES);
		if (objection != null) {
			return objection;
		}
		reply.check(EVENTS_AFTER);
		CommandReply.Answer answer = reply.answer();
		if (requireDecision && answer == null && reply.objection() == Objection.NONE) {
			throw new InvalidJsonException("has no decision");
		}
		if (answer == CommandReply.Answer.ASK || answer == CommandReply.Answer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a result");
		}
		Object changed = reply.first(ReplyNames.OUTPUTS);
		ToolDecision decision = (changed != null) ? ToolDecision.respond(
				new ToolResult(result.succeeded(), StrictJson.textOf(changed), changed, result.additionalContext()))
				: ToolDecision.approve();
		String context = reply.context();
		if (reply.objection() == Objection.BLOCKS) {
			context = (context != null) ? reply.reason() + "\n" + context : reply.reason();
		}
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * What the reply is surely against, or {@code null}. That holds whatever else is
	 * wrong with it, its spelling included: a broken reason is none for {@code fail_open}
	 * to let the call pass.
	 * @param least the mildest answer that objects
	 */
	private static @Nullable ToolDecision objection(CommandReply reply, Objection least) {
		if (reply.ends()) {
			return ToolDecision.abortTurn(reply.reasonOfEnd());
		}
		return (reply.objection().compareTo(least) >= 0) ? withContext(reply, ToolDecision.deny(reply.reason())) : null;
	}

	private static ToolDecision withContext(CommandReply reply, ToolDecision decision) {
		String context = reply.context();
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * The arguments of the changed call, or {@code null} if it is not changed.
	 */
	private static @Nullable Map<String, @Nullable Object> arguments(CommandReply reply, ToolCall call, boolean merge) {
		Object changed = reply.first(ReplyNames.ARGUMENTS);
		if (changed == null) {
			// Gemini CLI's. Outside of the nested object it would be what we sent.
			changed = reply.inner("tool_input");
		}
		if (changed == null) {
			return null;
		}
		if (!(changed instanceof Map<?, ?> members)) {
			throw new InvalidJsonException("has changed arguments that are not an object");
		}
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>((merge) ? call.arguments() : Map.of());
		arguments.putAll(StrictJson.object(members));
		return arguments;
	}

}
