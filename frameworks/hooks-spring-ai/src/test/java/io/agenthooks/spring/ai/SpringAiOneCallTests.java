package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two ordinary tools, one of which leads to the other: a call that the outer one hands on
 * is decided once, and whatever else the outer one calls is a call of its own.
 */
class SpringAiOneCallTests {

	private static final String PAY = "{\"amount\": 5, \"confirmed\": true}";

	private static final ToolContext MINE = new ToolContext(Map.of("tenant", "mine"));

	private final List<ToolOutcome> outcomes = new CopyOnWriteArrayList<>();

	private final List<String> paid = new CopyOnWriteArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	/** The first call is approved. */
	private final PreToolHook once = (call) -> (this.asked.getAndIncrement() == 0) ? ToolDecision.approve()
			: ToolDecision.deny("Once is enough");

	private final SpringAiToolHooks hooks = new SpringAiToolHooks(
			new ToolHookChain(List.of(this.once), List.of(this.outcomes::add)));

	private final ToolCallback bean = this.hooks.wrap(payingTo(this.paid));

	private static Tool payingTo(List<String> paid) {
		return new Tool((input, context) -> {
			paid.add(input);
			return "paid";
		});
	}

	@Test
	void callThatIsHandedOnIsDecidedOnce() {
		List<BiFunction<String, @Nullable ToolContext, String>> ways = List.of(
				(input, context) -> this.bean.call(input), (input, context) -> this.bean.call(input, context),
				(input, context) -> this.bean.call("{\"confirmed\":true,\"amount\":5.0}", context),
				(input, context) -> this.bean.call(input, new ToolContext(Map.of("tenant", "mine"))));
		for (BiFunction<String, @Nullable ToolContext, String> way : ways) {
			this.asked.set(0);
			this.outcomes.clear();
			assertThat(call(way)).isEqualTo("paid");
			assertThat(this.outcomes).hasSize(1);
		}
		assertThat(this.paid).hasSameSizeAs(ways);
	}

	@Test
	void anotherCallInsideIsDecided() {
		List<BiFunction<String, @Nullable ToolContext, String>> others = List.of(
				// fewer arguments, others, more
				(input, context) -> this.bean.call("{\"amount\": 5}", context),
				(input, context) -> this.bean.call("{}"),
				(input, context) -> this.bean.call("{\"amount\": 6, \"confirmed\": true}", context),
				(input, context) -> this.bean.call("{\"amount\": 5, \"confirmed\": true, \"to\": \"eve\"}"),
				(input, context) -> this.bean.call("{\"amount\": \"5\", \"confirmed\": true}"),
				// in another's name
				(input, context) -> this.bean.call(input, new ToolContext(Map.of("tenant", "other"))),
				(input, context) -> this.bean.call(input, new ToolContext(Map.of())),
				// on another thread
				(input, context) -> CompletableFuture.supplyAsync(() -> this.bean.call(input, context))
					.orTimeout(1, TimeUnit.MINUTES)
					.join(),
				// another tool
				(input, context) -> this.hooks.wrap(new Tool("refund", (own, given) -> "refunded")).call(input));
		for (BiFunction<String, @Nullable ToolContext, String> other : others) {
			this.asked.set(0);
			this.outcomes.clear();
			assertThat(call(other)).contains("Once is enough");
			assertThat(this.outcomes).hasSize(2);
		}
		assertThat(this.paid).isEmpty();
	}

	@Test
	void callThatIsHandedOnTwiceIsDecidedAgain() {
		assertThat(call((input, context) -> this.bean.call(input, context) + this.bean.call(input, context)))
			.startsWith("paid")
			.contains("Once is enough");
		assertThat(this.paid).hasSize(1);
	}

