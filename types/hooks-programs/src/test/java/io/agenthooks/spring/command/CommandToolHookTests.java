package io.agenthooks.spring.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.dialect.CallMessage;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.program.ChildProgram;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CommandToolHook} with real commands.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class CommandToolHookTests {

	private static final ToolCall LARGE = ToolCall.of("run_command", Map.of("command", "x".repeat(5_000_000)));

	private static final Duration SOON = Duration.ofSeconds(2);

	private final ExecutorService callers = Executors.newCachedThreadPool();

	@TempDir
	private Path dir;

	@AfterEach
	void stopCallers() {
		this.callers.shutdownNow();
	}

	@Test // C01
	void silentCommandApprovesUnlessADecisionIsRequired() {
		assertThat(decision(Commands.shell("true"))).isEqualTo(ToolDecision.approve());
		assertThat(decision(Commands.shell("echo; echo '  '"))).isEqualTo(ToolDecision.approve());
		assertThat(decision(Commands.shell("true").requiringDecision())).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision(Commands.shell("echo '{}'").requiringDecision())).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decision(Commands.replying("{\"decision\":\"allow\"}", 0).requiringDecision()))
			.isEqualTo(ToolDecision.approve());
	}

	@Test
	void failureSaysWhatToMend() {
		assertThat(decision(Commands.shell("true").requiringDecision()))
			.isEqualTo(ToolDecision.deny("The command wrote nothing, but must decide"));
		assertThat(decision(Commands.replying(
				"{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"permissionDecision\":\"allow\"}}", 0)))
			.isEqualTo(ToolDecision.deny("The output of the command has another hookEventName than PreToolUse"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo boom >&2; exit 1", "echo boom >&2; echo no JSON" })
	void errorsOfACommandThatFailsAreLoggedForWhoAsksForThem(String line, CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		decision(Commands.shell(line));
		assertThat(output).doesNotContain("boom");
		logging.setLogLevel("io.agenthooks.spring.command", LogLevel.DEBUG);
		try {
			decision(Commands.shell(line));
		}
		finally {
			logging.setLogLevel("io.agenthooks.spring.command", null);
		}
		assertThat(output).contains("the command wrote to standard error: boom");
	}

	@Test // C03
	void otherExitCodeDenies() {
		for (String line : List.of("exit 1", "exit 3", "exit 127", "kill -9 $$", "true; no_such_program_at_all",
				"kill -SEGV $$", "echo '{\"decision\":\"allow\"}'; kill -TERM $$",
				"echo '{\"decision\":\"allow\"}'; exit 1")) {
			assertThat(decision(Commands.shell(line))).as(line)
				.isInstanceOfSatisfying(ToolDecision.Deny.class,
						(deny) -> assertThat(deny.reason()).startsWith("The command ended with exit code "));
		}
	}

	@Test // C03
	void otherExitCodePassesIfTheHookFailsOpenAndNothingObjects() {
		assertThat(decision(Commands.shell("exit 1").failingOpen()))
			.isEqualTo(ToolDecision.failedOpen("The command ended with exit code 1"));
		assertThat(decision(Commands.replying("{\"decision\":\"block\",\"reason\":\"no\"}", 1).failingOpen()))
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(ask(Commands.shell("exit 1").failingOpen(), LARGE)).isInstanceOf(ToolDecision.Deny.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"decision\":\"ask\"}", "{\"decision\":\"allow\",\"updatedInput\":{}}" })
	void answerThatWantsSomethingElseThanTheCallNeverFailsOpenToIt(String reply) {
		assertThat(decision(Commands.replying(reply, 1).failingOpen()))
			.isEqualTo(ToolDecision.deny("The command ended with exit code 1"));
	}

	@Test // C05
	void exitCodeTwoDeniesWithWhatItWroteAsErrors() {
		assertThat(decision(Commands.shell("python3 /nonexistent.py"))).isInstanceOfSatisfying(ToolDecision.Deny.class,
				(deny) -> assertThat(deny.reason()).contains("/nonexistent.py", "No such file"));
		assertThat(decision(Commands.shell("echo '{\"decision\":\"allow\"}'; echo no >&2; exit 2").failingOpen()))
			.isEqualTo(ToolDecision.deny("no"));
		assertThat(decision(Commands.shell("exit 2"))).isEqualTo(ToolDecision.deny("The command gave no reason"));
	}

	@Test // C02
	void exitCodeTwoDeniesHoweverMuchItWroteAsErrors() {
		assertThat(decision(Commands.shell("head -c 3000000 /dev/zero | tr '\\0' e >&2; exit 2").failingOpen()))
			.isInstanceOfSatisfying(ToolDecision.Deny.class,
					(deny) -> assertThat(deny.reason()).startsWith("eeee").hasSizeLessThan(20_000));
		assertThat(decision(Commands.shell("printf '\\377\\000 no' >&2; exit 2").failingOpen()))
			.isInstanceOf(ToolDecision.Deny.class);
	}

	@Test // C06
	void programThatIsGoneWhenItIsNeededDenies() throws IOException {
		Path gone = this.dir.resolve("gone");
		Path program = Files.createDirectory(gone).resolve("check.sh");
		Files.writeString(program, "#!/bin/sh\n");
		assertThat(program.toFile().setExecutable(true)).isTrue();
		try (CommandToolHook listed = Commands.exec(program.toString()).in(gone).hook();
				CommandToolHook line = Commands.shell("'" + program + "'").in(this.dir).hook()) {
			assertThat(listed.preCall(Commands.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(line.preCall(Commands.CALL)).isEqualTo(ToolDecision.approve());
			assertThat(program.toFile().setExecutable(false)).isTrue();
			assertThat(listed.preCall(Commands.CALL)).isEqualTo(ToolDecision.deny("The command could not be started"));
			assertThat(line.preCall(Commands.CALL))
				.isEqualTo(ToolDecision.deny("The command ended with exit code 126"));
			Files.delete(program);
			int before = openFiles();
			for (int i = 0; i < 50; i++) {
				assertThat(listed.preCall(Commands.CALL))
					.isEqualTo(ToolDecision.deny("The command could not be started"));
			}
			Awaitility.await().until(() -> openFiles() <= before);
			assertThat(line.preCall(Commands.CALL))
				.isEqualTo(ToolDecision.deny("The command ended with exit code 127"));
			Files.writeString(program, "#!/bin/sh\n");
			Files.delete(program);
			Files.delete(gone);
			assertThat(listed.preCall(Commands.CALL)).isEqualTo(ToolDecision.deny("The command could not be started"));
		}
	}

	@Test // C07
	void exitCodeThatWrapsToZeroNeedsADecisionInStrictMode() {
		Commands command = Commands.shell("python3 -c \"import os; os._exit(256 & 0xff)\"");
		assertThat(decision(command)).isEqualTo(ToolDecision.approve());
		assertThat(decision(command.requiringDecision())).isInstanceOf(ToolDecision.Deny.class);
	}

	@Test // C09
	void outputThatIsNotOneJsonObjectDenies() {
		for (String output : List.of("hello", "Loading rules...\n{\"decision\":\"allow\"}",
				"{\"decision\":\"allow\"} {}", "[]", "\"allow\"", "{\"decision\":\"allow\"",
				"{\"decision\":\"allow\",\"decision\":\"allow\"}", "{\"decision\":\"allow\"} done", "\uFEFF")) {
			assertThat(decision(Commands.replying(output, 0))).as(output)
				.isInstanceOfSatisfying(ToolDecision.Deny.class,
						(deny) -> assertThat(deny.reason()).startsWith("The output of the command "));
		}
	}

	@Test // C09
	void denialInOutputThatIsNotOneJsonObjectNeverFailsOpen() {
		for (String output : List.of("Loading rules...\n{\"decision\":\"deny\"}",
				"{\"type\":\"progress\"}\n{\"permissionDecision\":\"deny\"}", "{\"decision\":\"block\"} done",
				"{\"decision\":\"allow\"}\n {\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}",
				"{\"decision\":\"deny\",\"decision\":\"allow\"}", "{\"decision\":\"deny\",\"n\":1e999999}",
				"{\"continue\":false", "\uFEFF{\"decision\":\"deny\"", "[{\"action\":\"deny_tool\"}]", "deny",
				"\"DENY\"", "Blocked.\n")) {
			assertThat(decision(Commands.replying(output, 0).failingOpen())).as(output)
				.isInstanceOfAny(ToolDecision.Deny.class, ToolDecision.Abort.class);
		}
		assertThat(decision(Commands.shell("printf '{\"reason\":\"caf\\351\",\"decision\":\"deny\"}'").failingOpen()))
			.isInstanceOf(ToolDecision.Deny.class);
	}

	@Test // C13, C14
	void denialNeverFailsOpenHoweverTheCommandGoesOn() throws Exception {
		List<String> denials = List.of("{\"decision\":\"deny\"}", "{\"blocked\":true}", "deny: {\"continue\":false}");
		for (String then : List.of("exec sleep 600", "exec yes", "exec head -c 3000000 /dev/zero", "kill -KILL $$")) {
			assertThat(untilSoon(denials.stream().map((denial) -> "echo '" + denial + "'; " + then)))
				.allSatisfy((line, decision) -> assertThat(decision).isInstanceOfAny(ToolDecision.Deny.class,
						ToolDecision.Abort.class));
		}
	}

	@Test // C13, C14
	void replyThatHasBegunNeverFailsOpen() throws Exception {
		List<String> begun = List.of("{", "{\"allow\":fal", "Checking...", "{\"decision\":\"ask\"");
		for (String then : List.of("exec sleep 600", "kill -KILL $$", "exit 1")) {
			assertThat(untilSoon(begun.stream().map((reply) -> "printf '%s' '" + reply + "'; " + then)))
				.allSatisfy((line, decision) -> assertThat(decision.verdict()).isEqualTo(Verdict.DENY));
		}
	}

	@Test // C14
	void commandThatSaidNothingInTimeFailsOpenIfConfigured() {
		assertThat(decision(Commands.shell("exec sleep 600").timeout(SOON).failingOpen()).verdict())
			.isEqualTo(Verdict.APPROVE);
	}

	/**
	 * One quote in what the agent wrote breaks what a simple script writes.
	 */
	@ParameterizedTest // C09
	@ValueSource(strings = { "\"allow\":false", "\"allowTool\":false", "\"ok\":false", "\"block\":true",
			"\"cancel\":true", "\"decision\":\"cancel\"", "\"decision\":\"refuse\"", "\"action\":\"abort\"",
			"\"decision\":\"ask\"", "\"review\":true", "\"requireApproval\":true",
			"\"hookSpecificOutput\":{\"permissionDecision\":\"ask\"}", "\"updatedInput\":{\"command\":\"ls\"}" })
	void brokenJsonNeverFailsOpen(String said) {
		for (int exitCode : new int[] { 0, 1 }) {
			assertThat(decision(Commands.replying("{" + said + ",\"reason\":\"run \"rm\"\"}", exitCode).failingOpen())
				.verdict()).isEqualTo(Verdict.DENY);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"data\":{\"permissionDecision\":\"deny\"}}", "{\"data\":{\"decision\":\"ask\"}}",
			"{\"requires_approval\":true}", "{\"needsReview\":true}", "{\"effects\":[{\"type\":\"require_approval\"}]}",
			"{\"decision\":\"allow\",\"status\":\"needs_approval\"}", "{\"outcome\":\"ask\"}",
			"{\"decision\":\"allow\",\"approval\":{\"required\":true}}",
			"{\"decision\":\"allow\",\"approval\":\"required\"}" })
	void wordsThatAskOrDenyElsewhereAreNotPassedOver(String reply) {
		assertThat(decision(Commands.replying(reply, 0).failingOpen()).verdict()).isEqualTo(Verdict.DENY);
	}

	@Test
	void denialBehindALogOnStandardErrorCounts() {
		assertThat(decision(Commands.shell("echo checking >&2; echo '{\"decision\":\"deny\"}' >&2").failingOpen())
			.verdict()).isEqualTo(Verdict.DENY);
	}

	@Test // C09
	void jsonMayComeBehindAByteOrderMark() {
		assertThat(decision(Commands.replying("\uFEFF{\"decision\":\"allow\"}", 0).requiringDecision()))
			.isEqualTo(ToolDecision.approve());
		assertThat(decision(Commands.replying("\uFEFF{\"decision\":\"deny\",\"reason\":\"no\"}", 0)))
			.isEqualTo(ToolDecision.deny("no"));
	}

	@Test // C10
	void outputMayHaveExactlyAsManyBytesAsItMay() {
		String script = "import sys; sys.stdout.write('{\"x\":\"' + 'y' * (%d - 8) + '\"}')";
		assertThat(decision(Commands.exec("python3", "-c", script.formatted(1 << 20))))
			.isEqualTo(ToolDecision.approve());
		assertThat(decision(Commands.exec("python3", "-c", script.formatted((1 << 20) + 1))))
			.isEqualTo(ToolDecision.deny("The command wrote more than it may"));
	}

	@Test // C10
	void outputThatIsNoTextDenies() {
		for (String output : List.of("{\"reason\":\"\\377\"}", "\\377", "\\000", "{}\\000", "\\000{}",
				"{\"decision\":\"al\\000low\"}", "\\357\\273\\277")) {
			assertThat(decision(Commands.shell("printf '" + output + "'"))).as(output)
				.isInstanceOf(ToolDecision.Deny.class);
		}
	}

	@Test // C18
	void nothingThatTheAgentChoseReachesAShell() {
		Path canary = this.dir.resolve("canary");
		String attack = "$(touch " + canary + ")`touch " + canary + "`'; touch " + canary + " #\"; touch " + canary;
		ToolCall call = ToolCall.of(attack, "run_command", Map.of("command", attack, attack, attack),
				CallContext.ofSession(attack).withAgent(attack));
		assertThat(ask(Commands.shell("cat; exit 0").env("X", "$(cat)"), call)).isEqualTo(ToolDecision.approve());
		assertThat(ask(Commands.exec("cat"), call)).isEqualTo(ToolDecision.approve());
		assertThat(canary).doesNotExist();
	}

	@Test // C11, C19
	void commandThatDoesNotReadItsInputHasNotFailed() {
		assertThat(ask(Commands.shell("exit 0"), LARGE)).isEqualTo(ToolDecision.approve());
		assertThat(ask(Commands.shell("exec <&-; exit 0"), LARGE)).isEqualTo(ToolDecision.approve());
	}

	@Test // C19
	void inputOfAnySizeComesByStandardInputOnly() {
		String script = "import json,os,sys; n=len(json.load(sys.stdin)['tool_input']['command']); "
				+ "sys.exit(2 if n != 5000000 or len(str(os.environ)) > 100000 or len(sys.argv) > 1 else 0)";
		assertThat(ask(Commands.shell("python3 -c \"" + script + "\""), LARGE)).isEqualTo(ToolDecision.approve());
	}

	@Test // C13
	void floodIsCutOffAndDenies() {
		assertThat(decision(Commands.shell("exec yes")))
			.isEqualTo(ToolDecision.deny("The command wrote more than it may"));
		assertThat(decision(Commands.shell("exec head -c 2000000 /dev/zero")))
			.isEqualTo(ToolDecision.deny("The command wrote more than it may"));
	}

	@Test // C13
	void errorsAreDrainedAndBounded() {
		assertThat(decision(Commands.shell("head -c 3000000 /dev/zero | tr '\\0' e >&2")))
			.isEqualTo(ToolDecision.approve());
		assertThat(decision(Commands.shell("exec yes >&2").timeout(SOON)))
			.isEqualTo(ToolDecision.deny("The command did not end in time"));
	}

	@Test // C15
	void commandThatIgnoresTheRequestToEndIsKilledWithItsDescendants() {
		Path pids = this.dir.resolve("pids");
		assertThat(decision(Commands.shell("trap '' TERM; sleep 61 & echo $! $$ > \"$PIDS\"; wait; wait")
			.env("PIDS", pids.toString())
			.timeout(SOON))).isEqualTo(ToolDecision.deny("The command did not end in time"));
		awaitEnd(pids, 2);
	}

	@Test // C15
	void processThatLeftItsParentAndSessionIsKilledToo() {
		Path pids = this.dir.resolve("pids");
		assertThat(decision(Commands.shell("(setsid sh -c 'sleep 62 & echo $! > \"$PIDS\"' &) ; sleep 63")
			.env("PIDS", pids.toString())
			.timeout(Duration.ofSeconds(3)))).isInstanceOf(ToolDecision.Deny.class);
		awaitEnd(pids, 1);
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void processThatHoldsThePipesDoesNotDelayTheVerdict() throws IOException {
		Path pid = this.dir.resolve("pid");
		Commands command = Commands
			.shell("sleep 600 & echo $! > \"$PID\"; echo '{\"decision\":\"block\",\"reason\":\"no\"}'; kill -9 $$")
			.env("PID", pid.toString())
			.timeout(Duration.ofMinutes(10));
		assertThat(ask(command, LARGE)).isEqualTo(ToolDecision.deny("no"));
		String holder = Files.readString(pid).trim();
		try {
			assertThat(isRunning(Path.of("/proc", holder, "stat"))).isTrue();
		}
		finally {
			ProcessHandle.of(Long.parseLong(holder)).ifPresent(ProcessHandle::destroyForcibly);
		}
	}

	@Test // C11, C14
	@EnabledOnOs(OS.LINUX)
	void inputThatNobodyReadsHoldsNoThreadWhenTheCommandHasEnded() throws IOException {
		Path pids = this.dir.resolve("pids");
		// What other tests left behind in this JVM may hold one still.
		Set<Thread> others = threadsThatClosePipes();
		try (CommandToolHook hook = Commands.shell("exec 3<&0; sleep 60 <&3 & echo $! > \"$PIDS\"")
			.env("PIDS", pids.toString())
			.hook()) {
			assertThat(hook.preCall(LARGE)).isEqualTo(ToolDecision.approve());
			Awaitility.await().until(() -> threads("hooks-check-command") == 0);
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.untilAsserted(() -> assertThat(threadsThatClosePipes()).isSubsetOf(others));
		}
		finally {
			ProcessHandle.of(Long.parseLong(Files.readString(pids).trim())).ifPresent(ProcessHandle::destroyForcibly);
		}
	}

	@Test
	void processThatIsLeftBehindReadsTheWholeInputInItsOwnTime() {
		Path seen = this.dir.resolve("seen");
		String reader = """
				import json, os, shutil, time
				text = os.read(0, 1)
				# Only now: a busy machine starts Python slower than it may be slow to read.
				if os.fork():
				    os._exit(0)
				part = os.read(0, 65536)
				while part:
				    text += part
				    time.sleep(0.03)
				    part = os.read(0, 65536)
				with open(os.environ["SEEN"] + ".new", "w") as file:
				    file.write(str(len(json.loads(text)["tool_input"]["command"])))
				shutil.move(os.environ["SEEN"] + ".new", os.environ["SEEN"])
				""";
		ToolCall call = ToolCall.of("run_command", Map.of("command", "x".repeat(400_000)));
		assertThat(ask(Commands.shell("exec python3 -c '" + reader + "'").env("SEEN", seen.toString()), call))
			.isEqualTo(ToolDecision.approve());
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(seen));
		assertThat(seen).content().isEqualTo("400000");
	}

	@Test
	void slotIsFreeAgainAfterAStartThatFailsInAnyWay() {
		ChildProgram impossible = new ChildProgram(List.of("/bin/sh"), this.dir, Map.of("A=B", ""));
		CommandSettings settings = new CommandSettings(impossible, Duration.ofMillis(200), false, 1000, false, false, 1,
				SentUser.NOTHING, null);
		try (CommandRunner runner = new CommandRunner("check", settings)) {
			for (int i = 0; i < 3; i++) {
				assertThatIllegalArgumentException().isThrownBy(() -> runner.run(new byte[0]));
			}
		}
	}

	@Test // C17
	void commandSeesOnlyTheVariablesThatItIsGiven() throws IOException {
		Path seen = this.dir.resolve("env");
		decision(Commands.shell("env > \"$SEEN\"").env("SEEN", seen.toString()));
		assertThat(Files.readAllLines(seen)).extracting((line) -> line.split("=", 2)[0])
			.contains("PATH", "SEEN", "PROJECT_DIR", "CLAUDE_PROJECT_DIR")
			.isSubsetOf("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "SEEN", "PROJECT_DIR",
					"CLAUDE_PROJECT_DIR", "AGENT_HOOKS_CHILD", "PWD", "OLDPWD", "SHLVL", "_");
	}

	@Test
	void interruptKillsTheCommandAndDeniesEvenIfTheHookFailsOpen() throws Exception {
		Path pids = this.dir.resolve("pids");
		try (CommandToolHook hook = Commands.shell("echo $$ > \"$PIDS\"; sleep 64; true")
			.env("PIDS", pids.toString())
			.failingOpen()
			.hook()) {
			CountDownLatch interrupted = new CountDownLatch(1);
			Thread[] caller = new Thread[1];
			Future<ToolDecision> decision = this.callers.submit(() -> {
				caller[0] = Thread.currentThread();
				ToolDecision made = hook.preCall(Commands.CALL);
				if (Thread.currentThread().isInterrupted()) {
					interrupted.countDown();
				}
				return made;
			});
			Awaitility.await().until(() -> Files.exists(pids) && !Files.readString(pids).isBlank());
			caller[0].interrupt();
			assertThat(decision.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.deny("The call was interrupted"));
			assertThat(interrupted.await(1, TimeUnit.SECONDS)).as("flag is kept").isTrue();
			awaitEnd(pids, 1);
		}
	}

	@Test
	void closeKillsWhatRunsAndDenies() throws Exception {
		Path pids = this.dir.resolve("pids");
		CommandToolHook hook = Commands.shell("echo $$ > \"$PIDS\"; sleep 65; true")
			.env("PIDS", pids.toString())
			.failingOpen()
			.hook();
		Future<ToolDecision> decision = this.callers.submit(() -> hook.preCall(Commands.CALL));
		Awaitility.await().until(() -> Files.exists(pids) && !Files.readString(pids).isBlank());
		hook.close();
		assertThat(decision.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.deny("The application is shutting down"));
		assertThat(hook.preCall(Commands.CALL)).isEqualTo(ToolDecision.deny("The application is shutting down"));
		awaitEnd(pids, 1);
	}

	@Test // S05
	void closeTakesNoLongerForManyCommandsThatIgnoreTheRequestToEnd() throws IOException {
		CommandToolHook hook = Commands.shell("trap '' TERM; : > \"$DIR/$$\"; while :; do sleep 67; done")
			.env("DIR", this.dir.toString())
			.hook();
		IntStream.range(0, 16).forEach((i) -> this.callers.execute(() -> hook.preCall(Commands.CALL)));
		// Some of them have not even come back from the start of their command then.
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> this.dir.toFile().list().length == 16);
		long start = System.nanoTime();
		hook.close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
		assertThat(this.dir.toFile().list()).noneMatch((pid) -> isRunning(Path.of("/proc", pid, "stat")));
	}

	@Test
	void noMoreCommandsRunThanMay() throws Exception {
		Path log = this.dir.resolve("log");
		try (CommandToolHook hook = Commands.shell("echo + >> \"$LOG\"; sleep 0.05; echo - >> \"$LOG\"")
			.env("LOG", log.toString())
			.maxConcurrent(2)
			.hook()) {
			List<Future<ToolDecision>> decisions = IntStream.range(0, 12)
				.mapToObj((i) -> this.callers.submit(() -> hook.preCall(Commands.CALL)))
				.toList();
			for (Future<ToolDecision> decision : decisions) {
				assertThat(decision.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.approve());
			}
		}
		int running = 0;
		for (String line : Files.readAllLines(log)) {
			running += (line.equals("+")) ? 1 : -1;
			assertThat(running).isBetween(0, 2);
		}
	}

	@Test // C20
	void interruptEndsTheWaitForASlot() throws Exception {
		Path pids = this.dir.resolve("pids");
		try (CommandToolHook hook = Commands.shell("echo $$ > \"$PIDS\"; sleep 66; true")
			.env("PIDS", pids.toString())
			.failingOpen()
			.maxConcurrent(1)
			.hook()) {
			Future<ToolDecision> first = this.callers.submit(() -> hook.preCall(Commands.CALL));
			Awaitility.await().until(() -> Files.exists(pids));
			Thread[] caller = new Thread[1];
			Future<ToolDecision> second = this.callers.submit(() -> {
				caller[0] = Thread.currentThread();
				return hook.preCall(Commands.CALL);
			});
			Awaitility.await().until(() -> caller[0] != null && caller[0].getState() == Thread.State.TIMED_WAITING);
			caller[0].interrupt();
			assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.deny("The call was interrupted"));
			assertThat(first).isNotDone();
		}
	}

	@Test
	void waitForASlotCountsAgainstTheTimeout() throws Exception {
		Path pids = this.dir.resolve("pids");
		try (CommandToolHook hook = Commands.shell("echo $$ > \"$PIDS\"; sleep 20; true")
			.env("PIDS", pids.toString())
			.timeout(Duration.ofSeconds(3))
			.maxConcurrent(1)
			.hook()) {
			Future<ToolDecision> first = this.callers.submit(() -> hook.preCall(Commands.CALL));
			Awaitility.await().until(() -> Files.exists(pids));
			assertThat(hook.preCall(Commands.CALL)).isInstanceOf(ToolDecision.Deny.class);
			assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(ToolDecision.deny("The command did not end in time"));
		}
	}

	@Test
	void toolOfAnMcpServerHasTheNameThatItHasInClaudeCode() throws IOException {
		Path seen = this.dir.resolve("seen");
		ask(Commands.shell("cat > \"$SEEN\"").env("SEEN", seen.toString()), ToolCall.of("call-7",
				ToolIdentity.onServer("github", "delete_repo", "alt_1_delete_repo"), Map.of(), CallContext.empty()));
		String text = Files.readString(seen);
		Map<String, @Nullable Object> message = new StrictJson(2).readObject(text.getBytes(StandardCharsets.UTF_8));
		assertThat(message).containsEntry("tool_name", "mcp__github__delete_repo")
			.containsEntry("toolName", "mcp__github__delete_repo");
		assertThat(text).doesNotContain("alt_1_");
	}

	@Test
	void messageHasTheNamesOfAllSystemsAtOnce() throws IOException {
		Path seen = this.dir.resolve("seen");
		ToolCall call = ToolCall.of("call-7", "Bash", Map.of("command", "a\u2028b\r\nc"),
				CallContext.ofSession("s1").withAgent("coder"));
		ask(Commands.shell("cat > \"$SEEN\"").env("SEEN", seen.toString()), call);
		String text = Files.readString(seen);
		String dir = Path.of("").toAbsolutePath().toString();
		Map<String, String> arguments = Map.of("command", "a\u2028b\r\nc");
		assertThat(text).matches("[ -~]+\n");
		Map<String, @Nullable Object> message = new StrictJson(2).readObject(text.getBytes(StandardCharsets.UTF_8));
		assertThat(message.remove("toolArgs")).isEqualTo("{\"command\":\"a\\u2028b\\r\\nc\"}");
		assertThat(message.remove("timestamp")).asString().startsWith("20").endsWith("Z");
		assertThat(message).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(Map.entry("session_id", "s1"),
				Map.entry("conversation_id", "s1"), Map.entry("transcript_path", ""), Map.entry("cwd", dir),
				Map.entry("permission_mode", "default"), Map.entry("hook_event_name", "PreToolUse"),
				Map.entry("event", "pre_tool_use"), Map.entry("agent_name", "coder"), Map.entry("tool_name", "Bash"),
				Map.entry("tool_input", arguments), Map.entry("tool_use_id", "call-7"),
				Map.entry("tool_call", Map.of("id", "call-7", "name", "Bash", "input", arguments)),
				Map.entry("toolName", "Bash"), Map.entry("toolInput", arguments),
				Map.entry("workspace_roots", List.of(dir)), Map.entry("command", "a\u2028b\r\nc"),
				Map.entry("agent_action_name", "pre_run_command"),
				Map.entry("tool_info", Map.of("cwd", dir, "command_line", "a\u2028b\r\nc")),
				Map.entry("toolCall",
						Map.of("name", "Bash", "args", Map.of("CommandLine", "a\u2028b\r\nc", "Cwd", dir))),
				Map.entry("sessionId", "s1"), Map.entry("conversationId", "s1"), Map.entry("taskId", "s1"),
				Map.entry("trajectory_id", "s1"), Map.entry("execution_id", ""), Map.entry("transcriptPath", ""),
				Map.entry("workspacePaths", List.of(dir)), Map.entry("workspaceRoots", List.of(dir)),
				Map.entry("hookEventName", "PreToolUse"), Map.entry("hookName", "PreToolUse"),
				Map.entry("preToolUse", Map.of("toolName", "Bash", "parameters", arguments))));
	}

	@Test
	void programThatSearchesTheTextIsNotShownNamesThatTheAgentChose() {
		ToolCall plain = ToolCall.of("Bash", Map.of("command", "ls"));
		Map<String, Object> arguments = new LinkedHashMap<>();
		for (byte[] message : List.of(CallMessage.preCall(null, plain, "/srv", SentUser.NOTHING),
				CallMessage.result(null, plain, ToolResult.failure("x"), 0, "/srv", SentUser.NOTHING))) {
			new StrictJson(2).readObject(message).keySet().forEach((name) -> arguments.put(name, "forged"));
		}
		arguments.remove("command");
		Set<String> names = Set.copyOf(arguments.keySet());
		arguments.put("nested", List.of(Map.copyOf(arguments)));
		arguments.put("command", "rm");
		arguments.put("command_line", "ls");
		ToolCall call = ToolCall.of("Bash", arguments);
		ToolResult result = new ToolResult(false, "x", arguments.get("nested"), null);
		for (byte[] message : List.of(CallMessage.preCall(null, call, "/srv", SentUser.NOTHING),
				CallMessage.result(null, call, result, 0, "/srv", SentUser.NOTHING))) {
			String text = new String(message, StandardCharsets.US_ASCII);
			for (String name : names) {
				assertThat(text.split("\"" + name + "\":", -1)).as(name).hasSizeLessThanOrEqualTo(2);
			}
			assertThat(text).containsOnlyOnce("\"command_line\":\"rm\"").doesNotContain("\"command_line\":\"ls\"");
			assertThat(new StrictJson(2).readObject(message)).containsEntry("tool_input", arguments);
		}
	}

	@Test
	void halfACharacterDoesNotEndTheReading() {
		ToolCall call = ToolCall.of("Bash",
				Map.of("command", "rm", "x\uD83D", List.of("\uD83D", "\uD83D\uDE00"), "y", "\uDE00\uD83D"));
		for (byte[] message : List.of(CallMessage.preCall(null, call, "/srv", SentUser.NOTHING),
				CallMessage.result(null, call, ToolResult.success("\uD83D"), 0, "/srv", SentUser.NOTHING))) {
			assertThat(new String(message, StandardCharsets.US_ASCII)).contains("[\"\\uFFFD\",\"\\uD83D\\uDE00\"]");
			assertThat(new StrictJson(2).readObject(message).toString()).doesNotContainPattern("\\p{Cs}");
		}
	}

	@Test
	void argumentsThatSomeReadersTakeForOneAnotherAreDenied() {
		for (String name : List.of("Command", "COMMAND", "\u212Aey")) {
			ToolCall call = ToolCall.of("Bash", Map.of("command", "rm", "key", 1, name, "ls"));
			assertThat(ask(Commands.shell("true").failingOpen(), call))
				.isEqualTo(ToolDecision.deny("The call has arguments whose names differ in case only"));
		}
	}

	@Test
	void namesInObjectsThatSomeReadersTakeForOneAnotherAreDenied() {
		Map<String, Object> object = Map.of("stra\u00DFe", "a", "stra\u1E9Ee", "b");
		for (Object value : List.of(object, List.of(1, object), Map.of("in", Map.of("in", object)))) {
			assertThat(ask(Commands.shell("true").failingOpen(), ToolCall.of("Bash", Map.of("options", value))))
				.isEqualTo(ToolDecision.deny("The call has arguments whose names differ in case only"));
		}
	}

	@Test
	void programThatSearchesTheTextFindsEachArgumentOnce() {
		Map<String, Object> arguments = Map.of("file_path", "/srv/a", "command", "ls", "\"q", 1, "\\b", 2, "", 3,
				"\u00e9", 4);
		String text = new String(CallMessage.preCall(null, ToolCall.of("Edit", arguments), "/srv", SentUser.NOTHING),
				StandardCharsets.UTF_8);
		for (String name : List.of("\"file_path\"", "\"command\"", "\"cwd\"", "\"tool_name\"", "\"tool_input\"")) {
			assertThat(text).containsOnlyOnce(name + ":");
		}
		Map<String, @Nullable Object> message = new StrictJson(2).readObject(text.getBytes(StandardCharsets.UTF_8));
		assertThat(message).containsEntry("tool_input", arguments)
			.containsEntry("toolInput", arguments)
			.containsEntry("file_path", "/srv/a");
	}

	@Test // seed 001
	void seedsValidateRunsAsPrinted() {
		Commands validate = Commands.program("python3", "validate.py");
		assertThat(ask(validate, bash("ls"))).isEqualTo(ToolDecision.approve());
		assertThat(ask(validate, bash("rm -rf /"))).isEqualTo(ToolDecision.deny("Dangerous command blocked"));
	}

	@Test
	void claudeHookInPythonThatAnswersWithNestedJson() {
		Commands hook = Commands.program("python3", "claude_nested.py");
		assertThat(ask(hook, bash("pwd"))).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, bash("sudo ls"))).isEqualTo(ToolDecision.deny("sudo is not for agents"));
		assertThat(ask(hook, bash("git push origin"))).isEqualTo(ToolDecision.ask("Push to a remote?"));
		assertThat(ask(hook, bash("ls"))).isEqualTo(
				ToolDecision.modify(Map.of("command", "ls -la")).withAdditionalContext("Hidden files are listed, too"));
	}

	@Test
	void claudeHookInShellThatAnswersWithExitCodes() {
		Commands hook = Commands.program("claude_exit2.sh");
		assertThat(ask(hook, bash("ls"))).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, bash("rm -rf /"))).isEqualTo(ToolDecision.deny("Never delete recursively"));
	}

	@Test
	void hookInNodeThatAnswersWithFlatMembers() {
		Commands hook = Commands.program("node", "guard.js");
		assertThat(ask(hook, bash("ls"))).isEqualTo(ToolDecision.approve());
		assertThat(ask(hook, bash("curl x"))).isEqualTo(ToolDecision.deny("No downloads"));
	}

	@Test
	void manyCallsLeaveNothingBehind() {
		int[] before = new int[2];
		try (CommandToolHook hook = Commands.shell("exit 0").hook()) {
			hook.preCall(Commands.CALL);
			hook.preCall(LARGE);
			before[0] = openFiles();
			before[1] = children();
			for (int i = 0; i < 200; i++) {
				assertThat(hook.preCall(Commands.CALL)).isEqualTo(ToolDecision.approve());
			}
			Awaitility.await().until(() -> children() <= before[1]);
			Awaitility.await().until(() -> openFiles() <= before[0]);
			Awaitility.await().until(() -> threads("hooks-check-command") == 0);
		}
		Awaitility.await().until(() -> children() < before[1]);
		assertThat(threads("process reaper")).isLessThan(20);
	}

	private static ToolCall bash(String command) {
		return ToolCall.of("Bash", Map.of("command", command));
	}

	private static ToolDecision decision(Commands command) {
		return ask(command, Commands.CALL);
	}

	private static ToolDecision ask(Commands command, ToolCall call) {
		try (CommandToolHook hook = command.hook()) {
			return hook.preCall(call);
		}
	}

	/**
	 * The decisions of commands that run at the same time and fail open.
	 */
	private Map<String, ToolDecision> untilSoon(Stream<String> lines) throws Exception {
		Map<String, Future<ToolDecision>> running = new LinkedHashMap<>();
		lines.forEach((line) -> running.put(line,
				this.callers.submit(() -> decision(Commands.shell(line).timeout(SOON).failingOpen()))));
		Map<String, ToolDecision> decisions = new LinkedHashMap<>();
		for (Map.Entry<String, Future<ToolDecision>> command : running.entrySet()) {
			decisions.put(command.getKey(), command.getValue().get(1, TimeUnit.MINUTES));
		}
		return decisions;
	}

	private static void awaitEnd(Path pids, int count) {
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
			String[] all = Files.readString(pids).trim().split("\\s+");
			assertThat(all).hasSize(count);
			return List.of(all).stream().noneMatch((pid) -> isRunning(Path.of("/proc", pid, "stat")));
		});
	}

	/**
	 * A process that nobody has buried is no longer running.
	 */
	private static boolean isRunning(Path stat) {
		try {
			return !Files.readString(stat).matches("(?s)\\d+ \\(.*\\) Z .*");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int openFiles() {
		try (var files = Files.list(Path.of("/proc/self/fd"))) {
			return (int) files.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int children() {
		return (int) ProcessHandle.current().descendants().count();
	}

	private static long threads(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(name)).count();
	}

	private static Set<Thread> threadsThatClosePipes() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((each) -> Stream.of(each.getValue())
				.anyMatch((frame) -> frame.getMethodName().equals("processExited")))
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

}
