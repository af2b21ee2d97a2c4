package io.agenthooks.spring.process;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.Wire;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a program gets what PicoClaw sends, and that its answers are understood.
 */
class ProcessWireTests {

	private static final StrictJson json = new StrictJson(8);

	private static final ToolCall CALL = ToolCall.of("call-1", "exec", Map.of("command", "ls"),
			CallContext.ofSession("session-1").withAgent("main").withRunId("turn-1"));

	@ParameterizedTest
	@ValueSource(strings = { "before_tool", "approve_tool" })
	void questionHasEveryMember(String question) {
		Map<?, ?> theirs = (Map<?, ?>) Objects
			.requireNonNull(Wire.message("picoclaw/" + question + ".request").get("params"));
		Map<String, @Nullable Object> ours = json.readObject(ProcessMessage.call(CALL, SentUser.NOTHING));
		assertThat(ours).containsEntry("tool", theirs.get("tool")).containsEntry("arguments", theirs.get("arguments"));
		assertThat(ours.keySet()).containsAll(theirs.keySet().stream().map(String::valueOf).toList());
		Map<String, @Nullable Object> meta = StrictJson.object((Map<?, ?>) Objects.requireNonNull(ours.get("meta")));
		assertThat(meta)
			.containsOnlyKeys(StrictJson.object((Map<?, ?>) Objects.requireNonNull(theirs.get("meta"))).keySet());
		assertThat(meta.get("Iteration")).isInstanceOf(Number.class);
	}

	@Test
	void eventHasEveryMember() {
		Map<?, ?> theirs = (Map<?, ?>) Objects
			.requireNonNull(Wire.message("picoclaw/runtime_event.notification").get("params"));
		Map<String, @Nullable Object> ours = json.readObject(ProcessMessage.event(ProcessSettings.END, CALL.id(),
				CALL.context(), Map.of("Tool", "exec"), SentUser.NOTHING));
		assertThat(ours.keySet()).containsAll(theirs.keySet().stream().map(String::valueOf).toList());
		assertThat(ours).containsEntry("kind", theirs.get("kind")).containsEntry("source", theirs.get("source"));
	}

	@ParameterizedTest
	@CsvSource({ "continue, APPROVE", "deny, DENY", "modify, MODIFY", "respond, RESPOND" })
	void answerBeforeTheCallIsUnderstood(String answer, Verdict verdict) throws NoVerdictException {
		assertThat(reply("before_tool." + answer).beforeTool(CALL).verdict()).isEqualTo(verdict);
	}

	@Test
	void answersOfOtherKindsAreUnderstood() throws NoVerdictException {
		assertThat(reply("approve_tool.deny").approveTool()).isEqualTo(ToolDecision.deny("not within policy"));
		assertThat(reply("after_tool.modify").afterTool(ToolResult.success("secret")))
			.isEqualTo(ToolDecision.respond(ToolResult.success("[removed]")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "requireApproval", "updatedInput", "overwrite", "modified_result" })
	void wordOfAnotherSystemBesideADecisionIsAFailure(String word) {
		Object value = Map.of("command", "pwd");
		assertThatExceptionOfType(NoVerdictException.class)
			.isThrownBy(() -> new ProcessToolReply(Map.of("action", "continue", word, value)).beforeTool(CALL));
		assertThatExceptionOfType(NoVerdictException.class)
			.isThrownBy(() -> new ProcessToolReply(Map.of("approved", true, word, value)).approveTool());
	}

	private static ProcessToolReply reply(String name) {
		return new ProcessToolReply(
				StrictJson.object((Map<?, ?>) Objects.requireNonNull(Wire.message("picoclaw/" + name).get("result"))));
	}

}
