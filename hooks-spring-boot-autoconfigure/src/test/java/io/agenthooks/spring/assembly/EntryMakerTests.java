package io.agenthooks.spring.assembly;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookAround;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EntryMaker}.
 */
class EntryMakerTests {

	private static final Duration SHORT = Duration.ofMillis(50);

	private final HookBounds bounds = Bounds.usual();

	private final CountDownLatch released = new CountDownLatch(1);

	private final List<String> seen = new ArrayList<>();

	@AfterEach
	void release() {
		this.released.countDown();
	}

	static Stream<UnaryOperator<PreToolHook>> wrappers() {
		return Stream.of(UnaryOperator.identity(), PreToolHook::failOpen,
				(hook) -> PreToolHook.named("outer", PreToolHook.failOpen(hook)),
				(hook) -> PreToolHook.forTools((tool) -> true, hook),
				(hook) -> PreToolHook.forContexts((context) -> true, PreToolHook.named("inner", hook)));
	}

	@ParameterizedTest
	@MethodSource("wrappers")
	void policyInAWrapperIsToldThatItsServersAreNamed(UnaryOperator<PreToolHook> wrapper) {
		PolicyToolHook policy = new PolicyToolHook(new PolicyConfig(List.of("list_repos"), null, null, null));
		HookOptions options = HookOptions.defaults().mcpServers("github");
		ToolHookChain chain = tools(wrapper.apply(policy), options);
		assertThat(execute(chain, ToolIdentity.onServer("github", "list_repos", "list_repos"))).isEqualTo("ran");
		assertThat(entry(wrapper.apply(policy), HookOptions.defaults()).hook()).as("without servers").isSameAs(policy);
	}

	@Test
	void aroundThatAHookBringsAlongStays() {
		PreToolHook hook = (call) -> ToolDecision.approve();
		HookEntry<PreToolHook> brought = HookEntry.of(hook).askedBy(noting("own"));
		HookEntry<PreToolHook> entry = brought.askedBy(noting("time")).askedBy(noting("metrics"));
		ToolHookChain chain = ToolHookChain.of(List.of(entry), List.of(), List.of(), ToolApprover.nobody(), null,
				new AbortedRuns());
		execute(chain, ToolIdentity.ofApplication("run"));
		assertThat(this.seen).containsExactly("metrics", "time", "own");
	}

