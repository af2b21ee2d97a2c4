package io.agenthooks.spring.webhook;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.Wire;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.Unanswered;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that an endpoint which is written for another system gets the messages of that
 * system, and that its answers are understood.
 */
@Timeout(60)
class WebhookDialectTests {

	private static final StrictJson json = new StrictJson(8);

	private static final CallContext CONTEXT = CallContext.ofSession("session-1").withRunId("run-1");

	private static final AgentRun RUN = new AgentRun("run-1", "Close ticket 7", CONTEXT);

	private static final LlmCall LLM_CALL = new LlmCall("call-1", List.of(LlmMessage.user("Hi")), "m",
			Map.of("temperature", 0.2), List.of(), CONTEXT);

	private final WebhookEndpoints endpoints = new WebhookEndpoints(WebClient::builder, List.of());

	@ParameterizedTest
	@CsvSource({ "claude-code/PreToolUse.request, claude_code", "qwen-code/PreToolUse.request, qwen_code",
			"codex/PreToolUse.request, codex", "copilot/preToolUse.request, copilot",
			"cursor/preToolUse.request, cursor_pre_tool_use", "gemini-cli/BeforeTool.request, gemini_cli",
			"hermes/pre_tool_call.request, hermes", "vscode/PreToolUse.request, vscode",
			"agentpool/pre_tool_use.request, agentpool" })
	void endpointGetsTheMessageOfItsSystem(String file, String system) throws Exception {
		ToolCall call = ToolCall.of("call-1", ToolIdentity.ofApplication("Bash"),
				Map.of("command", "ls", "description", "List files", "working_directory", "/"),
				CONTEXT.withAgent("main"));
		try (FaultyServer server = new FaultyServer(FaultyServer.json("{}"));
				WebhookToolHook hook = Webhooks.hook(server.url(), "for=" + system)) {
			hook.preCall(call);
			Wire.assertForm(file, Wire.message(file), json.readObject(body(server)));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "claude-code/PreToolUse.deny|claude_code|DENY",
			"claude-code/PreToolUse.ask|claude_code|ASK", "claude-code/PreToolUse.rewrite|claude_code|MODIFY",
			"claude-code/PreToolUse.none|claude_code|APPROVE", "claude-code/PreToolUse.stop|claude_code|ABORT",
			"qwen-code/PreToolUse.deny|qwen_code|DENY", "copilot/preToolUse.deny|copilot|DENY",
			"copilot/preToolUse.rewrite|copilot|MODIFY", "cursor/preToolUse.deny|cursor|DENY",
			"gemini-cli/BeforeTool.rewrite|gemini_cli|MODIFY", "antigravity/PreToolUse.force_ask|antigravity|ASK",
			"hermes/pre_tool_call.modify|hermes|MODIFY", "nemo-hooks-server/claude-code.deny|claude_code|DENY",
			"nemo-hooks-server/claude-code.allow|claude_code|APPROVE", "vscode/PreToolUse.ask|vscode|ASK" })
	void answerOfItsSystemIsUnderstood(String answer, String system, Verdict verdict) {
		ToolDecision decision = decision(new String(Wire.bytes(answer), StandardCharsets.UTF_8), system);
		assertThat(decision.verdict()).isEqualTo(verdict);
		assertThat(Unanswered.isFailure(decision)).isFalse();
	}

