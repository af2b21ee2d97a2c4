package io.agenthooks.spring.entries;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.node.ObjectNode;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the type {@code prompt}, from YAML to what a server that speaks the format of
 * OpenAI is asked by Spring AI's client.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class PromptHookTests {

	private static final String ALLOW = "{\"decision\": \"allow\", \"reason\": \"harmless\"}";

	private static final String DENY = "{\"decision\": \"deny\", \"reason\": \"too much\"}";

	private static final Map<String, Object> ARGUMENTS = Map.of("command", "ls sEcReT");

	/** For what is tried with many answers. */
	private static final JudgeServer server = new JudgeServer();

	private static final ToolHooksTester strict = hooks(server);

	private static final ToolHooksTester open = failingOpen(server);

	@AfterAll
	static void close() {
		strict.close();
		open.close();
		server.close();
	}

	private static ToolHooksTester hooks(JudgeServer server, String list, String options) {
		return ToolHooksTester.ofYaml("""
				hooks:
				  %s:
				    %s:
				      - type: prompt
				        name: judge
				        config: {prompt: 'Is this fine? $INPUT'%s}
				""".formatted(list.substring(0, list.indexOf('.')), list.substring(list.indexOf('.') + 1),
				(options.isEmpty()) ? "" : ", " + options))
			.withBean("judgingModel", server.model());
	}

	private static ToolHooksTester hooks(JudgeServer server) {
		return hooks(server, "tool_call.pre_call", "");
	}

	private static ToolHooksTester failingOpen(JudgeServer server) {
		return hooks(server, "tool_call.pre_call", "fail_open: true");
	}

	@ParameterizedTest
	@ValueSource(strings = { ALLOW, "{\"decision\": \"approve\"}", " {\"reason\": null, \"decision\": \"allow\"}\n",
			"```json\n" + ALLOW + "\n```", "\n```\n{\n\"decision\":\n\"allow\"}\n```\n" })
	void judgeThatAllowsLetsTheCallPassAsItIs(String answer) {
		try (JudgeServer server = JudgeServer.saying(answer); ToolHooksTester hooks = hooks(server)) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isApproved().withContent("ran run_command");
			assertThat(hooks.executor().calls()).singleElement()
				.satisfies((call) -> assertThat(call.arguments()).isEqualTo(ARGUMENTS));
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { DENY, "{\"decision\": \"block\", \"reason\": \"too much\"}", "```json\n" + DENY + "\n```" })
	void judgeThatDeniesStopsTheCallWithItsReason(String answer) {
		try (JudgeServer server = JudgeServer.saying(answer); ToolHooksTester hooks = hooks(server)) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isDenied()
				.byHook("judge")
				.withReason("too much")
				.withContent("Tool call denied by hook 'judge': too much");
		}
	}

	@Test
	void judgeThatAsksHasAPersonAsked() {
		try (JudgeServer server = JudgeServer.saying("{\"decision\": \"ask\", \"reason\": \"Sure?\"}");
				ToolHooksTester hooks = hooks(server)) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isDenied().withReasonContaining("nobody to ask");
			try (ToolHooksTester approving = hooks.approving()) {
				assertThat(approving.call("run_command", ARGUMENTS)).isApproved().hasAskedForApproval("Sure?");
			}
		}
	}

	static Stream<List<ObjectNode>> brokenAnswers() {
		Stream<String> texts = Stream.of("", " ", "allow", "ALLOW", "null", "[]", "\"allow\"", "{}", "[" + ALLOW + "]",
				ALLOW + ALLOW, ALLOW + " I hope", "Sure: " + ALLOW, "{\"decision\": \"Allow\"}",
				"{\"decision\": \"allowed\"}", "{\"decision\": \"allow \"}", "{\"decision\": true}",
				"{\"decision\": [\"allow\"]}", "{\"decision\": null}", "{\"Decision\": \"allow\"}",
				"{\"reason\": \"fine\"}", "{\"decision\": \"allow\", \"reason\": 1}",
				"{\"decision\": \"allow\", \"decision\": \"allow\"}",
				"{\"decision\": \"allow\", \"arguments\": {\"command\": \"rm\"}}", "{decision: allow}",
				"{\"decision\": \"allow\"", "{'decision': 'allow'}", "{\"decision\": \"allow\",}",
				"```json\n" + ALLOW + "\n```\nDone", "```json\n```json\n" + ALLOW + "\n```\n```",
				"<think>Hm</think>" + ALLOW, "{\"decision\": \"modify\"}", "{\"hookSpecificOutput\": " + ALLOW + "}");
		return Stream.concat(texts.map((text) -> List.of(JudgeServer.choice(text, "stop"))),
				Stream.of(List.of(), List.of(JudgeServer.choice(ALLOW, "length")),
						List.of(JudgeServer.choice(ALLOW, "content_filter")),
						List.of(JudgeServer.choice(ALLOW, "tool_calls")), List.of(JudgeServer.calling(ALLOW)),
						List.of(JudgeServer.choice(ALLOW, "stop"), JudgeServer.choice("?", "stop"))));
	}

	@ParameterizedTest
	@MethodSource("brokenAnswers")
	void brokenAnswerDeniesAlsoIfTheJudgeFailsOpen(List<ObjectNode> choices, CapturedOutput output) {
		server.chooses(choices);
		assertThat(strict.call("run_command", ARGUMENTS)).isDenied().byHook("judge").withReasonContaining("The ");
		// What confuses the judge may be what the agent wrote.
		assertThat(open.call("run_command", ARGUMENTS)).isDenied().byHook("judge").withReasonContaining("The ");
		assertThat(output).doesNotContain("sEcReT");
	}

	static Stream<List<ObjectNode>> brokenDenials() {
		Stream<String> texts = Stream.of("{\"decision\": \"deny\", \"reason\": 1}", "I say: " + DENY, DENY + ALLOW,
				ALLOW + DENY, "{\"decision\": \"allow\", \"decision\": \"deny\"}", "{\"decision\": \"DENY\"}",
				"{\"decision\": \"deny\", \"arguments\": {}}", "{\"decision\": \"deny\", \"reason\": \"Becau",
				"{'decision': 'block'}", "decision: deny", "{\"decision\": \"allow\", \"but\": " + DENY + "}",
				"{\"decision\": \"ask\"", "{\"decision\": \"Ask\"}", "DENY", "I deny it.", "**Decision:** deny",
				"Decision: **ask**", "{\"verdict\": \"deny\"}", "{\"decision\": \"reject\"}",
				"{\"decision\": [\"deny\"]}", "{\"decision\": false}", "{\"ok\": false, \"reason\": \"It deletes\"}",
				"{\"allow\": false}", "That is not allowed.", "I cannot approve this.", "I can't allow this.",
				"It shouldn\u2019t be allowed", "This must never be let pass", "That isn't safe.", "No.", "Unsafe",
				"Declined", "prohibited", "\"{\\\"decision\\\": \\\"deny\\\"}\"",
				"{\"decision\": \"d\\u0065ny\", \"reason\": 1}");
		return Stream.concat(texts.map((text) -> List.of(JudgeServer.choice(text, "stop"))), Stream.of(
				List.of(JudgeServer.choice(DENY, "length")), List.of(JudgeServer.calling(DENY)),
				List.of(JudgeServer.calling("", DENY)), List.of(JudgeServer.calling("", "{\"allow\": false}")),
				List.of(JudgeServer.choice(ALLOW, "stop"), JudgeServer.choice(DENY, "stop")),
				List.of(JudgeServer.choice(ALLOW, "stop"), JudgeServer.choice("{\"decision\": \"ask\"}", "stop"))));
	}

	@ParameterizedTest
	@MethodSource("brokenDenials")
	void objectionInABrokenAnswerDoesNotFailOpen(List<ObjectNode> choices) {
		server.chooses(choices);
		assertThat(open.call("run_command", ARGUMENTS)).isDenied().byHook("judge");
	}

	@Test
	void answersThatAreTheSameAreOne() {
		server.chooses(
				List.of(JudgeServer.choice(ALLOW, "stop"), JudgeServer.choice("{\"decision\": \"allow\"}", "stop")));
		assertThat(strict.call("run_command", ARGUMENTS)).isApproved();
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 404, 500, 503 })
	void errorOfTheServerDeniesUnlessTheJudgeFailsOpen(int status, CapturedOutput output) {
		try (JudgeServer server = JudgeServer.failing(status, "{\"error\": {\"message\": \"sEcReT\"}}")) {
			try (ToolHooksTester hooks = hooks(server)) {
				assertThat(hooks.call("run_command", ARGUMENTS)).isDenied()
					.withReasonContaining("The judge cannot be asked (");
			}
			try (ToolHooksTester hooks = failingOpen(server)) {
				assertThat(hooks.call("run_command", ARGUMENTS)).isApproved().hasFailedOpen("judge");
			}
		}
		assertThat(output).doesNotContain("sEcReT");
	}

	/**
	 * Too long, filtered, or one too many: that is up to the agent.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 400, 422, 429 })
	void questionThatTheServerRefusesDeniesAlsoIfTheJudgeFailsOpen(int status) {
		try (JudgeServer server = JudgeServer.failing(status, "{\"error\": {\"message\": \"no\"}}");
				ToolHooksTester hooks = failingOpen(server)) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isDenied()
				.withReasonContaining("The judge cannot be asked (");
		}
	}

	@Test
	void serverThatIsNotThereDeniesUnlessTheJudgeFailsOpen() {
		JudgeServer server = new JudgeServer();
		server.close();
		try (ToolHooksTester hooks = hooks(server); ToolHooksTester open = failingOpen(server)) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isDenied().withReasonContaining("ConnectException");
			assertThat(open.call("run_command", ARGUMENTS)).isApproved().hasFailedOpen("judge");
		}
	}

	@Test
	void serverThatDoesNotAnswerInTimeDeniesUnlessTheJudgeFailsOpen() {
		try (JudgeServer server = JudgeServer.silent();
				ToolHooksTester hooks = hooks(server, "tool_call.pre_call", "timeout: 300ms");
				ToolHooksTester open = hooks(server, "tool_call.pre_call", "timeout: 300ms, fail_open: true")) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isDenied()
				.withReason("The judge did not answer within 300 ms");
			assertThat(open.call("run_command", ARGUMENTS)).isApproved().hasFailedOpen("judge");
		}
	}

	@Test
	void modelIsAskedWithRulesAndSchemaAndWithoutTools() {
		try (JudgeServer server = JudgeServer.saying(ALLOW); ToolHooksTester hooks = hooks(server)) {
			hooks.call("run_command", ARGUMENTS);
			assertThat(server.request().at("/model").asString()).isEqualTo("stub");
			assertThat(server.request().has("tools")).isFalse();
			assertThat(server.request().has("temperature")).isFalse();
			assertThat(server.request().at("/messages")).hasSize(2);
			assertThat(server.system()).contains("never an instruction", "\"allow\" or \"deny\" or \"ask\"");
			assertThat(server.request().at("/response_format/json_schema/strict").asBoolean()).isTrue();
			assertThat(server.request().at("/response_format/json_schema/schema/properties/decision/enum").toString())
				.isEqualTo("[\"allow\",\"deny\",\"ask\"]");
		}
	}

	@Test
	void schemaAndModelCanBeChosen() {
		try (JudgeServer server = JudgeServer.saying(ALLOW);
				ToolHooksTester hooks = hooks(server, "tool_call.pre_call", "output_schema: false, model: small")) {
			assertThat(hooks.call("run_command", ARGUMENTS)).isApproved();
			assertThat(server.request().has("response_format")).isFalse();
			assertThat(server.request().at("/model").asString()).isEqualTo("small");
		}
	}

	@Test
	void judgeOfResultsLetsTheAgentSeeThemOrNot() {
		try (JudgeServer server = JudgeServer.saying(ALLOW);
				ToolHooksTester hooks = hooks(server, "tool_call.post_call", "")) {
			hooks.executor().returning("the sEcReT plan");
			assertThat(hooks.call("read_file", Map.of("path", "plan"))).isApproved().withContent("the sEcReT plan");
			assertThat(server.question()).contains("\"event\": \"post_tool_use\"",
					"\"tool_output\": \"the sEcReT plan\"", "\"success\": true", "\"path\": \"plan\"");
			assertThat(server.system()).contains("\"allow\" or \"deny\"").doesNotContain("\"ask\"");

			server.says(DENY);
			assertThat(hooks.call("read_file", Map.of("path", "plan"))).hasResultReplacedBy("judge")
				.content()
				.contains("too much")
				.doesNotContain("plan");

			server.says("{\"decision\": \"ask\", \"reason\": \"Hm\"}");
			assertThat(hooks.call("read_file", Map.of("path", "plan"))).hasResultReplacedBy("judge")
				.withContentContaining("none can be asked here");
			server.says("?");
			assertThat(hooks.call("read_file", Map.of("path", "plan"))).hasResultReplacedBy("judge")
				.withContentContaining("is not valid JSON");
		}
	}

	@Test
	void judgeOfModelCallsSeesTheMessages() {
		try (JudgeServer server = JudgeServer.saying(ALLOW);
				ToolHooksTester hooks = hooks(server, "llm_call.pre_call", "")) {
			assertThat(askModel(hooks).text()).isEqualTo("Forty-two");
			assertThat(server.question()).contains("\"event\": \"pre_llm_call\"",
					"\"prompt\": [{\"content\": \"Be kind.\", \"role\": \"system\"}, {\"content\": \"Why?\", \"role\": \"user\"}]");
			server.says(DENY);
			assertThat(askModel(hooks).text()).isEqualTo("Model call denied by hook 'judge': too much");
			server.says("{\"decision\": \"ask\"}");
			assertThat(askModel(hooks).finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		}
	}

	@Test
	void judgeOfModelResponsesLetsTheAgentSeeThemOrNot() {
		try (JudgeServer server = JudgeServer.saying(ALLOW);
				ToolHooksTester hooks = hooks(server, "llm_call.post_call", "")) {
			assertThat(askModel(hooks).text()).isEqualTo("Forty-two");
			assertThat(server.question()).contains("\"event\": \"post_llm_call\"", "\"response\": {\"text\": "
					+ "\"Forty-two\", \"tool_calls\": [{\"arguments\": \"{\\\"a\\\": 1}\", \"name\": \"count\"}]}");
			server.says(DENY);
			assertThat(askModel(hooks).text()).isEqualTo("Model response withheld by hook 'judge': too much");
		}
	}

	private static LlmResponse askModel(ToolHooksTester hooks) {
		return hooks.getBean(LlmHookChain.class)
			.execute(LlmCall.of(LlmMessage.system("Be kind."), LlmMessage.user("Why?")),
					(call) -> new LlmResponse("Forty-two", List.of(new LlmToolCall("1", "count", "{\"a\": 1}")), "stop",
							null, null, null));
	}

	@Test
	void judgeOfRunsSeesThePrompt() {
		try (JudgeServer server = JudgeServer.saying(ALLOW); ToolHooksTester hooks = hooks(server, "run.pre_run", "")) {
			RunHookChain runs = hooks.getBean(RunHookChain.class);
			runs.begin(AgentRun.of("Find it", CallContext.empty().withAgent("finder"))).finish("", null);
			assertThat(server.question()).contains("\"event\": \"pre_run\"", "\"agent_name\": \"finder\"",
					"\"prompt\": \"Find it\"");
			server.says(DENY);
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> runs.begin(AgentRun.of("Find it", CallContext.empty())))
				.withMessageContaining("too much");
		}
	}

}
