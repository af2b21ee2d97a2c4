package io.agenthooks.spring.annotation;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.scheduling.annotation.Async;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for what is wrong with annotated methods, and how it is told.
 */
class HookMethodReaderTests {

	@Test
	void allMistakesAreToldAtOnceEachWithTheMethodAndTheMend() {
		List<AnnotatedMethodProblem> problems = problems(Parameters.class, Returns.class);
		assertThat(problems).extracting(AnnotatedMethodProblem::method)
			.contains(method(Parameters.class, "unknown(String)"), method(Returns.class, "text()"));
		assertThat(problems).allSatisfy((problem) -> {
			assertThat(problem.message()).matches("(is|has|takes|returns) .*[^.]");
			assertThat(problem.action()).matches("[A-Z].*\\.");
		});
	}

	@Test
	void parameterThatIsNotThereIsAMistake() {
		assertThat(sentences(Parameters.class)).containsExactly(
				"failureAfter(Exception) takes a 'java.lang.Exception', which @AfterToolCall does not give",
				"failureBefore(Throwable) takes a 'java.lang.Throwable', which @BeforeToolCall does not give",
				"outcomeBefore(ToolOutcome) takes a 'io.agenthooks.toolcall.ToolOutcome', which @BeforeToolCall does not give",
				"resultOnError(ToolResult) takes a 'io.agenthooks.toolcall.ToolResult', which @OnToolError does not give",
				"twice(ToolCall, CallContext, ToolCall) takes the same twice: 'ToolCall'",
				"twoFailures(IOException, RuntimeException) takes the same twice: 'Throwable'",
				"unknown(Object) takes a 'T', which @BeforeToolCall does not give",
				"unknown(String) takes a 'java.lang.String', which @BeforeToolCall does not give");
		assertThat(problems(Parameters.class)).element(6)
			.extracting(AnnotatedMethodProblem::action)
			.isEqualTo("It can take: ToolCall, CallContext, and arguments of the call with @Arg.");
	}

	@Test
	void returnTypeOfWhichNoDecisionCanBeMadeIsAMistake() {
		assertThat(sentences(Returns.class)).containsExactly(
				"boxedVoid() returns 'java.lang.Void', which is not a decision",
				"flux() returns 'reactor.core.publisher.Flux<java.lang.Boolean>', which is not a decision",
				"future() returns 'java.util.concurrent.Future<java.lang.Boolean>', which is not a decision",
				"monoOfText() returns 'reactor.core.publisher.Mono<java.lang.String>', which is not a decision",
				"nested() returns 'java.util.concurrent.CompletionStage<java.util.concurrent.CompletionStage<java.lang.Boolean>>', which is not a decision",
				"object() returns 'java.lang.Object', which is not a decision",
				"raw() returns 'java.util.concurrent.CompletableFuture', which is not a decision",
				"text() returns 'java.lang.String', which is not a decision",
				"wildcard() returns 'java.util.concurrent.CompletionStage<?>', which is not a decision");
	}

	@Test
	void methodAfterTheCallThatReturnsSomethingIsAMistake() {
		assertThat(sentences(ReturnsAfter.class)).containsExactly(
				"after() returns 'boolean', which is ignored: the call is over",
				"onError() returns 'io.agenthooks.toolcall.ToolResult', which is ignored: the call is over",
				"promise() returns 'java.util.concurrent.CompletionStage<java.lang.Void>', which is ignored: the call is over");
	}

	@Test
	void staticOrPrivateMethodIsAMistake() {
		assertThat(sentences(Modifiers.class)).containsExactly("hidden() is private", "shared() is static");
		assertThat(sentences(InheritingModifiers.class)).containsExactly("hidden() is private", "shared() is static");
	}

	@Test
	void methodThatIsAnnotatedSeveralTimesIsAMistake() {
		assertThat(sentences(Several.class)).containsExactly(
				"both(ToolCall) is annotated several times, itself or where it is inherited from: @BeforeToolCall, @AfterToolCall",
				"twice() is annotated several times, itself or where it is inherited from: @BeforeToolCall, @BeforeToolCall");
	}

