package io.agenthooks.test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortScope;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TestedToolCallAssert}.
 */
class TestedToolCallAssertTests {

	private static final Map<String, Object> SECRET = Map.of("token", "s3cret");

	private static final Map<String, Consumer<TestedToolCallAssert>> STATUS = new LinkedHashMap<>();
	static {
		STATUS.put("approve", TestedToolCallAssert::isApproved);
		STATUS.put("modify", TestedToolCallAssert::isModified);
		STATUS.put("deny", TestedToolCallAssert::isDenied);
		STATUS.put("respond", TestedToolCallAssert::isAnswered);
		STATUS.put("abort turn", (call) -> call.isAborted(AbortScope.TURN));
		STATUS.put("abort run", (call) -> call.isAborted(AbortScope.RUN));
		STATUS.put("disabled", TestedToolCallAssert::isDisabled);
	}

	private final ToolHooksTester hooks = ToolHooksTester
		.ofHooks(PreToolHook.named("deciding", (call) -> switch (call.tool()) {
			case "approve" -> ToolDecision.approve();
			case "modify" -> ToolDecision.modify(Map.of("token", "0ther"));
			case "deny" -> ToolDecision.deny("100%s no");
			case "respond" -> ToolDecision.respond(ToolResult.success("answer"));
			case "ask" -> ToolDecision.ask("May I?");
			case "abort turn" -> ToolDecision.abortTurn("turn over");
			case "abort run" -> ToolDecision.abortRun("run over");
			case "break" -> throw new IllegalArgumentException("s3cret");
			default -> ToolDecision.approve();
		}));

	@ParameterizedTest
	@ValueSource(strings = { "approve", "modify", "deny", "respond", "abort turn", "abort run", "disabled" })
	void callHasExactlyOneOfTheStatuses(String status) {
		TestedToolCall call = call(status);
		STATUS.forEach((name, assertion) -> {
			if (name.equals(status)) {
				assertThatCode(() -> assertion.accept(assertThat(call))).doesNotThrowAnyException();
			}
			else {
				fails(() -> assertion.accept(assertThat(call)), "Expecting the call of the tool '" + status + "' to ");
			}
		});
	}

	private TestedToolCall call(String tool) {
		return ((tool.equals("disabled")) ? this.hooks.withProperty("hooks.tool_call.kill_switch", "true") : this.hooks)
			.call(tool, SECRET);
	}

	@Test
	void messageTellsWhatBecameOfTheCall() {
		fails(() -> assertThat(call("approve")).isDenied(), """

				Expecting the call of the tool 'approve' to be denied
				but the tool ran and succeeded
				  events: Started, Succeeded""");
		fails(() -> assertThat(call("modify")).isDenied(),
				"but the tool ran, with arguments changed by the hook 'deciding', and succeeded",
				"events: Started, Modified, Succeeded");
		fails(() -> assertThat(call("deny")).isApproved(),
				"to be approved\nbut the hook 'deciding' denied it: \"100%s no\"");
		fails(() -> assertThat(call("respond")).isApproved(), "but the hook 'deciding' answered it");
		fails(() -> assertThat(call("abort turn")).isAborted(AbortScope.RUN),
				"to abort the run\nbut the hook 'deciding' aborted the turn: \"turn over\"",
				"exception: io.agenthooks.toolcall.TurnAbortedException");
		fails(() -> assertThat(call("disabled")).isDenied(), "but tools are switched off");
		fails(() -> assertThat(call("break")).isApproved(), "The hook failed",
				"hooks that failed: deciding (java.lang.IllegalArgumentException)");
	}

	@Test
	void messageBeginsWithTheDescription() {
		fails(() -> assertThat(call("approve")).as("my call").isDenied(), "[my call]", "to be denied");
	}

	@Test
	void toolEitherSucceedsOrFails() {
		assertThat(call("approve")).hasSucceeded();
		fails(() -> assertThat(call("approve")).hasFailed(), "to reach the tool and fail there");
		this.hooks.executor().failing("no such file");
		assertThat(call("approve")).hasFailed();
		fails(() -> assertThat(call("approve")).hasSucceeded(), "to succeed\nbut the tool ran and failed");
		fails(() -> assertThat(call("deny")).hasFailed(), "denied it");
		fails(() -> assertThat(call("respond")).hasSucceeded(), "answered it");
	}

	@Test
	void hookAndReasonAreThoseOfTheDecision() {
		assertThat(call("deny")).byHook("deciding").withReason("100%s no").withReasonContaining("no");
		assertThat(call("abort run")).byHook("deciding").withReason("run over");
		fails(() -> assertThat(call("deny")).byHook("other"), "to be decided by the hook 'other'",
				"the hook 'deciding' denied it");
		fails(() -> assertThat(call("approve")).byHook("deciding"), "to be decided by", "the tool ran");
		fails(() -> assertThat(call("deny")).withReason("no"), "to have the reason\n  \"no\"", "100%s no");
		fails(() -> assertThat(call("deny")).withReasonContaining("yes"), "to have a reason containing\n  \"yes\"");
		fails(() -> assertThat(call("approve")).withReasonContaining(""), "to have a reason", "the tool ran");
	}

