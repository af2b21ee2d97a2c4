package io.agenthooks.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.validation.constraints.NotEmpty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.Hook;
import io.agenthooks.policy.MailAddresses;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.policy.PolicyHooksAutoConfiguration;
import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ToolHooksTester}.
 */
class ToolHooksTesterTests {

	private static final String NO_SHELL = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: no-shell
			        config: {deny_argument_patterns: {command: [sudo]}}
			""";

	@Test
	void hooksOfAYamlTextDecide() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL);
		assertThat(hooks.call("run_command", Map.of("command", "sudo ls"))).isDenied()
			.byHook("no-shell")
			.withReasonContaining("argument 'command'");
		assertThat(hooks.executor()).hasRunNothing();
		assertThat(hooks.call("run_command", Map.of("command", "ls"))).isApproved().hasSucceeded();
		assertThat(hooks.executor()).hasRunOnly("run_command").hasRun("run_command", Map.of("command", "ls"));
	}

	@Test
	void hookOfTheReadmeDecides() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks(new NoMailOutside());
		assertThat(hooks.call("send_email", Map.of("to", "eve@evil.example"))).isDenied()
			.byHook("noMailOutside")
			.withReasonContaining("colleagues only");
		assertThat(hooks.executor()).hasRunNothing();
	}

	@Test
	void everyMistakeOfAYamlTextIsToldWithItsPlaceAndMend() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: polciy
				      - type: policy
				        config: {deny_tool: [rm]}
				""");
		assertThatIllegalStateException().isThrownBy(hooks::start)
			.withMessageContaining("has 2 mistakes")
			.withMessageContaining("YAML text:4:15")
			.withMessageContaining("Did you mean 'policy'?")
			.withMessageContaining("YAML text:6:30")
			.withMessageContaining("Did you mean 'deny_tools'?")
			.withMessageEndingWith("The application does not start without the hooks that it asks for.");
		assertThatIllegalStateException().isThrownBy(() -> hooks.call("t", Map.of()))
			.withMessageContaining("has 2 mistakes");
	}

	@Test
	void failureThatNobodyAnalyzesIsTold() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks().withConfiguration(Broken.class);
		assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("out of order");
	}

	@Test
	void textThatIsNoYamlIsToldWithItsLine() {
		assertThatIllegalStateException().isThrownBy(() -> ToolHooksTester.ofYaml("hooks: {\n").start())
			.withMessageContaining("line 2:1 of a file");
	}

	@Test
	void hooksOfAFileAreThoseOfItsProfile(@TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("application.yaml"), NO_SHELL);
		Files.writeString(directory.resolve("application-lax.yaml"), """
				hooks:
				  tool_call:
				    replaces: ["no-shell"]
				    pre_call:
				      - type: passthrough
				""");
		ToolHooksTester hooks = ToolHooksTester.ofFile(file.toString());
		assertThat(hooks.call("t", Map.of("command", "sudo"))).isDenied();
		assertThat(hooks.withProperty("spring.profiles.active", "lax").call("t", Map.of("command", "sudo")))
			.isApproved();
	}

	@Test
	void documentOfATextHoldsForItsProfileOnly() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL + """
				---
				spring.config.activate.on-profile: lax
				hooks.tool_call: {replaces: ["no-shell"], pre_call: [{type: passthrough}]}
				""");
		assertThat(hooks.call("t", Map.of("command", "sudo"))).isDenied();
		assertThat(hooks.withProperty("spring.profiles.active", "lax").call("t", Map.of("command", "sudo")))
			.isApproved();
	}

	@Test
	void fileThatIsNotThereIsTold() {
		assertThatIllegalStateException().isThrownBy(() -> ToolHooksTester.ofFile("classpath:missing.yaml").start())
			.withMessageContaining("missing.yaml")
			.withMessageContaining("does not exist");
	}

	@ParameterizedTest
	@ValueSource(strings = { "# hooks:\n", "spring.application.name: x\n",
			"spring.config.activate.on-profile: prod\nhooks.tool_call.pre_call: [{type: passthrough}]\n",
			"hooks.tool_call.pre_call[0].type=passthrough" })
	void configurationThatSaysNothingOfHooksIsNoneToTest(String yaml, @TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("some.yaml"), yaml);
		ToolHooksTester hooks = ToolHooksTester.ofYaml(yaml);
		assertThatIllegalStateException().isThrownBy(hooks::start)
			.withMessageStartingWith("The YAML text says nothing below 'hooks' with the active profiles []");
		assertThatIllegalStateException().isThrownBy(() -> ToolHooksTester.ofFile(file.toString()).start())
			.withMessageContaining("some.yaml' says nothing below 'hooks'");
		hooks.withProperty("hooks.tool_call.pre_call[0].type", "passthrough").start();
		hooks.withEnvironmentVariable("HOOKS_TOOLCALL_PRECALL_0_TYPE", "passthrough").start();
		hooks.withBean((PreToolHook) (call) -> ToolDecision.approve()).start();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "hooks:\n", "hooks: {}", "hooks: {tool_call: {pre_call: []}}" })
	void configurationWithoutHooksThatIsMeantIsTested(String yaml) {
		assertThat(ToolHooksTester.ofYaml(yaml).call("t", Map.of())).isApproved();
	}

	@Test
	void propertiesAndVariablesFillPlaceholdersAndThoseOfTheMachineDoNot() {
		String machineVariable = System.getenv().keySet().iterator().next();
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {deny_tools: ["${java.version}", "${%s}"]}
				""".formatted(machineVariable));
		assertThatIllegalStateException().isThrownBy(hooks::start).withMessageContaining("YAML text:5:31");
		ToolHooksTester complete = hooks.withProperty("java.version", "one")
			.withEnvironmentVariable(machineVariable, "two");
		assertThat(complete.call("one", Map.of())).isDenied();
		assertThat(complete.call("two", Map.of())).isDenied();
		assertThat(complete.call("three", Map.of())).isApproved();
	}

	@Test
	void environmentVariableReplacesAListAsInAnApplication() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL)
			.withEnvironmentVariable("HOOKS_TOOLCALL_PRECALL_0_TYPE", "passthrough")
			.withEnvironmentVariable("HOOKS_TOOLCALL_REPLACES", "no-shell");
		assertThat(hooks.call("t", Map.of("command", "sudo"))).isApproved();
	}

	@Test
	void hooksAreNamedAsTheBeansThatTheyWouldBe() {
		PreToolHook lambda = (call) -> (call.tool().equals("first")) ? ToolDecision.deny("no") : ToolDecision.approve();
		PreToolHook other = (call) -> ToolDecision.deny("no");
		assertThat(ToolHooksTester.ofHooks(new NoMailOutside()).call("send_email", Map.of())).isDenied()
			.byHook("noMailOutside");
		assertThat(ToolHooksTester.ofHooks(PreToolHook.named("mine", lambda)).call("first", Map.of())).byHook("mine");
		assertThat(ToolHooksTester.ofHooks(new Inheriting()).call("first", Map.of())).byHook("inherited");
		ToolHooksTester lambdas = ToolHooksTester.ofHooks(lambda, other);
		assertThat(lambdas.call("first", Map.of())).byHook("hook");
		assertThat(lambdas.call("second", Map.of())).byHook("hook#2");
	}

	@Test
	void hooksAreAskedInTheirOrder() {
		List<String> asked = new ArrayList<>();
		PreToolHook one = (call) -> note("one", asked);
		PreToolHook two = (call) -> note("two", asked);
		ToolHooksTester.ofHooks(one, two, new First(asked)).call("t", Map.of());
		assertThat(asked).containsExactly("first", "one", "two");
	}

	@Test
	void hookOfEveryKindTakesPart() {
		List<ToolOutcome> outcomes = new ArrayList<>();
		PreToolHook modifying = (call) -> ToolDecision.modify(Map.of("path", "b"));
		ToolResultHook redacting = ToolResultHook
			.replacing((call, result) -> ToolResult.success(result.content().replace("secret", "***")));
		PostToolHook listening = outcomes::add;
		ToolHooksTester hooks = ToolHooksTester.ofHooks(modifying, ToolResultHook.named("redact", redacting),
				listening);
		hooks.executor().returning("a secret");
		TestedToolCall call = hooks.call("read_file", Map.of("path", "a"));
		assertThat(call).isModified()
			.byHook("hook")
			.toArguments(Map.of("path", "b"))
			.hasResultReplacedBy("redact")
			.withContent("a ***")
			.hasEvents(ToolCallEvent.Started.class, ToolCallEvent.Modified.class, ToolCallEvent.ResultReplaced.class,
					ToolCallEvent.Succeeded.class);
		assertThat(outcomes).containsExactly(call.outcome());
	}

	@Test
	void postCallHookHearsOfCallsThatEndInEveryWay() {
		List<ToolCallStatus> heard = new ArrayList<>();
		PostToolHook hook = (outcome) -> heard.add(outcome.status());
		PreToolHook deciding = (call) -> switch (call.tool()) {
			case "deny" -> ToolDecision.deny("no");
			case "answer" -> ToolDecision.respond(ToolResult.success("yes"));
			case "abort" -> ToolDecision.abortTurn("enough");
			default -> ToolDecision.approve();
		};
		ToolHooksTester hooks = ToolHooksTester.ofHooks(deciding, hook);
		hooks.executor().forTool("fail", (call) -> ToolResult.failure("failed")).forTool("throw", (call) -> {
			throw new IllegalStateException("thrown");
		});
		assertThat(hooks.call("run", Map.of())).isApproved().hasSucceeded();
		assertThat(hooks.call("fail", Map.of())).isApproved().hasFailed().withContent("failed");
		assertThat(hooks.call("throw", Map.of())).isApproved()
			.hasFailed()
			.exception()
			.isInstanceOf(IllegalStateException.class)
			.hasMessage("thrown");
		assertThat(hooks.call("deny", Map.of())).isDenied().withReason("no");
		assertThat(hooks.call("answer", Map.of())).isAnswered().byHook("hook").withContentContaining("y");
		assertThat(hooks.call("abort", Map.of())).isAborted(AbortScope.TURN).byHook("hook").withReason("enough");
		hooks.getBean(ToolHooks.class).disableTools();
		assertThat(hooks.call("run", Map.of())).isDisabled();
		assertThat(heard).containsExactly(ToolCallStatus.SUCCEEDED, ToolCallStatus.FAILED, ToolCallStatus.FAILED,
				ToolCallStatus.DENIED, ToolCallStatus.ANSWERED, ToolCallStatus.ABORTED, ToolCallStatus.DISABLED);
		assertThat(hooks.executor()).hasRunOnly("run", "fail", "throw");
	}

	@Test
	void questionIsDeniedUnlessTheTesterApproves() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks((PreToolHook) (call) -> ToolDecision.ask("May I run it?"));
		assertThat(hooks.call("t", Map.of())).hasAskedForApproval("May I").isDenied().byHook("hook");
		assertThat(hooks.approving().call("t", Map.of())).hasAskedForApproval("May I").isApproved();
		assertThat(hooks.approving()
			.withApprover((call, question) -> ToolDecision.modify(Map.of("dry_run", true)))
			.call("t", Map.of())).isModified().toArguments(Map.of("dry_run", true));
	}

	@Test
	void callsAreMadeInTheContextOfTheTester() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks();
		CallContext context = CallContext.empty().withAgent("coder").withUser("ann").withSessionId("s1");
		hooks.asAgent("coder").asUser("ann").inSession("s1").call("t", Map.of());
		hooks.asAgent("other").inContext(context.withRole("admin")).call("t", Map.of());
		hooks.call("t", Map.of());
		ToolCall call = ToolCall.of("t", Map.of(), context);
		hooks.asAgent("other").call(call);
		assertThat(hooks.executor().calls()).extracting(ToolCall::context)
			.containsExactly(context, context.withRole("admin"), CallContext.empty(), context);
		assertThat(hooks.executor().calls()).endsWith(call);
	}

	@Test
	void contextsShareOneApplicationAndOtherSettingsDoNot() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks();
		ToolHooks bean = hooks.getBean(ToolHooks.class);
		assertThat(hooks.asAgent("coder").getBean(ToolHooks.class)).isSameAs(bean);
		assertThat(hooks.approving().getBean(ToolHooks.class)).isNotSameAs(bean);
		assertThat(hooks.approving().executor()).isSameAs(hooks.executor());
	}

	@Test
	void factoryBeanAddsAValidatedType() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: words
				        config: {words: [foo]}
				""").withBean(words());
		assertThat(hooks.call("foo", Map.of())).isDenied().byHook("words#0");
		assertThatIllegalStateException()
			.isThrownBy(() -> hooks.withProperty("hooks.tool_call.pre_call[0].type", "words").start())
			.withMessageContaining("must not be empty");
	}

	@Test
	void configurationClassesAndComponentsTakePart() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL)
			.withBean("limit", "5")
			.withConfiguration(Hooks.class, NeedsLimit.class);
		assertThat(hooks.call("t", Map.of("command", "ls"))).isApproved();
		assertThat(hooks.call("configured", Map.of())).isDenied().byHook("configured");
		assertThat(hooks.call("5", Map.of())).isDenied().byHook("toolHooksTesterTests.NeedsLimit");
		assertThat(hooks.getBean(Hooks.class).heard).hasSize(6)
			.filteredOn(ToolCallEvent.Ended.class::isInstance)
			.hasSize(3);
	}

	@Test
	void classIsNoBean() {
		assertThatIllegalArgumentException().isThrownBy(() -> ToolHooksTester.ofHooks().withBean(NoMailOutside.class))
			.withMessageContaining("withConfiguration");
	}

	@Test
	void metricsAreThereWithARegistry() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL).withBean(new SimpleMeterRegistry());
		hooks.call("t", Map.of("command", "sudo"));
		assertThat(hooks.getBean(MeterRegistry.class)
			.get("hooks.tool.call")
			.tag("outcome", "denied")
			.tag("hook", "no-shell")
			.timer()
			.count()).isEqualTo(1);
	}

	@Test
	void realToolsOfTheTestMayBeInjected() {
		ToolExecutor real = (call) -> ToolResult.success("real");
		ToolHooksTester hooks = ToolHooksTester.ofHooks().withBean(real);
		assertThat(hooks.getBean(ToolExecutor.class).execute(ToolCall.of("t", Map.of())).content()).isEqualTo("real");
		assertThat(hooks.call("t", Map.of())).withContent("ran t");
	}

	@Test
	void callsAreApprovedWithoutEventsWhenHooksAreSwitchedOff() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL).withProperty("hooks.tool_call.enabled", "false");
		hooks.executor().forTool("fail", (call) -> ToolResult.failure("failed"));
		assertThat(hooks.call("t", Map.of("command", "sudo"))).isApproved().hasSucceeded().hasEvents();
		assertThat(hooks.call("fail", Map.of())).isApproved().hasFailed();
	}

	@Test
	void chainThatTellsNothingIsRefused() {
		PreToolHook denying = (call) -> ToolDecision.deny("no");
		ToolHooksTester hooks = ToolHooksTester.ofHooks().withBean(new ToolHookChain(List.of(denying), List.of()));
		assertThatIllegalStateException().isThrownBy(() -> hooks.call("t", Map.of()))
			.withMessageContaining("does not tell how it ended");
	}

	@Test
	void failedAssertionInAToolIsThrown() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks();
		hooks.executor().running((call) -> {
			throw new AssertionError("wrong");
		});
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> hooks.call("t", Map.of()))
			.withMessage("wrong");
	}

	@Test
	void callsOfManyThreadsHearOfThemselvesOnly() throws Exception {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Future<TestedToolCall>> calls = IntStream.range(0, 400)
			.mapToObj((i) -> threads.submit(() -> hooks.call("t" + i, Map.of("command", (i % 2 == 0) ? "ls" : "sudo"))))
			.toList();
		for (int i = 0; i < calls.size(); i++) {
			TestedToolCall call = calls.get(i).get();
			assertThat(call.outcome().requested().tool()).isEqualTo("t" + i);
			assertThat(call).hasEvents(ToolCallEvent.Started.class,
					(i % 2 == 0) ? ToolCallEvent.Succeeded.class : ToolCallEvent.Denied.class);
		}
		threads.shutdown();
		assertThat(hooks.executor().calls()).hasSize(200);
	}

	@Test
	void callsThatAToolMakesHearOfThemselvesOnly() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(NO_SHELL);
		List<TestedToolCall> inner = new ArrayList<>();
		hooks.executor().forTool("outer", (call) -> {
			inner.add(hooks.call("inner", Map.of("command", "sudo")));
			return ToolResult.success("done");
		});
		assertThat(hooks.call("outer", Map.of())).isApproved()
			.hasEvents(ToolCallEvent.Started.class, ToolCallEvent.Succeeded.class);
		assertThat(inner).singleElement().satisfies((call) -> assertThat(call).isDenied());
	}

	@Test
	void closingClosesTheHooksAndEndsTheTester() {
		List<String> heard = new ArrayList<>();
		try (ToolHooksTester hooks = ToolHooksTester.ofHooks(new Closeable(heard))) {
			assertThat(hooks.call("t", Map.of())).isApproved();
			hooks.asAgent("coder").close();
			assertThat(heard).containsExactly("closed");
			assertThatIllegalStateException().isThrownBy(() -> hooks.call("t", Map.of()))
				.withMessageContaining("closed");
		}
		assertThat(heard).containsExactly("closed");
	}

	@Test
	void recordingExecutorServesWithoutSpring() {
		RecordingToolExecutor tools = new RecordingToolExecutor();
		PreToolHook denying = (call) -> ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(denying), List.of());
		assertThat(new HookedToolExecutor(tools, chain).execute(ToolCall.of("t", Map.of())).succeeded()).isFalse();
		assertThat(tools).hasRunNothing();
	}

	@Test
	void applicationNeedsNoAssertJ() {
		new ApplicationContextRunner().withClassLoader(new FilteredClassLoader("org.assertj"))
			.withConfiguration(
					AutoConfigurations.of(ToolCallHooksAutoConfiguration.class, PolicyHooksAutoConfiguration.class))
			.withBean(ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withPropertyValues("hooks.tool_call.pre_call[0].type=passthrough")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void listenerThatThrowsKeepsNoEventFromTheTest() {
		ToolHooksTester hooks = ToolHooksTester.ofHooks(new NoMailOutside()).withBean(new ThrowingListener());
		assertThat(hooks.call("read_file", Map.of())).isApproved()
			.hasEvents(ToolCallEvent.Started.class, ToolCallEvent.Succeeded.class);
	}

	private static ToolDecision note(String name, List<String> asked) {
		asked.add(name);
		return ToolDecision.approve();
	}

	private static ToolHookFactory<Words> words() {
		return ToolHookFactory.of("words", Words.class, (config) -> {
			List<String> words = (config.words() != null) ? config.words() : List.of();
			return (PreToolHook) (call) -> (words.contains(call.tool())) ? ToolDecision.deny("a word")
					: ToolDecision.approve();
		});
	}

	@Test
	void toolsOfMcpServersAreCalledByTheirNames() {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        name: no-deleting
				        mcp_servers: ["github*"]
				        config: {deny_tools: ["delete_*"]}
				""")) {
			assertThat(hooks.call("delete_repo", Map.of())).isApproved();
			assertThat(hooks.onMcpServer("evil").call("delete_repo", Map.of())).isApproved();
			assertThat(hooks.onMcpServer("github").call("delete_repo", Map.of())).isDenied().byHook("no-deleting");
			assertThat(hooks.call(ToolIdentity.onServer("github", "delete_repo", "alt_1_delete_repo"), Map.of()))
				.isDenied()
				.withReasonContaining("MCP server 'github'");
		}
	}

	@Test
	void annotatedMethodIsForEveryNameOfATool() {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml("hooks: {}").withBean(new Guards())) {
			assertThat(hooks.call("delete_repo", Map.of())).isDenied();
			assertThat(hooks.call(ToolIdentity.onServer("github", "delete_repo", "alt_1_delete_repo"), Map.of()))
				.isDenied();
			assertThat(hooks.call(ToolIdentity.onServer("github", "read", "alt_2_read"), Map.of())).isApproved();
		}
	}

	record Words(@NotEmpty @Nullable List<String> words) {
	}

	static class NoMailOutside implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			if (call.tool().equals("send_email")
					&& !MailAddresses.areAllOf(call.arguments().get("to"), "example.com")) {
				return ToolDecision.deny("Mail goes to colleagues only");
			}
			return ToolDecision.approve();
		}

	}

	@Order(1)
	private record First(List<String> asked) implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return note("first", this.asked);
		}

	}

	private record Closeable(List<String> heard) implements PreToolHook, AutoCloseable {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public void close() {
			this.heard.add("closed");
		}

	}

	private record NeedsLimit(String limit) implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return (call.tool().equals(this.limit)) ? ToolDecision.deny("limit") : ToolDecision.approve();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Hooks {

		private final List<ToolCallEvent> heard = new ArrayList<>();

		@Bean
		PreToolHook configured() {
			return (call) -> (call.tool().equals("configured")) ? ToolDecision.deny("no") : ToolDecision.approve();
		}

		@EventListener
		void hear(ToolCallEvent event) {
			this.heard.add(event);
		}

	}

	static class Guards {

		@BeforeToolCall(tools = "delete_*")
		boolean mayDelete() {
			return false;
		}

	}

	static class ThrowingListener {

		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void hear(ToolCallEvent event) {
			throw new IllegalStateException("boom");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Broken {

		Broken() {
			throw new UnsupportedOperationException("out of order");
		}

	}

	private abstract static class Named implements Hook {

		@Override
		public String name() {
			return "inherited";
		}

	}

	private static final class Inheriting extends Named implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.deny("no");
		}

	}

}