	@Test
	void overridingMethodThatWouldTurnAGateIntoAListenerIsAMistake() {
		assertThat(sentences(Overriding.class)).containsExactly(
				"check() is annotated several times, itself or where it is inherited from: @AfterToolCall, @BeforeToolCall");
	}

	@Test
	void toolsThatMatchNoToolAreAMistake() {
		assertThat(sentences(Tools.class)).containsExactly("bar() is for the tools 'run|delete', which matches no tool",
				"blank() is for the tools ' ', which matches no tool",
				"comma() is for the tools 'run_*,delete_*', which matches no tool",
				"empty() is for the tools '', which matches no tool",
				"placeholder() is for the tools '${tools}', which matches no tool",
				"space() is for the tools ' run_*', which matches no tool");
	}

	@Test
	void timeoutThatIsNoDurationIsAMistake() {
		assertThat(problems(Timeouts.class)).hasSize(8)
			.extracting(AnnotatedMethodProblem::message)
			.containsExactlyInAnyOrder(timeout("0s"), timeout("-1s"), timeout("soon"), timeout("5"), timeout(" "),
					timeout("301s"), timeout("9999999999999d"), timeout("${missing}"));
	}

	private static String timeout(String text) {
		return "has the timeout '%s', which is not a duration above zero and of at most five minutes".formatted(text);
	}