	@Test
	void callThatAToolMakesOfItselfIsDecided() {
		AtomicReference<ToolCallback> itself = new AtomicReference<>();
		itself.set(this.hooks.wrap(new Tool((input, context) -> {
			this.paid.add(input);
			return Objects.requireNonNull(itself.get()).call(input, context);
		})));
		assertThat(Objects.requireNonNull(itself.get()).call(PAY, MINE)).contains("Once is enough");
		assertThat(this.paid).hasSize(1);
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void equalCallsOfAParallelStreamAreHandedOnOnceAtMost() {
		assertThat(call((input, context) -> IntStream.range(0, 40)
			.parallel()
			.mapToObj((number) -> this.bean.call(input, context))
			.collect(Collectors.joining()))).contains("Once is enough");
		assertThat(this.paid).hasSizeLessThanOrEqualTo(1);
		assertThat(this.outcomes).hasSize(41 - this.paid.size());
	}

	@Test
	void callOfAThreadThatOutlivesTheApprovedOneIsDecided() throws Exception {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try {
			CountDownLatch over = new CountDownLatch(1);
			List<CompletableFuture<String>> late = new ArrayList<>();
			call((input, context) -> {
				late.add(CompletableFuture.supplyAsync(() -> {
					await(over);
					return this.bean.call(input, context);
				}, pool));
				return "begun";
			});
			over.countDown();
			assertThat(late.get(0).get(1, TimeUnit.MINUTES)).contains("Once is enough");
			assertThat(this.paid).isEmpty();
		}
		finally {
			pool.shutdownNow();
		}
	}

	/**
	 * The approved call is inside of its tool, when others make the same: of the tool
	 * itself, and of the one behind it.
	 */
	@Test
	void sameCallsOfOtherThreadsAreDecidedWhileTheApprovedOneRuns() {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		ToolCallback bean = this.bean;
		ToolCallback outer = this.hooks.wrap(new Tool((input, context) -> {
			inside.countDown();
			await(free);
			return bean.call(input, context);
		}));
		CompletableFuture<String> approved = CompletableFuture.supplyAsync(() -> outer.call(PAY, MINE));
		try {
			await(inside);
			assertThat(this.bean.call(PAY, MINE)).contains("Once is enough");
			assertThat(outer.call(PAY, MINE)).contains("Once is enough");
			assertThat(this.paid).isEmpty();
		}
		finally {
			free.countDown();
		}
		assertThat(approved.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo("paid");
		assertThat(this.paid).hasSize(1);
		assertThat(this.outcomes).hasSize(3);
	}

	/**
	 * What customizers make of what a tool is given is what hooks decide by.
	 */
	@Test
	void callInsideIsDecidedByWhatItIsGivenItself() {
		CallContextCustomizer tenant = (context, given) -> context.withWorkspace(String.valueOf(given.get("tenant")));
		List<CallContext> seen = new CopyOnWriteArrayList<>();
		PreToolHook hook = (call) -> {
			seen.add(call.context());
			return ToolDecision.approve();
		};
		ToolHookChain chain = new ToolHookChain(List.of(hook), List.of());
		SpringAiToolHooks hooks = new SpringAiToolHooks(() -> chain, () -> List.of(tenant),
				() -> ObservationRegistry.NOOP);
		ToolCallback inner = hooks.wrap(new Tool((input, context) -> "paid"));
		hooks.wrap(new Tool((input, context) -> inner.call(input, new ToolContext(Map.of("tenant", "other")))))
			.call(PAY, MINE);
		assertThat(seen).extracting(CallContext::workspace).containsExactly("mine", "other");
	}

	private String call(BiFunction<String, @Nullable ToolContext, String> outer) {
		return this.hooks.wrap(new Tool(outer)).call(PAY, MINE);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A tool of a class of the application.
	 */
	private record Tool(String name, BiFunction<String, @Nullable ToolContext, String> work) implements ToolCallback {

		Tool(BiFunction<String, @Nullable ToolContext, String> work) {
			this("pay", work);
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder().name(this.name).description("Pays").inputSchema("{}").build();
		}

		@Override
		public String call(String toolInput) {
			return this.work.apply(toolInput, null);
		}

		@Override
		public String call(String toolInput, @Nullable ToolContext toolContext) {
			return this.work.apply(toolInput, toolContext);
		}

	}

}
