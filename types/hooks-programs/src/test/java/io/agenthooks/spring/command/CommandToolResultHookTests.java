package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandToolResultHook} with real commands.
 */
@Timeout(60)
class CommandToolResultHookTests {

	private static final ToolResult RESULT = ToolResult.success("done", Map.of("lines", 3));

	@TempDir
	private Path dir;

	@Test
	void claudeHookForPostToolUse() {
		try (CommandToolResultHook hook = Commands.program("lint.sh").resultHook()) {
			assertThat(decision(hook, "fine.txt")).isEqualTo(ToolDecision.approve());
			assertThat(decision(hook, "bad.txt").additionalContext()).isEqualTo("bad.txt has a tab in line 3");
			assertThat(decision(hook, "block.txt"))
				.isEqualTo(ToolDecision.approve().withAdditionalContext("Format it first"));
			assertThat(decision(hook, "secret.txt")).isEqualTo(ToolDecision.deny("It holds a secret"));
			assertThat(decision(hook, "long.txt"))
				.isEqualTo(ToolDecision.respond(new ToolResult(true, "a summary", "a summary"))
					.withAdditionalContext("It was shortened"));
			assertThat(decision(hook, "end.txt")).isEqualTo(ToolDecision.abortTurn("Enough for today"));
			assertThat(decision(hook, "text.txt").additionalContext()).isEqualTo("Formatted");
			assertThat(decision(hook, "crash.txt")).isEqualTo(ToolDecision.deny("The command ended with exit code 1"));
		}
	}

	@Test
	void failureKeepsTheResultOnlyIfTheHookFailsOpen() {
		try (CommandToolResultHook hook = Commands.shell("exit 1").failingOpen().resultHook()) {
			assertThat(decision(hook, "crash.txt"))
				.isEqualTo(ToolDecision.failedOpen("The command ended with exit code 1"));
		}
		try (CommandToolResultHook hook = Commands.program("lint.sh").failingOpen().resultHook()) {
			assertThat(decision(hook, "crash.txt").verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@Test
	void replacementByACommandThatFailsDoesNotFailOpenToTheResult() {
		try (CommandToolResultHook hook = Commands.replying("{\"updatedToolOutput\":\"***\"}", 1)
			.failingOpen()
			.resultHook()) {
			assertThat(decision(hook, "a")).isEqualTo(ToolDecision.deny("The command ended with exit code 1"));
		}
	}

	@Test
	void jsonBehindAByteOrderMarkIsNoText() {
		try (CommandToolResultHook hook = Commands.replying("\uFEFF{\"decision\":\"deny\"}", 0).resultHook()) {
			assertThat(decision(hook, "a")).isEqualTo(ToolDecision.deny("The command gave no reason"));
		}
	}

	@Test
	void jsonThatTakesTheResultAwayOrReplacesItCountsBesideExitCodeTwo() {
		try (CommandToolResultHook denying = Commands.replying("{\"decision\":\"deny\",\"reason\":\"no\"}", 2)
			.resultHook();
				CommandToolResultHook ending = Commands.replying("{\"continue\":false}", 2).resultHook();
				CommandToolResultHook broken = Commands.replying("{\"updatedToolOutput\":", 2).resultHook();
				CommandToolResultHook redacting = Commands.replying("{\"updatedToolOutput\":\"***\"}", 2).resultHook();
				CommandToolResultHook blocking = Commands.replying("{\"decision\":\"block\",\"reason\":\"no\"}", 2)
					.resultHook()) {
			assertThat(decision(denying, "a")).isEqualTo(ToolDecision.deny("no"));
			assertThat(decision(ending, "a")).isInstanceOf(ToolDecision.Abort.class);
			assertThat(decision(broken, "a")).isInstanceOf(ToolDecision.Deny.class);
			assertThat(decision(redacting, "a")).isInstanceOfSatisfying(ToolDecision.Respond.class,
					(response) -> assertThat(response.result().content()).isEqualTo("***"));
			assertThat(decision(blocking, "a")).isEqualTo(ToolDecision.approve().withAdditionalContext("no"));
		}
	}

	@Test
	void denialBehindOtherTextIsNoText() {
		try (CommandToolResultHook hook = Commands.shell("echo Loading; echo '{\"decision\":\"deny\"}'")
			.failingOpen()
			.resultHook()) {
			assertThat(decision(hook, "a")).isEqualTo(ToolDecision.deny("The output of the command is not valid JSON"));
		}
	}

	@Test
	void messageHasTheResultUnderBothNames() throws Exception {
		Path seen = this.dir.resolve("seen");
		try (CommandToolResultHook hook = Commands.shell("cat >> \"$SEEN\"")
			.env("SEEN", seen.toString())
			.resultHook()) {
			hook.onResult(Commands.CALL, RESULT);
			hook.onResult(Commands.CALL, ToolResult.failure("disk full"));
			hook.postCall(ToolOutcome.of(Commands.CALL, ToolCallStatus.FAILED, null, new IllegalStateException("boom"),
					Duration.ofMillis(7)));
			hook.postCall(ToolOutcome.of(Commands.CALL, ToolCallStatus.SUCCEEDED, RESULT, null, Duration.ZERO));
			hook.postCall(ToolOutcome.of(Commands.CALL, ToolCallStatus.DENIED, RESULT, null, Duration.ZERO));
		}
		List<Map<String, @Nullable Object>> messages = Files.readAllLines(seen)
			.stream()
			.map((line) -> new StrictJson(1).readObject(line.getBytes(StandardCharsets.UTF_8)))
			.toList();
		assertThat(messages).hasSize(3);
		assertThat(messages.get(0)).containsEntry("hook_event_name", "PostToolUse")
			.containsEntry("event", "post_tool_use")
			.containsEntry("tool_response", Map.of("lines", 3))
			.containsEntry("tool_output", Map.of("lines", 3))
			.containsKey("duration_ms")
			.doesNotContainKey("error");
		assertThat(messages.get(1)).containsEntry("hook_event_name", "PostToolUseFailure")
			.containsEntry("error", "disk full");
		assertThat(messages.get(2)).containsEntry("hook_event_name", "PostToolUseFailure")
			.containsEntry("duration_ms", 7.0)
			.hasEntrySatisfying("error", (error) -> assertThat(error.toString()).contains("boom"));
	}

	private static ToolDecision decision(CommandToolResultHook hook, String file) {
		return hook.onResult(ToolCall.of("write_file", Map.of("path", file), CallContext.empty()), RESULT);
	}

}
