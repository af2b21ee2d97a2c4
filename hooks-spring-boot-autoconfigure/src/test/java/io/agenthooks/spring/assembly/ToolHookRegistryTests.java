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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ToolHookRegistry}: hooks that come and go while the application runs.
 */
@ExtendWith(OutputCaptureExtension.class)
class ToolHookRegistryTests {

	private static final HookOptions ANY = HookOptions.defaults();

	private static final PreToolHook DENY = (call) -> ToolDecision.deny("registered");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran " + call.tool()));

	@Test
	void registeredHookIsActiveUntilItsRegistrationIsClosedEvenWhereNoneWasConfigured() {
		this.contextRunner.run((context) -> {
			assertThat(execute(context, "t")).isEqualTo("ran t");
			ActiveHooks.Registration registration = hooks(context).register("mine", DENY);
			assertThat(execute(context, "t")).isEqualTo("Tool call denied by hook 'mine': registered");
			registration.close();
			assertThat(execute(context, "t")).isEqualTo("ran t");
			registration.close();
			assertThat(hooks(context).list()).isEmpty();
		});
	}

	@Test
	void unregisterRemovesARegisteredHookOnce() {
		this.contextRunner.run((context) -> {
			hooks(context).register("mine", DENY);
			assertThat(hooks(context).unregister("other")).isFalse();
			assertThat(hooks(context).unregister("mine")).isTrue();
			assertThat(hooks(context).unregister("mine")).isFalse();
			assertThat(execute(context, "t")).isEqualTo("ran t");
		});
	}

	@Test
	void clearRemovesTheHooksOfOneOrigin() {
		this.contextRunner.run((context) -> {
			hooks(context).register("a", DENY, ANY, "plugin");
			hooks(context).register("b", new EveryKind(new ArrayList<>()), ANY, "plugin");
			hooks(context).register("c", DENY);
			assertThat(hooks(context).clear("nobody")).isZero();
			assertThat(hooks(context).clear("plugin")).as("hooks, not parts of hooks").isEqualTo(2);
			assertThat(hooks(context).list()).singleElement()
				.isEqualTo(new ActiveHooks.Listed(Phase.PRE_CALL, "c", "registered", ToolHooks.RUN_TIME, ANY));
		});
	}

	@Test
	void hooksOfTheConfigurationAndBeansStay() {
		withConfiguredAndBean().run((context) -> {
			String origin = hooks(context).list().get(1).origin();
			assertThat(hooks(context).unregister("configured")).isFalse();
			assertThat(hooks(context).unregister("beanHook")).isFalse();
			assertThat(hooks(context).clear("bean 'beanHook'")).isZero();
			assertThat(hooks(context).clear(origin)).isZero();
			assertThat(hooks(context).list()).extracting(ActiveHooks.Listed::name)
				.containsExactly("beanHook", "configured");
			assertThat(execute(context, "forbidden")).contains("'configured'");
		});
	}

	@Test
	void nameThatIsTakenIsRefused() {
		withConfiguredAndBean().run((context) -> {
			hooks(context).register("mine", DENY);
			for (String taken : List.of("mine", "beanHook", "configured", " mine\n")) {
				assertThatIllegalArgumentException().isThrownBy(() -> hooks(context).register(taken, DENY))
					.withMessageMatching("There is a hook '(mine|beanHook|configured)' already");
			}
			assertThatIllegalArgumentException().isThrownBy(() -> hooks(context).register(" \n", DENY))
				.withMessageContaining("blank");
			assertThat(hooks(context).list()).hasSize(3);
		});
	}

