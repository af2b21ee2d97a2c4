package io.agenthooks.spring.executor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import reactor.core.publisher.Mono;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FurtherMethods}, and for what becomes of executors that have some.
 */
@ExtendWith(OutputCaptureExtension.class)
class FurtherMethodsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("nothing", PreToolHook.class, () -> (call) -> ToolDecision.deny("nothing is allowed"));

	static Stream<Arguments> classes() {
		return Stream.of(Arguments.of(Direct.class, Set.of("run(String)")),
				Arguments.of(OfItself.class, Set.of("first(List)")),
				Arguments.of(Many.class,
						Set.of("all(List)", "each(ToolCall[])", "later(String)", "async(String)", "reactive(ToolCall)",
								"perhaps(Optional)", "byName(Map)", "take(ToolCall)", "execute(ToolCall, int)",
								"maker()")),
				Arguments.of(OfGeneric.class, Set.of("template(Object)")),
				Arguments.of(OfJava.class, Set.of("apply(ToolCall)")),
				Arguments.of(OfBody.class, Set.of("byName(String)")),
				Arguments.of(Subclass.class, Set.of("run(String)")), Arguments.of(Innocent.class, Set.of()),
				Arguments.of(OfInterface.class, Set.of()));
	}

	@ParameterizedTest
	@MethodSource("classes")
	void publicMethodsThatTakeACallOrReturnAResultAreFound(Class<?> type, Set<String> methods) {
		assertThat(FurtherMethods.of(type, false)).containsExactlyInAnyOrderElementsOf(methods);
	}

	@Test
	void methodOfARecordCountsOnlyIfAnInterfaceHasIt() {
		assertThat(FurtherMethods.of(Records.RecordTools.class, true)).containsExactly("run(String)");
	}

	@Test
	void startSaysWhichMethodsEvadeTheGuard(CapturedOutput output) {
		ApplicationContextRunner telling = this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=warn");
		telling.withBean("tools", Direct.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("bean 'tools' of type " + Direct.class.getName()
					+ ": its method run(String) takes a call or returns a result, and what it runs passes no hooks");
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
	void executorWithSuchAMethodThatIsMadeAfterTheStartCannotBeMade() {
		this.contextRunner.withBean("tools", Direct.class, Direct::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("tools"))
					.satisfies((ex) -> assertThat(ex).hasStackTraceContaining("run(String) takes a call"));
			});
	}

	@Test
	void nothingIsSaidOfOrdinaryExecutors(CapturedOutput output) {
		this.contextRunner.withPropertyValues("hooks.tool-call.unguarded=deny")
			.withBean("tools", Innocent.class)
			.withBean("lambda", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("takes a call or returns a result");
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

	public static class OfFunction implements ToolFunction {

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

	public static class OfInterface implements NamedTools {

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

	public static final class Records {

		private Records() {
		}

		public record RecordTools(String name) implements ToolExecutor, Running {

			@Override
			public ToolResult execute(ToolCall call) {
				return ToolResult.success("ran");
			}

			@Override
			public ToolResult run(String name) {
				return execute(ToolCall.of(name, Map.of()));
			}

			public ToolResult unreachable(String name) {
				return execute(ToolCall.of(name, Map.of()));
			}

		}

	}

	public static class Direct implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		public ToolResult run(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

	}

	public static class Subclass extends Direct {

	}

	public static class Many implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		public ToolResult execute(ToolCall call, int times) {
			return execute(call);
		}

		public List<String> all(List<ToolCall> calls) {
			return calls.stream().map(this::execute).map(ToolResult::content).toList();
		}

		public int each(ToolCall... calls) {
			return all(List.of(calls)).size();
		}

		public Supplier<ToolResult> later(String name) {
			return () -> execute(ToolCall.of(name, Map.of()));
		}

		public CompletableFuture<ToolResult> async(String name) {
			return CompletableFuture.supplyAsync(later(name));
		}

		public Mono<String> reactive(ToolCall call) {
			return Mono.fromSupplier(() -> execute(call).content());
		}

		public String perhaps(Optional<ToolCall> call) {
			return call.map(this::execute).map(ToolResult::content).orElse("");
		}

		public String byName(Map<String, List<ToolCall>> calls) {
			return calls.toString();
		}

		public void take(ToolCall call) {
			execute(call);
		}

		public Function<ToolCall, ToolResult> maker() {
			return this::execute;
		}

	}

	public abstract static class Template<C, R> implements ToolExecutor {

		public R template(C call) {
			return doRun(call);
		}

		protected abstract R doRun(C call);

	}

	public static class OfGeneric extends Template<ToolCall, ToolResult> {

		@Override
		public ToolResult execute(ToolCall call) {
			return doRun(call);
		}

		@Override
		protected ToolResult doRun(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	/**
	 * Types that are made of themselves.
	 */
	public static class OfItself extends Innocent {

		public <T extends Comparable<T>> T max(List<T> values) {
			return values.get(0);
		}

		@SuppressWarnings("rawtypes")
		public String nameOf(Enum value) {
			return value.name();
		}

		public <T extends Comparable<T>> T first(List<Map<T, List<Optional<ToolCall>>>> calls) {
			return calls.get(0).keySet().iterator().next();
		}

	}

	public static class OfJava implements ToolExecutor, Function<ToolCall, ToolResult> {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		@Override
		public ToolResult apply(ToolCall call) {
			return execute(call);
		}

	}

	public static class OfBody extends OfInterface {

		@Override
		public ToolResult byName(String name) {
			return super.byName(name);
		}

	}

	/**
	 * Methods that run nothing, are not for others, or run on the guard.
	 */
	public static class Innocent implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return run(call);
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return null;
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("t");
		}

		public List<ToolCall> calls() {
			return List.of();
		}

		public Innocent answering(Function<ToolCall, ToolResult> answer) {
			return this;
		}

		public Innocent leadingTo(ToolExecutor other) {
			return this;
		}

		public final ToolResult named(String name) {
			return execute(ToolCall.of(name, Map.of()));
		}

		public static ToolResult nothing(ToolCall call) {
			return ToolResult.success(call.tool());
		}

		protected ToolResult run(ToolCall call) {
			return helper(call);
		}

		ToolResult helper(ToolCall call) {
			return ToolResult.success(call.tool());
		}

	}

}
