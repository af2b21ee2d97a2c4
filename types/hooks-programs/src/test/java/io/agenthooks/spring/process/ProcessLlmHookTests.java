package io.agenthooks.spring.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessLlmHook} and {@link ProcessRunHook} with real programs.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ProcessLlmHookTests {

	private static final LlmMessage SYSTEM = LlmMessage.system("Be kind.");

	private static final LlmMessage IMAGE = new LlmMessage(LlmRole.USER, "the secret image", "an image");

	private static final LlmCall CALL = LlmCall.of(SYSTEM, IMAGE, LlmMessage.user("Hi"))
		.withModel("gpt-test")
		.withOptions(Map.of("temperature", 0.5, "topK", 3))
		.withTools(List.of("search"))
		.withContext(CallContext.ofSession("s1").withAgent("coder").withRunId("run-7"));

	private static final LlmResponse RESPONSE = new LlmResponse("Hi", List.of(new LlmToolCall("c1", "t", "{\"a\":1}")),
			"tool_calls", new LlmUsage(7, 2), "gpt-4", null);

	@TempDir
	private Path dir;

	@Test
	void gateForBeforeLlm() {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(before(gate, "Hi")).isEqualTo(LlmDecision.approve());
			assertThat(before(gate, "echo")).isEqualTo(LlmDecision.approve());
			assertThat(before(gate, "abort_turn")).isEqualTo(LlmDecision.abortTurn("because"));
			assertThat(before(gate, "hard_abort")).isEqualTo(LlmDecision.abortRun("because"));
			assertThat(before(gate, "deny_tool")).isEqualTo(LlmDecision.deny("because"));
			LlmCall call = saying("a secret");
			assertThat(((PreLlmHook) gate).preCall(call)).isEqualTo(LlmDecision.modify(call.withModel("small")
				.withOptions(Map.of("temperature", 0.2, "topK", 3))
				.withMessages(List.of(SYSTEM, IMAGE.withText("the *** image"), LlmMessage.user("a ***")))));
		}
	}

	@Test
	void gateForAfterLlm() {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(after(gate, "Hi")).isEqualTo(LlmDecision.approve());
			assertThat(after(gate, "abort_turn")).isEqualTo(LlmDecision.abortTurn("because"));
			assertThat(after(gate, "hard_abort")).isEqualTo(LlmDecision.abortRun("because"));
			assertThat(after(gate, "a secret")).isEqualTo(LlmDecision.respond(RESPONSE.withText("a ***")));
			assertThat(after(gate, "replace all")).isEqualTo(LlmDecision
				.respond(new LlmResponse("Replaced", List.of(), "tool_calls", new LlmUsage(7, 2), "gpt-4", null)));
			assertThat(after(gate, "another tool"))
				.isEqualTo(LlmDecision.deny("The answer of the process has other tool_calls than the model wants"));
			assertThat(after(gate, "modify").reason()).contains("does not say to what");
		}
	}

	@Test
	void gateThatSpeaksTheDialectOfTheManual() throws IOException {
		Path log = this.dir.resolve("log");
		try (ProcessHook<?, ?> gate = hook(
				Processes.llmGate().env("OLD_DIALECT", "1").env("LOG", log.toString()).observe("*"))) {
			assertThat(before(gate, "Hi")).isEqualTo(LlmDecision.approve());
			assertThat(before(gate, "abort_turn")).isEqualTo(LlmDecision.abortTurn("because"));
			assertThat(before(gate, "a secret").verdict().value()).isEqualTo("modify");
			assertThat(after(gate, "a secret")).isEqualTo(LlmDecision.respond(RESPONSE.withText("a ***")));
		}
		assertThat(log).content().contains("\"method\":\"hook.event\"").contains("\"type\":\"llm_request\"");
	}

	@Test
	void answerThatCannotBeUnderstoodDeniesAlsoIfTheHookFailsOpen() {
		List<String> answers = List.of("nothing", "respond", "modify", "{\"action\":\"continue\",\"request\":1}",
				"{\"action\":\"Continue\"}", "{\"action\":\"continue\",\"decision\":{\"action\":\"modify\"}}",
				"{\"request\":{\"messages\":{}}}", "{\"request\":{\"messages\":[{\"role\":\"tool\"}]}}",
				"{\"request\":{\"model\":[]}}", "{\"request\":{\"options\":3}}");
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(answers).allSatisfy((answer) -> assertDeniedForTheAnswer(gate, answer));
		}
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().failingOpen())) {
			assertThat(answers)
				.allSatisfy((answer) -> assertThat(before(gate, answer).verdict().value()).isEqualTo("deny"));
		}
	}

	@Test
	void changeThatNobodyWouldSeeIsAMistake() {
		List<String> answers = List.of("{\"action\":\"continue\",\"messages\":[]}",
				"{\"action\":\"continue\",\"options\":{}}", "{\"request\":{\"contents\":[]}}",
				"{\"request\":{\"Messages\":[]}}", "{\"request\":{\"config\":{}}}",
				"{\"request\":{\"messages\":[{\"role\":\"user\",\"text\":\"***\"}]}}",
				"{\"Request\":{\"messages\":[]},\"action\":\"continue\"}");
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(answers).allSatisfy((answer) -> assertDeniedForTheAnswer(gate, answer));
		}
	}

	private static void assertDeniedForTheAnswer(ProcessHook<?, ?> gate, String answer) {
		assertThat(before(gate, answer).reason()).startsWith("The answer of the process ");
		assertThat(before(gate, answer).verdict().value()).isEqualTo("deny");
	}

	@Test
	void denialOrEndCountsHoweverItIsSpelled() {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().failingOpen())) {
			assertThat(List.of("{\"action\":\"deny-tool\"}", "{\"action\":\"Refuse\"}", "{\"decision\":\"deny\"}",
					"{\"action\":\"continue\",\"decision\":\"block\"}",
					"{\"action\":\"continue\",\"approved\":\"false\"}"))
				.allSatisfy((answer) -> assertThat(before(gate, answer).verdict().value()).isEqualTo("deny"));
			assertThat(List.of("{\"action\":\"abort-turn\"}", "{\"action\":\"hardAbort\"}", "{\"action\":\"abort\"}"))
				.allSatisfy((answer) -> assertThat(before(gate, answer).verdict().value()).isEqualTo("abort"));
		}
	}

	@Test
	void programThatIsSilentOrEndsDenies() {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().timeout(Duration.ofMillis(500)))) {
			assertThat(before(gate, "silence")).isEqualTo(LlmDecision.deny("The process did not answer in time"));
		}
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(before(gate, "exit")).isEqualTo(LlmDecision.deny("The process ended"));
			assertThat(before(gate, "Hi")).isEqualTo(LlmDecision.approve());
		}
		try (ProcessHook<?, ?> gate = hook(
				Processes.shell(Processes.ENDS_AT_EVERY_CALL).intercept("before_llm").failingOpen())) {
			assertThat(before(gate, "Hi")).isEqualTo(LlmDecision.failedOpen("The process ended"));
		}
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().failingOpen())) {
			assertThat(before(gate, "exit").verdict().value()).isEqualTo("deny");
		}
	}

	@Test
	void toolsAndMessagesOfTheApplicationStay(CapturedOutput output) {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate())) {
			assertThat(before(gate, "take over")).isEqualTo(LlmDecision.approve());
		}
		assertThat(output).contains("the process cannot change messages of the application of a model call");
	}

	@Test
	void questionsAreThoseOfPicoClaw() throws IOException {
		Path log = this.dir.resolve("log");
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().env("LOG", log.toString()).observe("*"))) {
			before(gate, "Hi");
			after(gate, "Hi");
		}
		List<Map<?, ?>> messages = messages(log);
		assertThat(params(messages, "hook.hello")).containsEntry("modes", List.of("observe", "llm"));
		assertThat(params(messages, "hook.before_llm"))
			.containsEntry("meta", Map.of("AgentID", "coder", "TurnID", "run-7", "SessionKey", "s1", "Iteration", 0))
			.containsEntry("model", "gpt-test")
			.containsEntry("tools", List.of(Map.of("type", "function", "function", Map.of("name", "search"))))
			.containsEntry("options", Map.of("temperature", 0.5, "topK", 3))
			.containsEntry("graceful_terminal", false)
			.hasEntrySatisfying("messages",
					(said) -> assertThat(said.toString()).contains("{index=1, role=user, content=the secret image}")
						.doesNotContain("an image"));
		assertThat(params(messages, "hook.after_llm")).containsEntry("model", "gpt-4")
			.containsEntry("response",
					Map.of("role", "assistant", "content", "Hi", "tool_calls",
							List.of(Map.of("id", "c1", "type", "function", "function",
									Map.of("name", "t", "arguments", "{\"a\":1}"))),
							"finish_reason", "tool_calls", "usage",
							Map.of("prompt_tokens", 7, "completion_tokens", 2, "total_tokens", 9)));
	}

	@Test
	void onlyProgramsThatAreAskedAboutResponsesHoldUpAStream() {
		try (ProcessHook<?, ?> gate = hook(Processes.llmGate().intercept("before_llm").observe("llm_response"))) {
			assertThat((LlmHook) gate).isInstanceOf(PreLlmHook.class).isNotInstanceOf(LlmResponseHook.class);
		}
		ProcessPrograms programs = new ProcessPrograms();
		try (ProcessHook<?, ?> gate = (ProcessHook<?, ?>) programs.llmHooks()
			.createForPost("gate", Processes.llmGate().notAsked().observe("llm_response").llmConfig())) {
			assertThat((LlmHook) gate).isInstanceOf(PostLlmHook.class).isNotInstanceOf(LlmResponseHook.class);
			assertThat(programs.states()).containsEntry("gate", ProcessState.UP);
		}
	}

	@Test
	void eventsComeAsPicoClawNamesThem() throws IOException {
		Path log = this.dir.resolve("log");
		Processes told = Processes.llmGate().notAsked().env("LOG", log.toString()).observe("*");
		AgentRun run = new AgentRun("run-7", "Fix it", CALL.context());
		ProcessPrograms programs = new ProcessPrograms();
		try (ProcessHook<?, ?> gate = hook(told);
				ProcessRunHook runs = (ProcessRunHook) programs.runHooks().create("runs", told.runConfig())) {
			assertThat(runs.preRun(run)).isEqualTo(RunDecision.approve());
			new RunHookChain(List.of(), List.of(runs)).begin(run).finish("Done", null);
			new LlmHookChain(List.of((PreLlmHook) gate), List.of(), List.of((PostLlmHook) gate)).execute(CALL,
					(call) -> RESPONSE);
			PreLlmHook denying = (call) -> LlmDecision.deny("no");
			new LlmHookChain(List.of(denying), List.of(), List.of((PostLlmHook) gate)).execute(CALL,
					(call) -> RESPONSE);
		}
		List<Map<?, ?>> events = messages(log).stream()
			.filter((message) -> "hook.runtime_event".equals(message.get("method")))
			.<Map<?, ?>>map((message) -> (Map<?, ?>) message.get("params"))
			.toList();
		assertThat(events).extracting((event) -> String.valueOf(event.get("kind")))
			.containsExactlyInAnyOrder("agent.turn.start", "agent.turn.end", "agent.llm.request", "agent.llm.response");
		assertThat(payload(events, "agent.turn.start")).contains("UserMessage=Fix it");
		assertThat(payload(events, "agent.turn.end")).contains("Status=completed", "FinalContent=Done");
		assertThat(payload(events, "agent.llm.request")).contains("Model=gpt-test", "MessagesCount=3", "ToolsCount=1");
		assertThat(payload(events, "agent.llm.response")).contains("ContentLen=2", "ToolCalls=1");
	}

	private static ProcessHook<?, ?> hook(Processes program) {
		return (ProcessHook<?, ?>) new ProcessPrograms().llmHooks().create("gate", program.llmConfig());
	}

	private static LlmCall saying(String text) {
		return CALL.withMessages(List.of(SYSTEM, IMAGE, LlmMessage.user(text)));
	}

	private static LlmDecision before(ProcessHook<?, ?> gate, String text) {
		return ((PreLlmHook) gate).preCall(saying(text));
	}

	private static LlmDecision after(ProcessHook<?, ?> gate, String text) {
		return ((LlmResponseHook) gate).onResponse(CALL, RESPONSE.withText(text));
	}

	private static List<Map<?, ?>> messages(Path log) throws IOException {
		List<Map<?, ?>> messages = new ArrayList<>();
		for (String line : Files.readAllLines(log)) {
			messages.add(new StrictJson(4).readObject(line.getBytes(StandardCharsets.UTF_8)));
		}
		return messages;
	}

	private static Map<String, Object> params(List<Map<?, ?>> messages, String method) {
		Map<String, Object> params = new LinkedHashMap<>();
		messages.stream()
			.filter((message) -> method.equals(message.get("method")))
			.map((message) -> (Map<?, ?>) message.get("params"))
			.findFirst()
			.orElseThrow()
			.forEach((name, value) -> params.put(String.valueOf(name), value));
		return params;
	}

	private static String payload(List<Map<?, ?>> events, String kind) {
		return events.stream()
			.filter((event) -> kind.equals(event.get("kind")))
			.map((event) -> String.valueOf(event.get("payload")))
			.findFirst()
			.orElseThrow();
	}

}