	@Test
	void nameIsOneSafeLineEverywhere(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			hooks(context).register("mine\nWARN forged", DENY, ANY, "a\nb");
			assertThat(hooks(context).list()).extracting(ActiveHooks.Listed::name).containsExactly("mine WARN forged");
			assertThat(execute(context, "t")).contains("'mine WARN forged'");
			assertThat(output).doesNotContain("\nWARN forged").contains("from a b");
			assertThat(hooks(context).unregister("mine\nWARN forged")).isTrue();
		});
	}

	@Test
	void staleRegistrationDoesNotRemoveANewerHookOfTheSameName() {
		this.contextRunner.run((context) -> {
			ActiveHooks.Registration stale = hooks(context).register("mine", DENY);
			hooks(context).unregister("mine");
			hooks(context).register("mine", DENY);
			stale.close();
			assertThat(execute(context, "t")).contains("'mine'");
		});
	}

	@Test
	void orderPlacesAHookBetweenConfiguredOnes() {
		List<String> asked = new ArrayList<>();
		this.contextRunner.withBean("bean", PreToolHook.class, () -> say("bean", asked))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=passthrough",
					"hooks.tool-call.pre-call[0].name=early", "hooks.tool-call.pre-call[0].order=-5",
					"hooks.tool-call.pre-call[1].type=passthrough", "hooks.tool-call.pre-call[1].name=last")
			.run((context) -> {
				ToolHooks hooks = hooks(context);
				hooks.register("behind", say("behind", asked));
				hooks.register("lowest", say("lowest", asked), ANY.order(Integer.MIN_VALUE));
				hooks.register("between", say("between", asked), ANY.order(0));
				hooks.register("highest", say("highest", asked), ANY.order(Integer.MAX_VALUE));
				assertThat(hooks.list()).extracting(ActiveHooks.Listed::name)
					.containsExactly("lowest", "early", "between", "bean", "last", "behind", "highest");
				execute(context, "t");
				assertThat(asked).containsExactly("lowest", "between", "bean", "behind", "highest");
			});
	}

	@Test
	void hookOfSeveralKindsJoinsEachPhaseAndLeavesAll() {
		List<String> heard = new ArrayList<>();
		this.contextRunner.run((context) -> {
			ActiveHooks.Registration registration = hooks(context).register("all", new EveryKind(heard),
					ANY.match("a*"));
			assertThat(hooks(context).list()).extracting(ActiveHooks.Listed::phase)
				.containsExactly(Phase.PRE_CALL, Phase.RESULT, Phase.POST_CALL);
			execute(context, "abc");
			execute(context, "xyz");
			assertThat(heard).containsExactly("pre abc", "result abc", "post abc");
			registration.close();
			execute(context, "abc");
			assertThat(heard).hasSize(3);
		});
	}

	@Test
	void optionsOfARegisteredHookHold() {
		this.contextRunner.run((context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			hooks(context).register("scoped", DENY, ANY.agents("bot").except("read"));
			assertThat(tools.execute(call("t")).succeeded()).as("no agent").isTrue();
			assertThat(tools.execute(of("t", "bot")).succeeded()).as("agent").isFalse();
			assertThat(tools.execute(of("read", "bot")).succeeded()).as("exempt tool").isTrue();
			hooks(context).unregister("scoped");
			hooks(context).register("remote", DENY, ANY.mcpServers("git*"));
			assertThat(tools.execute(call("t")).succeeded()).as("no MCP server").isTrue();
			assertThat(tools
				.execute(ToolCall.of("t", Map.of(),
						CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "github")))
				.succeeded()).as("MCP server").isFalse();
			hooks(context).unregister("remote");
			hooks(context).register("dry", DENY, ANY.observe());
			assertThat(tools.execute(call("t")).succeeded()).as("dry run").isTrue();
			hooks(context).register("careless", (PreToolHook) (call) -> {
				throw new IllegalStateException("broken");
			}, ANY.failOpen(true));
			assertThat(tools.execute(call("t")).succeeded()).as("fails open").isTrue();
		});
	}

	@Test
	void optionsThatCannotBeUsedAreRefusedAllAtOnceAndNothingIsRegistered() {
		this.contextRunner.run((context) -> {
			assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(
					() -> hooks(context).register("mine", DENY, ANY.matcher("(").timeout(Duration.ZERO).agents(" x")))
				.satisfies((ex) -> assertThat(ex.getProblems()).hasSize(3));
			PostToolHook listening = (outcome) -> {
			};
			for (HookOptions options : List.of(ANY.observe(), ANY.failOpen(false))) {
				assertThatExceptionOfType(InvalidHookConfigException.class)
					.isThrownBy(() -> hooks(context).register("mine", listening, options))
					.withMessageContaining("only learns how calls ended");
			}
			assertThat(hooks(context).list()).isEmpty();
		});
	}

	@Test
	void callInFlightKeepsTheHooksThatItBeganWith() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		ExecutorService callers = Executors.newSingleThreadExecutor();
		try {
			this.contextRunner.run((context) -> {
				hooks(context).register("waiting", (PreToolHook) (call) -> {
					begun.countDown();
					await(released);
					return ToolDecision.approve();
				});
				hooks(context).register("old", DENY);
				Future<String> inFlight = callers.submit(() -> execute(context, "t"));
				begun.await();
				hooks(context).clear(ToolHooks.RUN_TIME);
				hooks(context).register("new", (PreToolHook) (call) -> ToolDecision.respond(ToolResult.success("new")));
				assertThat(execute(context, "t")).isEqualTo("new");
				released.countDown();
				assertThat(inFlight.get(1, TimeUnit.MINUTES)).contains("'old'");
			});
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test // T03
	void everyCallSeesOneWholeSetOfHooksWhileTheyChange() {
		this.contextRunner.run((context) -> {
			ToolHooks hooks = hooks(context);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			// Registered first, so there is always at least one that denies.
			ActiveHooks.Registration present = registerPair(hooks, 0);
			AtomicBoolean calling = new AtomicBoolean(true);
			ExecutorService threads = Executors.newFixedThreadPool(5);
			Future<Integer> changes = threads.submit(() -> changePairs(hooks, present, calling));
			List<Future<Integer>> wrong = IntStream.range(0, 4)
				.mapToObj((thread) -> threads.submit(() -> wrongCalls(tools, 25_000)))
				.toList();
			try {
				for (Future<Integer> calls : wrong) {
					assertThat(calls.get(3, TimeUnit.MINUTES)).isZero();
				}
			}
			finally {
				calling.set(false);
				threads.shutdown();
			}
			assertThat(changes.get(1, TimeUnit.MINUTES)).isGreaterThan(10);
		});
	}

	/**
	 * A hook that marks the call before the tool runs, and shows afterwards that the mark
	 * is its own: in a mixed chain it is another's.
	 */
	private static ActiveHooks.Registration registerPair(ToolHooks hooks, int version) {
		return hooks.register("pair" + version, new Pair(version), ANY.order(version));
	}

	private static int changePairs(ToolHooks hooks, ActiveHooks.Registration first, AtomicBoolean calling) {
		ActiveHooks.Registration present = first;
		int version = 0;
		while (calling.get()) {
			version++;
			ActiveHooks.Registration next = registerPair(hooks, version);
			present.close();
			present = next;
		}
		return version;
	}

	private static int wrongCalls(ToolExecutor tools, int calls) {
		int wrong = 0;
		for (int i = 0; i < calls; i++) {
			String content = tools.execute(call("t")).content();
			wrong += (content.equals("seen by its own")) ? 0 : 1;
		}
		return wrong;
	}

	@Test
	void hookIsRefusedWhereAChainOfTheApplicationIsActive() {
		this.contextRunner.withBean(ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()))
			.run((context) -> {
				assertThatIllegalStateException().isThrownBy(() -> hooks(context).register("mine", DENY))
					.withMessageContaining("'mine' would not be asked")
					.withMessageContaining("ToolHookChain bean of the application");
				hooks(context).disableTools();
				assertThat(context.getBean(ToolExecutor.class).execute(call("t")).succeeded()).isFalse();
			});
	}

	@Test
	void hookBeanMayRegisterOthersWhenItIsCalled() {
		this.contextRunner.withUserConfiguration(SelfServing.class).run((context) -> {
			assertThat(execute(context, "t")).isEqualTo("ran t");
			assertThat(execute(context, "t")).contains("'later'");
		});
	}

	@Test
	void hookRegisteredWhileBeansAreMadeIsActive() {
		this.contextRunner.withUserConfiguration(Registering.class)
			.run((context) -> assertThat(execute(context, "t")).contains("'early'"));
	}

	@Test
	void policyWithSomethingAroundItIsAskedAgainAboutAChangedCall() {
		this.contextRunner.withUserConfiguration(Surrounding.class)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=policy",
					"hooks.tool-call.pre-call[0].config.deny-argument-patterns.path[0]=secret")
			.run((context) -> {
				context.getBean(ToolHooks.class)
					.register("changing", (PreToolHook) (call) -> ToolDecision.modify(Map.of("path", "secret")));
				assertThat(execute(context, "t")).contains("denied by hook 'policy#0'");
				assertThat(context.getBean(Surrounding.class).asked).containsExactly("policy#0", "changing",
						"policy#0");
			});
	}

	private ApplicationContextRunner withConfiguredAndBean() {
		return this.contextRunner.withBean("beanHook", PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.withPropertyValues("hooks.tool-call.pre-call[0].type=policy",
					"hooks.tool-call.pre-call[0].name=configured",
					"hooks.tool-call.pre-call[0].config.deny-tools[0]=forbidden");
	}

	private static PreToolHook say(String word, List<String> asked) {
		return (call) -> {
			asked.add(word);
			return ToolDecision.approve();
		};
	}

	private static ToolHooks hooks(ApplicationContext context) {
		return context.getBean(ToolHooks.class);
	}

	private static String execute(ApplicationContext context, String tool) {
		return context.getBean(ToolExecutor.class).execute(call(tool)).content();
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of());
	}

	private static ToolCall of(String tool, String agent) {
		return ToolCall.of(tool, Map.of(), CallContext.empty().withAgent(agent));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private record EveryKind(List<String> heard) implements PreToolHook, ToolResultHook, PostToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			this.heard.add("pre " + call.tool());
			return ToolDecision.approve();
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			this.heard.add("result " + call.tool());
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.heard.add("post " + outcome.effective().tool());
		}

	}

	private record Pair(int version) implements PreToolHook, ToolResultHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			// While a newer one is there as well, it marks last.
			return ToolDecision.modify(Map.of("mark", this.version));
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			Object mark = call.arguments().get("mark");
			return (Integer.valueOf(this.version).equals(mark))
					? ToolDecision.respond(ToolResult.success("seen by its own")) : ToolDecision.approve();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SelfServing {

		@Bean
		PreToolHook serving(ObjectProvider<ToolHooks> hooks) {
			return (call) -> {
				if (hooks.getObject().list().size() == 1) {
					hooks.getObject().register("later", DENY);
				}
				return ToolDecision.approve();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registering {

		Registering(ToolHooks hooks) {
			hooks.register("early", DENY);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Surrounding {

		private final List<String> asked = new ArrayList<>();

		@Bean
		CallWatch surrounding() {
			return (call) -> new WatchedCall() {

				@Override
				public @Nullable WatchedHook ask(HookEntry<?> hook, HookPart part) {
					Surrounding.this.asked.add(hook.name());
					return null;
				}

			};
		}

	}

}
