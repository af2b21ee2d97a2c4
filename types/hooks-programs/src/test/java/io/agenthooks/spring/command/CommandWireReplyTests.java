package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Verdict;
import io.agenthooks.spring.Wire;
import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.dialect.ToolReply;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that every reply of other systems is understood, and that a word which nobody
 * knows is not passed over. // B09
 */
class CommandWireReplyTests {

	private static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls", "path", "/tmp"));

	@ParameterizedTest
	@CsvSource({ "agentpool/pre_tool_use.deny, DENY", "agentpool/pre_tool_use.rewrite, MODIFY",
			"amp/tool.call.allow, APPROVE", "amp/tool.call.reject, DENY", "antigravity/PreToolUse.allow, APPROVE",
			"antigravity/PreToolUse.ask, ASK", "antigravity/PreToolUse.deny, DENY",
			"antigravity/PreToolUse.empty, APPROVE", "antigravity/PreToolUse.force_ask, ASK",
			"antigravity/PreToolUse.rewrite, MODIFY", "antigravity/PostInvocation.stop, ABORT",
			"claude-code/PermissionRequest.allow-always, APPROVE", "claude-code/PermissionRequest.allow, MODIFY",
			"claude-code/PermissionRequest.deny, DENY", "claude-code/PreToolUse.allow, APPROVE",
			"claude-code/PreToolUse.ask, ASK", "claude-code/PreToolUse.context, APPROVE",
			"claude-code/PreToolUse.defer, ASK", "claude-code/PreToolUse.deny, DENY",
			"claude-code/PreToolUse.legacy.deny, DENY", "claude-code/PreToolUse.none, APPROVE",
			"claude-code/PreToolUse.rewrite, MODIFY", "claude-code/PreToolUse.stop, ABORT",
			"claude-code/prompt-hook.reply, DENY", "cline/cancel, DENY", "cline/context, APPROVE",
			"cline/context.vscode, APPROVE", "cline/none, APPROVE", "cline/review, ASK", "cline/rewrite, MODIFY",
			"codex/PermissionRequest.allow, APPROVE", "codex/PermissionRequest.deny, DENY",
			"codex/PreToolUse.context, APPROVE", "codex/PreToolUse.deny, DENY", "codex/PreToolUse.none, APPROVE",
			"codex/PreToolUse.rewrite, MODIFY", "copilot/permissionRequest.allow, APPROVE",
			"copilot/permissionRequest.deny, DENY", "copilot/preToolUse.allow, APPROVE", "copilot/preToolUse.ask, ASK",
			"copilot/preToolUse.deny, DENY", "copilot/preToolUse.rewrite, MODIFY",
			"copilot-sdk/hooks.invoke.reply, DENY", "copilot-sdk/preMcpToolCall.reply, APPROVE",
			"copilot-sdk/preToolUse.reply, MODIFY", "cursor/beforeMCPExecution.deny, DENY",
			"cursor/beforeReadFile.deny, DENY", "cursor/beforeShellExecution.allow, APPROVE",
			"cursor/beforeShellExecution.ask, ASK", "cursor/beforeShellExecution.deny, DENY",
			"cursor/preToolUse.allow, APPROVE", "cursor/preToolUse.deny, DENY", "cursor/preToolUse.rewrite, MODIFY",
			"gemini-cli/BeforeTool.allow, APPROVE", "gemini-cli/BeforeTool.ask, ASK",
			"gemini-cli/BeforeTool.deny, DENY", "gemini-cli/BeforeTool.rewrite, MODIFY",
			"gemini-cli/BeforeTool.stop, ABORT", "hermes/context, APPROVE", "hermes/pre_tool_call.block-claude, DENY",
			"hermes/pre_tool_call.block, DENY", "hermes/pre_tool_call.modify-claude, MODIFY",
			"hermes/pre_tool_call.modify, MODIFY", "nemo-hooks-server/claude-code.deny, DENY",
			"nemo-hooks-server/nemo-relay.allow, APPROVE", "nemo-hooks-server/nemo-relay.deny, DENY",
			"openclaw/before_tool_call.approval, ASK", "openclaw/before_tool_call.block, DENY",
			"openclaw/before_tool_call.rewrite, MODIFY", "pulsebot/pre.approve, APPROVE", "pulsebot/pre.deny, DENY",
			"pulsebot/pre.modify, MODIFY", "qwen-code/PreToolUse.ask, ASK", "qwen-code/PreToolUse.deny, DENY",
			"qwen-code/PreToolUse.rewrite, MODIFY", "vscode/PreToolUse.ask, ASK", "vscode/PreToolUse.deny, DENY",
			"vscode/PreToolUse.rewrite, MODIFY", "vscode/stop, ABORT" })
	void replyBeforeTheCallIsUnderstood(String message, Verdict verdict) {
		ToolDecision decision = ToolReply.beforeCall(Wire.bytes(message), CALL, false, false);
		assertThat(decision.verdict()).isEqualTo(verdict);
		if (decision instanceof ToolDecision.Deny deny && !message.contains("prompt-hook")) {
			assertThat(deny.reason()).isNotEqualTo(DialectReply.NO_REASON);
		}
	}

