package io.agenthooks.spring.seeds;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;

import io.agenthooks.CallContext;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.annotation.AfterToolCall;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent.ApprovalRequested;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * AgentPool's hooks: {@code pre_tool_use} and {@code post_tool_use} of an agent.
 */
class AgentPoolTests {

	/** Its full example, with its callables as beans and as a type with arguments. */
	private static final String SECURE_AGENT = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: bean
			        agents: ["secure_agent"]
			        matcher: "Bash"
			        timeout: 60s
			        enabled: true
			        config: {bean: noRemoving}
			      - type: validate_paths
			        agents: ["secure_agent"]
			        matcher: "Write|Edit|Read"
			        config: {root: /workspace}
			    post_call:
			      - type: log_tool_usage
			        agents: ["secure_agent"]
			        config: {log_file: /var/log/tools.log}
			""";

	/** One hook, which denies the tools that it is for. */
	private static final String MATCHER = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        matcher: "MATCHER"
			        config: {deny_tools: ["*"]}
			""";

	/** Its prompt hook. */
	private static final String JUDGE = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: prompt
			        agents: ["my_agent"]
			        matcher: "Bash"
			        config:
			          prompt: |
			            Should this command be allowed?
			            Tool: $TOOL_NAME
			            Input: $TOOL_INPUT
			          model: gpt-4o-mini
			""";

	private final List<String> log = new ArrayList<>();

	@Test
	@DisplayName("full example: pre_tool_use and post_tool_use of one agent")
	void hooksOfAnAgentDecideBeforeAndHearAfterItsCalls() {
		ToolHooksTester hooks = secureAgent();
		ToolHooksTester agent = hooks.asAgent("secure_agent");
		assertThat(agent.call("Bash", Map.of("command", "rm x"))).isDenied()
			.byHook("noRemoving")
			.withReason("rm commands not allowed")
			.withContentContaining("rm commands not allowed");
		assertThat(agent.call("Write", Map.of("path", "/etc/passwd"))).isDenied().byHook("validate_paths#1");
		assertThat(agent.call("Write", Map.of("path", "/workspace/a.txt"))).isApproved();
		assertThat(agent.call("Bash", Map.of("command", "ls"))).isApproved();
		assertThat(this.log).containsExactly("/var/log/tools.log: Bash denied", "/var/log/tools.log: Write denied",
				"/var/log/tools.log: Write succeeded", "/var/log/tools.log: Bash succeeded");

		assertThat(hooks.asAgent("my_agent").call("Bash", Map.of("command", "rm x"))).isApproved();
		assertThat(this.log).hasSize(4);
	}

	@ParameterizedTest
	@CsvSource({ "Bash, Bash, true", "Bash, BashOutput, false", "Write|Edit, Write, true", "Write|Edit, Edit, true",
			"Write|Edit, NotebookEdit, false", "mcp__.*, mcp__github__push, true", "mcp__.*, my_mcp__x, true",
			"^mcp__.*, my_mcp__x, false", "mcp__.*, mcp, false", ".*, anything, true", "*, anything, true" })
	@DisplayName("matcher: \"Bash\", \"Write|Edit\", \"mcp__.*\", \".*\"")
	void matcherIsAListOfNamesOrARegularExpression(String matcher, String tool, boolean matches) {
		TestedToolCall call = ToolHooksTester.ofYaml(MATCHER.replace("MATCHER", matcher)).call(tool, Map.of());
		if (matches) {
			assertThat(call).isDenied();
		}
		else {
			assertThat(call).isApproved();
		}
	}

	@Test
	@DisplayName("matcher: null")
	void hookWithoutMatcherIsForAllTools() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(MATCHER.replace("        matcher: \"MATCHER\"\n", ""));
		assertThat(hooks.call("anything", Map.of())).isDenied();
	}

	@Test
	@DisplayName("timeout: AgentPool allows and lets the hook run on")
	void hookThatOverrunsItsTimeoutDenies() {
		CountDownLatch released = new CountDownLatch(1);
		PreToolHook slow = (call) -> {
			await(released);
			return ToolDecision.approve();
		};
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: bean
				        timeout: 2s
				        config: {bean: slow}
				""").withBean("slow", slow)) {
			assertThat(hooks.call("Bash", Map.of())).isDenied().byHook("slow");
			released.countDown();
			assertThat(hooks.call("Bash", Map.of())).isApproved();
		}
	}

	@Test
	@DisplayName("enabled: false")
	void hookThatIsNotEnabledIsNotAsked() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(MATCHER.replace("MATCHER\"", ".*\"\n        enabled: false"));
		assertThat(hooks.call("Bash", Map.of())).isApproved();
	}

	@Test
	@DisplayName("type: callable, import_path, arguments")
	void hookTypeGetsArgumentsOfItsOwn() {
		ToolHooksTester agent = secureAgent().asAgent("secure_agent");
		assertThat(agent.call("Read", Map.of("path", "/workspace/../etc/shadow"))).isDenied()
			.withReason("Only files below /workspace");
		assertThat(agent.call("Read", Map.of("path", "/workspace/x"))).isApproved();
	}

	@Test
	@DisplayName("callable: None, bool and dict as results")
	void methodsMayReturnNothingABooleanOrADecision() {
		Callables callables = new Callables();
		ToolHooksTester hooks = ToolHooksTester.ofHooks().withBean("callables", callables);
		assertThat(hooks.call("Read", Map.of())).isApproved();
		assertThat(hooks.call("Bash", Map.of())).isDenied().byHook("callables.isAllowed");
		assertThat(hooks.call("Write", Map.of("path", "a"))).isModified()
			.byHook("callables.decide")
			.toArguments(Map.of("path", "/workspace/a"));
		assertThat(callables.log).containsExactly("asked Read", "ended Read", "asked Bash", "ended Bash", "asked Write",
				"ended Write");
	}

	@Test
	@DisplayName("post_tool_use: tool_name, tool_input, tool_output, duration_ms (AgentPool: not if the tool throws)")
	void hookAfterTheCallHearsInputOutputAndDuration() {
		List<ToolOutcome> ended = new ArrayList<>();
		PostToolHook after = ended::add;
		PreToolHook changing = (call) -> ToolDecision.modify(Map.of("path", "/safe"));
		ToolHooksTester hooks = ToolHooksTester.ofHooks(changing, after);
		hooks.executor().returning("text");
		hooks.call("Read", Map.of("path", "/etc"));
		ToolOutcome outcome = ended.get(0);
		assertThat(outcome.requested().tool()).isEqualTo("Read");
		assertThat(outcome.requested().arguments()).isEqualTo(Map.of("path", "/etc"));
		assertThat(outcome.effective().arguments()).isEqualTo(Map.of("path", "/safe"));
		assertThat(outcome.result()).extracting("content").isEqualTo("text");
		assertThat(outcome.duration()).isPositive().isLessThan(Duration.ofMinutes(1));

		hooks.executor().running((call) -> {
			throw new IllegalStateException("disk full");
		});
		hooks.call("Read", Map.of());
		assertThat(ended.get(1).failure()).hasMessage("disk full");
	}

	@Test
	@DisplayName("modified_input: AgentPool merges it into the input")
	void modifiedInputReplacesTheWholeInput() {
		PreToolHook modifying = (call) -> ToolDecision.modify(Map.of("path", "/safe"));
		ToolHooksTester hooks = ToolHooksTester.ofHooks(modifying);
		assertThat(hooks.call("Read", Map.of("path", "/etc", "follow_links", true))).isModified()
			.toArguments(Map.of("path", "/safe"));
		assertThat(hooks.executor()).hasRun("Read", Map.of("path", "/safe"));
	}

	@Test
	@DisplayName("several hooks: AgentPool runs them in parallel on the original input")
	void hooksRunInOrderAndSeeWhatTheOnesBeforeThemChanged() {
		PreToolHook first = (call) -> ToolDecision.modify(Map.of("seen", "first"));
		PreToolHook second = (call) -> ToolDecision.modify(Map.of("seen", call.arguments().get("seen") + ", second"));
		assertThat(ToolHooksTester.ofHooks(first, second).call("Read", Map.of())).isModified()
			.toArguments(Map.of("seen", "first, second"));
	}

	@Test
	@DisplayName("decision: ask (parsed by AgentPool, never acted on)")
	void askedPersonDecides() {
		PreToolHook asking = (call) -> ToolDecision.ask("Run " + call.tool() + "?");
		ToolHooksTester hooks = ToolHooksTester.ofHooks(asking);
		assertThat(hooks.approving().call("Bash", Map.of())).isApproved().hasAskedForApproval("Run Bash?");
		assertThat(hooks.withApprover((call, question) -> ToolDecision.deny("No")).call("Bash", Map.of())).isDenied()
			.withReason("No");
		assertThat(hooks.call("Bash", Map.of())).isDenied().withReasonContaining("nobody to ask");
	}

	@Test
	@DisplayName("combination: deny > ask > allow")
	void denyOfALaterHookWinsOverAQuestion() {
		PreToolHook allowing = (call) -> ToolDecision.approve();
		PreToolHook asking = (call) -> ToolDecision.ask("May I?");
		PreToolHook denying = (call) -> ToolDecision.deny("No");
		TestedToolCall call = ToolHooksTester.ofHooks(allowing, asking, denying).approving().call("Bash", Map.of());
		assertThat(call).isDenied().withReason("No");
		assertThat(call.events()).noneMatch(ApprovalRequested.class::isInstance);
		assertThat(ToolHooksTester.ofHooks(asking, allowing).approving().call("Bash", Map.of())).isApproved()
			.hasAskedForApproval("May I?");
	}

	@Test
	@DisplayName("an exception of a hook: AgentPool ignores the hook")
	void hookThatThrowsDenies() {
		PreToolHook broken = (call) -> {
			throw new IllegalStateException("boom");
		};
		assertThat(ToolHooksTester.ofHooks(broken).call("Bash", Map.of())).isDenied();
	}

	@Test
	@DisplayName("type: prompt, $TOOL_NAME, $TOOL_INPUT, model (AgentPool: an error of the model allows)")
	void modelJudges() {
		List<String> questions = new ArrayList<>();
		ChatModel model = (prompt) -> {
			questions.add(String.valueOf(prompt.getUserMessage().getText()).replaceAll("-[0-9a-f]{16}", ""));
			String decision = (questions.size() == 1) ? "allow" : "deny";
			return new ChatResponse(List.of(new Generation(
					new AssistantMessage("{\"decision\": \"%s\", \"reason\": \"no\"}".formatted(decision)))));
		};
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(JUDGE).withBean("model", model)) {
			ToolHooksTester agent = hooks.asAgent("my_agent");
			assertThat(agent.call("Bash", Map.of("command", "ls"))).isApproved();
			assertThat(agent.call("Bash", Map.of("command", "rm x"))).isDenied().byHook("prompt#0").withReason("no");
			assertThat(agent.call("Write", Map.of())).isApproved();
		}
		assertThat(questions).hasSize(2).first().isEqualTo("""
				Should this command be allowed?
				Tool: <data name="TOOL_NAME">"Bash"</data>
				Input: <data name="TOOL_INPUT">{"command": "ls"}</data>
				""");
	}

	@Test
	@DisplayName("pre_run and post_run: type command")
	void commandDecidesWhetherARunBeginsAndHearsHowItEnded(@TempDir Path dir) throws IOException {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  run:
				    pre_run:
				      - type: command
				        config:
				          command: |
				            if grep -q '"event":"pre_run".*"prompt":"rm'; then
				              echo '{"decision": "deny", "reason": "no"}'
				            fi
				    post_run:
				      - type: command
				        config: {command: "cat > %s/ended"}
				""".formatted(dir))) {
			RunHookChain runs = hooks.getBean(RunHookChain.class);
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> runs.begin(AgentRun.of("rm all", CallContext.empty())))
				.withMessage("Run blocked: no");
			assertThat(dir.resolve("ended")).doesNotExist();
			runs.begin(AgentRun.of("Fix it", CallContext.empty())).finish("Fixed", null);
			assertThat(dir.resolve("ended")).content()
				.contains("\"event\":\"post_run\"", "\"prompt\":\"Fix it\"", "\"result\":\"Fixed\"");
		}
	}

	private ToolHooksTester secureAgent() {
		return ToolHooksTester.ofYaml(SECURE_AGENT)
			.withBean("noRemoving", (PreToolHook) AgentPoolTests::noRemoving)
			.withBean("validatePaths", ToolHookFactory.of("validate_paths", Paths.class, AgentPoolTests::validatePaths))
			.withBean("logToolUsage", ToolHookFactory.of("log_tool_usage", Log.class, this::logToolUsage));
	}

	/**
	 * The {@code my_pre_tool_hook} of its manual.
	 */
	private static ToolDecision noRemoving(ToolCall call) {
		return (text(call, "command").contains("rm")) ? ToolDecision.deny("rm commands not allowed")
				: ToolDecision.approve();
	}

	private static PreToolHook validatePaths(Paths config) {
		return (call) -> (Path.of(text(call, "path")).normalize().startsWith(config.root())) ? ToolDecision.approve()
				: ToolDecision.deny("Only files below " + config.root());
	}

	private PostToolHook logToolUsage(Log config) {
		return (outcome) -> this.log
			.add(config.logFile() + ": " + outcome.requested().tool() + " " + outcome.status().value());
	}

	private static String text(ToolCall call, String argument) {
		return Objects.toString(call.arguments().get(argument), "");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	record Paths(String root) {
	}

	record Log(String logFile) {
	}

	static class Callables {

		private final List<String> log = new ArrayList<>();

		@BeforeToolCall(order = 1)
		void hear(ToolCall call) {
			this.log.add("asked " + call.tool());
		}

		@BeforeToolCall(tools = "Bash", order = 2)
		boolean isAllowed(ToolCall call) {
			return call.arguments().containsKey("command");
		}

		@BeforeToolCall(tools = "Write", order = 3)
		ToolDecision decide(ToolCall call) {
			return ToolDecision.modify(Map.of("path", "/workspace/" + call.arguments().get("path")));
		}

		@AfterToolCall
		void hearEnd(ToolOutcome outcome) {
			this.log.add("ended " + outcome.requested().tool());
		}

	}

}
