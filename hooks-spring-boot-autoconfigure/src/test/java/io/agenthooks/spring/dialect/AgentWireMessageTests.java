package io.agenthooks.spring.dialect;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.Wire;
import io.agenthooks.spring.dialect.HookSystem.Subject;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what is for one system gets what that system sends of runs and model calls.
 */
class AgentWireMessageTests {

	private static final StrictJson json = new StrictJson(8);

	private static final AgentRun RUN = new AgentRun("run-1", "Close ticket 7",
			CallContext.ofSession("session-1").withAgent("main").withRunId("run-1"));

	private static final LlmCall CALL = new LlmCall("call-1", List.of(LlmMessage.user("Close ticket 7")), "gemini-3",
			Map.of("temperature", 0.2), List.of(), RUN.context());

	@ParameterizedTest
	@CsvSource({ "claude-code/UserPromptSubmit.request, CLAUDE_CODE", "codex/UserPromptSubmit.request, CODEX",
			"copilot/userPromptSubmitted.request, COPILOT", "cursor/beforeSubmitPrompt.request, CURSOR",
			"cursor/beforeSubmitPrompt.request, CURSOR_PRE_TOOL_USE", "gemini-cli/BeforeAgent.request, GEMINI_CLI",
			"windsurf/pre_user_prompt.request, WINDSURF" })
	void messageBeforeARunHasWhatTheSystemSends(String file, HookSystem system) {
		Map<String, @Nullable Object> ours = read(AgentMessage.preRun(system, RUN, "/srv/app", SentUser.NOTHING));
		Wire.assertForm(file, Wire.message(file), ours);
		assertSameEvent(Wire.message(file), ours);
	}

	@ParameterizedTest
	@CsvSource({ "antigravity/Stop.request, ANTIGRAVITY", "claude-code/Stop.request, CLAUDE_CODE",
			"codex/Stop.request, CODEX", "copilot/agentStop.request, COPILOT", "cursor/stop.request, CURSOR",
			"gemini-cli/AfterAgent.request, GEMINI_CLI", "windsurf/post_cascade_response.request, WINDSURF" })
	void messageAfterARunHasWhatTheSystemSends(String file, HookSystem system) {
		Map<String, @Nullable Object> ours = read(
				AgentMessage.postRun(system, ended(RunStatus.SUCCEEDED, "Done."), "/srv/app", SentUser.NOTHING));
		Wire.assertForm(file, Wire.message(file), ours);
		assertSameEvent(Wire.message(file), ours);
	}

	@ParameterizedTest
	@CsvSource({ "antigravity/PreInvocation.request, ANTIGRAVITY", "gemini-cli/BeforeModel.request, GEMINI_CLI",
			"gemini-cli/AfterModel.request, GEMINI_CLI" })
	void messageAboutAModelCallHasWhatTheSystemSends(String file, HookSystem system) {
		Map<String, @Nullable Object> theirs = Wire.message(file);
		LlmResponse response = new LlmResponse("Done.", List.of(), "STOP", new LlmUsage(4, 5), null, null);
		Map<String, @Nullable Object> ours = read(
				(file.contains("After")) ? AgentMessage.response(system, CALL, response, "/srv/app", SentUser.NOTHING)
						: AgentMessage.preCall(system, CALL, "/srv/app", SentUser.NOTHING));
		Wire.assertForm(file, theirs, ours);
		assertSameEvent(theirs, ours);
	}

	private static void assertSameEvent(Map<String, ?> theirs, Map<String, ?> ours) {
		for (String name : List.of("hook_event_name", "agent_action_name", "hookName")) {
			assertThat(ours.get(name)).isEqualTo(theirs.get(name));
		}
	}

	/**
	 * A message that is for one system has no name of another.
	 */
	@Test
	void messageIsNoneOfAllSystems() {
		assertThat(read(AgentMessage.preRun(HookSystem.COPILOT, RUN, "/srv", SentUser.NOTHING)))
			.containsOnlyKeys("sessionId", "timestamp", "cwd", "prompt");
		assertThat(read(AgentMessage.preRun(null, RUN, "/srv", SentUser.NOTHING))).containsKeys("hook_event_name",
				"event", "run_id");
	}

	@Test
	void runThatFailedIsToldAsTheSystemTellsIt() {
		RunOutcome failed = ended(RunStatus.FAILED, null);
		assertThat(read(AgentMessage.postRun(HookSystem.CLAUDE_CODE, failed, "", SentUser.NOTHING)))
			.containsEntry("hook_event_name", "StopFailure")
			.containsKey("error");
		assertThat(read(AgentMessage.postRun(HookSystem.CURSOR, failed, "", SentUser.NOTHING))).containsEntry("status",
				"error");
		assertThat(read(AgentMessage.postRun(HookSystem.CODEX, failed, "", SentUser.NOTHING)))
			.containsEntry("hook_event_name", "Stop");
	}

	/**
	 * Whatever passes the check at the start has a message, and nothing else.
	 */
	@ParameterizedTest
	@EnumSource(HookSystem.class)
	void systemHasAMessageForAllThatTheStartAccepts(HookSystem system) {
		if (isAccepted(system, Subject.RUN)) {
			assertThat(text(AgentMessage.preRun(system, RUN, "", SentUser.NOTHING))).contains("Close ticket 7");
		}
		if (isAccepted(system, Subject.END_OF_RUN)) {
			assertThat(AgentMessage.postRun(system, ended(RunStatus.SUCCEEDED, "Done."), "", SentUser.NOTHING))
				.isNotEmpty();
		}
		if (isAccepted(system, Subject.LLM_CALL)) {
			assertThat(AgentMessage.preCall(system, CALL, "", SentUser.NOTHING)).isNotEmpty();
			assertThat(text(AgentMessage.response(system, CALL, LlmResponse.of("Done."), "", SentUser.NOTHING)))
				.contains("Done.");
		}
		assertThat(isAccepted(system, Subject.TOOL_CALL)).isTrue();
	}

	@Test
	void systemWithoutSuchMessagesIsRefusedWithThoseThatHaveThem() {
		List<Problem> problems = new ArrayList<>();
		HookSystem.check(HookSystem.CURSOR, Subject.LLM_CALL, problems);
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.path()).containsExactly("for");
			assertThat(problem.message()).contains("'cursor'", "calls of models");
			assertThat(problem.action()).contains("antigravity, gemini_cli");
		});
	}

	private static boolean isAccepted(HookSystem system, Subject subject) {
		List<Problem> problems = new ArrayList<>();
		HookSystem.check(system, subject, problems);
		return problems.isEmpty();
	}

	private static RunOutcome ended(RunStatus status, @Nullable String result) {
		return new RunOutcome(RUN, RunDecision.approve(), null, status, result, null,
				(status == RunStatus.FAILED) ? new IllegalStateException("no") : null, Duration.ofMillis(12), List.of(),
				List.of());
	}

	private static String text(byte[] message) {
		return new String(message, StandardCharsets.UTF_8);
	}

	private static Map<String, @Nullable Object> read(byte[] message) {
		return json.readObject(message);
	}

}