	private HookAround noting(String name) {
		return new HookAround() {

			@Override
			public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
				EntryMakerTests.this.seen.add(name);
				return hook.get();
			}

		};
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aspectsOfAHookRunAndWhatIsSaidAboutItCounts(boolean ofClass) {
		PreToolHook hook = PreToolHook.forTools("run"::equals,
				PreToolHook.named("inner", PreToolHook.failOpen((call) -> {
					this.seen.add("hook");
					throw new IllegalStateException("broken");
				})));
		ToolHookChain chain = tools(proxy(hook, ofClass), HookOptions.defaults());
		assertThat(execute(chain, ToolIdentity.ofApplication("run"))).isEqualTo("ran");
		assertThat(this.seen).containsExactly("aspect", "hook");
		assertThat(execute(chain, ToolIdentity.ofApplication("other"))).isEqualTo("ran");
		assertThat(this.seen).as("a call that the hook is not for").hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void hookBehindAnAspectStillDenies(boolean ofClass) {
		PreToolHook denying = PreToolHook.named("inner", (call) -> ToolDecision.deny("no"));
		assertThat(execute(tools(proxy(denying, ofClass), HookOptions.defaults()), ToolIdentity.ofApplication("run")))
			.contains("no");
		assertThat(this.seen).containsExactly("aspect");
	}

	private PreToolHook proxy(PreToolHook hook, boolean ofClass) {
		ProxyFactory factory = new ProxyFactory(hook);
		factory.setProxyTargetClass(ofClass);
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			if (invocation.getMethod().getName().equals("preCall")) {
				this.seen.add("aspect");
			}
			return invocation.proceed();
		});
		PreToolHook proxy = (PreToolHook) factory.getProxy();
		assertThat(Proxy.isProxyClass(proxy.getClass())).isEqualTo(!ofClass);
		return proxy;
	}

	@Test
	void hookThatLearnsOfAModelCallHasNoMoreTimeThanOneThatDecides() {
		EntryMaker<LlmHook> entries = new EntryMaker<>(HookSection.LLM_CALL, List.of(), this.bounds);
		PostLlmHook slow = (outcome) -> hang();
		LlmHookChain chain = new LlmHookChain(List.of(), List.of(),
				new AssembledHooks<>(entries
					.make(HookCandidate.registered(slow, "slow", "x", HookOptions.defaults().timeout(SHORT))))
					.entries(Phase.POST_CALL, PostLlmHook.class),
				null, new AbortedRuns());
		CompletableFuture<LlmResponse> response = CompletableFuture
			.supplyAsync(() -> chain.execute(LlmCall.of(LlmMessage.user("Hello")), (call) -> LlmResponse.of("Hi")));
		assertThat(response).succeedsWithin(Duration.ofMinutes(1)).extracting(LlmResponse::text).isEqualTo("Hi");
		this.bounds.destroy();
	}

	@Test
	void hookThatLearnsOfARunHasNoMoreTimeThanOneThatDecides() {
		EntryMaker<RunHook> entries = new EntryMaker<>(HookSection.RUN, List.of(), this.bounds);
		PostRunHook slow = (outcome) -> hang();
		RunHookChain chain = new RunHookChain(List.of(),
				new AssembledHooks<>(entries
					.make(HookCandidate.registered(slow, "slow", "x", HookOptions.defaults().timeout(SHORT))))
					.entries(Phase.POST_CALL, PostRunHook.class),
				null, new AbortedRuns());
		CompletableFuture<Void> run = CompletableFuture
			.runAsync(() -> chain.begin(AgentRun.of("Hello", CallContext.empty())).finish("Hi", null));
		assertThat(run).succeedsWithin(Duration.ofMinutes(1));
		this.bounds.destroy();
	}

	@Test
	void hookThatLearnsIsToldOfACallThatEndsWhileTheApplicationShutsDown() {
		EntryMaker<RunHook> entries = new EntryMaker<>(HookSection.RUN, List.of(), this.bounds);
		PostRunHook hook = (outcome) -> this.seen.add(outcome.status().value());
		RunHookChain chain = new RunHookChain(List.of(),
				new AssembledHooks<>(
						entries.make(HookCandidate.registered(hook, "log", "x", HookOptions.defaults().timeout(SHORT))))
					.entries(Phase.POST_CALL, PostRunHook.class),
				null, new AbortedRuns());
		this.bounds.destroy();
		chain.begin(AgentRun.of("Hello", CallContext.empty())).finish("Hi", null);
		assertThat(this.seen).containsExactly("succeeded");
	}

	private void hang() {
		boolean waiting = true;
		while (waiting) {
			try {
				waiting = !this.released.await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				waiting = true;
			}
		}
	}

	private static ToolHookChain tools(PreToolHook hook, HookOptions options) {
		return ToolHookChain.of(List.of(entry(hook, options)), List.of(), List.of(), ToolApprover.nobody(), null,
				new AbortedRuns());
	}

	private static HookEntry<PreToolHook> entry(PreToolHook hook, HookOptions options) {
		EntryMaker<ToolHook> entries = new EntryMaker<>(HookSection.TOOL_CALL, List.of(), Bounds.usual());
		return new AssembledHooks<>(entries.make(HookCandidate.registered(hook, "x", "x", options)))
			.entries(Phase.PRE_CALL, PreToolHook.class)
			.get(0);
	}

	private static String execute(ToolHookChain chain, ToolIdentity tool) {
		return chain.execute(ToolCall.of("1", tool, Map.of(), CallContext.empty()), (call) -> ToolResult.success("ran"))
			.content();
	}

}
