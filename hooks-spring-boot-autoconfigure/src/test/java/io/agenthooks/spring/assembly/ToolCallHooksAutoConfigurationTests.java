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
import java.util.stream.IntStream;

import jakarta.validation.constraints.NotEmpty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolCallHooksAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ToolCallHooksAutoConfigurationTests {

	private static final String[] DENY_RUN_COMMAND = { "hooks.tool-call.pre-call[0].type=policy",
			"hooks.tool-call.pre-call[0].name=no-shell",
			"hooks.tool-call.pre-call[0].config.deny-tools[0]=run_command" };

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class))
		.withUserConfiguration(Tools.class);

	@Test
	void callOfAnExecutorBeanIsDecidedByTheConfiguredHooks() {
		this.contextRunner.withPropertyValues(DENY_RUN_COMMAND).run((context) -> {
			ToolExecutor executor = context.getBean(ToolExecutor.class);
			assertThat(executor.execute(call("run_command")).content())
				.startsWith("Tool call denied by hook 'no-shell': ");
			assertThat(executor.execute(call("read_file")).content()).isEqualTo("ran read_file");
		});
	}

	@Test
	void callsGoStraightToTheToolWhenThereAreNoHooks(CapturedOutput output) { // rule 8
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(ToolExecutor.class).execute(call("run_command")).content())
				.isEqualTo("ran run_command");
			assertThat(output).contains("There are no hooks");
		});
	}

	@Test
	void chainIsLoggedHookByHookWithOrigin(CapturedOutput output) {
		this.contextRunner.withPropertyValues(DENY_RUN_COMMAND)
			.withUserConfiguration(OrderedHooks.class)
			.run((context) -> assertThat(output).containsSubsequence("Every call of a tool passes these hooks:",
					"before the call", "1. first (type bean, order 1, from bean 'first')",
					"2. unordered (type bean, from bean 'unordered')", "3. no-shell (type policy, from ",
					"after the call: none"));
	}

	@Test
	void hooksRunInOrderBeansBeforeEntriesThenAsDeclared() { // K15
		this.contextRunner.withUserConfiguration(OrderedHooks.class, RecordingType.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=recording",
					"hooks.tool-call.pre-call[0].config.say=entry", "hooks.tool-call.pre-call[1].type=recording",
					"hooks.tool-call.pre-call[1].config.say=entry of order 0", "hooks.tool-call.pre-call[1].order=0",
					"hooks.tool-call.pre-call[2].type=recording", "hooks.tool-call.pre-call[2].config.say=last entry")
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("t"));
				assertThat(context.getBean(OrderedHooks.class).said).containsExactly("entry of order 0", "first",
						"unordered", "entry", "last entry");
			});
	}

	@Test
	void hookThatIsPreAndPostListedBeforeTheCallJoinsBoth() {
		this.contextRunner.withUserConfiguration(BothType.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=both", "hooks.tool-call.pre-call[0].match[0]=a*")
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("abc"));
				context.getBean(ToolExecutor.class).execute(call("xyz"));
				List<String> heard = context.getBean(BothType.class).heard;
				assertThat(heard).containsExactly("pre abc", "post abc");
				context.close();
				assertThat(heard).endsWith("closed");
			});
	}

	@Test
	void hookThatIsPreAndPostListedAfterTheCallStopsTheStart() {
		this.contextRunner.withUserConfiguration(BothType.class)
			.withPropertyValues("hooks.tool-call.post-call[0].type=both")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("also decides before the call"));
	}

	@Test
	void typeMayHaveAnotherHookForTheListAfterTheCall() {
		this.contextRunner.withUserConfiguration(BothType.class)
			.withPropertyValues("hooks.tool-call.post-call[0].type=observer")
			.run((context) -> {
				context.getBean(ToolExecutor.class).execute(call("t"));
				assertThat(context.getBean(BothType.class).heard).containsExactly("post t");
			});
	}

	@Test
	void entryThatOverrunsItsTimeoutDeniesEvenIfItIgnoresInterrupts() { // K05
		this.contextRunner.withUserConfiguration(HangingType.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=hanging", "hooks.tool-call.pre-call[0].timeout=1s")
			.run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				assertThat(executor.execute(call("hang")).succeeded()).isFalse();
				assertThat(executor.execute(call("t")).succeeded()).isTrue();
				context.getBean(HangingType.class).released.countDown();
			});
	}

	@Test
	void moreCallsThanThreadsWaitWithinTheirTimeout() throws Exception {
		CountDownLatch busy = new CountDownLatch(64);
		CountDownLatch released = new CountDownLatch(1);
		ExecutorService threads = Executors.newCachedThreadPool();
		TimeLimit limit = new TimeLimit("slow", Duration.ofMinutes(1), threads, new BoundCounts());
		List<Future<@Nullable ToolDecision>> decisions = IntStream.range(0, 65)
			.mapToObj((i) -> threads.<@Nullable ToolDecision>submit(() -> limit.ask(() -> {
				busy.countDown();
				awaitUninterrupted(released);
				return ToolDecision.approve();
			})))
			.toList();
		busy.await();
		released.countDown();
		for (Future<@Nullable ToolDecision> decision : decisions) {
			assertThat(decision.get()).isEqualTo(ToolDecision.approve());
		}
		threads.shutdown();
	}

	@Test
	void hookThatReplacesResultsTakesTheOptionsOfItsEntry() {
		ApplicationContextRunner runner = this.contextRunner.withUserConfiguration(ReplacingType.class)
			.withPropertyValues("hooks.tool-call.post-call[0].type=replacing",
					"hooks.tool-call.post-call[0].match[0]=*_*");
		assertContent(runner, "read_file", "replaced");
		assertContent(runner, "plain", "ran plain");
		assertContent(runner, "broken_tool", "Tool result withheld by hook 'replacing#0': The hook failed");
		assertContent(runner.withPropertyValues("hooks.tool-call.post-call[0].fail-open=true"), "broken_tool",
				"ran broken_tool");
		assertContent(runner.withPropertyValues("hooks.tool-call.post-call[0].mode=observe"), "read_file",
				"ran read_file");
		ApplicationContextRunner limited = runner.withPropertyValues("hooks.tool-call.post-call[0].timeout=50ms");
		assertContent(limited, "hanging_tool", "Tool result withheld by hook 'replacing#0': The hook failed");
		assertContent(limited.withPropertyValues("hooks.tool-call.post-call[0].fail-open=true"), "hanging_tool",
				"ran hanging_tool");
	}

	private static void assertContent(ApplicationContextRunner runner, String tool, String expected) {
		runner.run((context) -> assertThat(context.getBean(ToolExecutor.class).execute(call(tool)).content())
			.isEqualTo(expected));
	}

	@Test
	void entriesAreScopedToAgentsRolesAndWorkspaces() {
		this.contextRunner.withPropertyValues(DENY_RUN_COMMAND)
			.withPropertyValues("hooks.tool-call.pre-call[0].agents[0]=bot*",
					"hooks.tool-call.pre-call[0].roles[0]=agent", "hooks.tool-call.pre-call[0].workspaces[0]=team-*")
			.run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				CallContext bot = CallContext.empty().withAgent("bot1").withWorkspace("team-a");
				assertThat(executor.execute(of(bot)).succeeded()).isFalse();
				assertThat(
						List.of(bot.withAgent(null), bot.withAgent("x"), bot.withRole("x"), bot.withWorkspace("main")))
					.allSatisfy((other) -> assertThat(executor.execute(of(other)).succeeded()).isTrue());
			});
	}

	private static ToolCall of(CallContext context) {
		return ToolCall.of("run_command", Map.of(), context);
	}

	@Test
	void factoryBeanAddsAValidatedType() {
		ApplicationContextRunner runner = this.contextRunner
			.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
			.withUserConfiguration(ValidatedType.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=validated");
		runner.withPropertyValues("hooks.tool-call.pre-call[0].config.words[0]=x")
			.run((context) -> assertThat(context).hasNotFailed());
		runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("pre-call[0].config.words' is refused")
			.hasMessageContaining("must not be empty"));
	}

	@Test
	void configurationIsValidatedWhenThereAreSeveralValidators() {
		this.contextRunner.withUserConfiguration(ValidatedType.class)
			.withBean("one", LocalValidatorFactoryBean.class)
			.withBean("other", LocalValidatorFactoryBean.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=validated")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("must not be empty"));
	}

	@Test
	void factoryBeanReplacesABuiltInTypeWithAWarning(CapturedOutput output) {
		this.contextRunner
			.withBean("mine", ToolHookFactory.class,
					() -> ToolHookFactory.of("policy", Nothing.class,
							(nothing) -> (PreToolHook) (call) -> ToolDecision.deny("mine")))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=policy")
			.run((context) -> {
				assertThat(context.getBean(ToolExecutor.class).execute(call("t")).content()).endsWith("mine");
				assertThat(output).contains("type 'policy' is already provided by");
			});
	}

	@Test
	void hooksAreClosedOnceWhenAHookBeanCannotBeMade() { // S07
		BothType type = new BothType();
		this.contextRunner.withBean(BothType.class, () -> type).withBean("broken", PreToolHook.class, () -> {
			throw new IllegalStateException("broken");
		}, (definition) -> definition.setLazyInit(true))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=both")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(type.heard).containsExactly("closed");
			});
	}

	@Test
	void startFailsWhenConfigurationIsWrongEvenIfEverythingIsLazy() {
		this.contextRunner.withPropertyValues("hooks.tool-call.pre-call[0].type=polciy")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void startFailsWhenTheSwitchIsMistyped() {
		this.contextRunner.withPropertyValues(DENY_RUN_COMMAND)
			.withPropertyValues("hooks.tool-call.enabled=flase")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("neither true nor false"));
	}

	@Test
	void partWithoutHooksIsAWarning(CapturedOutput output) {
		this.contextRunner.withPropertyValues("hooks.tool_call=")
			.run((context) -> assertThat(output.getOut().split("hooks.tool_call is empty", -1)).hasSize(2));
	}

	@Test
	void switchedOffHooksAreAWarning(CapturedOutput output) { // X11
		this.contextRunner.withPropertyValues(DENY_RUN_COMMAND)
			.withPropertyValues("hooks.tool-call.bypass-hooks=true")
			.run((context) -> {
				assertThat(context.getBean(ToolExecutor.class).execute(call("run_command")).succeeded()).isTrue();
				assertThat(context).doesNotHaveBean(ToolHookChain.class);
				assertThat(output.getOut().split("hooks.tool_call.bypass_hooks is true", -1)).hasSize(2);
			});
	}

	@Test
	void chainBeanOfTheApplicationIsUsed() {
		PreToolHook denying = (call) -> ToolDecision.deny("mine");
		ApplicationContextRunner runner = this.contextRunner.withBean(ToolHookChain.class,
				() -> new ToolHookChain(List.of(denying), List.of()));
		runner.run((context) -> assertThat(context.getBean(ToolExecutor.class).execute(call("t")).content())
			.endsWith("mine"));
		runner.withPropertyValues(DENY_RUN_COMMAND)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("would not be asked"));
	}

	@Test
	void startsWithoutBeanValidationAndWithoutMicrometer() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("jakarta.validation", "io.micrometer"))
			.withPropertyValues(DENY_RUN_COMMAND)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		boolean waiting = true;
		while (waiting) {
			try {
				waiting = !latch.await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				waiting = true;
			}
		}
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of());
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		private final ToolExecutor executor = (call) -> ToolResult.success("ran " + call.tool());

		@Bean
		ToolExecutor tools() {
			return this.executor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrderedHooks {

		private final List<String> said = new ArrayList<>();

		@Bean
		PreToolHook unordered() {
			return say("unordered");
		}

		@Bean
		@Order(1)
		PreToolHook first() {
			return say("first");
		}

		private PreToolHook say(String word) {
			return (call) -> {
				this.said.add(word);
				return ToolDecision.approve();
			};
		}

	}

	record Saying(String say) {
	}

	@Configuration(proxyBeanMethods = false)
	static class RecordingType {

		@Bean
		ToolHookFactory<Saying> recording(OrderedHooks hooks) {
			return ToolHookFactory.of("recording", Saying.class, (saying) -> hooks.say(saying.say()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BothType {

		private final List<String> heard = new ArrayList<>();

		@Bean
		ToolHookFactory<Nothing> both() {
			return ToolHookFactory.of("both", Nothing.class, (nothing) -> new Both(this.heard));
		}

		@Bean
		ToolHookFactory<Nothing> observer() {
			return ToolHookFactory.of("observer", Nothing.class, (name, nothing) -> new Both(this.heard), (name,
					nothing) -> (PostToolHook) (outcome) -> this.heard.add("post " + outcome.effective().tool()));
		}

	}

	private record Both(List<String> heard) implements PreToolHook, PostToolHook, AutoCloseable {

		@Override
		public ToolDecision preCall(ToolCall call) {
			this.heard.add("pre " + call.tool());
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.heard.add("post " + outcome.effective().tool());
		}

		@Override
		public void close() {
			this.heard.add("closed");
		}

	}

	record Nothing() {
	}

	@Configuration(proxyBeanMethods = false)
	static class HangingType {

		private final CountDownLatch released = new CountDownLatch(1);

		@Bean
		ToolHookFactory<Nothing> hanging() {
			return ToolHookFactory.of("hanging", Nothing.class, (nothing) -> (PreToolHook) (call) -> {
				if (call.tool().equals("hang")) {
					awaitUninterrupted(this.released);
				}
				return ToolDecision.approve();
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplacingType {

		@Bean
		ToolHookFactory<Nothing> replacing() {
			return ToolHookFactory.of("replacing", Nothing.class, (nothing) -> ReplacingType.hook());
		}

		private static ToolResultHook hook() {
			return (call, result) -> switch (call.tool()) {
				case "broken_tool" -> throw new IllegalStateException("broken");
				case "hanging_tool" -> {
					awaitUninterrupted(new CountDownLatch(1));
					yield ToolDecision.approve();
				}
				default -> ToolDecision.respond(ToolResult.success("replaced"));
			};
		}

	}

	record Words(@NotEmpty @Nullable List<String> words) {
	}

	@Configuration(proxyBeanMethods = false)
	static class ValidatedType {

		@Bean
		ToolHookFactory<Words> validated() {
			return ToolHookFactory.of("validated", Words.class, (words) -> approving());
		}

		private static PreToolHook approving() {
			return (call) -> ToolDecision.approve();
		}

	}

}