	@Test
	void argumentsReplaceOrAreMergedAsTheirSystemDoes() {
		assertThat(modified("hermes/pre_tool_call.modify")).containsOnly(Map.entry("command", "ls -l"));
		assertThat(modified("hermes/pre_tool_call.modify-claude")).containsOnly(Map.entry("command", "ls -l"));
		assertThat(modified("copilot/preToolUse.rewrite")).containsOnly(Map.entry("command", "ls -l"));
		assertThat(modified("gemini-cli/BeforeTool.rewrite")).containsEntry("command", "ls -l")
			.containsEntry("path", "/tmp");
		assertThat(modified("antigravity/PreToolUse.rewrite")).containsOnly(Map.entry("command", "ls -l"),
				Map.entry("path", "/tmp"));
	}

	private static Map<String, @Nullable Object> modified(String message) {
		ToolDecision decision = ToolReply.beforeCall(Wire.bytes(message), CALL, false, false);
		assertThat(decision).isInstanceOf(ToolDecision.Modify.class);
		return ((ToolDecision.Modify) decision).arguments();
	}

	@ParameterizedTest
	@CsvSource({ "antigravity/PostToolUse.reply, a", "claude-code/PostToolUse.block, a|look at the second line again",
			"claude-code/PostToolUse.context, a|generated file", "codex/PostToolUse.block, a|look again",
			"codex/PostToolUse.replace, [removed]", "copilot/postToolUse.context, a|generated file",
			"copilot/postToolUse.replace, [removed]", "cursor/postToolUse.context, a|coverage is 80 %",
			"gemini-cli/AfterTool.context, a|generated file", "cline/context.vscode, a|The branch is main" })
	void replyAfterTheCallIsUnderstood(String message, String seen) {
		assertThat(seen(message)).isEqualTo(seen);
	}

	private static String seen(String message) {
		ToolDecision decision = ToolReply.afterCall(Wire.bytes(message), ToolResult.success("a"), false);
		String content = (decision instanceof ToolDecision.Respond respond) ? respond.result().content() : "a";
		return (decision.additionalContext() != null) ? content + "|" + decision.additionalContext() : content;
	}

