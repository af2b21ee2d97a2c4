package io.agenthooks.spring.observation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.chain.WatchedCall.HookPart;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link CallObservations} and its auto-configuration.
 */
class CallObservationsTests {

	private static final String SECRET = "s3cret";

	private final RecordedObservations observed = new RecordedObservations();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class,
				LlmAndRunMetricsAutoConfiguration.class, HooksObservationAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, Tools::new)
		.withBean("pre", PreToolHook.class, () -> CallObservationsTests::decide);

	private final ApplicationContextRunner contextRunner = this.bare.withBean(ObservationRegistry.class,
			() -> this.registry);

	CallObservationsTests() {
		this.registry.observationConfig().observationHandler(this.observed);
	}

	private static ToolDecision decide(ToolCall call) {
		return switch (call.tool()) {
			case "deny" -> ToolDecision.deny("because");
			case "modify" -> ToolDecision.modify(Map.of("path", SECRET + "2"));
			case "respond" -> ToolDecision.respond(ToolResult.success(SECRET));
			case "abort" -> ToolDecision.abortTurn("enough");
			case "broken" -> throw new IllegalStateException(SECRET);
			case "ask" -> ToolDecision.ask("May it?");
			default -> ToolDecision.approve();
		};
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of("path", SECRET),
				CallContext.ofSession("s1").withRunId("r1").withAgent("clerk"));
	}

	private void run(ApplicationContextRunner runner, Consumer<ApplicationContext> test) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
		assertThat(this.observed.openScopes()).isZero();
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	static Stream<Arguments> traceSaysHowACallEnded() {
		return Stream.of(Arguments.of("read", "succeeded", "approve", "none", null, null),
				Arguments.of("modify", "succeeded", "modify", "pre", null, null),
				Arguments.of("respond", "answered", "respond", "pre", null, null),
				Arguments.of("deny", "denied", "deny", "pre", "because", "The call was denied by 'pre'"),
				Arguments.of("abort", "aborted", "abort", "pre", "enough", "The call was aborted by 'pre'"),
				Arguments.of("ask", "denied", "deny", "pre", "The approver neither approved nor denied",
						"The call was denied by 'pre'"),
				Arguments.of("broken", "denied", "deny", "pre", "The hook failed", "The call was denied by 'pre'"),
				Arguments.of("fail", "failed", "approve", "none", null, "A failure was reported"), Arguments.of("throw",
						"failed", "approve", "none", null, "Failed with java.lang.IllegalArgumentException"));
	}

	@ParameterizedTest
	@MethodSource
	void traceSaysHowACallEnded(String tool, String outcome, String verdict, String decidedBy, @Nullable String reason,
			@Nullable String error) {
		run(this.contextRunner, (context) -> {
			ToolCall call = call(tool);
			Throwable unused = catchThrowable(() -> context.getBean(ToolExecutor.class).execute(call));
			Observation.Context span = this.observed.only("hooks.tool.call");
			assertThat(span.getContextualName()).isEqualTo("tool_call " + tool);
			assertThat(RecordedObservations.low(span, "hooks.tool")).isEqualTo(tool);
			assertThat(RecordedObservations.low(span, "hooks.outcome")).isEqualTo(outcome);
			assertThat(RecordedObservations.low(span, "hooks.verdict")).isEqualTo(verdict);
			assertThat(RecordedObservations.low(span, "hooks.decided_by")).isEqualTo(decidedBy);
			assertThat(RecordedObservations.value(span, "hooks.call.id")).isEqualTo(call.id());
			assertThat(RecordedObservations.value(span, "hooks.session.id")).isEqualTo("s1");
			assertThat(RecordedObservations.value(span, "hooks.run.id")).isEqualTo("r1");
			if (!tool.equals("ask")) {
				assertThat(RecordedObservations.value(span, "hooks.reason")).isEqualTo(reason);
			}
			assertThat((span.getError() != null) ? span.getError().getMessage() : null).isEqualTo(error);
			Observation.Context hook = this.observed.only("hooks.hook");
			assertThat(RecordedObservations.parent(hook)).isSameAs(span);
			assertThat(hook.getContextualName()).isEqualTo("hook pre");
			assertThat(RecordedObservations.low(hook, "hooks.hook.type")).isEqualTo("bean");
			assertThat(RecordedObservations.low(hook, "hooks.hook.part")).isEqualTo("decide");
			assertThat(this.observed.all()).allSatisfy((any) -> {
				assertThat(RecordedObservations.text(any)).doesNotContain(SECRET);
				assertThat(any.getLowCardinalityKeyValues().stream().map(Object::toString)).noneMatch(
						(value) -> value.contains("because") || value.contains("enough") || value.contains("s1"));
			});
		});
	}

	@Test
	void unknownToolAndKillSwitchAreErrorsOnTheTrace() {
		run(this.contextRunner, (context) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			chain.refuse(call("invented"), BuiltInDecider.UNKNOWN_TOOL.value(), "There is no such tool");
			chain.setToolsEnabled(false);
			context.getBean(ToolExecutor.class).execute(call("read"));
			assertThat(this.observed.named("hooks.tool.call"))
				.extracting((span) -> RecordedObservations.low(span, "hooks.tool"),
						(span) -> RecordedObservations.low(span, "hooks.outcome"),
						(span) -> RecordedObservations.low(span, "hooks.decided_by"))
				.containsExactly(tuple("unknown", "denied", "unknown-tool"), tuple("read", "disabled", "kill-switch"));
			assertThat(this.observed.named("hooks.tool.call"))
				.allSatisfy((span) -> assertThat(span.getError()).isNotNull());
		});
	}

	@Test
	void toolRunsWithinTheObservationOfItsCall() {
		run(this.contextRunner.withBean("inner", ToolExecutor.class, () -> (call) -> {
			Observation.createNotStarted("tool.work", this.registry).observe(() -> {
			});
			return ToolResult.success("");
		}), (context) -> {
			Observation around = Observation.start("agent", this.registry);
			around.scoped(() -> context.getBean("inner", ToolExecutor.class).execute(call("read")));
			around.stop();
			Observation.Context span = this.observed.only("hooks.tool.call");
			assertThat(RecordedObservations.parent(this.observed.only("tool.work"))).isSameAs(span);
			assertThat(RecordedObservations.parent(span).getName()).isEqualTo("agent");
		});
	}

	@Test
	void namesThatAModelInventsAreOfNoLowCardinality() { // O01, P29
		run(this.contextRunner, (context) -> {
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			IntStream.range(0, 10_000).forEach((i) -> tools.execute(call("invented" + i)));
			Set<KeyValues> low = this.observed.named("hooks.tool.call")
				.stream()
				.map(Observation.Context::getLowCardinalityKeyValues)
				.collect(Collectors.toSet());
			assertThat(this.observed.named("hooks.tool.call")).hasSize(10_000);
			assertThat(low).singleElement().asString().contains("hooks.tool=unknown");
			assertThat(this.observed.named("hooks.tool.call")).extracting(Observation.Context::getContextualName)
				.containsOnly("tool_call unknown");
		});
	}

	@Test
	void toolHasTheSameNameInMetricsAndTraces() {
		run(this.contextRunner.withBean(MeterRegistry.class, () -> this.meters)
			.withBean("other", ToolExecutor.class, () -> (call) -> ToolResult.success("")), (context) -> {
				ToolExecutor other = context.getBean("other", ToolExecutor.class);
				IntStream.range(0, 300).forEach((i) -> other.execute(call("invented" + i)));
				assertThat(this.observed.named("hooks.tool.call")
					.stream()
					.map((span) -> RecordedObservations.low(span, "hooks.tool"))
					.collect(Collectors.toSet()))
					.hasSizeLessThan(150)
					.isEqualTo(this.meters.find("hooks.tool.call")
						.timers()
						.stream()
						.map((timer) -> timer.getId().getTag("tool"))
						.collect(Collectors.toSet()));
			});
	}

	static Stream<Arguments> noCallAndNoHookIsMeasuredTwice() {
		Function<MeterRegistry, ObservationHandler<Observation.Context>> usual = DefaultMeterObservationHandler::new;
		return Stream.of(Arguments.of("Spring Boot's handler", null, false),
				Arguments.of("a handler beside it", new Beside(Ordered.LOWEST_PRECEDENCE, usual), false),
				Arguments.of("a handler that wants to be first", new Beside(Ordered.HIGHEST_PRECEDENCE, usual), true),
				Arguments.of("a handler of which nobody knows that it makes meters",
						new Beside(0, (meters) -> new Hidden(usual.apply(meters))), true),
				Arguments.of("a handler that is no bean", new Beside(null, usual), true));
	}

	/**
	 * A meter that is denied is asked for at each call, under a lock.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void noCallAndNoHookIsMeasuredTwice(String name, @Nullable Beside beside, boolean denies) {
		Queue<String> looked = new ConcurrentLinkedQueue<>();
		this.meters.config().meterFilter(MeterFilter.accept((id) -> {
			boolean unused = id.getName().startsWith("hooks.") && looked.add(id.getName());
			return false;
		}));
		ApplicationContextRunner runner = this.contextRunner.withBean(MeterRegistry.class, () -> this.meters)
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, ObservationAutoConfiguration.class));
		if (beside != null && beside.order() != null) {
			runner = runner.withBean("beside", ObservationHandler.class, () -> beside.of(this.meters),
					(definition) -> definition.setAttribute(AbstractBeanDefinition.ORDER_ATTRIBUTE, beside.order()));
		}
		run(runner, (context) -> {
			if (beside != null && beside.order() == null) {
				this.registry.observationConfig().observationHandler(beside.of(this.meters));
			}
			callEverything(context);
			assertThat(count("hooks.tool.call")).isEqualTo(6);
			assertThat(count("hooks.hook", "pre")).isEqualTo(6);
			assertThat(count("hooks.llm.call")).isEqualTo(1);
			assertThat(count("hooks.run")).isEqualTo(1);
			assertThat(count("something.else")).isPositive();
			assertThat(this.meters.find("hooks.tool.call").timers())
				.allSatisfy((timer) -> assertThat(timer.getId().getTags()).extracting("key")
					.containsExactlyInAnyOrder("tool", "outcome", "hook"));
			assertThat(this.meters.getMeters()).extracting((meter) -> meter.getId().getName())
				.doesNotContain("hooks.tool.call.active", "hooks.hook.active", "hooks.llm.call.active",
						"hooks.run.active")
				.contains("something.else.active");
			assertThat(this.observed.named("hooks.tool.call")).hasSize(6);
			looked.clear();
			callEverything(context);
			assertThat(count("hooks.tool.call")).isEqualTo(12);
			assertThat(looked.isEmpty()).as("no meter is looked for under the lock, but " + looked).isEqualTo(!denies);
		});
	}

	private void callEverything(ApplicationContext context) {
		for (String tool : List.of("read", "deny", "respond", "throw", "abort", "read")) {
			Throwable unused = catchThrowable(() -> context.getBean(ToolExecutor.class).execute(call(tool)));
		}
		context.getBean(LlmHookChain.class)
			.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> LlmResponse.of("hello"));
		context.getBean(RunHookChain.class).begin(AgentRun.of("do", CallContext.empty())).finish("done", null);
		Observation.createNotStarted("something.else", this.registry).observe(() -> {
		});
	}

	private long count(String name, String... hook) {
		return this.meters.find(name)
			.timers()
			.stream()
			.filter((timer) -> hook.length == 0 || hook[0].equals(timer.getId().getTag("hook")))
			.mapToLong(Timer::count)
			.sum();
	}

	@Test
	void meterOfAHandlerOfTheApplicationStays() {
		run(this.contextRunner.withBean(MeterRegistry.class, () -> this.meters), (context) -> {
			this.registry.observationConfig().observationHandler((Observation.Context any) -> {
				this.meters.counter("our.denials").increment();
				return false;
			});
			context.getBean(ToolExecutor.class).execute(call("deny"));
			assertThat(this.meters.get("our.denials").meter().getId().getType()).isEqualTo(Meter.Type.COUNTER);
		});
	}

	@Test
	void modelCallsAndRunsAreObserved() {
		run(this.contextRunner, (context) -> {
			LlmHookChain models = context.getBean(LlmHookChain.class);
			models.execute(LlmCall.of(LlmMessage.user(SECRET)), (call) -> LlmResponse.of(SECRET));
			Throwable unused = catchThrowable(() -> models.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> {
				throw new IllegalStateException(SECRET);
			}));
			context.getBean(RunHookChain.class)
				.begin(AgentRun.of(SECRET, CallContext.ofSession("s1")))
				.finish(SECRET, null);
			assertThat(this.observed.named("hooks.llm.call"))
				.extracting((span) -> RecordedObservations.low(span, "hooks.outcome"),
						(span) -> span.getError() != null)
				.containsExactly(tuple("succeeded", false), tuple("failed", true));
			assertThat(RecordedObservations.value(this.observed.only("hooks.run"), "hooks.session.id")).isEqualTo("s1");
			assertThat(this.observed.all()).hasSize(3)
				.allSatisfy((span) -> assertThat(RecordedObservations.text(span)).doesNotContain(SECRET)
					.doesNotContain("hooks.tool"));
		});
	}

	@Test
	void hookWhoseDeciderDidNotAnswerHasFailed() {
		ToolCall call = ToolCall.of("read", Map.of());
		ToolDecision decision = NoVerdictMode.ofToolCalls("pre", false, false).decide(call, () -> {
			throw NoVerdictException.failure("The webhook cannot be reached");
		});
		HookObservationContext context = new HookObservationContext(call, "pre", "webhook", HookPart.DECIDE);
		context.end(decision);
		assertThat(new DefaultHookObservationConvention().getLowCardinalityKeyValues(context))
			.contains(KeyValue.of("hooks.verdict", "failed"));
	}

	@Test
	void learningHooksAreObservedWithoutThoseOfTheLibrary() {
		run(this.contextRunner.withBean(MeterRegistry.class, () -> this.meters)
			.withBean("post", PostToolHook.class, () -> (outcome) -> {
			})
			.withBean("failing", PostToolHook.class, () -> (outcome) -> {
				throw new IllegalStateException(SECRET);
			}), (context) -> {
				context.getBean(ToolExecutor.class).execute(call("read"));
				assertThat(this.observed.named("hooks.hook"))
					.extracting(Observation.Context::getContextualName,
							(span) -> RecordedObservations.low(span, "hooks.hook.part"),
							(span) -> RecordedObservations.low(span, "hooks.verdict"))
					.containsExactlyInAnyOrder(tuple("hook pre", "decide", "approve"),
							tuple("hook post", "learn", "none"), tuple("hook failing", "learn", "failed"));
				assertThat(this.observed.all())
					.allSatisfy((span) -> assertThat(RecordedObservations.text(span)).doesNotContain(SECRET));
			});
	}

	@Test
	void genaiAttributesAreThereIfTheyAreWanted() {
		CallContext caller = CallContext.ofSession("s1")
			.withAgent("clerk")
			.withAttribute(CallAttributes.PROVIDER_CALL_ID, "call_1");
		run(this.contextRunner,
				(context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("deny", Map.of(), caller)));
		assertThat(RecordedObservations.text(this.observed.only("hooks.tool.call"))).doesNotContain("gen_ai.");
		RecordedObservations genai = new RecordedObservations();
		ObservationRegistry other = ObservationRegistry.create();
		other.observationConfig().observationHandler(genai);
		run(this.bare.withBean(ObservationRegistry.class, () -> other)
			.withPropertyValues("hooks.observation.genai_attributes=true"),
				(context) -> context.getBean(ToolExecutor.class).execute(ToolCall.of("deny", Map.of(), caller)));
		Observation.Context span = genai.only("hooks.tool.call");
		assertThat(span.getHighCardinalityKeyValues()
			.stream()
			.collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue))).containsEntry("gen_ai.tool.name", "deny")
			.containsEntry("gen_ai.tool.call.id", "call_1")
			.containsEntry("gen_ai.tool.type", "function")
			.containsEntry("gen_ai.conversation.id", "s1")
			.containsEntry("gen_ai.agent.name", "clerk")
			.containsEntry("error.type", "denied")
			.doesNotContainKey("gen_ai.operation.name");
	}

	@Test
	void conventionsOfTheApplicationReplaceTheUsual() {
		CallObservationConvention calls = new DefaultCallObservationConvention() {

			@Override
			public String getName() {
				return "agent.calls";
			}

			@Override
			public KeyValues getLowCardinalityKeyValues(CallObservationContext context) {
				return KeyValues.of("kind", context.getKind().name());
			}

		};
		HookObservationConvention hooks = new DefaultHookObservationConvention() {

			@Override
			public KeyValues getLowCardinalityKeyValues(HookObservationContext context) {
				return KeyValues.of("which", context.getHook());
			}

		};
		run(this.contextRunner.withBean(CallObservationConvention.class, () -> calls)
			.withBean(HookObservationConvention.class, () -> hooks), (context) -> {
				context.getBean(ToolExecutor.class).execute(call("read"));
				assertThat(this.observed.only("agent.calls").getLowCardinalityKeyValues())
					.isEqualTo(KeyValues.of("kind", "TOOL_CALL"));
				assertThat(this.observed.only("hooks.hook").getLowCardinalityKeyValues())
					.isEqualTo(KeyValues.of("which", "pre"));
			});
	}

	@Test
	void globalConventionReplacesTheUsual() {
		this.registry.observationConfig().observationConvention(new Global());
		run(this.contextRunner, (context) -> {
			context.getBean(ToolExecutor.class).execute(call("read"));
			assertThat(this.observed.only("global.name").getLowCardinalityKeyValues()).isEqualTo(KeyValues.empty());
		});
	}

	static Stream<Arguments> traceNamesTheRuleThatDecidedAndWhereItIsWritten() {
		HookRule rule = new HookRule("deny_argument_patterns", "application.yaml:12:22");
		return Stream.of(Arguments.of(ToolDecision.deny("no").withRule(rule), rule.name(), rule.origin()),
				Arguments.of(ToolDecision.deny("no").withRule(HookRule.of("house")), "house", null),
				Arguments.of(ToolDecision.deny("no").withRule(new HookRule("a\nb", "c\u202Ed")), "a b", "c d"),
				Arguments.of(ToolDecision.ask("May it?").withRule(rule), rule.name(), rule.origin()),
				Arguments.of(ToolDecision.abortTurn("enough").withRule(rule), rule.name(), rule.origin()),
				Arguments.of(ToolDecision.deny("no"), null, null), Arguments.of(ToolDecision.approve(), null, null));
	}

	@ParameterizedTest
	@MethodSource
	void traceNamesTheRuleThatDecidedAndWhereItIsWritten(ToolDecision decision, @Nullable String rule,
			@Nullable String origin) {
		run(this.contextRunner.withBean("rules", PreToolHook.class, () -> (call) -> decision), (context) -> {
			Throwable unused = catchThrowable(() -> context.getBean(ToolExecutor.class).execute(call("read")));
			Observation.Context hook = this.observed.named("hooks.hook")
				.stream()
				.filter((one) -> "hook rules".equals(one.getContextualName()))
				.findFirst()
				.orElseThrow();
			for (Observation.Context span : List.of(this.observed.only("hooks.tool.call"), hook)) {
				assertThat(RecordedObservations.value(span, "hooks.rule")).isEqualTo(rule);
				assertThat(RecordedObservations.value(span, "hooks.rule.origin")).isEqualTo(origin);
				assertThat(span.getLowCardinalityKeyValues().toString()).doesNotContain("hooks.rule");
			}
		});
	}

	@Test
	void secretsInReasonsDoNotReachTheTrace() {
		String token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
		run(this.contextRunner.withBean("leaking", PreToolHook.class,
				() -> (call) -> ToolDecision.deny("No calls with " + token)), (context) -> {
					context.getBean(ToolExecutor.class).execute(call("read"));
					assertThat(RecordedObservations.value(this.observed.only("hooks.tool.call"), "hooks.reason"))
						.startsWith("No calls with ")
						.doesNotContain(token);
					assertThat(this.observed.all()).hasSize(3)
						.allSatisfy((span) -> assertThat(RecordedObservations.text(span)).doesNotContain(token));
				});
	}

	static Stream<Arguments> handlerThatThrowsChangesNeitherTheThreadNorTheCall() {
		return Stream.of("onStart", "onScopeOpened", "onScopeClosed", "onError", "onStop")
			.flatMap((method) -> Stream.of("hooks.tool.call", "hooks.hook")
				.flatMap((name) -> Stream.of("read", "deny", "throw")
					.flatMap((tool) -> Stream.of(true, false)
						.map((within) -> Arguments.of(method, name, tool, within)))));
	}

	/**
	 * The tool and later hooks have no dead observation either.
	 */
	@ParameterizedTest
	@MethodSource
	void handlerThatThrowsChangesNeitherTheThreadNorTheCall(String method, String name, String tool, boolean within) {
		RecordedObservations first = new RecordedObservations();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(first).observationHandler(throwing(method, name));
		List<String> seen = new CopyOnWriteArrayList<>();
		run(this.bare.withBean(ObservationRegistry.class, () -> registry)
			.withBean("looking", PreToolHook.class, () -> (call) -> {
				seen.add(currentName(registry));
				return ToolDecision.approve();
			}), (context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				Observation around = Observation.createNotStarted("around", registry);
				Observation.Scope scope = (within) ? around.start().openScope() : Observation.Scope.NOOP;
				for (int i = 0; i < 2; i++) {
					String outcome;
					try {
						outcome = String.valueOf(tools.execute(call(tool)).succeeded());
					}
					catch (IllegalArgumentException ex) {
						outcome = "thrown";
					}
					assertThat(outcome).isEqualTo(Map.of("read", "true", "deny", "false", "throw", "thrown").get(tool));
					assertThat(registry.getCurrentObservation()).isSameAs((within) ? around : null);
					if (!method.equals("onScopeClosed")) {
						assertThat(first.openScopes()).isEqualTo((within) ? 1 : 0);
					}
				}
				scope.close();
				assertThat(registry.getCurrentObservation()).isNull();
			});
		assertThat(seen).isSubsetOf("hooks.hook", "hooks.tool.call", (within) ? "around" : "nothing");
		if (method.startsWith("onScope")) {
			assertThat(first.named("hooks.hook")).as("stopped").isNotEmpty();
			assertThat(first.named("hooks.tool.call")).as("stopped").hasSize(2);
		}
	}

	private static String currentName(ObservationRegistry registry) {
		Observation current = registry.getCurrentObservation();
		return (current != null) ? String.valueOf(current.getContext().getName()) : "nothing";
	}

	private static ObservationHandler<Observation.Context> throwing(String method, String name) {
		return new ObservationHandler<>() {

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

			private void perhapsThrow(String here, Observation.Context context) {
				if (here.equals(method) && name.equals(context.getName())) {
					throw new IllegalStateException(here);
				}
			}

			@Override
			public void onStart(Observation.Context context) {
				perhapsThrow("onStart", context);
			}

			@Override
			public void onError(Observation.Context context) {
				perhapsThrow("onError", context);
			}

			@Override
			public void onScopeOpened(Observation.Context context) {
				perhapsThrow("onScopeOpened", context);
			}

			@Override
			public void onScopeClosed(Observation.Context context) {
				perhapsThrow("onScopeClosed", context);
			}

			@Override
			public void onStop(Observation.Context context) {
				perhapsThrow("onStop", context);
			}

		};
	}

	@Test
	void predicateOfTheApplicationSwitchesObservationsOffByName() {
		this.registry.observationConfig()
			.observationPredicate((name, context) -> !Objects.requireNonNull(name).startsWith("hooks."));
		run(this.contextRunner, (context) -> {
			assertThat(context.getBean(ToolExecutor.class).execute(call("read")).succeeded()).isTrue();
			assertThat(this.observed.all()).isEmpty();
		});
	}

	@Test
	void propertySwitchesObservationsOff() {
		run(this.contextRunner.withPropertyValues("hooks.observation.enabled=false"), (context) -> {
			context.getBean(ToolExecutor.class).execute(call("read"));
			assertThat(this.observed.all()).isEmpty();
		});
	}

	@Test
	void unknownOptionStopsTheStart() {
		this.contextRunner.withPropertyValues("hooks.observation.genai=true")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("genai"));
	}

	@Test
	void callsPassWithoutARegistryAndWithoutMicrometer() {
		run(this.bare, (context) -> assertThat(context.getBean(ToolExecutor.class).execute(call("read")).succeeded())
			.isTrue());
		run(this.bare.withClassLoader(new FilteredClassLoader("io.micrometer")),
				(context) -> assertThat(context.getBean(ToolExecutor.class).execute(call("read")).succeeded())
					.isTrue());
		run(this.bare.withClassLoader(new FilteredClassLoader("io.micrometer.core", "jdk.jfr"))
			.withBean(ObservationRegistry.class, () -> this.registry), (context) -> {
				context.getBean(ToolExecutor.class).execute(call("read"));
				assertThat(this.observed.named("hooks.tool.call")).hasSize(1);
			});
	}

	@Test
	void twoRegistriesStopTheStart() {
		this.contextRunner.withBean("another", ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOf(NoUniqueBeanDefinitionException.class));
	}

	static Stream<HooksObservationDocumentation> documentedKeysAreThoseThatAreSet() {
		return Stream.of(HooksObservationDocumentation.values());
	}

	@ParameterizedTest
	@MethodSource
	void documentedKeysAreThoseThatAreSet(HooksObservationDocumentation documentation) {
		run(this.contextRunner.withPropertyValues("hooks.observation.genai_attributes=true"), (context) -> {
			context.getBean(ToolExecutor.class).execute(call("deny"));
			context.getBean(LlmHookChain.class)
				.execute(LlmCall.of(LlmMessage.user("hi")), (call) -> LlmResponse.of("hello"));
			context.getBean(RunHookChain.class).begin(AgentRun.of("do", CallContext.empty())).finish("done", null);
			Observation.Context span = this.observed.only(Objects.requireNonNull(documentation.getName()));
			assertThat(span.getLowCardinalityKeyValues().stream().map(KeyValue::getKey))
				.containsExactlyInAnyOrderElementsOf(
						Stream.of(documentation.getLowCardinalityKeyNames()).map((key) -> key.asString()).toList());
			assertThat(span.getHighCardinalityKeyValues().stream().map(KeyValue::getKey).toList()).isSubsetOf(
					Stream.of(documentation.getHighCardinalityKeyNames()).map((key) -> key.asString()).toList());
		});
	}

	/**
	 * A handler of the application that makes meters of all observations.
	 *
	 * @param order its order as a bean, or {@code null} if it is none
	 * @param maker makes it
	 */
	record Beside(@Nullable Integer order, Function<MeterRegistry, ObservationHandler<Observation.Context>> maker) {

		ObservationHandler<Observation.Context> of(MeterRegistry meters) {
			return this.maker.apply(meters);
		}

	}

	/**
	 * A handler of which Spring Boot does not know that it makes meters.
	 */
	private record Hidden(
			ObservationHandler<Observation.Context> handler) implements ObservationHandler<Observation.Context> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStart(Observation.Context context) {
			this.handler.onStart(context);
		}

		@Override
		public void onStop(Observation.Context context) {
			this.handler.onStop(context);
		}

	}

	private static final class Global implements GlobalObservationConvention<CallObservationContext> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof CallObservationContext;
		}

		@Override
		public String getName() {
			return "global.name";
		}

	}

	private static final class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return switch (call.tool()) {
				case "fail" -> ToolResult.failure(SECRET);
				case "throw" -> throw new IllegalArgumentException(SECRET);
				default -> ToolResult.success(SECRET);
			};
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read", "modify", "deny", "respond", "abort", "ask", "broken", "fail", "throw");
		}

	}

}
