package io.agenthooks.spring.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.AbortedRuns;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolCallMetrics}, {@link HookMetrics} and their auto-configuration.
 */
@ExtendWith(OutputCaptureExtension.class)
class MetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, Tools::new);

	@Test
	void callIsTimedByToolOutcomeAndTheHookThatSettledIt() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("noShell", PreToolHook.class,
					() -> (call) -> (call.tool().equals("shell")) ? ToolDecision.deny("no") : ToolDecision.approve())
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				tools.execute(call("shell"));
				tools.execute(call("read"));
				tools.execute(call("read"));
				tools.execute(call("broken"));
				assertThat(count("hooks.tool.call", "tool", "shell", "outcome", "denied", "hook", "noShell"))
					.isEqualTo(1);
				assertThat(count("hooks.tool.call", "tool", "read", "outcome", "succeeded", "hook", "none"))
					.isEqualTo(2);
				assertThat(count("hooks.tool.call", "tool", "broken", "outcome", "failed", "hook", "none"))
					.isEqualTo(1);
			});
	}

	@Test
	void hookIsTimedByVerdict() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("fickle", PreToolHook.class, () -> (call) -> switch (call.tool()) {
				case "shell" -> ToolDecision.deny("no");
				case "read" -> ToolDecision.approve();
				default -> throw new IllegalStateException("broken");
			})
			.withBean("listening", PostToolHook.class, () -> (outcome) -> {
			})
			.run((context) -> {
				List.of("shell", "read", "broken")
					.forEach((tool) -> context.getBean(ToolExecutor.class).execute(call(tool)));
				assertThat(count("hooks.hook", "hook", "fickle", "type", "bean", "verdict", "deny")).isEqualTo(1);
				assertThat(count("hooks.hook", "hook", "fickle", "type", "bean", "verdict", "approve")).isEqualTo(1);
				assertThat(count("hooks.hook", "hook", "fickle", "type", "bean", "verdict", "failed")).isEqualTo(1);
				assertThat(count("hooks.hook", "hook", "listening", "type", "bean", "verdict", "none")).isEqualTo(3);
			});
	}

	@Test
	void repliesThatAHookDropsAreCounted() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("asking", AskingHook.class, AskingHook::new)
			.run((context) -> assertThat(
					this.registry.get("hooks.replies.dropped").tag("hook", "asking").functionCounter().count())
				.isEqualTo(3));
	}

	@Test
	void hookThatDecidesNothingIsTimedAsFailed(CapturedOutput output) {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("undecided", PreToolHook.class, NullDecision::new)
			.run((context) -> {
				assertThat(context.getBean(ToolExecutor.class).execute(call("read")).succeeded()).isFalse();
				assertThat(count("hooks.hook", "hook", "undecided", "verdict", "failed")).isEqualTo(1);
				assertThat(output).contains("'undecided' decided nothing");
			});
	}

	@Test
	void inventedNamesOfToolsBecomeUnknown() { // O01, P29
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry).run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			IntStream.range(0, 1000).forEach((i) -> tools.execute(call("invented" + i)));
			assertThat(this.registry.find("hooks.tool.call").timers()).singleElement()
				.satisfies((timer) -> assertThat(timer.getId().getTag("tool")).isEqualTo("unknown"));
		});
	}

	@Test
	void nameThatAModelInventedIsNoTag() {
		ToolCallMetrics metrics = new ToolCallMetrics(this.registry, new ToolCallMetricsConvention() {
		}, new ToolTags(() -> new ToolTags.NamedTools(Set.of("declared"), false)));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(metrics));
		chain.refuse(call("invented"), BuiltInDecider.UNKNOWN_TOOL.value(), "There is no such tool");
		chain.execute(call("declared"), (call) -> ToolResult.success(""));
		chain.execute(call("other"), (call) -> ToolResult.success(""));
		assertThat(this.registry.find("hooks.tool.call").timers()).extracting((timer) -> timer.getId().getTag("tool"))
			.containsExactlyInAnyOrder("unknown", "declared", "other");
	}

	@Test
	void namesOfToolsAreBoundedWhenNoExecutorDeclaresThem() { // O01
		ToolCallMetrics metrics = new ToolCallMetrics(this.registry, new ToolCallMetricsConvention() {
		}, new ToolTags(() -> new ToolTags.NamedTools(Set.of(), false)));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(metrics));
		IntStream.range(0, 100_000)
			.forEach((i) -> chain.execute(call("invented" + i), (call) -> ToolResult.success("")));
		assertThat(this.registry.find("hooks.tool.call").timers()).hasSize(ToolTag.MAX_NAMES + 1);
		assertThat(count("hooks.tool.call", "tool", "unknown")).isEqualTo(100_000 - ToolTag.MAX_NAMES);
	}

	@Test
	void namesThatNoToolCanHaveAreOneTag() {
		ToolCallMetrics metrics = new ToolCallMetrics(this.registry, new ToolCallMetricsConvention() {
		}, new ToolTags(() -> new ToolTags.NamedTools(Set.of(), false)));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(metrics));
		for (String name : List.of("shell ", "shell\u200b", " shell", "\uff53hell", "")) {
			chain.execute(call(name), (call) -> ToolResult.success(""));
		}
		assertThat(this.registry.find("hooks.tool.call").timers()).singleElement()
			.satisfies((timer) -> assertThat(timer.getId().getTags()).containsExactlyInAnyOrderElementsOf(
					Tags.of("tool", "unknown", "outcome", "denied", "hook", "tool-name")));
	}

	@Test
	void approvalOfAHookThatFailedOpenIsCounted() { // O03
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("careless", PreToolHook.class, () -> PreToolHook.failOpen((call) -> {
				throw new IllegalStateException("broken");
			}))
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("read"));
				assertThat(this.registry.get("hooks.failed.open").tag("hook", "careless").counter().count())
					.isEqualTo(1);
			});
	}

	@Test
	void whatAnObservedHookWouldDenyIsCounted() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=policy",
					"hooks.tool-call.pre-call[0].name=new-policy", "hooks.tool-call.pre-call[0].mode=observe",
					"hooks.tool-call.pre-call[0].config.deny-tools[0]=shell")
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				List.of("shell", "read", "shell").forEach((tool) -> tools.execute(call(tool)));
				assertThat(this.registry.get("hooks.would.deny").tag("hook", "new-policy").counter().count())
					.isEqualTo(2);
				assertThat(count("hooks.tool.call", "tool", "read", "outcome", "succeeded")).isEqualTo(1);
			});
	}

	@Test
	void threadsThatATimeLimitedHookLeavesBehindAreCountedWhileTheyHang() {
		CountDownLatch released = new CountDownLatch(1);
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry).run((context) -> {
			context.getBean(ToolHooks.class)
				.register("hanging", (PreToolHook) (call) -> hang(released),
						HookOptions.defaults().timeout(Duration.ofMillis(500)));
			assertThat(abandoned()).isZero();
			assertThat(context.getBean(ToolExecutor.class).execute(call("read")).succeeded()).isFalse();
			assertThat(abandoned()).isEqualTo(1);
			assertThat(count("hooks.hook", "hook", "hanging", "verdict", "failed")).isEqualTo(1);
			released.countDown();
			Awaitility.await().untilAsserted(() -> assertThat(abandoned()).isZero());
		});
	}

	@Test
	void hookThatComesAgainUnderItsNameIsMeasuredOn() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry).run((context) -> {
			for (int i = 0; i < 3; i++) {
				ActiveHooks.Registration registration = context.getBean(ToolHooks.class)
					.register("coming", (PreToolHook) (call) -> ToolDecision.approve(),
							HookOptions.defaults().timeout(Duration.ofMinutes(1)));
				context.getBean(ToolExecutor.class).execute(call("read"));
				registration.close();
			}
			assertThat(count("hooks.hook", "hook", "coming", "type", "registered", "verdict", "approve")).isEqualTo(3);
		});
	}

	private double abandoned() {
		return this.registry.get("hooks.threads.abandoned").tag("hook", "hanging").gauge().value();
	}

	private static ToolDecision hang(CountDownLatch released) {
		boolean waiting = true;
		while (waiting) {
			try {
				waiting = !released.await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				waiting = true;
			}
		}
		return ToolDecision.approve();
	}

	@Test
	void droppedNotificationsAreCounted() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("dropping", PostToolHook.class, Dropping::new)
			.run((context) -> assertThat(
					this.registry.get("hooks.notifications.dropped").tag("hook", "dropping").functionCounter().count())
				.isEqualTo(3));
	}

	@Test
	void failedNotificationsAreCountedApart() {
		HookMetrics metrics = new HookMetrics(this.registry, new ToolCallMetricsConvention() {
		});
		metrics.join("webhook#0", new HookCounts() {

			@Override
			public long failedNotifications() {
				return 5;
			}

		});
		assertThat(this.registry.get("hooks.notifications.failed").tag("hook", "webhook#0").functionCounter().count())
			.isEqualTo(5);
		assertThat(this.registry.find("hooks.notifications.dropped").functionCounter()).isNull();
	}

	@Test
	void droppedNotificationsOfHooksOfTheSameNameAreAdded() {
		HookMetrics metrics = new HookMetrics(this.registry, new ToolCallMetricsConvention() {
		});
		metrics.join("webhook#0", new Dropping());
		metrics.join("webhook#0", new Dropping());
		assertThat(this.registry.get("hooks.notifications.dropped").tag("hook", "webhook#0").functionCounter().count())
			.isEqualTo(6);
	}

	@Test
	void tagsHoldNoArgumentsSessionsOrReasons() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean("denying", PreToolHook.class, () -> (call) -> ToolDecision.deny("by a rule"))
			.run((context) -> {
				context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("read", Map.of("secret-name", "secret-value"),
							CallContext.ofSession("secret-session")));
				assertThat(this.registry.getMeters()).isNotEmpty()
					.extracting(Meter::getId)
					.allSatisfy((id) -> assertThat(id.toString()).doesNotContain("secret"));
			});
	}

	@Test
	void conventionBeanReplacesNamesAndTags() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean(ToolCallMetricsConvention.class, () -> new ToolCallMetricsConvention() {

				@Override
				public String toolCallName() {
					return "my.calls";
				}

				@Override
				public Tags toolCallTags(String tool, ToolOutcome outcome) {
					return Tags.of("t", tool);
				}

			})
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("read"));
				assertThat(this.registry.get("my.calls").tag("t", "read").timer().count()).isEqualTo(1);
			});
	}

	@Test
	void exceptionOfTheHookPassesTheTimer() {
		ToolHookChain chain = watched((call) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(chain.execute(call("read"), new Tools()).content()).contains("The hook failed");
		assertThat(count("hooks.hook", "hook", "x", "type", "policy", "verdict", "failed")).isEqualTo(1);
	}

	/**
	 * What a framework makes of the failure of a tool, result hooks see after the end.
	 */
	@Test
	void hookIsMeasuredThatSeesATextAfterTheEndOfTheCall() {
		ToolHookChain chain = watched((call) -> ToolDecision.approve());
		chain.review(call("read"), ToolResult.failure("broken"));
		assertThat(count("hooks.hook", "hook", "results", "verdict", "deny")).isEqualTo(1);
	}

	private ToolHookChain watched(PreToolHook hook) {
		HookEntry<PreToolHook> deciding = HookEntry.of(hook).named("x").typed("policy");
		ToolResultHook results = (call, result) -> ToolDecision.deny("secret");
		ToolHookChain chain = ToolHookChain.of(List.of(deciding), List.of(HookEntry.of(results).named("results")),
				List.of(), ToolApprover.nobody(), null, new AbortedRuns());
		chain.setWatches(List.of(new HookMetrics(this.registry, new ToolCallMetricsConvention() {
		})));
		return chain;
	}

	@Test
	void meterThatFailsDoesNotChangeWhatTheHookDecided(CapturedOutput output) {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.registry)
			.withBean(ToolCallMetricsConvention.class, BrokenTags::new)
			.run((context) -> {
				context.getBean(ToolHooks.class)
					.register("denying", (PreToolHook) (call) -> ToolDecision.deny("by a rule"),
							HookOptions.defaults().failOpen(true));
				assertThat(context.getBean(ToolExecutor.class).execute(call("read")).content())
					.isEqualTo("Tool call denied by hook 'denying': by a rule");
				assertThat(output).contains("The hook 'denying' could not be timed: java.lang.IllegalStateException")
					.doesNotContain("secret");
			});
	}

	@Test
	void nothingIsMeasuredWithoutARegistry() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ToolCallMetrics.class));
	}

	private long count(String name, String... tags) {
		return this.registry.get(name).tags(tags).timer().count();
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of());
	}

	private static final class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return (call.tool().equals("read")) ? ToolResult.success("read")
					: ToolResult.failure("There is no tool of that name");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read", "shell", "broken");
		}

	}

	private static final class Dropping implements PostToolHook, HookCounts {

		@Override
		public void postCall(ToolOutcome outcome) {
		}

		@Override
		public long droppedNotifications() {
			return 3;
		}

	}

	private static final class NullDecision implements PreToolHook {

		@Override
		@SuppressWarnings("NullAway")
		public ToolDecision preCall(ToolCall call) {
			return null;
		}

	}

	private static final class BrokenTags implements ToolCallMetricsConvention {

		@Override
		public Tags hookTags(String hook, String type, String verdict) {
			throw new IllegalStateException("secret " + verdict);
		}

	}

	private static final class AskingHook implements ToolResultHook, HookCounts {

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			return ToolDecision.approve();
		}

		@Override
		public long droppedReplies() {
			return 3;
		}

	}

}
