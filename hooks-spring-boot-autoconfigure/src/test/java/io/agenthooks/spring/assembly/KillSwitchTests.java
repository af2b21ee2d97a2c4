package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.state.SharedStates;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for what refuses calls without asking hooks: the switch of all tools, and the
 * abort of a run.
 */
@ExtendWith(OutputCaptureExtension.class)
class KillSwitchTests {

	private static final ToolCall CALL = ToolCall.of("t", Map.of());

	private final AtomicInteger executed = new AtomicInteger();

	private final AtomicInteger asked = new AtomicInteger();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> {
			this.executed.incrementAndGet();
			return ToolResult.success("ran");
		});

	private final ApplicationContextRunner withHooks = this.contextRunner
		.withBean("counting", PreToolHook.class, () -> (call) -> {
			this.asked.incrementAndGet();
			return (call.tool().equals("stop")) ? new ToolDecision.Abort("enough", AbortScope.RUN, null, null)
					: ToolDecision.approve();
		})
		.withBean("listening", PostToolHook.class, () -> this.outcomes::add);

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool-call.kill-switch=true", "hooks.tool_call.kill_switch=TRUE",
			"hooks.tool-call.tools-enabled=false", "hooks.tool_call.tools_enabled=FALSE" })
	void propertySwitchesToolsOffWithAWarning(String property, CapturedOutput output) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			assertThat(execute(context, CALL).content()).contains("Tools are switched off");
			assertThat(this.executed).hasValue(0);
			assertThat(output).contains("kill_switch is true: every call of a tool is denied");
			hooks(context).enableTools();
			assertThat(execute(context, CALL).succeeded()).isTrue();
		});
	}

	@Test
	void propertySwitchesToolsOffBeforeTheFirstCallOfTheStart() {
		this.contextRunner.withPropertyValues("hooks.tool-call.tools-enabled=false")
			.withBean(EarlyCaller.class)
			.run((context) -> {
				assertThat(context.getBean(EarlyCaller.class).result.succeeded()).isFalse();
				assertThat(this.executed).hasValue(0);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "kill-switch=ture", "tools-enabled=flase", "bypass-hooks=ture", "enabled=flase" })
	void mistypedSwitchStopsTheStart(String property) {
		this.contextRunner.withPropertyValues("hooks.tool-call." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"%s' is neither true nor false".formatted(property.substring(0, property.indexOf('=')))));
	}

	@ParameterizedTest
	@CsvSource({ "tools-enabled=false, enabled=false, enabled, false",
			"kill-switch=true, enabled=false, enabled, false",
			"tools-enabled=false, bypass-hooks=true, bypass-hooks, true",
			"kill-switch=true, bypass-hooks=true, bypass-hooks, true" })
	void switchThatCannotBeObeyedBecauseHooksAreOffStopsTheStart(String killSwitch, String bypass, String name,
			String value) {
		this.contextRunner.withPropertyValues("hooks.tool-call." + killSwitch, "hooks.tool-call." + bypass)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("has no effect while '%s' is %s".formatted(name, value)));
	}

	@ParameterizedTest
	@CsvSource({ "tool-call, enabled, false, bypass_hooks: true", "tool-call, enabled, true, bypass_hooks: false",
			"tool-call, tools-enabled, false, kill_switch: true", "llm-call, enabled, false, bypass_hooks: true",
			"run, enabled, true, bypass_hooks: false" })
	void formerNameOfASwitchStillHoldsAndIsWarnedOfOnce(String section, String name, String value, String instead,
			CapturedOutput output) {
		this.contextRunner.withPropertyValues("hooks.%s.%s=%s".formatted(section, name, value)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.toString()
				.split("write 'hooks.%s.%s' instead".formatted(section.replace('-', '_'), instead), -1)).hasSize(2);
		});
	}

	@ParameterizedTest
	@CsvSource({ "enabled=false, bypass-hooks=true", "enabled=true, bypass-hooks=false",
			"enabled=false, bypass-hooks=false", "tools-enabled=false, kill-switch=true",
			"tools-enabled=true, kill-switch=true" })
	void switchUnderBothItsNamesStopsTheStart(String former, String now) {
		this.contextRunner.withPropertyValues("hooks.tool-call." + former, "hooks.tool-call." + now)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("is the former name of"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "bypass-hooks=true", "enabled=false" })
	void bypassLetsEveryToolRunAndSaysSo(String property, CapturedOutput output) {
		this.withHooks.withPropertyValues("hooks.tool-call." + property).run((context) -> {
			assertThat(execute(context, CALL).succeeded()).isTrue();
			assertThat(this.asked).hasValue(0);
			assertThat(output).contains("hooks.tool_call.bypass_hooks is true: calls of tools pass no hooks");
		});
	}

	@Test
	void switchedOffToolsAreDeniedWithoutAskingHooksAndPostCallHooksLearnIt() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		this.withHooks.withBean(MeterRegistry.class, () -> registry).run((context) -> {
			hooks(context).disableTools();
			assertThat(hooks(context).areToolsEnabled()).isFalse();
			hooks(context).disableTools();
			assertThat(execute(context, CALL).succeeded()).isFalse();
			assertThat(this.asked).hasValue(0);
			assertThat(this.outcomes).extracting(ToolOutcome::status).containsExactly(ToolCallStatus.DISABLED);
			assertThat(registry.get("hooks.tool.call").tag("outcome", "disabled").timer().count()).isEqualTo(1);
			hooks(context).enableTools();
			assertThat(execute(context, CALL).succeeded()).isTrue();
		});
	}

	@Test
	void someToolsAreSwitchedOffByAGlobAndOthersRun() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		List<ToolSwitch.Switched> told = new ArrayList<>();
		this.withHooks.withBean(MeterRegistry.class, () -> registry)
			.withBean(ToolSwitch.Watch.class, () -> told::add)
			.run((context) -> {
				ToolSwitch tools = context.getBean(ToolSwitch.class);
				tools.switchTools(false, tools("send_*"), "ann", ToolSwitch.ACTUATOR);
				assertThat(hooks(context).areToolsEnabled()).isTrue();
				assertThat(execute(context, ToolCall.of("send_mail", Map.of())).content())
					.contains("The tool is switched off");
				assertThat(execute(context, CALL).succeeded()).isTrue();
				assertThat(this.outcomes).extracting(ToolOutcome::status)
					.containsExactly(ToolCallStatus.DISABLED, ToolCallStatus.SUCCEEDED);
				assertThat(registry.get("hooks.tool.call").tag("outcome", "disabled").timer().count()).isEqualTo(1);
				assertThat(tools.switchedOff()).extracting(ToolSwitch.Switched::part).containsExactly(tools("send_*"));
				hooks(context).enableTools();
				assertThat(execute(context, ToolCall.of("send_mail", Map.of())).succeeded())
					.as("what was switched off by itself is switched on by itself")
					.isFalse();
				tools.switchTools(true, tools("send_*"), "bob", ToolSwitch.ACTUATOR);
				assertThat(execute(context, ToolCall.of("send_mail", Map.of())).succeeded()).isTrue();
				assertThat(tools.switchedOff()).isEmpty();
				assertThat(told)
					.extracting((one) -> one.part().glob(), ToolSwitch.Switched::enabled, ToolSwitch.Switched::user)
					.containsExactly(tuple("send_*", false, "ann"), tuple("", true, null),
							tuple("send_*", true, "bob"));
			});
	}

	@Test
	void chainThatTheApplicationClosedStaysSoWhateverPartIsSwitched() {
		this.contextRunner.run((context) -> {
			ToolSwitch tools = context.getBean(ToolSwitch.class);
			context.getBean(ToolHookChain.class).setToolsEnabled(false);
			tools.switchTools(false, tools("send_*"), null, ToolSwitch.ACTUATOR);
			tools.switchTools(true, tools("send_*"), null, ToolSwitch.ACTUATOR);
			assertThat(execute(context, CALL).succeeded()).isFalse();
			hooks(context).enableTools();
			assertThat(execute(context, CALL).succeeded()).isTrue();
		});
	}

	@Test
	void chainThatTheApplicationClosedStaysSoWhenNodesShareTheSwitch() {
		this.contextRunner.withPropertyValues("hooks.tool-call.share-kill-switch=true")
			.withBean(SharedStates.class, SharedSwitchTests.Store::new)
			.withBean(ToolHookChain.class, () -> {
				ToolHookChain chain = new ToolHookChain(List.of(), List.of());
				chain.setToolsEnabled(false);
				return chain;
			})
			.run((context) -> {
				ToolSwitch tools = context.getBean(ToolSwitch.class);
				Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> tools.switchedOff().isEmpty());
				assertThat(context.getBean(ToolHookChain.class).isToolsEnabled()).isFalse();
				hooks(context).enableTools();
				assertThat(context.getBean(ToolHookChain.class).isToolsEnabled()).isTrue();
			});
	}

	@Test
	void partThatIsOffDecidesAsHooksDo() {
		this.contextRunner.run((context) -> {
			ActiveToolCallHooks active = context.getBean(ActiveToolCallHooks.class);
			assertThat(active.decide()).isFalse();
			context.getBean(ToolSwitch.class).switchTools(false, tools("send_*"), null, ToolSwitch.ACTUATOR);
			assertThat(active.decide()).isTrue();
		});
	}

	@Test
	void toolOfAServerIsSwitchedOffByEachOfItsNames() {
		this.contextRunner.run((context) -> {
			ToolSwitch tools = context.getBean(ToolSwitch.class);
			ToolCall call = ToolCall.of("1", ToolIdentity.onServer("mail", "send", "mail__send"), Map.of(),
					CallContext.empty());
			for (String glob : List.of("send", "mail__*")) {
				tools.switchTools(false, tools(glob), null, ToolSwitch.APPLICATION);
				assertThat(execute(context, call).succeeded()).as(glob).isFalse();
				tools.switchTools(true, tools(glob), null, ToolSwitch.APPLICATION);
			}
			assertThat(execute(context, call).succeeded()).isTrue();
		});
	}

	@Test
	void toolsOfAnAgentAreSwitchedOffAndThoseOfOthersRun() {
		this.contextRunner.run((context) -> {
			ToolSwitch tools = context.getBean(ToolSwitch.class);
			tools.switchTools(false, new ToolSwitch.Part(ToolSwitch.Part.Kind.AGENT, "billing-*"), null,
					ToolSwitch.APPLICATION);
			assertThat(
					execute(context, ToolCall.of("t", Map.of(), CallContext.empty().withAgent("billing-1"))).content())
				.contains("switched off for this agent");
			assertThat(execute(context, ToolCall.of("t", Map.of(), CallContext.empty().withAgent("clerk"))).succeeded())
				.isTrue();
			assertThat(execute(context, CALL).succeeded()).isTrue();
		});
	}

	@Test
	void whatIsNotOffIsNotSwitchedOnAndThePartsThatAreOffHaveABound() {
		this.contextRunner.run((context) -> {
			ToolSwitch tools = context.getBean(ToolSwitch.class);
			assertThatIllegalStateException()
				.isThrownBy(() -> tools.switchTools(true, tools("send_mail"), null, ToolSwitch.ACTUATOR))
				.withMessage("Nothing is switched off by 'send_mail'");
			for (int i = 0; i < ToolSwitch.MAX_PARTS; i++) {
				tools.switchTools(false, tools("t" + i), null, ToolSwitch.ACTUATOR);
			}
			tools.switchTools(false, tools("t0"), null, ToolSwitch.ACTUATOR);
			assertThatIllegalStateException()
				.isThrownBy(() -> tools.switchTools(false, tools("more"), null, ToolSwitch.ACTUATOR))
				.withMessageContaining("switch all tools off");
			hooks(context).disableTools();
			assertThat(execute(context, CALL).succeeded()).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "^send_.*$", "send_(a|b)", "a,b" })
	void globThatIsAMistakeIsNoPart(String glob) {
		assertThatIllegalArgumentException().isThrownBy(() -> tools(glob));
		assertThatIllegalArgumentException().isThrownBy(() -> tools("x".repeat(101)));
	}

	@Test
	void switchThatNodesCannotShareStopsTheStart() {
		this.contextRunner.withPropertyValues("hooks.tool-call.share-kill-switch=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("'hooks.tool_call.share_kill_switch' is true, but nodes share no store")
				.hasMessageContaining("hooks.limit.store"));
	}

	private static ToolSwitch.Part tools(String glob) {
		return new ToolSwitch.Part(ToolSwitch.Part.Kind.TOOL, glob);
	}

	@Test
	void callThatAToolMakesIsDeniedWhenToolsAreSwitchedOffMeanwhile() {
		this.withHooks.run((context) -> {
			ToolExecutor inner = context.getBean(ToolExecutor.class);
			hooks(context).register("switching", (PreToolHook) (call) -> {
				if (call.tool().equals("outer")) {
					hooks(context).disableTools();
					assertThat(inner.execute(CALL).content()).contains("switched off");
				}
				return ToolDecision.approve();
			});
			assertThat(execute(context, ToolCall.of("outer", Map.of())).content()).contains("switched off");
			assertThat(this.executed).hasValue(0);
			assertThat(this.outcomes).extracting(ToolOutcome::status)
				.containsExactly(ToolCallStatus.DISABLED, ToolCallStatus.DISABLED);
		});
	}

	@Test
	void callThatWaitsForApprovalIsDeniedWhenToolsAreSwitchedOffMeanwhile() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		CountDownLatch approved = new CountDownLatch(1);
		ExecutorService callers = Executors.newSingleThreadExecutor();
		try {
			this.contextRunner.withBean("asking", PreToolHook.class, () -> (call) -> ToolDecision.ask("May I?"))
				.withBean(ToolApprover.class, () -> (call, question) -> {
					waiting.countDown();
					await(approved);
					return ToolDecision.approve();
				})
				.run((context) -> {
					Future<ToolResult> call = callers.submit(() -> execute(context, CALL));
					waiting.await();
					hooks(context).disableTools();
					approved.countDown();
					assertThat(call.get(1, TimeUnit.MINUTES).content()).contains("switched off");
					assertThat(this.executed).hasValue(0);
				});
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test
	void switchSaysThatItCannotReachExecutorsThatAreNotGuarded() {
		ToolExecutor unguarded = (call) -> ToolResult.success("ran");
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerSingleton("ready", unguarded))
			.run((context) -> {
				assertThatIllegalStateException().isThrownBy(() -> hooks(context).disableTools())
					.withMessageContaining("'ready'");
				assertThat(context.getBean("tools", ToolExecutor.class).execute(CALL).succeeded())
					.as("those that it can reach")
					.isFalse();
			});
	}

	@Test
	void switchedOffToolsOfAnExecutorThatIsNotGuardedStopTheStart() {
		ToolExecutor unguarded = (call) -> ToolResult.success("ran");
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerSingleton("ready", unguarded))
			.withPropertyValues("hooks.tool-call.tools-enabled=false")
			.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class));
	}

	@Test
	void laterCallsOfAnAbortedRunAreRefusedWithoutAskingHooksUntilTheRunEnds() {
		this.withHooks.run((context) -> {
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> execute(context, of("stop", "r1", "s")));
			assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> execute(context, of("t", "r1", "s")))
				.satisfies((ex) -> assertThat(ex).hasMessageContaining("enough"));
			assertThat(this.asked).hasValue(1);
			assertThat(this.executed).hasValue(0);
			assertThat(this.outcomes).extracting(ToolOutcome::status)
				.containsExactly(ToolCallStatus.ABORTED, ToolCallStatus.ABORTED);
			assertThat(this.outcomes).extracting(ToolOutcome::decidedBy).containsOnly("counting");
			assertThat(execute(context, of("t", "r2", "s")).succeeded()).as("another run of the session").isTrue();
			assertThat(execute(context, of("t", null, null)).succeeded()).as("a call of no run").isTrue();
			assertThat(hooks(context).endRun("r2")).isFalse();
			assertThat(hooks(context).endRun("r1")).isTrue();
			assertThat(hooks(context).endRun("r1")).isFalse();
			assertThat(execute(context, of("t", "r1", "s")).succeeded()).isTrue();
		});
	}

	@Test
	void sessionCountsAsTheRunOfACallWithoutOne() {
		this.withHooks.run((context) -> {
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> execute(context, of("stop", null, "s1")));
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> execute(context, of("t", null, "s1")));
			assertThat(execute(context, of("t", null, "s2")).succeeded()).isTrue();
			assertThat(hooks(context).endRun("s1")).isFalse();
			assertThat(hooks(context).endSession("s1", null, null)).isTrue();
			assertThat(execute(context, of("t", null, "s1")).succeeded()).isTrue();
		});
	}

	private static ToolCall of(String tool, @Nullable String run, @Nullable String session) {
		return ToolCall.of(tool, Map.of(), CallContext.ofSession(session).withRunId(run));
	}

	private static ToolHooks hooks(ApplicationContext context) {
		return context.getBean(ToolHooks.class);
	}

	private static ToolResult execute(ApplicationContext context, ToolCall call) {
		return context.getBean("tools", ToolExecutor.class).execute(call);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static class EarlyCaller {

		private final ToolResult result;

		EarlyCaller(ToolExecutor tools) {
			this.result = tools.execute(CALL);
		}

	}

}
