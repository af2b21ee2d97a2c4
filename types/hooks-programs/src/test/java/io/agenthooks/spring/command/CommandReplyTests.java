package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.dialect.DialectReply;
import io.agenthooks.spring.dialect.ToolReply;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DialectReply}: the formats of other programs, and what is none.
 */
class CommandReplyTests {

	private static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls", "path", "/tmp"));

	@Test
	void claudeCodeNested() {
		assertThat(nested("'permissionDecision':'allow','permissionDecisionReason':'fine'"))
			.isEqualTo(ToolDecision.approve());
		assertThat(nested("'permissionDecision':'deny','permissionDecisionReason':'no'"))
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(nested("'permissionDecision':'ask','permissionDecisionReason':'sure?'"))
			.isEqualTo(ToolDecision.ask("sure?"));
		assertThat(nested("'permissionDecision':'defer'")).isInstanceOf(ToolDecision.Ask.class);
		assertThat(nested("'permissionDecision':'allow','updatedInput':{'command':'pwd'}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
		assertThat(nested("'additionalContext':'by the way'").additionalContext()).isEqualTo("by the way");
		assertThat(decision("{'continue':true,'suppressOutput':true,'systemMessage':'hi'}"))
			.isEqualTo(ToolDecision.approve());
	}

	@Test
	void claudeCodeFlat() {
		assertThat(decision("{'decision':'approve','reason':'fine'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'decision':'block','reason':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'continue':false,'stopReason':'enough'}")).isEqualTo(ToolDecision.abortTurn("enough"));
		assertThat(decision("{'continue':false}")).isInstanceOf(ToolDecision.Abort.class);
		assertThat(decision("{}")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void agentPool() {
		assertThat(decision("{'decision':'allow'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'decision':'deny','reason':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'decision':'ask','reason':'sure?'}")).isEqualTo(ToolDecision.ask("sure?"));
		assertThat(decision("{'permissionDecision':'deny','permissionDecisionReason':'no'}"))
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'modified_input':{'command':'pwd'}}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
		assertThat(ToolReply.beforeCall(bytes("{'modified_input':{'command':'pwd'}}"), CALL, true, false))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd", "path", "/tmp")));
		assertThat(decision("{'additional_context':'by the way'}").additionalContext()).isEqualTo("by the way");
		assertThat(decision("{'continue_':false,'reason':'enough'}")).isEqualTo(ToolDecision.abortTurn("enough"));
	}

	@Test
	void cursor() {
		assertThat(decision("{'permission':'allow'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'permission':'deny','user_message':'to you','agent_message':'to the agent'}"))
			.isEqualTo(ToolDecision.deny("to the agent"));
		assertThat(decision("{'permission':'ask','user_message':'sure?'}")).isEqualTo(ToolDecision.ask("sure?"));
		assertThat(decision("{'permission':'allow','updated_input':{'command':'pwd'}}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
	}

	@Test
	void cursorBeforeItsNamesChanged() {
		assertThat(
				decision("{'continue':true,'permission':'deny','userMessage':'to you','agentMessage':'to the agent'}"))
			.isEqualTo(ToolDecision.deny("to the agent"));
		assertThat(decision("{'permission':'ask','userMessage':'sure?'}")).isEqualTo(ToolDecision.ask("sure?"));
	}

	@Test
	void cline() {
		assertThat(decision("{'cancel':false,'contextModification':''}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'cancel':true,'errorMessage':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'review':true,'context':'sure?'}")).isEqualTo(ToolDecision.ask("sure?"));
		assertThat(decision("{'cancel':false,'contextModification':'by the way'}").additionalContext())
			.isEqualTo("by the way");
		assertThat(decision("{'overrideInput':{'command':'pwd'}}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
	}

	@Test
	void hermesAndAmp() {
		assertThat(decision("{'action':'allow'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'action':'continue'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'action':'block','message':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'action':'reject-and-continue','message':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'result':'deny','reason':'no'}")).isEqualTo(ToolDecision.deny("no"));
	}

	@Test
	void openClawAndPi() {
		assertThat(decision("{'block':false}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'block':true,'blockReason':'no'}")).isEqualTo(ToolDecision.deny("no"));
	}

	@Test
	void openClawThatWantsAnApprovalOrOtherArguments() {
		assertThat(decision("{'requireApproval':{'title':'Push','description':'Push to main?'}}"))
			.isEqualTo(ToolDecision.ask("Push to main?"));
		assertThat(decision("{'params':{'command':'pwd'},'block':false}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
		assertThat(decision("{'requireApproval':false}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'requireApproval':{'title':'a'},'block':true,'blockReason':'no'}"))
			.isEqualTo(ToolDecision.deny("no"));
	}

	@Test
	void picoClawThatEndsTheTurn() {
		assertThat(decision("{'action':'abort_turn','reason':'enough'}")).isEqualTo(ToolDecision.abortTurn("enough"));
		assertThat(decision("{'action':'hard_abort','reason':'enough'}")).isEqualTo(ToolDecision.abortTurn("enough"));
	}

	@Test
	void claudeCodePermissionRequest() {
		assertThat(permission("'behavior':'allow'")).isEqualTo(ToolDecision.approve());
		assertThat(permission("'behavior':'allow','updatedInput':{'command':'pwd'}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
		assertThat(permission("'behavior':'deny','message':'no'")).isEqualTo(ToolDecision.deny("no"));
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> permission("'behavior':'maybe'"));
		assertThat(decision("{'behavior':'deny','message':'no'}")).isEqualTo(ToolDecision.deny("no"));
	}

	private static ToolDecision permission(String members) {
		return decision("{'hookSpecificOutput':{'hookEventName':'PermissionRequest','decision':{" + members + "}}}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "'allow':false", "'allow':'False'", "'block':'true'", "'allowed':false", "'approve':false",
			"'approved':false", "'ok':false", "'block':true", "'blocked':true", "'deny':true", "'denied':true",
			"'cancel':true", "'verdict':'block'", "'permissionDecision':'block'", "'action':'deny'",
			"'action':'reject'", "'decision':'reject'", "'decision':'rejected'", "'permission':'denied'",
			"'status':'blocked'", "'outcome':'deny'", "'decision':'DENY'", "'Decision':'Deny'",
			"'permission_decision':'deny'", "'PermissionDecision':' deny '", "'decision':'blocked by policy'",
			"'action':'deny_tool'", "'decision':{'action':'deny_tool'}", "'verdict':{'decision':'deny'}",
			"'reject':true", "'abort':true", "'halt':true", "'permitted':false", "'result':false",
			"'result':{'allow':false}", "'response':{'allowed':false}",
			"'hook_specific_output':{'permission_decision':'deny'}", "'decision':{'behavior':'deny'}",
			"'HookSpecificOutput':{'decision':{'Behavior':'deny'}}", "'continue':'no'", "'approved':'no'",
			"'allowed':0", "'allowed':0.0", "'approved':-0e5", "'deny':1.0", "'blocked':'Yes'", "'deny':1",
			"'is_allowed':false", "'isBlocked':true", "'decision':false", "'verdict':'no'", "'decision':['deny']",
			"'action':['allow','deny_tool']", "'refuse':true", "'refused':'yes'", "'forbidden':true", "'disallow':1",
			"'isDisallowed':true", "'prevented':true", "'decision':'prevented'" })
	void denialIsUnderstoodHoweverItIsSpelled(String denial) {
		for (String reply : List.of("{" + denial + "}", "{'hookSpecificOutput':{" + denial + "}}",
				"{'reason':7,'updatedInput':'ls'," + denial + "}")) {
			assertThat(decision(reply)).as(reply).isInstanceOf(ToolDecision.Deny.class);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'allow':true}", "{'approved':true,'reason':'fine'}", "{'ok':true}", "{'blocked':false}",
			"{'status':'ok','result':'written','outcome':'success'}", "{'abort':false}", "{'result':true}",
			"{'decision':'approve','result':0,'status':0}", "{'result':0,'status':0,'issues':1}",
			"{'decision':'approve','result':'no'}", "{'is_error':false,'tags':['deny']}",
			"{'decision':'approve','result':'blocked 0 items','status':'denied 2 before','message':'deny'}",
			"{'checks':{'status':'denied','decision':'deny'},'blocked_total':true}",
			"{'decision':'approve','tool_input':{'decision':'deny'},'toolInput':{'continue':false}}",
			"{'cancel':null,'allow':null,'decision':null}" })
	void whatDoesNotDenyApproves(String reply) {
		assertThat(decision(reply)).isEqualTo(ToolDecision.approve());
	}

	@Test
	void trueAndFalseAreDecisionsThatMayBeRequired() {
		for (String reply : List.of("{'allow':true}", "{'approved':true}", "{'ok':true}", "{'action':'allow'}")) {
			assertThat(ToolReply.beforeCall(bytes(reply), CALL, false, true)).isEqualTo(ToolDecision.approve());
		}
		assertThatExceptionOfType(InvalidJsonException.class)
			.isThrownBy(() -> ToolReply.beforeCall(bytes("{'blocked':false}"), CALL, false, true));
	}

	@Test
	void copilot() {
		assertThat(decision("{'permissionDecision':'allow','modifiedArgs':{'command':'pwd'}}"))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd")));
	}

	@Test
	void geminiCli() {
		assertThat(decision("{'decision':'deny','reason':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(ToolReply.beforeCall(bytes("{'hookSpecificOutput':{'tool_input':{'command':'pwd'}}}"), CALL, true,
				false))
			.isEqualTo(ToolDecision.modify(Map.of("command", "pwd", "path", "/tmp")));
		assertThat(decision("{'tool_input':{'command':'echoed'}}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'hookSpecificOutput':{'hookEventName':'BeforeTool','permissionDecision':'allow'}}"))
			.isEqualTo(ToolDecision.approve());
	}

	@Test
	void pulseBot() {
		assertThat(decision("{'verdict':'approve'}")).isEqualTo(ToolDecision.approve());
		assertThat(decision("{'verdict':'deny','reasoning':'no'}")).isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'verdict':'modify','modified_arguments':{}}")).isEqualTo(ToolDecision.modify(Map.of()));
	}

	@Test
	void strictestOfSeveralAnswersHolds() {
		assertThat(decision("{'decision':'block','reason':'no','hookSpecificOutput':{'permissionDecision':'allow'}}"))
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(decision("{'decision':'allow','hookSpecificOutput':{'permissionDecision':'ask'}}"))
			.isInstanceOf(ToolDecision.Ask.class);
		assertThat(decision("{'decision':'allow','permission':'deny'}")).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision("{'continue':false,'decision':'allow'}")).isInstanceOf(ToolDecision.Abort.class);
		assertThat(nested("'permissionDecision':'deny','updatedInput':{'command':'pwd'}"))
			.isInstanceOf(ToolDecision.Deny.class);
	}

	@Test
	void blockingWordsLeaveAResultHoweverTheyAreSpelled() {
		for (String reply : List.of("{'decision':'block','reason':'no'}", "{'decision':'BLOCKED','reason':'no'}")) {
			assertThat(ToolReply.afterCall(bytes(reply), ToolResult.success("a"), true).additionalContext())
				.isEqualTo("no");
		}
		assertThat(ToolReply.afterCall(bytes("{'updated_mcp_tool_output':'b'}"), ToolResult.success("a"), false))
			.isInstanceOf(ToolDecision.Respond.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "'reason':7", "'reason':['a','b']", "'updatedInput':'ls'", "'permissionDecision':'DENY'",
			"'permission':null", "'continue':'no'", "'additionalContext':{}", "'hookSpecificOutput':'allow'",
			"'hookSpecificOutput':{'hookEventName':'Stop'}", "'updatedInput':{'a':1},'modified_input':{'a':2}",
			"'Verdict':'allow'", "'modified_input':{'n':{'a':[]}}" })
	void denialHoldsWhateverElseIsWrong(String others) {
		assertThat(decision("{'decision':'deny'," + others + "}")).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision("{'decision':'block'," + others + "}")).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision("{'continue_':false," + others + "}")).isInstanceOf(ToolDecision.Abort.class);
		assertThat(ToolReply.afterCall(bytes("{'decision':'deny'," + others + "}"), ToolResult.success("a"), false))
			.isInstanceOf(ToolDecision.Deny.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'decision':'ALLOW'}", "{'decision':'maybe'}", "{'decision':''}", "{'decision':true}",
			"{'decision':{'behavior':'allow'}}", "{'permissionDecision':'Allow'}", "{'verdict':'modify'}",
			"{'verdict':'respond'}", "{'modified_input':[]}", "{'updatedInput':'ls'}", "{'continue':'maybe'}",
			"{'permission_decision':'allow'}", "{'Decision':'allow'}", "{'PermissionDecision':'ask'}",
			"{'hook_specific_output':{'permissionDecision':'allow'}}", "{'hookSpecificOutput':{'UpdatedInput':{}}}",
			"{'modifiedInput':{}}", "{'updatedArgs':{}}", "{'hookSpecificOutput':{'new_tool_input':{}}}",
			"{'Continue':true}", "{'require_approval':true}", "{'Approved':true}", "{'approved':'maybe'}",
			"{'block':'no'}", "{'allow':[]}", "{'action':'quarantine'}", "{'decision':'continue'}",
			"{'behavior':'maybe'}", "{'additionalContext':{}}", "{'hookSpecificOutput':'allow'}",
			"{'hookSpecificOutput':{'hookEventName':'Stop','permissionDecision':'allow'}}",
			"{'updatedInput':{'command':'a'},'modified_input':{'command':'b'}}",
			"{'decision':'ask','updatedInput':{'command':'pwd'}}", "{'decision':'allow'", "{'decision':'allow'}}",
			"{'decision':'approve','issues':1}", "{'decision':'approve','tags':['deny']}",
			"{'decision':'approve','arguments':{'command':'pwd'}}", "{'a':1,'a':2}",
			"{'modified_input':{'n':1e999999}}", "null", "" })
	void whatIsNoValidAnswerIsRefused(String reply) {
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> decision(reply));
	}

	private static ToolDecision nested(String members) {
		return decision("{'hookSpecificOutput':{'hookEventName':'PreToolUse'," + members + "}}");
	}

	private static ToolDecision decision(String reply) {
		return ToolReply.beforeCall(bytes(reply), CALL, false, false);
	}

	private static byte[] bytes(String reply) {
		return reply.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
	}

}