	@Test
	void timeoutMayBeAPlaceholder() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("guard.timeout", "1500ms")));
		context.register(PlaceholderTimeout.class);
		try (HookedContext hooked = HookedContext.of(context)) {
			assertThat(hooked.hooks.hooks()).hasSize(2)
				.allSatisfy((found) -> assertThat(found.options().timeout()).hasMillis(1500));
			assertThat(hooked.hooks.hooks()).extracting(AnnotatedToolHook::ownTimeout).containsExactly(false, true);
		}
	}

	@Test
	void sameNameTwiceIsAMistake() {
		assertThat(sentences(Names.class)).containsExactly("blank() has a blank name",
				"check(ToolCall) has the same name 'hookMethodReaderTests.Names.check' as "
						+ method(Names.class, "check(CallContext)"));
	}

	@Test
	void sameNameInTwoBeansIsAMistake() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("a", Named.class);
		context.registerBean("b", Named.class);
		assertThat(problems(context)).singleElement()
			.extracting(AnnotatedMethodProblem::message)
			.isEqualTo("has the same name 'guard' as the same method of another bean");
	}

	@Test
	void sameNameBeforeAndAfterTheCallIsNoMistake() {
		try (HookedContext context = HookedContext.of(SameNameInTwoLists.class)) {
			assertThat(context.names()).containsExactly("guard", "guard");
		}
	}

	@Test
	void mistakeInTheClassOfTwoBeansIsToldOnce() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean("a", Modifiers.class);
		context.registerBean("b", Modifiers.class);
		assertThat(problems(context)).hasSize(2);
	}

	@Test
	void orderAnnotationIsAMistake() {
		assertThat(sentences(Ordered.class)).containsExactly("check() has an @Order, which does not count here");
	}

	@Test
	void asynchronousMethodWhoseDecisionNobodyWouldWaitForIsAMistake() {
		assertThat(sentences(Asynchronous.class))
			.containsExactly("nobodyWaits() is @Async, so the call would go on before it has decided");
		assertThat(sentences(AsynchronousClass.class))
			.containsExactly("check() is @Async, so the call would go on before it has decided");
	}

	@Test
	void severalMistakesOfOneMethodAreAllTold() {
		assertThat(sentences(Hopeless.class)).containsExactly("check(String) is static",
				"check(String) has an @Order, which does not count here",
				"check(String) is for the tools '', which matches no tool",
				"check(String) takes a 'java.lang.String', which @BeforeToolCall does not give",
				"check(String) " + timeout("soon"),
				"check(String) returns 'java.lang.String', which is not a decision");
	}

	@Test
	void failureAnalyzerTellsEveryMistake() {
		FailureAnalysis analysis = analyze(
				catchThrowableOfType(InvalidAnnotatedMethodsException.class, () -> HookedContext.of(Modifiers.class)));
		assertThat(analysis.getDescription()).isEqualTo("""
				Methods that are annotated as hooks have 2 mistakes:

				1. %s
				   is private.
				   Make it public, protected or package-private.
				2. %s
				   is static.
				   Make it an instance method.""".formatted(method(Modifiers.class, "hidden()"),
				method(Modifiers.class, "shared()")));
		assertThat(analysis.getAction()).startsWith("Correct the methods.");
	}

	@Test
	void failureAnalyzerTellsOneMistake() {
		FailureAnalysis analysis = analyze(
				catchThrowableOfType(InvalidAnnotatedMethodsException.class, () -> HookedContext.of(Ordered.class)));
		assertThat(analysis.getDescription()).startsWith("A method that is annotated as a hook has a mistake:\n\n1. ");
	}

	private static FailureAnalysis analyze(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))
			.stream()
			.filter(InvalidAnnotatedMethodsFailureAnalyzer.class::isInstance)
			.map((analyzer) -> analyzer.analyze(new IllegalStateException(failure)))
			.filter((analysis) -> analysis != null)
			.findFirst()
			.orElseThrow();
	}

	private static List<String> sentences(Class<?> bean) {
		return problems(bean).stream()
			.map((problem) -> problem.method().substring(problem.method().lastIndexOf('.') + 1) + " "
					+ problem.message())
			.toList();
	}

	private static List<AnnotatedMethodProblem> problems(Class<?>... beans) {
		return problems(new AnnotationConfigApplicationContext(), beans);
	}

	private static List<AnnotatedMethodProblem> problems(AnnotationConfigApplicationContext context,
			Class<?>... beans) {
		if (beans.length > 0) {
			context.register(beans);
		}
		InvalidAnnotatedMethodsException ex = catchThrowableOfType(InvalidAnnotatedMethodsException.class,
				() -> HookedContext.of(context));
		context.close();
		return ex.getProblems();
	}

	private static String method(Class<?> type, String method) {
		return type.getName() + "." + method;
	}

	static class Parameters {

		@BeforeToolCall
		void unknown(String tool) {
		}

		@BeforeToolCall(name = "generic")
		<T> void unknown(T call) {
		}

		@BeforeToolCall
		void twice(ToolCall call, CallContext context, ToolCall again) {
		}

		@BeforeToolCall
		void failureBefore(Throwable failure) {
		}

		@BeforeToolCall
		void outcomeBefore(ToolOutcome outcome) {
		}

		@AfterToolCall
		void failureAfter(Exception failure) {
		}

		@OnToolError
		void resultOnError(ToolResult result) {
		}

		@OnToolError
		void twoFailures(IOException failure, RuntimeException other) {
		}

	}

	@SuppressWarnings({ "NullAway", "rawtypes" })
	static class Returns {

		@BeforeToolCall
		String text() {
			return "yes";
		}

		@BeforeToolCall
		Object object() {
			return true;
		}

		@BeforeToolCall
		Void boxedVoid() {
			return null;
		}

		@BeforeToolCall
		CompletableFuture raw() {
			return new CompletableFuture<>();
		}

		@BeforeToolCall
		CompletionStage<?> wildcard() {
			return new CompletableFuture<>();
		}

		@BeforeToolCall
		CompletionStage<CompletionStage<Boolean>> nested() {
			return new CompletableFuture<>();
		}

		@BeforeToolCall
		Future<Boolean> future() {
			return new CompletableFuture<>();
		}

		@BeforeToolCall
		Mono<String> monoOfText() {
			return Mono.empty();
		}

		@BeforeToolCall
		Flux<Boolean> flux() {
			return Flux.empty();
		}

	}

	static class ReturnsAfter {

		@AfterToolCall
		boolean after() {
			return true;
		}

		@AfterToolCall
		CompletionStage<@Nullable Void> promise() {
			return CompletableFuture.completedStage(null);
		}

		@OnToolError
		ToolResult onError() {
			return ToolResult.success("");
		}

	}

	static class Modifiers {

		@BeforeToolCall
		static boolean shared() {
			return true;
		}

		@BeforeToolCall
		@SuppressWarnings("unused")
		private boolean hidden() {
			return true;
		}

	}

	static class InheritingModifiers extends Modifiers {

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@BeforeToolCall(tools = "run_*")
	@interface Guard {

	}

	static class Several {

		@BeforeToolCall
		@AfterToolCall
		void both(ToolCall call) {
		}

		@Guard
		@BeforeToolCall(tools = "delete_*")
		boolean twice() {
			return false;
		}

	}

	static class Gate {

		@BeforeToolCall
		void check() {
		}

	}

	static class Overriding extends Gate {

		@Override
		@AfterToolCall
		void check() {
		}

	}

	static class Tools {

		@BeforeToolCall(tools = "")
		void empty() {
		}

		@BeforeToolCall(tools = { "run_*", " " })
		void blank() {
		}

		@AfterToolCall(tools = " run_*")
		void space() {
		}

		@BeforeToolCall(tools = "run|delete")
		void bar() {
		}

		@OnToolError(tools = "run_*,delete_*")
		void comma() {
		}

		@BeforeToolCall(tools = "${tools}")
		void placeholder() {
		}

	}

	static class Timeouts {

		@BeforeToolCall(timeout = "0s")
		void zero() {
		}

		@BeforeToolCall(timeout = "-1s")
		void negative() {
		}

		@BeforeToolCall(timeout = "soon")
		void text() {
		}

		@BeforeToolCall(timeout = "5")
		void withoutUnit() {
		}

		@BeforeToolCall(timeout = " ")
		Mono<Boolean> blank() {
			return Mono.empty();
		}

		@BeforeToolCall(timeout = "301s")
		Mono<Boolean> tooLong() {
			return Mono.empty();
		}

		@BeforeToolCall(timeout = "9999999999999d")
		void overflow() {
		}

		@BeforeToolCall(timeout = "${missing}")
		void missing() {
		}

	}

	static class PlaceholderTimeout {

		@BeforeToolCall(timeout = "${guard.timeout}")
		boolean direct() {
			return true;
		}

		@BeforeToolCall(timeout = "${none:PT1.5S}")
		Mono<Boolean> promised() {
			return Mono.just(true);
		}

	}

	static class Names {

		@BeforeToolCall
		void check(ToolCall call) {
		}

		@BeforeToolCall
		void check(CallContext context) {
		}

		@BeforeToolCall(name = " ")
		void blank() {
		}

	}

	static class Named {

		@BeforeToolCall(name = "guard")
		void check() {
		}

	}

	static class SameNameInTwoLists {

		@BeforeToolCall(name = "guard")
		void before() {
		}

		@AfterToolCall(name = "guard")
		void after() {
		}

	}

	static class Ordered {

		@Order(1)
		@BeforeToolCall
		void check() {
		}

	}

	static class Asynchronous {

		@Async
		@BeforeToolCall
		void nobodyWaits() {
		}

		@Async
		@BeforeToolCall
		CompletableFuture<Boolean> awaited() {
			return CompletableFuture.completedFuture(true);
		}

		@Async
		@AfterToolCall
		void after() {
		}

	}

	@Async
	static class AsynchronousClass {

		@BeforeToolCall
		ToolDecision check() {
			return ToolDecision.approve();
		}

	}

	static class Hopeless {

		@Order(1)
		@BeforeToolCall(tools = "", timeout = "soon")
		static String check(String tool) {
			return tool;
		}

	}

}
