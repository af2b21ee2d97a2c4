package io.agenthooks.spring.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelfCalls}, and for what becomes of executors with further methods.
 */
@ExtendWith(OutputCaptureExtension.class)
class SelfCallsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("nothing", PreToolHook.class, () -> (call) -> ToolDecision.deny("nothing is allowed"));

	static Stream<Arguments> classes() {
		return Stream.of(Arguments.of(Direct.class, Set.of("run(String)")),
				Arguments.of(ByHelpers.class, Set.of("all(List)", "later(String)", "nested(String)", "run(String)")),
				Arguments.of(ByParent.class, Set.of("template(String)", "doRun(ToolCall)")),
				Arguments.of(BySuper.class, Set.of("again(String)")),
				Arguments.of(OfBody.class, Set.of("overridden(String)")), Arguments.of(Innocent.class, Set.of()),
				Arguments.of(ByAnother.class,
						Set.of("field(String)", "created(String)", "statically(String)", "variable(String)",
								"itself(String)", "reference(String)", "further(String)", "choosing(String)",
								"counting(int)")),
				Arguments.of(ByAlias.class,
						Set.of("field(String)", "keptInAField(String)", "listed(String)", "varargs(String)",
								"array(String)", "streamed(String)", "consumed(String)", "optional(String)",
								"added(String)", "ofHelper(String)", "returned(String)", "parameter(String)",
								"supplied(String)", "unbound(String)", "captured(String)", "inner(String)",
								"alternative(String)", "either(String)", "everyOne(String)", "keptList(String)")),
				Arguments.of(Composite.class, Set.of()));
	}

	@ParameterizedTest
	@MethodSource("classes")
	void methodsThatCallTheirOwnExecutorAreFound(Class<?> type, Set<String> methods) {
		assertThat(SelfCalls.of(type, false)).containsExactlyInAnyOrderElementsOf(methods);
	}

	@Test
	void methodOfARecordCountsOnlyIfAnInterfaceHasIt() {
		assertThat(SelfCalls.of(RecordTools.class, true)).containsExactly("run(String)");
	}

	@Test
	void startSaysWhichMethodsEvadeTheGuard(CapturedOutput output) {
		ApplicationContextRunner telling = this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=warn");
		telling.withBean("tools", Direct.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("bean 'tools' of type " + Direct.class.getName()
					+ ": its method run(String) calls 'execute' itself");
		});
	}

	@Test
	void startStopsUnlessThatIsOnlyToBeTold() {
		this.contextRunner.withBean("tools", Direct.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("run(String)")
				.hasMessageContaining("Let others call 'execute'")
				.hasMessageContaining("set 'hooks.tool_call.unguarded' to 'warn'"));
	}

	@Test
	void nothingIsSaidOfOrdinaryExecutors(CapturedOutput output) {
		this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=deny")
			.withBean("tools", Innocent.class)
			.withBean("lambda", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("calls 'execute' itself");
			});
	}

	@Test
	void methodsThatOnlyAnInterfaceHasAreGuarded() {
		this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=deny")
			.withBean("extensible", NamedTools.class, OfInterface::new)
			.withBean("record", NamedTools.class, () -> new OfRecord("x"))
			.withBean("lambda", NamedTools.class, () -> (call) -> ToolResult.success("ran"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(NamedTools.class)).hasSize(3)
					.allSatisfy((name, tools) -> assertThat(tools.byName("t").content()).as(name)
						.contains("nothing is allowed"))
					.allSatisfy((name, tools) -> assertThat(tools.greet("you")).as(name).startsWith("Hello you"));
			});
	}

	@Test
	void methodsThatOnlyAnInterfaceOfJavaHasAreGuarded() {
		this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=deny")
			.withBean("extensible", ToolFunction.class, OfFunction::new)
			.withBean("record", ToolFunction.class, () -> new RecordOfFunction("x"))
			.withBean("lambda", ToolFunction.class, () -> (call) -> ToolResult.success("ran"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(ToolFunction.class)).hasSize(3)
					.allSatisfy((name,
							tools) -> assertThat(tools.andThen(ToolResult::content).apply(ToolCall.of("t", Map.of())))
								.as(name)
								.contains("nothing is allowed"));
			});
	}

	interface ToolFunction extends ToolExecutor, Function<ToolCall, ToolResult> {

		@Override
		default ToolResult apply(ToolCall call) {
			return execute(call);
		}

	}

	static class OfFunction implements ToolFunction {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	record RecordOfFunction(String name) implements ToolFunction {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	interface NamedTools extends ToolExecutor {

		default ToolResult byName(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

		default String greet(String name) {
			return "Hello " + name + toolNames();
		}

	}

	static class OfInterface implements NamedTools {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	record OfRecord(String name) implements NamedTools {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	interface Running {

		ToolResult run(String name);

	}

	record RecordTools(String name) implements ToolExecutor, Running {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		@Override
		public ToolResult run(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

		ToolResult unreachable(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

	}

	static class Direct implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		ToolResult run(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

	}

	static class ByHelpers implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		ToolResult run(String name) {
			return helper(name);
		}

		List<ToolResult> all(List<ToolCall> calls) {
			return calls.stream().map(this::execute).toList();
		}

		protected Supplier<ToolResult> later(String name) {
			return () -> helper(name);
		}

		Supplier<ToolResult> nested(String name) {
			return new Supplier<>() {

				@Override
				public ToolResult get() {
					return execute(ToolCall.of(name, Map.of()));
				}

			};
		}

		private ToolResult helper(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

	}

	abstract static class Template implements ToolExecutor {

		ToolResult template(String name) {
			return doRun(ToolCall.of(name, Map.of()));
		}

		ToolResult doRun(ToolCall call) {
			return ToolResult.success("not run");
		}

	}

	static class ByParent extends Template {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		@Override
		ToolResult doRun(ToolCall call) {
			return execute(call);
		}

	}

	static class BySuper extends Innocent {

		ToolResult again(String name) {
			return super.execute(ToolCall.of(name, Map.of()));
		}

	}

	static class OfBody implements NamedTools {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		ToolResult overridden(String name) {
			return byName(name);
		}

	}

	/**
	 * Hands itself to another object, which calls it.
	 */
	static class ByAnother implements ToolExecutor {

		private final Helper helper = new Helper((call) -> ToolResult.success("helper"));

		private final ToolExecutor other = (call) -> ToolResult.success("other");

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success(call.tool());
		}

		ToolResult field(String name) {
			return this.helper.go(this, name);
		}

		ToolResult created(String name) {
			return new Helper(this).byField(name);
		}

		ToolResult statically(String name) {
			return Helper.now(name, this);
		}

		ToolResult variable(String name) {
			ToolExecutor self = this;
			return Helper.now(name, self);
		}

		ToolResult itself(String name) {
			ToolExecutor self = this;
			return self.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult reference(String name) {
			ToolExecutor self = this;
			Function<ToolCall, ToolResult> run = self::execute;
			return run.apply(ToolCall.of(name, Map.of()));
		}

		ToolResult further(String name) {
			return Helper.further(this, name);
		}

		ToolResult choosing(String name) {
			return this.helper.go(this, (name.isEmpty()) ? "t" : name);
		}

		ToolResult counting(int number) {
			return this.helper.goFar(this, number + 1);
		}

		ToolResult innocentlyChoosing(String name) {
			return this.helper.go(this.other, (name.isEmpty()) ? "t" : name);
		}

		ToolResult innocent(String name) {
			return this.helper.go(this.other, name);
		}

		String described() {
			return Helper.describe(this);
		}

	}

	/**
	 * Calls itself by another name.
	 */
	static class ByAlias implements ToolExecutor {

		private final ToolExecutor self = this;

		private final List<ToolExecutor> all = List.of(this);

		private final List<ToolExecutor> added = new ArrayList<>();

		private final Helper helper = new Helper(this);

		private final ToolExecutor other = (call) -> ToolResult.success("other");

		private ToolExecutor kept = this.other;

		void init() {
			this.kept = this;
			this.added.add(this);
		}

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success(call.tool());
		}

		ToolResult field(String name) {
			return this.self.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult keptInAField(String name) {
			return this.kept.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult listed(String name) {
			return List.of(this).get(0).execute(ToolCall.of(name, Map.of()));
		}

		ToolResult keptList(String name) {
			ToolResult last = ToolResult.success("none");
			for (ToolExecutor tools : this.all) {
				last = tools.execute(ToolCall.of(name, Map.of()));
			}
			return last;
		}

		ToolResult varargs(String name) {
			return Helper.first(this.other, this).execute(ToolCall.of(name, Map.of()));
		}

		ToolResult either(String name) {
			return Helper.now(name, (name.isEmpty()) ? this : this.other);
		}

		ToolResult everyOne(String name) {
			return Helper.every(name, this.other, this);
		}

		ToolResult array(String name) {
			ToolExecutor[] tools = { this.other, this };
			return tools[1].execute(ToolCall.of(name, Map.of()));
		}

		List<ToolResult> streamed(String name) {
			return Stream.of(this.other, this).map((tools) -> tools.execute(ToolCall.of(name, Map.of()))).toList();
		}

		void consumed(String name) {
			this.all.forEach((tools) -> tools.execute(ToolCall.of(name, Map.of())));
		}

		ToolResult optional(String name) {
			ToolCall call = ToolCall.of(name, Map.of());
			return Optional.<ToolExecutor>of(this).map((tools) -> tools.execute(call)).orElseThrow();
		}

		ToolResult added(String name) {
			return this.added.get(0).execute(ToolCall.of(name, Map.of()));
		}

		ToolResult ofHelper(String name) {
			return this.helper.byField(name);
		}

		ToolResult returned(String name) {
			return tools().execute(ToolCall.of(name, Map.of()));
		}

		private ToolExecutor tools() {
			return (this.added.isEmpty()) ? this.other : this;
		}

		ToolResult parameter(String name) {
			return run(this, name);
		}

		private static ToolResult run(ToolExecutor tools, String name) {
			return tools.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult supplied(String name) {
			Supplier<ToolExecutor> tools = () -> this;
			return tools.get().execute(ToolCall.of(name, Map.of()));
		}

		ToolResult unbound(String name) {
			BiFunction<ToolExecutor, ToolCall, ToolResult> run = ToolExecutor::execute;
			return run.apply(this, ToolCall.of(name, Map.of()));
		}

		Supplier<ToolResult> captured(String name) {
			ToolExecutor tools = this;
			return () -> tools.execute(ToolCall.of(name, Map.of()));
		}

		Supplier<ToolResult> inner(String name) {
			ToolExecutor tools = this;
			return new Supplier<>() {

				@Override
				public ToolResult get() {
					return tools.execute(ToolCall.of(name, Map.of()));
				}

			};
		}

		ToolResult alternative(String name) {
			ToolExecutor tools = (name.isEmpty()) ? this.other : this;
			return tools.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult innocent(ToolCall call) {
			return this.other.execute(call);
		}

	}

	/**
	 * Runs other executors, and hands itself to what calls no executor.
	 */
	static class Composite implements ToolExecutor {

		private final List<ToolExecutor> others = new ArrayList<>();

		private final List<Object> started = new ArrayList<>();

		private final Helper helper = new Helper((call) -> ToolResult.success("helper"));

		@Override
		public ToolResult execute(ToolCall call) {
			return this.others.get(0).execute(call);
		}

		void start() {
			Objects.requireNonNull(this);
			this.started.add(this);
			this.started.forEach((one) -> Objects.requireNonNull(one.toString()));
			this.others.removeIf((one) -> one.equals(this));
		}

		void add(ToolExecutor other) {
			this.others.add(other);
		}

		String all(String name) {
			StringBuilder text = new StringBuilder(this.started.size() + " of " + this);
			for (ToolExecutor other : this.others) {
				text.append(other.execute(ToolCall.of(name, Map.of())).content());
			}
			return text + String.format("%s %s", name, this);
		}

		List<ToolResult> streamed(ToolCall call) {
			return this.others.stream().map((other) -> other.execute(call)).toList();
		}

		ToolResult ofHelper(String name) {
			return this.helper.byField(this + name);
		}

		ToolResult later(ToolCall call) {
			Supplier<ToolResult> run = () -> this.others.get(this.started.size()).execute(call);
			return run.get();
		}

	}

	static class Innocent implements ToolExecutor {

		private final List<String> log = new ArrayList<>();

		private final ToolExecutor other = (call) -> ToolResult.success("other");

		@Override
		public ToolResult execute(ToolCall call) {
			return run(call.tool());
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("t");
		}

		ToolResult run(String name) {
			this.log.add(name);
			return ToolResult.success("ran");
		}

		ToolResult passOn(ToolCall call) {
			return this.other.execute(call);
		}

	}

	/**
	 * Knows executors by their interface only.
	 */
	static class Helper {

		private final ToolExecutor tools;

		Helper(ToolExecutor tools) {
			this.tools = tools;
		}

		ToolResult byField(String name) {
			return this.tools.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult go(ToolExecutor tools, String name) {
			return tools.execute(ToolCall.of(name, Map.of()));
		}

		ToolResult goFar(ToolExecutor tools, int number) {
			return tools.execute(ToolCall.of("t" + number, Map.of()));
		}

		static ToolResult now(String name, ToolExecutor tools) {
			return tools.execute(ToolCall.of(name, Map.of()));
		}

		static ToolExecutor first(ToolExecutor... tools) {
			return tools[0];
		}

		static ToolResult every(String name, ToolExecutor... tools) {
			return Stream.of(tools).map((one) -> one.execute(ToolCall.of(name, Map.of()))).toList().get(0);
		}

		static ToolResult further(ToolExecutor tools, String name) {
			return now(name, tools);
		}

		static String describe(ToolExecutor tools) {
			return tools.toString();
		}

	}

}