	@Test
	void argumentsAreShownOnlyWhereTheyAreAsserted() {
		assertThat(call("modify")).toArguments(Map.of("token", "0ther"));
		assertThat(call("approve")).toArguments(SECRET);
		fails(() -> assertThat(call("approve")).toArguments(Map.of("token", "other")), "{token=other}",
				"{token=s3cret}", "the tool ran");
		this.hooks.executor().returning("s3cret");
		STATUS.keySet()
			.forEach((name) -> assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThat(call(name)).byHook("nobody"))
				.withMessageNotContaining("s3cret")
				.withMessageNotContaining("0ther"));
		assertThat(call("approve").toString()).doesNotContain("s3cret").contains("approve");
	}

	@Test
	void contentIsWhatTheAgentGot() {
		assertThat(call("respond")).withContent("answer").withContentContaining("ans").content().startsWith("a");
		assertThat(call("deny")).withContentContaining("100%s no");
		fails(() -> assertThat(call("respond")).withContent("ans"), "content of the result of the tool 'respond'",
				"answer");
		fails(() -> assertThat(call("respond")).withContentContaining("x"), "answer");
		fails(() -> assertThat(call("abort turn")).content(), "to have a result\nbut the hook 'deciding' aborted");
	}

	@Test
	void exceptionIsThatOfTheCaller() {
		assertThat(call("abort turn")).exception().hasMessageContaining("turn over");
		fails(() -> assertThat(call("approve")).exception(), "to throw\nbut the tool ran and succeeded");
	}

	@Test
	void resultIsReplacedByTheHooksThatDidIt() {
		ToolHooksTester redacting = this.hooks.withBean("redact",
				ToolResultHook.replacing((call, result) -> ToolResult.success("***")));
		assertThat(redacting.call("t", Map.of())).hasResultReplacedBy("redact");
		fails(() -> assertThat(redacting.call("t", Map.of())).hasResultReplacedBy("other"),
				"to have its result replaced by the hook 'other'", "hooks that replaced the result: redact");
		fails(() -> assertThat(call("approve")).hasResultReplacedBy("redact"), "the tool ran");
	}

	@Test
	void hookFailsOpenOnlyIfItFails() {
		ToolHooksTester open = ToolHooksTester.ofHooks(PreToolHook.failOpen(PreToolHook.named("broken", (call) -> {
			if (call.tool().equals("break")) {
				throw new IllegalStateException("broken");
			}
			return ToolDecision.approve();
		})));
		assertThat(open.call("break", Map.of())).isApproved().hasFailedOpen("broken");
		fails(() -> assertThat(open.call("break", Map.of())).hasFailedOpen("other"), "because it failed open",
				"hooks that failed open: broken");
		fails(() -> assertThat(open.call("t", Map.of())).hasFailedOpen("broken"), "the tool ran");
	}

	@Test
	void observingHookWouldDeny() {
		ToolHooksTester observing = ToolHooksTester.ofHooks(PreToolHook.observeOnly(PreToolHook.named("trial",
				(call) -> (call.tool().equals("deny")) ? ToolDecision.deny("no") : ToolDecision.approve())));
		assertThat(observing.call("deny", Map.of())).isApproved().wouldBeDeniedBy("trial");
		fails(() -> assertThat(observing.call("deny", Map.of())).wouldBeDeniedBy("other"), "only because it observes",
				"hooks that would deny: trial");
		fails(() -> assertThat(observing.call("t", Map.of())).wouldBeDeniedBy("trial"), "the tool ran");
	}

	@Test
	void questionIsThatOfTheHook() {
		assertThat(call("ask")).hasAskedForApproval("May").isDenied();
		fails(() -> assertThat(call("ask")).hasAskedForApproval("Must"), "\"Must\"", "the question was\n  [May I?]");
		fails(() -> assertThat(call("approve")).hasAskedForApproval(""), "but no person was asked");
	}

	@Test
	void eventsAreAllEventsInOrder() {
		assertThat(call("approve")).hasEvents(ToolCallEvent.Started.class, ToolCallEvent.Succeeded.class);
		fails(() -> assertThat(call("approve")).hasEvents(ToolCallEvent.Succeeded.class, ToolCallEvent.Started.class),
				"to have the events\n  Succeeded, Started", "events: Started, Succeeded");
		fails(() -> assertThat(call("approve")).hasEvents(ToolCallEvent.Started.class), "to have the events");
		fails(() -> assertThat(call("approve")).hasEvents(), "to have the events\n  none");
	}

	@Test
	void executorHasRunWhatReachedIt() {
		RecordingToolExecutor executor = this.hooks.executor();
		assertThat(executor).hasRunNothing().hasRunOnly();
		fails(() -> assertThat(executor).hasRun("modify"), "the tool 'modify' to have run, but no tool ran");
		call("modify");
		call("deny");
		call("approve");
		assertThat(executor).hasRun("modify")
			.hasRun("modify", Map.of("token", "0ther"))
			.hasRunOnly("modify", "approve");
		fails(() -> assertThat(executor).hasRunNothing(), "no tool to have run, but there ran [modify, approve]");
		fails(() -> assertThat(executor).hasRun("deny"),
				"the tool 'deny' to have run, but there ran [modify, approve]");
		fails(() -> assertThat(executor).hasRun("modify", SECRET), "{token=s3cret}", "[{token=0ther}]");
		fails(() -> assertThat(executor).hasRunOnly("approve", "modify"), "[approve, modify]", "[modify, approve]");
		fails(() -> assertThat(executor).hasRunOnly("modify"), "exactly the tools");
	}

	private static void fails(Runnable assertion, String... messages) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion::run)
			.satisfies((error) -> assertThat(error.getMessage()).contains(messages));
	}

}
