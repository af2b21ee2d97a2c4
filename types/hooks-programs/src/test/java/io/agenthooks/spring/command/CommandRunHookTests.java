package io.agenthooks.spring.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandRunHook} and {@link CommandPostRunHook} with real commands.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class CommandRunHookTests {

	private static final AgentRun RUN = new AgentRun("run-7", "Fix it",
			CallContext.ofSession("s1").withRunId("run-7").withAgent("coder"));

	@TempDir
	private Path dir;

	@Test
	void claudeHookForUserPromptSubmit() {
		try (CommandRunHook hook = Commands.program("python3", "prompt_guard.py").runHook()) {
			assertThat(ask(hook, "Hi")).isEqualTo(RunDecision.approve());
			assertThat(ask(hook, "Fix it"))
				.isEqualTo(RunDecision.approve().withAdditionalContext("Current branch: main"));
			assertThat(ask(hook, "when?")).isEqualTo(RunDecision.approve().withAdditionalContext("It is Monday"));
			assertThat(ask(hook, "password: 1234")).isEqualTo(RunDecision.deny("The prompt holds a password"));
			assertThat(ask(hook, "drop production")).isEqualTo(RunDecision.deny("Never in production"));
			assertThat(ask(hook, "stop")).isEqualTo(RunDecision.abortRun("Enough for today"));
		}
	}

	@Test
	void hookForAgentPoolOrGeminiCli() {
		assertThat(decision(Commands.replying("{\"decision\":\"deny\",\"reason\":\"no\"}", 0)))
			.isEqualTo(RunDecision.deny("no"));
		assertThat(decision(Commands.replying("{\"permissionDecision\":\"deny\",\"reason\":\"no\"}", 0)))
			.isEqualTo(RunDecision.deny("no"));
		assertThat(decision(Commands.replying("{\"decision\":\"allow\",\"additional_context\":\"It rains\"}", 0)))
			.isEqualTo(RunDecision.approve().withAdditionalContext("It rains"));
		assertThat(decision(Commands.replying("{\"hookSpecificOutput\":{\"hookEventName\":\"BeforeAgent\"}}", 0)))
			.isEqualTo(RunDecision.approve());
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"decision\":\"ask\"}", "{\"decision\":\"modify\"}", "{\"decision\":\"ALLOW\"}",
			"{\"decision\":\"allow\",\"modified_input\":{\"prompt\":\"x\"}}", "{\"modified_prompt\":\"x\"}",
			"{\"hookSpecificOutput\":{\"updatedPrompt\":\"x\"}}",
			"{\"hookSpecificOutput\":{\"llm_request\":{\"model\":\"x\"}}}", "{\"Decision\":\"allow\"}", "{",
			"{\"decision\":\"allow\",\"decision\":\"allow\"}", "\uFEFF{\"decision\":\"ask\"}",
			"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"}}", "{\"continue\":\"maybe\"}" })
	void replyThatCannotBeDoneOrUnderstoodDeniesAlsoIfTheHookFailsOpen(String reply) {
		assertThat(decision(Commands.replying(reply, 0)).reason()).startsWith("The output of the command ");
		assertThat(decision(Commands.replying(reply, 0).failingOpen()).reason())
			.startsWith("The output of the command ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"decision\":\"DENY\"}", "{\"Decision\":\"deny\"}", "{\"approved\":false}",
			"{\"continue\":\"no\"}" })
	void denialCountsHoweverItIsSpelled(String reply) {
		assertThat(decision(Commands.replying(reply, 0).failingOpen()).verdict()).isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Loading...\\n{\"decision\":\"block\"}\\n", "Hi\\n{\\n \"continue\": false\\n}",
			"{\"type\":\"progress\"}\\n{\"decision\":\"deny\"}", "[{\"decision\":\"block\"}]" })
	void denialBehindOtherTextCounts(String output) {
		assertThat(decision(Commands.shell("printf '" + output + "'").failingOpen()).verdict()).isEqualTo(Verdict.DENY);
	}

	@Test
	void otherExitCodeAndOverrunDeny() {
		assertThat(decision(Commands.shell("echo fine; exit 1")))
			.isEqualTo(RunDecision.deny("The command ended with exit code 1"));
		assertThat(decision(Commands.shell("exit 1").failingOpen()))
			.isEqualTo(RunDecision.failedOpen("The command ended with exit code 1"));
		assertThat(decision(Commands.replying("{\"decision\":\"block\",\"reason\":\"no\"}", 1).failingOpen()))
			.isEqualTo(RunDecision.deny("no"));
		assertThat(decision(Commands.shell("sleep 20").timeout(Duration.ofMillis(300))))
			.isEqualTo(RunDecision.deny("The command did not end in time"));
	}

	@Test
	void textIsNoDecisionIfOneIsRequired() {
		assertThat(decision(Commands.shell("echo fine").requiringDecision()).verdict()).isEqualTo(Verdict.DENY);
		assertThat(decision(Commands.shell("true").requiringDecision()).verdict()).isEqualTo(Verdict.DENY);
		assertThat(decision(Commands.replying("{}", 0).requiringDecision()))
			.isEqualTo(RunDecision.deny("The output of the command has no decision"));
		assertThat(decision(Commands.replying("{\"decision\":\"allow\"}", 0).requiringDecision()))
			.isEqualTo(RunDecision.approve());
	}

	@Test
	void questionHasTheNamesOfClaudeCodeAndAgentPool() throws IOException {
		decision(keeping());
		assertThat(seen().toString()).isEqualTo("[{session_id=s1, conversation_id=s1, transcript_path=, cwd="
				+ Path.of("").toAbsolutePath()
				+ ", permission_mode=default, hook_event_name=UserPromptSubmit, event=pre_run, agent_name=coder, run_id=run-7, prompt=Fix it}]");
	}

	@Test
	void claudeHookForStopHearsOfTheEndAndCannotGoOn(CapturedOutput output) throws IOException {
		try (CommandPostRunHook hook = Commands.program("stop_log.sh")
			.env("SEEN", this.dir.resolve("seen").toString())
			.postRunHook()) {
			hook.postRun(outcome(RunStatus.SUCCEEDED, "Done", null));
			hook.postRun(outcome(RunStatus.FAILED, null, new IllegalStateException("boom")));
			hook.postRun(outcome(RunStatus.CANCELLED, null, null));
		}
		assertThat(output).containsOnlyOnce("wants the agent to go on, which a hook after a run cannot do");
		assertThat(seen()).hasSize(3);
		assertThat(seen().get(0)).containsEntry("hook_event_name", "Stop")
			.containsEntry("event", "post_run")
			.containsEntry("prompt", "Fix it")
			.containsEntry("result", "Done")
			.containsEntry("last_assistant_message", "Done")
			.containsEntry("stop_hook_active", false)
			.containsEntry("status", "succeeded")
			.containsEntry("duration_ms", 7.0)
			.doesNotContainKey("error");
		assertThat(seen().get(1)).containsEntry("hook_event_name", "StopFailure")
			.containsEntry("result", null)
			.containsEntry("error", "java.lang.IllegalStateException: boom");
		assertThat(seen().get(2)).containsEntry("error", "cancelled");
	}

	@Test
	void runThatDidNotBeginHasNoEnd() {
		try (CommandPostRunHook hook = keeping().postRunHook()) {
			hook.postRun(new RunOutcome(RUN, RunDecision.deny("no"), "policy", RunStatus.DENIED, null, null, null,
					Duration.ZERO, List.of(), List.of()));
		}
		assertThat(this.dir.resolve("seen")).doesNotExist();
	}

	@Test
	void runThatWasCancelledByAnInterruptHasAnEndToo() throws IOException {
		try (CommandPostRunHook hook = keeping().postRunHook()) {
			Thread.currentThread().interrupt();
			hook.postRun(outcome(RunStatus.FAILED, null, new InterruptedException()));
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(seen()).hasSize(1);
	}

	@Test
	void commandThatFailsAfterARunIsToldInTheLog(CapturedOutput output) {
		try (CommandPostRunHook hook = Commands.shell("exit 3").postRunHook()) {
			hook.postRun(outcome(RunStatus.SUCCEEDED, "Done", null));
		}
		assertThat(output).contains("Hook 'check': The command ended with exit code 3. The run 'run-7' is over");
	}

	private Commands keeping() {
		return Commands.shell("cat >> \"$SEEN\"").env("SEEN", this.dir.resolve("seen").toString());
	}

	private List<Map<String, @Nullable Object>> seen() throws IOException {
		return Files.readAllLines(this.dir.resolve("seen"))
			.stream()
			.map((line) -> new StrictJson(1).readObject(line.getBytes(StandardCharsets.UTF_8)))
			.toList();
	}

	private static RunOutcome outcome(RunStatus status, @Nullable String result, @Nullable Throwable failure) {
		return new RunOutcome(RUN, RunDecision.approve(), null, status, result, null, failure, Duration.ofMillis(7),
				List.of(), List.of());
	}

	private static RunDecision decision(Commands command) {
		try (CommandRunHook hook = command.runHook()) {
			return hook.preRun(RUN);
		}
	}

	private static RunDecision ask(CommandRunHook hook, String prompt) {
		return hook.preRun(AgentRun.of(prompt, CallContext.empty()));
	}

}