	/**
	 * Neither may pass, also if the webhook fails open.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "{\"decision\":\"allow\",\"veto\":true}", "{\"permissionDecision\":\"maybe\"}", "{", "[]",
			"{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\"}}", "approve" })
	void answerThatIsNotUnderstoodDenies(String answer) {
		assertThat(decision(answer, "claude_code")).isInstanceOf(ToolDecision.Deny.class)
			.matches(Unanswered::isFailure);
	}

	@Test
	void silenceIsNoObjectionUnlessADecisionIsRequired() {
		for (String head : List.of("HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
			try (FaultyServer server = new FaultyServer((received, socket) -> FaultyServer.write(socket, head));
					WebhookToolHook open = Webhooks.hook(server.url(), "for=claude_code");
					WebhookToolHook strict = Webhooks.hook(server.url(), "for=claude_code", "require_decision=true");
					WebhookToolHook own = Webhooks.hook(server.url())) {
				assertThat(open.preCall(Webhooks.CALL)).isEqualTo(ToolDecision.approve());
				assertThat(strict.preCall(Webhooks.CALL)).isInstanceOf(ToolDecision.Deny.class);
				assertThat(own.preCall(Webhooks.CALL)).isInstanceOf(ToolDecision.Deny.class);
			}
		}
		try (FaultyServer server = new FaultyServer(FaultyServer.json("{}"));
				WebhookToolHook strict = Webhooks.hook(server.url(), "for=claude_code", "require_decision=true")) {
			assertThat(strict.preCall(Webhooks.CALL)).isInstanceOf(ToolDecision.Deny.class);
		}
		assertThat(decision("{}", "antigravity")).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision("{\"decision\":\"allow\"}", "antigravity")).isEqualTo(ToolDecision.approve());
	}

	@Test
	void denialWithoutAReasonIsThatOfAWebhook() {
		assertThat(decision("{\"decision\":\"deny\"}", "claude_code"))
			.isEqualTo(ToolDecision.deny("The webhook gave no reason"));
	}

	@Test
	void runsAndModelCallsAreAskedAboutInTheWordsOfTheSystem() throws Exception {
		try (FaultyServer server = new FaultyServer(
				FaultyServer.json("{\"decision\":\"block\",\"reason\":\"holds a secret\"}"));
				WebhookRunHook hook = (WebhookRunHook) this.endpoints.runHooks()
					.create("guard", Webhooks.config(server.url(), "for=claude_code"))) {
			assertThat(hook.preRun(RUN)).isEqualTo(RunDecision.deny("holds a secret"));
			Wire.assertForm("UserPromptSubmit", Wire.message("claude-code/UserPromptSubmit.request"),
					json.readObject(body(server)));
		}
		try (FaultyServer server = new FaultyServer(
				FaultyServer.json(new String(Wire.bytes("gemini-cli/BeforeModel.synthetic"), StandardCharsets.UTF_8)));
				WebhookLlmHook hook = (WebhookLlmHook) llmHook(server.url(), "gemini_cli")) {
			assertThat(hook.preCall(LLM_CALL)).isInstanceOf(LlmDecision.Respond.class);
			Wire.assertForm("BeforeModel", Wire.message("gemini-cli/BeforeModel.request"),
					json.readObject(body(server)));
		}
	}

	@Test
	void systemThatHasNoSuchMessagesIsRefused() {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> llmHook("http://localhost:1/", "claude_code"))
			.satisfies((ex) -> assertThat(ex.getProblems()).singleElement()
				.satisfies((problem) -> assertThat(problem.message()).contains("'claude_code'", "calls of models")));
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> Webhooks.hook("http://localhost:1/", "require_decision=true"))
			.satisfies((ex) -> assertThat(ex.getProblems()).singleElement()
				.satisfies((problem) -> assertThat(problem.message()).contains("only with 'for'")));
	}

	private LlmHook llmHook(String url, String system) {
		return this.endpoints.llmHooks().create("guard", Webhooks.config(url, "for=" + system));
	}

	/**
	 * It is asked about the events that it is written for, and does not know others.
	 */
	@Test
	void endpointLearnsHowCallsEndedOnlyIfThatIsWritten() {
		for (boolean notified : new boolean[] { false, true }) {
			try (FaultyServer server = new FaultyServer(FaultyServer.json("{}"))) {
				context(server.url(), "notify=" + notified).run((context) -> {
					ToolExecutor tools = context.getBean(ToolExecutor.class);
					assertThat(tools.execute(Webhooks.CALL).content()).isEqualTo("ran");
					assertThat(json.readObject(body(server))).containsEntry("hook_event_name", "PreToolUse");
					if (notified) {
						Map<String, @Nullable Object> news = json.readObject(body(server));
						assertThat(news).containsEntry("hook_event_name", "PostToolUse")
							.containsEntry("tool_response", "ran");
					}
				});
				assertThat(server.received()).hasSize((notified) ? 2 : 1);
			}
		}
		try (FaultyServer server = new FaultyServer(FaultyServer.json("{\"decision\":\"deny\"}"))) {
			context(server.url(), "notify=true")
				.run((context) -> assertThat(context.getBean(ToolExecutor.class).execute(Webhooks.CALL).succeeded())
					.isFalse());
			assertThat(server.received()).hasSize(1);
		}
		try (WebhookToolHook hook = Webhooks.hook("http://localhost:1/", "for=claude_code")) {
			assertThat(hook).isNotInstanceOf(WebhookNotifyingToolHook.class);
		}
	}

	private static ApplicationContextRunner context(String url, String option) {
		String entry = "hooks.tool-call.pre-call[0].";
		return new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withPropertyValues(entry + "type=webhook", entry + "for=claude_code", entry + "config.url=" + url,
					entry + "config." + option);
	}

	private static ToolDecision decision(String answer, String system) {
		try (FaultyServer server = new FaultyServer(FaultyServer.json(answer));
				WebhookToolHook hook = Webhooks.hook(server.url(), "for=" + system, "fail_open=true")) {
			return hook.preCall(Webhooks.CALL);
		}
	}

	private static byte[] body(FaultyServer server) throws InterruptedException {
		return server.take().body().getBytes(StandardCharsets.UTF_8);
	}

}
