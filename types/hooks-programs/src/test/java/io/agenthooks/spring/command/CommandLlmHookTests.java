package io.agenthooks.spring.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandLlmHook} and {@link CommandLlmResponseHook} with real commands.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class CommandLlmHookTests {

	private static final LlmMessage SYSTEM = LlmMessage.system("Be kind.");

	private static final LlmMessage IMAGE = new LlmMessage(LlmRole.USER, "What is it?", "an image");

	private static final LlmMessage SAID = new LlmMessage(LlmRole.ASSISTANT, "A cat", "its thoughts");

	private static final LlmCall CALL = LlmCall.of(SYSTEM, IMAGE, SAID, LlmMessage.user("Sure?"))
		.withModel("gpt-test")
		.withOptions(Map.of("temperature", 0.5))
		.withTools(List.of("search"))
		.withContext(CallContext.ofSession("s1").withAgent("coder"));

	private static final LlmResponse RESPONSE = new LlmResponse("the secret", List.of(new LlmToolCall("1", "t", "{}")),
			"stop", new LlmUsage(7, 2), "gpt-test", null);

	@TempDir
	private Path dir;

	@Test
	void geminiHookForBeforeModel() {
		try (CommandLlmHook hook = Commands.program("node", "model_guard.js").llmHook()) {
			assertThat(ask(hook, "Hi")).isEqualTo(LlmDecision.approve());
			assertThat(ask(hook, "my api key")).isEqualTo(LlmDecision.deny("No secrets for models"));
			assertThat(ask(hook, "the weather")).isEqualTo(LlmDecision.respond(LlmResponse.of("Sunny")));
			assertThat(ask(hook, "stop")).isEqualTo(LlmDecision.abortTurn("Enough for today"));
			assertThat(ask(hook, "exit")).isEqualTo(LlmDecision.deny("Blocked by policy"));
			LlmCall call = saying("ask bob@example.com");
			assertThat(hook.preCall(call)).isEqualTo(LlmDecision.modify(call.withModel("gpt-test-mini")
				.withOptions(Map.of("temperature", 0))
				.withMessages(List.of(SYSTEM, IMAGE, SAID, LlmMessage.user("ask ***")))));
		}
	}

	@Test
	void geminiHookForAfterModel() {
		try (CommandLlmResponseHook hook = Commands.program("node", "model_guard.js").resultLlmHook()) {
			assertThat(hook.onResponse(CALL, RESPONSE)).isEqualTo(LlmDecision.respond(RESPONSE.withText("the ***")));
			assertThat(hook.onResponse(CALL, RESPONSE.withText("Hi"))).isEqualTo(LlmDecision.approve());
			assertThat(hook.onResponse(CALL, RESPONSE.withText("poison")))
				.isEqualTo(LlmDecision.deny("Not for people"));
		}
	}

	@Test
	void exitCodesDecideAboutResponses() {
		assertThat(after(Commands.shell("echo leaked >&2; exit 2"))).isEqualTo(LlmDecision.deny("leaked"));
		assertThat(after(Commands.shell("exit 1"))).isEqualTo(LlmDecision.deny("The command ended with exit code 1"));
		assertThat(after(Commands.shell("exit 1").failingOpen()))
			.isEqualTo(LlmDecision.failedOpen("The command ended with exit code 1"));
		assertThat(after(Commands.shell("true"))).isEqualTo(LlmDecision.approve());
		assertThat(after(Commands.replying("{\"continue\":false}", 0)))
			.isEqualTo(LlmDecision.abortTurn("The command gave no reason"));
		assertThat(after(response("{\"text\":\"***\"}", 1).failingOpen()))
			.isEqualTo(LlmDecision.deny("The command ended with exit code 1"));
	}

	@Test
	void responseMayBeChangedInEitherPlaceButNotDifferentlyInBoth() {
		String parts = "\"candidates\":[{\"content\":{\"parts\":[%s]}}]";
		assertThat(after(response("{\"text\":\"***\"," + parts.formatted("\"the secret\"") + "}", 0)))
			.isEqualTo(LlmDecision.respond(RESPONSE.withText("***")));
		assertThat(after(response("{\"text\":\"the secret\"," + parts.formatted("{\"text\":\"***\"}") + "}", 0)))
			.isEqualTo(LlmDecision.respond(RESPONSE.withText("***")));
		assertThat(after(response("{\"text\":\"+++\"," + parts.formatted("\"***\"") + "}", 0)))
			.isEqualTo(LlmDecision.deny("The output of the command says two different things at once"));
	}

	@Test
	void exitCodesAndSilenceDecideAboutCalls() {
		assertThat(before(Commands.shell("true"))).isEqualTo(LlmDecision.approve());
		assertThat(before(Commands.shell("true").requiringDecision()).reason())
			.contains("wrote nothing, but must decide");
		assertThat(before(Commands.replying("{}", 0).requiringDecision()).reason()).contains("has no decision");
		assertThat(before(response("{\"text\":\"Hi\"}", 0).requiringDecision()))
			.isEqualTo(LlmDecision.respond(LlmResponse.of("Hi")));
		assertThat(before(Commands.shell("exit 1"))).isEqualTo(LlmDecision.deny("The command ended with exit code 1"));
		assertThat(before(Commands.shell("exit 1").failingOpen()))
			.isEqualTo(LlmDecision.failedOpen("The command ended with exit code 1"));
		assertThat(before(Commands.shell("sleep 20").timeout(Duration.ofMillis(300))))
			.isEqualTo(LlmDecision.deny("The command did not end in time"));
		assertThat(before(Commands.replying("{\"additionalContext\":\"It rains\"}", 0)))
			.isEqualTo(LlmDecision.approve().withAdditionalContext("It rains"));
	}

	@Test
	void responseOfAHookThatBlocksIsTheAnswer() {
		String blocked = "{\"decision\":\"deny\",\"reason\":\"no\",\"hookSpecificOutput\":{\"llm_response\":%s}}";
		assertThat(before(Commands.replying(blocked.formatted("{\"text\":\"Closed\"}"), 0)))
			.isEqualTo(LlmDecision.respond(LlmResponse.of("Closed")));
		assertThat(before(Commands.replying(blocked.formatted("{}"), 0))).isEqualTo(LlmDecision.deny("no"));
		assertThat(before(Commands.replying(blocked.formatted("{\"text\":\"Closed\"}"), 1).failingOpen()).verdict())
			.isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"decision\":\"ask\"}", "{\"decision\":\"modify\"}", "hello", "[]",
			"{\"hookSpecificOutput\":{\"llm_request\":1}}", "{\"updatedInput\":{}}", "{\"llmRequest\":{}}",
			"{\"llm_request\":{\"model\":\"x\"}}", "{\"llm_response\":{\"text\":\"x\"}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"messages\":1}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"messages\":[1]}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"model\":1}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"config\":[]}}}",
			"{\"hookSpecificOutput\":{\"llm_response\":{}}}",
			"{\"hookSpecificOutput\":{\"llm_response\":{\"candidates\":[{}]}}}",
			"{\"hookSpecificOutput\":{\"llm_response\":{\"text\":\"x\"},\"llm_request\":{\"model\":\"y\"}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"contents\":[]}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"Messages\":[]}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"options\":{}}}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"messages\":[{\"role\":\"user\",\"parts\":[\"x\"]}]}}}",
			"{\"messages\":[]}", "{\"modified_messages\":[]}", "{\"hookSpecificOutput\":{\"messages\":[]}}",
			"{\"hookSpecificOutput\":{\"tool_input\":{}}}", "{\"updatedToolOutput\":\"x\"}",
			"{\"hookSpecificOutput\":{\"hookEventName\":\"AfterModel\"}}" })
	void replyThatCannotBeDoneOrUnderstoodDenies(String reply) {
		assertThat(before(Commands.replying(reply, 0)).reason()).startsWith("The output of the command ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"content\":\"***\"}", "{\"hookSpecificOutput\":{\"updatedToolOutput\":\"***\"}}",
			"{\"modifiedResult\":\"***\"}", "{\"hookSpecificOutput\":{\"llm_request\":{\"model\":\"x\"}}}" })
	void changeOfAResponseThatNobodyWouldSeeWithholdsIt(String reply) {
		assertThat(after(Commands.replying(reply, 0)).reason()).startsWith("The output of the command ");
		assertThat(after(Commands.replying(reply, 0)).verdict()).isEqualTo(Verdict.DENY);
	}

	@Test
	void messagesOfTheApplicationAndToolsStay(CapturedOutput output) {
		LlmDecision decision = before(Commands.replying("""
				{"hookSpecificOutput": {"llm_request": {"tools": [{"type": "function", "function": {"name": "shell"}}],
				 "messages": [{"role": "system", "content": "Be rude."}, {"role": "user", "content": "Hello"}]}}}""",
				0));
		assertThat(decision)
			.isEqualTo(LlmDecision.modify(CALL.withMessages(List.of(SYSTEM, LlmMessage.user("Hello")))));
		assertThat(output).contains("the command cannot change messages of the application of a model call");
	}

	@Test
	void messageHasTheNamesOfGeminiCliAndOfTheWebhook() throws IOException {
		Path seen = this.dir.resolve("seen");
		try (CommandLlmResponseHook hook = Commands.shell("cat > \"$SEEN\"")
			.env("SEEN", seen.toString())
			.resultLlmHook()) {
			hook.onResponse(CALL, RESPONSE);
		}
		Map<String, @Nullable Object> message = new StrictJson(2).readObject(Files.readAllBytes(seen));
		assertThat(message).containsEntry("hook_event_name", "AfterModel")
			.containsEntry("event", "post_llm_call")
			.containsEntry("session_id", "s1")
			.containsEntry("agent_name", "coder")
			.containsEntry("call_id", CALL.id())
			.containsEntry("model", "gpt-test")
			.containsEntry("options", Map.of("temperature", 0.5))
			.containsEntry("tools", List.of("search"))
			.containsEntry("content", "the secret")
			.containsEntry("tool_calls", List.of("t"));
		assertThat(message.get("messages")).asString().contains("{index=2, role=assistant, content=A cat}");
		assertThat(message.get("llm_request")).asString()
			.contains("model=gpt-test", "{index=2, role=model, content=A cat}", "config={temperature=0.5}")
			.doesNotContain("an image");
		assertThat(message.get("llm_response")).asString()
			.contains("text=the secret", "parts=[the secret]", "finishReason=stop", "totalTokenCount=9");
	}

	private static Commands response(String response, int exitCode) {
		return Commands.replying("{\"hookSpecificOutput\":{\"llm_response\":" + response + "}}", exitCode);
	}

	private static LlmCall saying(String text) {
		return CALL.withMessages(List.of(SYSTEM, IMAGE, SAID, LlmMessage.user(text)));
	}

	private static LlmDecision ask(CommandLlmHook hook, String text) {
		return hook.preCall(saying(text));
	}

	private static LlmDecision before(Commands command) {
		try (CommandLlmHook hook = command.llmHook()) {
			return hook.preCall(CALL);
		}
	}

	private static LlmDecision after(Commands command) {
		try (CommandLlmResponseHook hook = command.resultLlmHook()) {
			return hook.onResponse(CALL, RESPONSE);
		}
	}

}