	@Test
	void resultIsReplacedByAnObjectOrTakenAway() {
		assertThat(seen("claude-code/PostToolUse.replace")).contains("\"stdout\":\"[removed]\"");
		assertThat(seen("cursor/postToolUse.replace")).isEqualTo("{\"text\":\"[removed]\"}");
		assertThat(ToolReply.afterCall(Wire.bytes("gemini-cli/AfterTool.deny"), ToolResult.success("a"), false))
			.isEqualTo(ToolDecision.deny("[removed]"));
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> seen("gemini-cli/AfterTool.tail"));
	}

	@Test
	void copilotsResultSaysWhetherTheToolSucceeded() {
		for (String reply : new String[] { "{'modifiedResult':{'resultType':'failure','textResultForLlm':'gone'}}",
				"{'modifiedResult':{'result_type':'failure','text_result_for_llm':'gone'}}" }) {
			assertThat(ToolReply.afterCall(json(reply), ToolResult.success("a"), false))
				.isEqualTo(ToolDecision.respond(ToolResult.failure("gone")));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'allowTool':false,'denyReason':'no'}", "{'decision':'allow','allowTool':false}",
			"{'action':'decline','message':'no'}", "{'blockAction':true,'reason':'no'}", "{'valid':false}",
			"{'protocolVersion':'0.1','effects':[{'type':'deny','reason':'no'}]}",
			"{'output':{'permissionDecision':'deny'}}" })
	void denialInTheWordsOfAnySystemIsOne(String reply) {
		assertThat(decision(reply)).isInstanceOf(ToolDecision.Deny.class);
	}

	@Test
	void denialThatInterruptsEndsTheTurn() {
		assertThat(decision("{'behavior':'deny','message':'no','interrupt':true}"))
			.isEqualTo(ToolDecision.abortTurn("no"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "'veto':true", "'replaceWith':{'command':'pwd'}", "'constraints':['read-only']",
			"'sandbox':true", "'onlyIf':'approved'", "'effects':[{'type':'ask'}]",
			"'output':{'permissionDecision':'ask'}", "'result':{'updatedInput':{'command':'pwd'}}",
			"'updatedToolOutput':'b'", "'modified_messages':[]", "'tailToolCallRequest':{'name':'a','args':{}}" })
	void wordThatIsNotKnownBesideADecisionIsAFailure(String word) {
		for (String decision : new String[] { "'decision':'allow'", "'permission':'allow'", "'allow':true",
				"'updatedInput':{'command':'ls'}", "'hookSpecificOutput':{'permissionDecision':'allow'}" }) {
			assertThatExceptionOfType(InvalidJsonException.class)
				.isThrownBy(() -> decision("{" + decision + "," + word + "}"));
		}
		assertThat(decision("{'decision':'deny'," + word + "}")).isInstanceOf(ToolDecision.Deny.class);
	}

	@Test
	void wordThatIsNotKnownWithinTheNestedObjectIsAFailure() {
		assertThatExceptionOfType(InvalidJsonException.class)
			.isThrownBy(() -> decision("{'hookSpecificOutput':{'permissionDecision':'allow','veto':true}}"));
		assertThatExceptionOfType(InvalidJsonException.class)
			.isThrownBy(() -> decision("{'hookSpecificOutput':{'hookEventName':'PreToolUse','veto':true}}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "'suppressOutput':true", "'systemMessage':'hi'", "'continue':true", "'reason':'fine'",
			"'stopReason':''", "'hookEventName':'PreToolUse'", "'hook_event_name':'PreToolUse'", "'tool_name':'Bash'",
			"'tool_input':{'command':'ls'}", "'permissionOverrides':[]", "'terminalSequence':'x'",
			"'updatedPermissions':[]", "'classifierContext':'a'", "'veto':null", "'timestamp':1", "'interrupt':false",
			"'retry':true" })
	void wordOfSomeSystemBesideADecisionIsNone(String word) {
		assertThat(decision("{'decision':'allow'," + word + "}")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void progressOfCopilotIsNoReply() {
		byte[] line = Wire.bytes("copilot/preToolUse.progress");
		String progress = new String(line, StandardCharsets.UTF_8) + "\n";
		String reply = new String(Wire.bytes("copilot/preToolUse.deny"), StandardCharsets.UTF_8);
		for (String output : new String[] { progress + reply, reply + "\n" + progress,
				progress + reply + "\n" + progress }) {
			assertThat(answering(output)).isEqualTo(ToolDecision.deny("not within policy"));
		}
		assertThat(answering(progress)).isEqualTo(ToolDecision.approve());
	}

	private static ToolDecision answering(String output) {
		try (CommandToolHook hook = Commands.replying(output, 0).hook()) {
			return hook.preCall(CALL);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "0|{'decision':'deny','reason':'no'}|DENY", "1|{'decision':'deny','reason':'no'}|DENY",
					"2|{'decision':'deny','reason':'no'}|DENY", "0|{'decision':'ask','reason':'no'}|ASK",
					"0|{'hookSpecificOutput':{'tool_input':{'command':'pwd'}}}|MODIFY",
					"0|{'decision':'allow'}|APPROVE", "0|{'level':'info','message':'checked'}|APPROVE",
					"0|{'level':'info','decision':'allow','message':'checked'}|APPROVE",
					"0|checked, no objection|APPROVE" })
	void replyOnStandardErrorCountsIfThereIsNoOther(int exitCode, String reply, Verdict verdict) {
		try (CommandToolHook hook = Commands.shell("cat >/dev/null; printf %s \"$REPLY\" >&2; exit " + exitCode)
			.env("REPLY", reply.replace('\'', '"'))
			.failingOpen()
			.hook()) {
			ToolDecision decision = hook.preCall(CALL);
			assertThat(decision.verdict()).isEqualTo(verdict);
			assertThat(Unanswered.isFailure(decision)).isFalse();
			if (decision instanceof ToolDecision.Deny deny) {
				assertThat(deny.reason()).isEqualTo("no");
			}
		}
	}

	@Test
	void wordThatIsNotKnownBesideAQuestionOnStandardErrorIsAFailure() {
		try (CommandToolHook hook = Commands.shell("cat >/dev/null; echo '{\"decision\":\"ask\",\"veto\":1}' >&2")
			.hook()) {
			assertThat(hook.preCall(CALL)).isInstanceOf(ToolDecision.Deny.class).matches(Unanswered::isFailure);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "COPILOT|1|{'permissionDecision':'allow'}|DENY", "COPILOT|3|boom|DENY", "COPILOT|0||APPROVE",
					"GEMINI_CLI|3|not here|DENY", "GEMINI_CLI|0|{}|APPROVE", "WINDSURF|0|all right|APPROVE",
					"KIRO|0|all right|APPROVE", "KIRO|0|{'decision':'deny'}|DENY",
					"WINDSURF|0|{'permission':'deny'}|DENY", "ANTIGRAVITY|0|{'decision':'allow'}|APPROVE",
					"ANTIGRAVITY|0||APPROVE", "CURSOR|0|{'permission':'ask'}|ASK" })
	void replyIsReadAsTheSystemReadsIt(HookSystem system, int exitCode, @Nullable String reply, Verdict verdict) {
		ToolDecision decision = answering(system, exitCode, reply);
		assertThat(decision.verdict()).isEqualTo(verdict);
		assertThat(Unanswered.isFailure(decision)).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "ANTIGRAVITY|0|{}", "CLAUDE_CODE|1|boom", "CODEX|0|all right",
			"GEMINI_CLI|1|boom", "WINDSURF|1|boom", "KIRO|3|boom" })
	void whatTheSystemWouldLetPassIsAFailure(HookSystem system, int exitCode, String reply) {
		assertThat(Unanswered.isFailure(answering(system, exitCode, reply))).isTrue();
	}

	private static ToolDecision answering(HookSystem system, int exitCode, @Nullable String reply) {
		String text = (reply != null) ? reply.replace('\'', '"') : "";
		try (CommandToolHook hook = Commands.replying(text, exitCode).speaking(system).failingOpen().hook()) {
			return hook.preCall(CALL);
		}
	}

	private static ToolDecision decision(String reply) {
		return ToolReply.beforeCall(json(reply), CALL, false, false);
	}

	private static byte[] json(String reply) {
		return reply.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
	}

}
