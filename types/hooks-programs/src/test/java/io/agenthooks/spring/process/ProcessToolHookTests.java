package io.agenthooks.spring.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ProcessToolHook} with real programs.
 */
@Timeout(120)
class ProcessToolHookTests {

	private static final Duration SOON = Duration.ofMillis(1500);

	private final ExecutorService callers = Executors.newCachedThreadPool();

	@TempDir
	private Path dir;

	@AfterEach
	void stopCallers() {
		this.callers.shutdownNow();
	}

	@Test
	void everyActionHasItsVerdict() {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
			assertThat(ask(hook, "modify")).isEqualTo(ToolDecision.modify(Map.of("changed", true)));
			assertThat(ask(hook, "respond")).isEqualTo(ToolDecision.respond(ToolResult.success("from the hook")));
			assertThat(ask(hook, "deny_tool")).isEqualTo(ToolDecision.deny("because"));
			assertThat(ask(hook, "abort_turn")).isEqualTo(ToolDecision.abortTurn("because"));
			assertThat(ask(hook, "hard_abort")).isEqualTo(ToolDecision.abortRun("because"));
		}
	}

	@Test // seed 004
	void seedsReviewGateRunsAsPrinted() throws Exception {
		Path log = this.dir.resolve("log");
		ToolCall call = ToolCall.of("read_file", Map.of("path", "a"));
		try (ProcessToolHook hook = Processes.program("python3", "review_gate.py")
			.env("PICOCLAW_HOOK_LOG_FILE", log.toString())
			.observe("tool_exec_start", "tool_exec_end", "tool_exec_skipped")
			.intercept("before_tool", "approve_tool")
			.hook()) {
			assertThat(hook.preCall(call)).isEqualTo(ToolDecision.approve());
			hook.postCall(ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("text"), null,
					Duration.ofMillis(3)));
		}
		assertThat(Files.readAllLines(log)).satisfiesExactly(
				(line) -> assertThat(line).isEqualTo("review_gate started"),
				(line) -> assertThat(line).isEqualTo("hello: protocol_version=1"),
				(line) -> assertThat(line).startsWith("event: tool_exec_start").contains("read_file"),
				(line) -> assertThat(line).isEqualTo("before_tool: read_file"),
				(line) -> assertThat(line).startsWith("approve_tool: read_file"),
				(line) -> assertThat(line).startsWith("event: tool_exec_end").contains("\"Duration\": 3000000"),
				(line) -> assertThat(line).isEqualTo("review_gate exiting"));
	}

	@Test
	void hookInNodeThatSpeaksTheDialectOfTheManual() {
		try (ProcessToolHook hook = Processes.program("node", "gate.js")
			.intercept("before_tool", "approve_tool")
			.hook()) {
			assertThat(hook.preCall(command("ls"))).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(command("rm"))).isEqualTo(ToolDecision.deny("no rm"));
			assertThat(hook.preCall(command("dd"))).isEqualTo(ToolDecision.deny("The process gave no reason"));
			assertThat(hook.preCall(ToolCall.of("my_plugin_tool", Map.of())))
				.isEqualTo(ToolDecision.respond(ToolResult.success("Plugin tool executed")));
		}
	}

	@Test
	void exampleOfTheReadmeRuns() {
		try (ProcessToolHook hook = Processes.program("python3", "readme_gate.py")
			.intercept("before_tool", "after_tool")
			.observe("*")
			.hook()) {
			assertThat(hook.preCall(command("ls"))).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(command("rm -rf /"))).isEqualTo(ToolDecision.deny("Never delete recursively"));
			assertThat(hook.onResult(command("ls"), ToolResult.success("a"))).isEqualTo(ToolDecision.approve());
			assertThat(hook.droppedReplies()).isZero();
		}
	}

	@Test
	void hookInShell() {
		try (ProcessToolHook hook = Processes.program("sh", "gate.sh").hook()) {
			assertThat(hook.preCall(command("ls"))).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(command("rm -rf /"))).isEqualTo(ToolDecision.deny("no"));
		}
	}

	@Test
	void approvalIsAskedAboutTheChangedCallAndNeverFailsOpen() {
		try (ProcessToolHook hook = Processes.gate().intercept("before_tool", "approve_tool").failingOpen().hook()) {
			assertThat(ask(hook, "modify")).isEqualTo(ToolDecision.modify(Map.of("changed", true)));
			assertThat(hook.preCall(ToolCall.of("t", Map.of("do", "echo", "text", "forbidden"))))
				.isEqualTo(ToolDecision.deny("it is forbidden"));
			assertThat(ask(hook, "respond").verdict().value()).isEqualTo("respond");
		}
		try (ProcessToolHook hook = Processes.gate()
			.intercept("before_tool", "approve_tool")
			.timeout(SOON)
			.failingOpen()
			.hook()) {
			assertThat(ask(hook, "stop reading")).isEqualTo(ToolDecision.deny("The process did not answer in time"));
		}
	}

	@Test
	void resultIsReplacedOrKept() {
		try (ProcessToolHook hook = Processes.gate().intercept("after_tool").hook()) {
			ToolCall call = command("ls");
			assertThat(hook.preCall(call)).isEqualTo(ToolDecision.approve());
			assertThat(hook.onResult(call, ToolResult.success("files"))).isEqualTo(ToolDecision.approve());
			assertThat(hook.onResult(call, ToolResult.success("a secret")))
				.isEqualTo(ToolDecision.respond(ToolResult.success("***")));
		}
	}

	@Test
	void denialOfAResultWithholdsItAlsoIfTheHookFailsOpen() {
		try (ProcessToolHook hook = Processes.gate().intercept("after_tool").failingOpen().hook()) {
			assertThat(List.of("{\"action\":\"deny_tool\"}", "{\"decision\":\"deny\"}", "{\"approved\":false}"))
				.allSatisfy((answer) -> assertThat(hook.onResult(command("ls"), ToolResult.success(answer)))
					.isInstanceOf(ToolDecision.Deny.class));
		}
	}

	@Test
	void changeOfAResultThatNobodyWouldSeeIsAMistake() {
		try (ProcessToolHook hook = Processes.gate().intercept("after_tool").hook()) {
			ToolResult result = ToolResult.success("{\"action\":\"continue\",\"for_llm\":\"***\"}");
			assertThat(hook.onResult(command("ls"), result)).isInstanceOf(ToolDecision.Deny.class);
		}
	}

	@Test
	void eventsComeAsPicoClawNamesThem() throws IOException {
		Path log = this.dir.resolve("log");
		ToolCall call = ToolCall.of("t", Map.of(), CallContext.ofSession("s1"));
		try (ProcessToolHook hook = Processes.gate().env("LOG", log.toString()).observe("*").hook()) {
			hook.preCall(call);
			hook.postCall(new ToolOutcome(call, call, ToolDecision.deny("no"), "policy", ToolCallStatus.DENIED, null,
					ToolResult.failure("no"), null, Duration.ZERO, List.of(), List.of(), List.of(), null, List.of()));
			hook.postCall(ToolOutcome.of(call, ToolCallStatus.FAILED, null, new IllegalStateException("boom"),
					Duration.ZERO));
		}
		List<Map<?, ?>> events = new ArrayList<>();
		for (String line : Files.readAllLines(log)) {
			Map<?, ?> message = new StrictJson(4).readObject(line.getBytes(StandardCharsets.UTF_8));
			if ("hook.runtime_event".equals(message.get("method"))) {
				events.add((Map<?, ?>) message.get("params"));
			}
		}
		assertThat(events).extracting((event) -> String.valueOf(event.get("kind")))
			.containsExactly("agent.tool.exec_start", "agent.tool.exec_skipped", "agent.tool.exec_end");
		assertThat((Object) events.get(1).get("payload")).isEqualTo(Map.of("Tool", "t", "Reason", "no"));
		assertThat(events.get(2).get("data")).asString().contains("IsError=true");
		assertThat(events.get(0).get("scope")).asString().contains("session_key=s1");
	}

	@Test // J01
	void handshakeThatFailsStopsTheStart() throws Exception {
		List<String> lines = List.of("sleep 30", "exit 1", "echo no json; cat",
				"read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocol_version\":2}}'; cat",
				"read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"no\"}}'; cat",
				"read line; echo '{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}'; cat");
		List<Future<?>> starts = new ArrayList<>();
		for (String line : lines) {
			starts.add(this.callers.submit(() -> assertThatExceptionOfType(InvalidHookConfigException.class).as(line)
				.isThrownBy(() -> Processes.shell(line).helloTimeout(SOON).hook())
				.withMessageContaining("hook.hello")));
		}
		for (Future<?> start : starts) {
			start.get();
		}
	}

	@Test // J01
	void handshakeThatFailsLeavesNoProcessForTheEndOfTheApplicationToForget() throws IOException {
		Path pid = this.dir.resolve("pid");
		Processes stubborn = Processes.shell("trap '' TERM; echo $$ > \"$PID\"; while :; do sleep 1; done")
			.env("PID", pid.toString())
			.helloTimeout(SOON);
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(stubborn::hook);
		assertGone(pid);
	}

	@Test
	void closeEndsAProcessThatHasNotReturnedTheGreetingYet() throws IOException {
		Path pid = this.dir.resolve("pid");
		Path flag = this.dir.resolve("flag");
		ProcessToolHook hook = Processes
			.shell("if [ -e \"$FLAG\" ]; then trap '' TERM; echo $$ > \"$PID\"; while :; do sleep 1; done; fi; "
					+ "touch \"$FLAG\"; read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'; read line")
			.env("PID", pid.toString())
			.env("FLAG", flag.toString())
			.hook();
		assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.deny("The process ended"));
		Awaitility.await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
		hook.close();
		assertGone(pid);
	}

	@Test // J03
	void onlyTheFirstReplyCounts() {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			assertThat(ask(hook, "twice")).isEqualTo(ToolDecision.approve());
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
			Awaitility.await().until(() -> hook.droppedReplies() == 2);
		}
	}

	@Test // J05
	void replyThatIsNoneDenies() {
		List<String> refused = List.of("{'jsonrpc':'2.0','id':ID}", "{'jsonrpc':'2.0','id':ID,'result':null}",
				"{'jsonrpc':'2.0','id':ID,'result':{},'error':{}}", "{'jsonrpc':'2.0','id':ID,'error':{'code':1}}",
				"{'jsonrpc':'2.0','id':ID,'result':{}}", "{'jsonrpc':'2.0','id':ID,'result':'continue'}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'Continue'}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'modify'}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'respond'}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'continue','decision':{'action':'deny_tool'}}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'modify','call':{'tool':'run_command'}}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'modify','call':{'tool':'other','arguments':{}}}}");
		try (ProcessToolHook hook = Processes.gate().hook()) {
			for (String reply : refused) {
				assertThat(hook.preCall(Processes.raw(reply))).as(reply).isInstanceOf(ToolDecision.Deny.class);
			}
			assertThat(hook.droppedReplies()).isZero();
		}
	}

	@Test // J05
	void objectionHoldsWhateverElseIsWrongAlsoIfTheHookFailsOpen() {
		List<String> objections = List.of("'action':'deny_tool','reason':7", "'action':'deny_tool','call':'x'",
				"'action':'deny_tool','decision':'no'", "'action':'continue','decision':{'action':'deny_tool'}",
				"'action':'deny_tool','call':{'tool':'other'}", "'action':'abort_turn','reason':[]",
				"'action':'hard_abort','decision':{'action':'continue','reason':1}",
				"'action':'deny_tool','reason':'a','decision':{'reason':'b'}", "'action':'deny'",
				"'action':'Deny_Tool'", "'action':'block'", "'approved':false", "'action':'continue','allow':false",
				"'decision':'deny'", "'permissionDecision':'deny'", "'action':'continue','block':true",
				"'action':'refuse'", "'Action':'deny_tool'", "'action':'continue','continue':false");
		try (ProcessToolHook hook = Processes.gate().failingOpen().hook()) {
			for (String reply : objections) {
				assertThat(hook.preCall(Processes.raw("{'id':ID,'result':{" + reply + "}}"))).as(reply)
					.isInstanceOfAny(ToolDecision.Deny.class, ToolDecision.Abort.class);
			}
			assertThat(hook.preCall(Processes.raw("{'id':ID,'result':{'action':'deny_tool'},'error':{'code':1}}")))
				.isEqualTo(ToolDecision.deny("The process answered with a result and an error at once"));
		}
	}

	@Test // J05
	void denialInABrokenAnswerIsNothingToFailOpenOn() {
		List<String> denials = List.of("{'id':'ID','result':{'action':'deny_tool'}}",
				"{'id':ID,'id':ID,'result':{'action':'deny_tool'}}",
				"{'id':ID,'result':{'action':'deny_tool','action':'continue'}}",
				"{'id':ID,'result':{'action':'deny_tool'}} extra", "{'id':ID,'result':'deny'}",
				"{'id':ID,'result':false}", "{'id':ID,'error':{'code':1},'decision':'deny'}",
				"{'id':ID.0,'result':{'action':'deny_tool'}", "{'result':{'action':'deny_tool'},'id':'ID'}",
				"{'id':ID,'result':{'action':'ask','reason':'run 'rm''}}", "{'id':ID,'result':{'action':'contin",
				"> {'id':ID,'result':{'allow':false,'reason':'run 'rm''}}");
		try (ProcessToolHook hook = Processes.gate().failingOpen().hook()) {
			for (String reply : denials) {
				assertThat(hook.preCall(Processes.raw(reply))).as(reply)
					.isEqualTo(ToolDecision.deny("The answer of the process is broken"));
			}
		}
	}

	@ParameterizedTest // J05
	@CsvSource({ "exit, The answer of the process is broken", "flood, The answer of the process is broken",
			"nothing, The process did not answer in time" })
	void denialInALineWithoutEndIsNothingToFailOpenOn(String then, String reason) {
		try (ProcessToolHook hook = Processes.gate().timeout(SOON).failingOpen().hook()) {
			ToolCall call = ToolCall.of("run_command", Map.of("do", "deny without line end", "then", then));
			assertThat(hook.preCall(call)).isEqualTo(ToolDecision.deny(reason));
		}
	}

	@Test
	void denialInABrokenAnswerIsAboutTheCallThatItNames() {
		try (ProcessToolHook hook = Processes.gate().timeout(SOON).failingOpen().hook()) {
			for (String other : List.of("{'id':'7','result':{'action':'deny_tool'}}",
					"{'id':ID,'method':'x','params':{},'decision':'deny'}")) {
				assertThat(reason(hook.preCall(Processes.raw(other)))).as(other).contains("but answers a question");
			}
			for (String any : List.of("{'result':{'action':'deny_tool'}}",
					"{'result':{'action':'ask','reason':'a 'b''}}")) {
				assertThat(reason(hook.preCall(Processes.raw(any)))).as(any)
					.isEqualTo("The process did not answer in time");
			}
		}
	}

	@Test
	void answerThatCannotBeUnderstoodIsNothingToFailOpenOn() {
		try (ProcessToolHook hook = Processes.gate().failingOpen().hook()) {
			assertThat(List.of("{'action':'ask'}", "{'action':'continue','requireApproval':true}", "{'action':'later'}",
					"{'action':'continue','data':{'decision':'deny'}}",
					"{'action':'continue','status':'needs_approval'}", "{}", "{'action':'modify'}", "{'action':7}",
					"{'call':{}}"))
				.allSatisfy((result) -> assertThat(
						hook.preCall(Processes.raw("{'id':ID,'result':" + result + "}")).verdict())
					.isEqualTo(Verdict.DENY));
		}
	}

	@Test // J05
	void denialIsOneWhateverWasAsked() throws Exception {
		assertThat(new ProcessToolReply(Map.of("approved", true, "action", "deny_tool", "reason", "no")).approveTool())
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(new ProcessToolReply(Map.of("action", "abort_turn", "reason", "enough")).approveTool())
			.isEqualTo(ToolDecision.abortTurn("enough"));
		assertThat(
				new ProcessToolReply(Map.of("action", "deny_tool", "reason", "no")).afterTool(ToolResult.success("a")))
			.isEqualTo(ToolDecision.deny("no"));
	}

	@Test
	void argumentsThatSomeReadersTakeForOneAnotherAreDenied() {
		ToolCall call = ToolCall.of("run_command", Map.of("command", "rm", "Command", "ls"));
		try (ProcessToolHook hook = Processes.gate().intercept("before_tool", "approve_tool").failingOpen().hook()) {
			assertThat(hook.preCall(call))
				.isEqualTo(ToolDecision.deny("The call has arguments whose names differ in case only"));
		}
	}

	@Test // J05
	void replyThatIsForNobodyIsDroppedAndTheCallDenied() throws Exception {
		List<String> dropped = List.of("{'jsonrpc':'2.0','id':'ID','result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','id':null,'result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','id':ID.5,'result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','id':ID,'method':'x','result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','id':ID,'id':ID,'result':{'action':'continue'}}",
				"{'jsonrpc':'2.0','id':ID,'result':{'action':'continue'}} extra", "[]", "hello");
		try (ProcessToolHook hook = Processes.gate().timeout(SOON).hook()) {
			List<Future<ToolDecision>> decisions = dropped.stream()
				.map((reply) -> this.callers.submit(() -> hook.preCall(Processes.raw(reply))))
				.toList();
			for (Future<ToolDecision> decision : decisions) {
				assertThat(decision.get(60, TimeUnit.SECONDS).verdict()).isEqualTo(Verdict.DENY);
			}
			assertThat(hook.droppedReplies()).isEqualTo(dropped.size());
		}
	}

	@Test
	void lineThatIsNoReplyDoesNotDisturb() {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			assertThat(ask(hook, "banner")).isEqualTo(ToolDecision.approve());
			assertThat(hook.droppedReplies()).isEqualTo(1);
		}
	}

	@Test // J07
	void lineWithoutEndRestartsTheProcessAndDenies() {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			assertThat(ask(hook, "flood")).isEqualTo(ToolDecision.deny("The process wrote a line that is too long"));
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void processThatEndsFailsTheCallAtOnceAndIsRestarted() {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			String before = reason(ask(hook, "pid"));
			assertThat(ask(hook, "half")).isEqualTo(ToolDecision.deny("The answer of the process is broken"));
			assertThat(reason(ask(hook, "pid"))).isNotEqualTo(before);
			assertThat(ask(hook, "exit")).isEqualTo(ToolDecision.deny("The process ended"));
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void failedCallPassesIfTheHookFailsOpen() {
		try (ProcessToolHook hook = Processes.shell(Processes.ENDS_AT_EVERY_CALL).failingOpen().hook()) {
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.failedOpen("The process ended"));
		}
		try (ProcessToolHook hook = Processes.gate().failingOpen().hook()) {
			assertThat(ask(hook, "exit").verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@Test
	void processThatClosesItsInputButLivesIsRestarted() {
		Path flag = this.dir.resolve("flag");
		try (ProcessToolHook hook = Processes
			.shell("if [ -e \"$FLAG\" ]; then exec python3 src/test/resources/programs/gate.py; fi; touch \"$FLAG\"; "
					+ "read line; exec <&-; echo '{\"id\":1,\"result\":{}}'; while :; do sleep 1; done")
			.env("FLAG", flag.toString())
			.hook()) {
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.deny("The process ended"));
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void processThatHasStoppedIsRestarted() {
		try (ProcessToolHook hook = Processes.gate().timeout(Duration.ofMillis(400)).hook()) {
			for (int i = 0; i < 4; i++) {
				assertThat(ask(hook, "stop")).isEqualTo(ToolDecision.deny("The process did not answer in time"));
			}
			Awaitility.await().until(() -> ask(hook, "continue").equals(ToolDecision.approve()));
		}
	}

	@Test // J14
	void noiseBeforeTheGreetingAndBrokenCharactersDoNotDisturb() {
		try (ProcessToolHook hook = Processes
			.shell("printf 'loading \\377\\000\\n\\n{}\\n'; exec python3 src/test/resources/programs/gate.py")
			.timeout(SOON)
			.hook()) {
			assertThat(hook.droppedReplies()).isEqualTo(3);
			assertThat(ask(hook, "not utf-8")).isEqualTo(ToolDecision.deny("The answer of the process is broken"));
			assertThat(hook.droppedReplies()).isEqualTo(4);
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		}
	}

	@Test // J09
	void crashLoopEndsAndEveryCallIsDenied() {
		ProcessPrograms programs = new ProcessPrograms();
		ToolHookFactory<ProcessConfig> factory = Processes.gate().factory(programs);
		try (ProcessToolHook hook = (ProcessToolHook) factory.create("gate", Processes.gate().config())) {
			for (int i = 0; i < 4; i++) {
				assertThat(programs.states()).doesNotContainValue(ProcessState.DOWN);
				assertThat(ask(hook, "exit")).isEqualTo(ToolDecision.deny("The process ended"));
			}
			Awaitility.await().until(() -> programs.states().containsValue(ProcessState.DOWN));
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.deny("The process is down"));
		}
		assertThat(programs.states()).containsEntry("gate", ProcessState.CLOSED);
	}

	@Test // J11
	void processThatStopsReadingInTheMiddleOfAMessageIsRestarted() {
		try (ProcessToolHook hook = Processes.gate().timeout(SOON).hook()) {
			String before = reason(ask(hook, "pid"));
			assertThat(ask(hook, "stop reading")).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(ToolCall.of("t", Map.of("text", "x".repeat(300_000)))))
				.isEqualTo(ToolDecision.deny("The process did not answer in time"));
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(reason(ask(hook, "pid"))).isNotEqualTo(before).matches("\\d+"));
		}
	}

	@Test // J13
	void everyCharacterArrivesInOneLine() {
		String text = "a\u2028b\u2029c\rd\ne\r\n\u0085\u0000\uD83D\uDE00\"\\";
		try (ProcessToolHook hook = Processes.gate().hook()) {
			assertThat(hook.preCall(ToolCall.of("t", Map.of("do", "echo", "text", text))))
				.isEqualTo(ToolDecision.modify(Map.of("echo", text)));
		}
	}

	@Test
	void fiftyCallsShareOneProcessAndASlowOneDelaysNobody() throws Exception {
		try (ProcessToolHook hook = Processes.gate().hook()) {
			Path end = this.dir.resolve("end");
			Future<ToolDecision> slow = this.callers.submit(() -> hook.preCall(waiting(end)));
			List<Future<ToolDecision>> decisions = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				ToolCall call = ToolCall.of("t", Map.of("do", "echo", "text", i + "x".repeat(10_000)));
				decisions.add(this.callers.submit(() -> hook.preCall(call)));
			}
			for (int i = 0; i < 50; i++) {
				assertThat(decisions.get(i).get(20, TimeUnit.SECONDS))
					.isEqualTo(ToolDecision.modify(Map.of("echo", i + "x".repeat(10_000))));
			}
			assertThat(slow).isNotDone();
			Files.createFile(end);
			assertThat(slow.get(40, TimeUnit.SECONDS)).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void lateReplyIsDropped() throws IOException {
		try (ProcessToolHook hook = Processes.gate().timeout(SOON).hook()) {
			Path end = this.dir.resolve("end");
			assertThat(hook.preCall(waiting(end))).isEqualTo(ToolDecision.deny("The process did not answer in time"));
			Files.createFile(end);
			Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> hook.droppedReplies() == 1);
		}
	}

	@Test
	void interruptDeniesAndDisturbsNoOtherCall() throws Exception {
		try (ProcessToolHook hook = Processes.gate().failingOpen().hook()) {
			Thread.currentThread().interrupt();
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.deny("The call was interrupted"));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void closeEndsAlsoTheProcessThatWasGivenUpJustBefore() {
		String gate = Path.of("src/test/resources/programs/gate.py").toAbsolutePath().toString();
		ProcessToolHook hook = Processes.shell("trap '' TERM; exec python3 '" + gate + "'").hook();
		long givenUp = Long.parseLong(reason(ask(hook, "pid")));
		assertThat(ask(hook, "flood")).isEqualTo(ToolDecision.deny("The process wrote a line that is too long"));
		assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
		hook.close();
		// Whatever still kills it may end with the application.
		assertThat(ProcessHandle.of(givenUp).filter(ProcessHandle::isAlive)).isEmpty();
	}

	@Test
	void closeEndsAProcessThatIgnoresTheEndOfItsInputAndDenies() {
		ProcessToolHook hook = Processes.gate().env("IGNORE_EOF", "1").failingOpen().hook();
		long pid = Long.parseLong(reason(ask(hook, "pid")));
		hook.close();
		Awaitility.await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
		assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.deny("The application is shutting down"));
	}

	@Test
	void thousandCallsLeaveNothingBehind() {
		Awaitility.await().until(() -> threads() == 0);
		int files = openFiles();
		long children = children();
		try (ProcessToolHook hook = Processes.gate().observe("*").hook()) {
			ask(hook, "continue");
			long threads = threads();
			int filesInUse = openFiles();
			for (int i = 0; i < 1000; i++) {
				assertThat(ask(hook, "continue")).isEqualTo(ToolDecision.approve());
			}
			assertThat(threads()).isEqualTo(threads).isEqualTo(2);
			assertThat(openFiles()).isLessThanOrEqualTo(filesInUse);
		}
		Awaitility.await().until(() -> threads() == 0);
		Awaitility.await().until(() -> children() <= children);
		Awaitility.await().until(() -> openFiles() <= files + 1);
	}

	/**
	 * Sooner than a thread that kills in the background could have done it.
	 */
	private static void assertGone(Path pid) throws IOException {
		long id = Long.parseLong(Files.readString(pid).strip());
		Awaitility.await()
			.atMost(Duration.ofSeconds(1))
			.until(() -> ProcessHandle.of(id).filter(ProcessHandle::isAlive).isEmpty());
	}

	/**
	 * A call that the process answers when there is this file.
	 */
	private static ToolCall waiting(Path file) {
		return ToolCall.of("t", Map.of("do", "wait", "file", file.toString()));
	}

	private static ToolDecision ask(ProcessToolHook hook, String what) {
		return hook.preCall(Processes.call(what));
	}

	private static ToolCall command(String command) {
		return ToolCall.of("run_command", Map.of("command", command));
	}

	private static String reason(ToolDecision decision) {
		return ((ToolDecision.Deny) decision).reason();
	}

	private static int openFiles() {
		try (var files = Files.list(Path.of("/proc/self/fd"))) {
			return (int) files.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static long children() {
		return ProcessHandle.current().descendants().count();
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("hooks-gate-"))
			.count();
	}

}
