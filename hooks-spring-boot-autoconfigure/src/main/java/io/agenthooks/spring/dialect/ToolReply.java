package io.agenthooks.spring.dialect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * The answer of a decider about a tool call or its result.
 *
 * @since 0.1.0
 */
public final class ToolReply {

	private static final List<String> EVENTS_BEFORE = List.of("PreToolUse", "PermissionRequest", "preToolUse",
			"BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile");

	private static final List<String> EVENTS_AFTER = List.of("PostToolUse", "PostToolUseFailure", "postToolUse",
			"AfterTool");

	private static final List<String> NOT_AFTER = Stream
		.concat(ReplyNames.PROMPTS.stream(), Stream.of(ReplyNames.TAIL_CALL))
		.toList();

	private static final List<String> NOT_BEFORE = Stream.concat(NOT_AFTER.stream(), ReplyNames.OUTPUTS.stream())
		.toList();

	private ToolReply() {
	}

	/**
	 * The decision of a command about a call.
	 * @param output what it wrote
	 * @param call the call
	 * @param merge whether changed arguments are put over those of the call
	 * @param requireDecision whether a reply without a decision is a failure
	 * @return the decision
	 * @throws InvalidJsonException if there is none
	 */
	public static ToolDecision beforeCall(byte[] output, ToolCall call, boolean merge, boolean requireDecision) {
		return beforeCall(DialectReply.of(output), call, merge, requireDecision);
	}

	/**
	 * The decision about a call.
	 * @param reply what was answered
	 * @param call the call
	 * @param merge whether changed arguments are put over those of the call
	 * @param requireDecision whether a reply without a decision is a failure
	 * @return the decision
	 * @throws InvalidJsonException if there is none
	 */
	public static ToolDecision beforeCall(DialectReply reply, ToolCall call, boolean merge, boolean requireDecision) {
		ToolDecision objection = objection(reply, Objection.BLOCKS);
		if (objection != null) {
			return objection;
		}
		reply.check(EVENTS_BEFORE);
		reply.refuse(NOT_BEFORE, "call");
		DialectAnswer answer = reply.answer();
		Map<String, @Nullable Object> arguments = arguments(reply, answer, call, merge);
		if (answer == DialectAnswer.MODIFY && arguments == null) {
			throw new InvalidJsonException("modifies the call, but has no arguments");
		}
		if (requireDecision && answer == null) {
			throw new InvalidJsonException("has no decision");
		}
		ToolDecision decision = ToolDecision.approve();
		if (answer == DialectAnswer.ASK) {
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
	 * @param output what a command wrote
	 * @param result the result
	 * @param requireDecision whether a reply without a decision is a failure
	 * @return the decision
	 * @throws InvalidJsonException if there is no decision
	 */
	public static ToolDecision afterCall(byte[] output, ToolResult result, boolean requireDecision) {
		DialectReply reply = DialectReply.of(output);
		ToolDecision objection = objection(reply, Objection.DENIES);
		if (objection != null) {
			return objection;
		}
		reply.check(EVENTS_AFTER);
		reply.refuse(NOT_AFTER, "result");
		DialectAnswer answer = reply.answer();
		if (requireDecision && answer == null && reply.objection() == Objection.NONE) {
			throw new InvalidJsonException("has no decision");
		}
		if (answer == DialectAnswer.ASK || answer == DialectAnswer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a result");
		}
		Object changed = reply.first(ReplyNames.OUTPUTS);
		ToolDecision decision = (changed != null) ? ToolDecision.respond(changed(result, changed))
				: ToolDecision.approve();
		String context = reply.context();
		if (reply.objection() == Objection.BLOCKS) {
			context = (context != null) ? reply.reason() + "\n" + context : reply.reason();
		}
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * Copilot's has the text for the model in an object, and says there whether the tool
	 * succeeded.
	 */
	private static ToolResult changed(ToolResult result, Object changed) {
		if (changed instanceof Map<?, ?> members) {
			Object text = either(members, "textResultForLlm", "text_result_for_llm");
			if (text instanceof String content) {
				Object type = either(members, "resultType", "result_type");
				boolean succeeded = (type != null) ? type.equals("success") : result.succeeded();
				return new ToolResult(succeeded, content, null, result.additionalContext());
			}
			if (text != null) {
				throw new InvalidJsonException("has a text for the model that is not a string");
			}
		}
		return new ToolResult(result.succeeded(), StrictJson.textOf(changed), changed, result.additionalContext());
	}

	private static @Nullable Object either(Map<?, ?> members, String name, String otherName) {
		return (members.get(name) != null) ? members.get(name) : members.get(otherName);
	}

	/**
	 * It holds whatever else is wrong with the reply: a broken reason is none for {@code
	 * fail_open} to let the call pass.
	 */
	private static @Nullable ToolDecision objection(DialectReply reply, Objection least) {
		if (reply.ends()) {
			return ToolDecision.abortTurn(reply.reasonOfEnd());
		}
		if (reply.objection().compareTo(least) < 0) {
			return null;
		}
		return withContext(reply, (reply.isTrue(ReplyNames.INTERRUPT)) ? ToolDecision.abortTurn(reply.reason())
				: ToolDecision.deny(reply.reason()));
	}

	private static ToolDecision withContext(DialectReply reply, ToolDecision decision) {
		String context = reply.context();
		return (context != null) ? decision.withAdditionalContext(context) : decision;
	}

	/**
	 * Null if they are not changed. Those of Gemini CLI and Antigravity are put over the
	 * ones of the call.
	 */
	private static @Nullable Map<String, @Nullable Object> arguments(DialectReply reply, @Nullable DialectAnswer answer,
			ToolCall call, boolean merge) {
		Object replaced = reply.first(ReplyNames.ARGUMENTS);
		if (replaced == null && answer == DialectAnswer.MODIFY) {
			replaced = reply.outer(ReplyNames.INPUT);
		}
		Map<String, @Nullable Object> arguments = null;
		if (replaced != null) {
			arguments = new LinkedHashMap<>((merge) ? call.arguments() : Map.of());
			arguments.putAll(members(replaced));
		}
		for (Object put : new @Nullable Object[] { reply.inner(ReplyNames.INPUT),
				reply.first(List.of(ReplyNames.OVERWRITE)) }) {
			if (put != null) {
				Map<String, @Nullable Object> whole = new LinkedHashMap<>(call.arguments());
				whole.putAll(members(put));
				if (!call.arguments().containsKey(CallParts.ANTIGRAVITY_COMMAND)
						&& call.arguments().containsKey(CallParts.COMMAND)
						&& whole.containsKey(CallParts.ANTIGRAVITY_COMMAND)) {
					whole.put(CallParts.COMMAND, whole.remove(CallParts.ANTIGRAVITY_COMMAND));
				}
				if (arguments != null && !arguments.equals(whole)) {
					throw new InvalidJsonException("says two different things at once");
				}
				arguments = whole;
			}
		}
		return arguments;
	}

	private static Map<String, @Nullable Object> members(Object arguments) {
		if (!(arguments instanceof Map<?, ?> members)) {
			throw new InvalidJsonException("has changed arguments that are not an object");
		}
		return StrictJson.object(members);
	}

}
