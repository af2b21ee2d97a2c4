package io.agenthooks.spring.annotation;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what annotated methods take, say and hear.
 */
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedToolHooksTests {

	@Test
	void decisionOfAMethodCounts() {
		try (HookedContext context = HookedContext.of(Decisions.class)) {
			assertThat(context.call("deny").content())
				.isEqualTo("Tool call denied by hook 'annotatedToolHooksTests.Decisions.decide': no");
			assertThat(context.call("respond").content()).isEqualTo("an answer");
			assertThat(context.call("approve").content()).isEqualTo("ran approve");
		}
	}

	@Test
	void falseDeniesAndNamesTheMethod() {
		try (HookedContext context = HookedContext.of(Booleans.class)) {
			assertThat(context.call("bad").content())
				.isEqualTo("Tool call denied by hook 'annotatedToolHooksTests.Booleans.boxed': "
						+ "'annotatedToolHooksTests.Booleans.boxed' does not allow this call");
			assertThat(context.call("worse").content()).contains("'annotatedToolHooksTests.Booleans.primitive'");
			assertThat(context.call("good").succeeded()).isTrue();
		}
	}

	@Test
	void nullDenies(CapturedOutput output) {
		try (HookedContext context = HookedContext.of(Nulls.class)) {
			assertThat(context.call("boxed").content()).endsWith("The hook decided nothing");
			assertThat(context.call("decision").content()).endsWith("The hook decided nothing");
		}
		assertThat(output).contains("The hook 'annotatedToolHooksTests.Nulls.boxed' decided nothing");
	}

	@Test
	void methodThatReturnsNothingHasNoObjectionUnlessItThrows() {
		try (HookedContext context = HookedContext.of(Throwing.class)) {
			assertThat(context.call("harmless").succeeded()).isTrue();
			assertThat(context.call("unchecked").content()).endsWith("The hook failed");
			assertThat(context.call("checked").content()).endsWith("The hook failed");
			assertThat(context.call("error").content()).endsWith("The hook failed");
		}
	}

	@Test
	void exceptionOfAMethodIsUnwrapped(CapturedOutput output) {
		try (HookedContext context = HookedContext.of(Throwing.class)) {
			PreToolHook hook = (PreToolHook) context.hooks.hooks().get(0).hook();
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> hook.preCall(ToolCall.of("unchecked", Map.of())))
				.withMessage("unchecked");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> hook.preCall(ToolCall.of("checked", Map.of())));
			assertThatExceptionOfType(StackOverflowError.class)
				.isThrownBy(() -> hook.preCall(ToolCall.of("error", Map.of())));
			context.call("checked");
		}
		assertThat(output).contains("failed with java.io.IOException; the call is denied");
	}

	@Test
	void interruptedMethodDeniesAndTheThreadStaysInterrupted() {
		try (HookedContext context = HookedContext.of(Throwing.class)) {
			assertThat(context.call("interrupted").succeeded()).isFalse();
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void parametersAreFoundByTypeInAnyOrder() {
		try (HookedContext context = HookedContext.of(Parameters.class)) {
			ToolCall call = ToolCall.of("t", Map.of("a", 1), CallContext.ofSession("s1"));
			ToolResult result = ToolResult.success("ran");
			context.chain.execute(call, (ignored) -> result);
			assertThat(context.bean(Parameters.class).got).containsExactly("before, nothing", "before", call.context(),
					call, "after", result, call.context(), call, ToolCallStatus.SUCCEEDED, "after, nothing");
		}
	}

	@Test
	void afterMethodGetsTheCallAsTheHooksLeftIt() {
		try (HookedContext context = HookedContext.of(Parameters.class, Modifying.class)) {
			context.call("t");
			assertThat(context.bean(Parameters.class).got).filteredOn(ToolCall.class::isInstance)
				.last()
				.extracting("arguments")
				.isEqualTo(Map.of("changed", true));
		}
	}

	@Test
	void afterMethodHearsEveryEnd() {
		try (HookedContext context = HookedContext.of(Ends.class)) {
			context.call("t");
			context.call("t", (call) -> ToolResult.failure("no"));
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> context.call("t", (call) -> {
				throw new IllegalStateException("broken");
			}));
			context.call("deny");
			context.call("respond");
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.call("abort"));
			assertThat(context.bean(Ends.class).ends).containsExactly("SUCCEEDED ran t", "FAILED no", "FAILED null",
					"DENIED Tool call denied by hook 'annotatedToolHooksTests.Ends.decide': no", "ANSWERED an answer",
					"ABORTED null");
		}
	}

	@Test
	void errorMethodHearsOfWhatFailed() {
		try (HookedContext context = HookedContext.of(Errors.class)) {
			Errors errors = context.bean(Errors.class);
			context.call("t");
			context.call("denied");
			assertThat(errors.heard).isEmpty();
			context.call("t", (call) -> ToolResult.failure("no"));
			assertThat(errors.heard).containsExactly("any t");
			errors.heard.clear();
			throwing(context, new IllegalArgumentException("a"));
			assertThat(errors.heard).containsExactly("any t", "argument a", "throwable a");
			errors.heard.clear();
			throwing(context, new NumberFormatException("b"));
			assertThat(errors.heard).containsExactly("any t", "argument b", "throwable b");
			errors.heard.clear();
			throwing(context, new AssertionError("c"));
			assertThat(errors.heard).containsExactly("any t", "throwable c");
		}
	}

	private static void throwing(HookedContext context, Throwable failure) {
		assertThatExceptionOfType(failure.getClass()).isThrownBy(() -> context.call("t", (call) -> {
			if (failure instanceof Error error) {
				throw error;
			}
			throw (RuntimeException) failure;
		}));
	}

	@Test
	void afterMethodThatThrowsIsLoggedAndChangesNothing(CapturedOutput output) {
		try (HookedContext context = HookedContext.of(ThrowingAfter.class)) {
			assertThat(context.call("t").content()).isEqualTo("ran t");
		}
		assertThat(output).contains(
				"The post-call hook 'annotatedToolHooksTests.ThrowingAfter.after' failed with java.io.IOException");
		assertThat(output).doesNotContain("secret");
	}

	@Test
	void methodIsForTheToolsOfItsAnnotation() {
		try (HookedContext context = HookedContext.of(SomeTools.class)) {
			assertThat(context.call("run_command").succeeded()).isFalse();
			assertThat(context.call("delete_file").succeeded()).isFalse();
			assertThat(context.call("read_file").succeeded()).isTrue();
			assertThat(context.bean(SomeTools.class).heard).containsExactly("read_file");
			assertThat(((PreToolHook) context.hooks.hooks().get(1).hook()).tools().test("read_file")).isFalse();
		}
	}

	@Test
	void hookHasWhatTheAnnotationSays() {
		try (HookedContext context = HookedContext.of(Described.class)) {
			AnnotatedToolHook found = context.hooks.hooks().get(0);
			assertThat(found.name()).isEqualTo("no-shell");
			assertThat(found.hook().name()).isEqualTo("no-shell");
			assertThat(found.origin()).isEqualTo("method 'annotatedToolHooksTests.Described.check'");
			assertThat(found.options().order()).isEqualTo(5);
			assertThat(found.options().scope().match()).containsExactly("run_*");
			assertThat(found.options().timeout()).hasSeconds(2);
			assertThat(found.ownTimeout()).isFalse();
		}
	}

	@Test
	void hookHasNoLimitsUnlessTheAnnotationSaysSo() {
		try (HookedContext context = HookedContext.of(Modifying.class)) {
			AnnotatedToolHook found = context.hooks.hooks().get(0);
			assertThat(found.options().timeout()).isNull();
			assertThat(found.options().scope().match()).isNull();
			assertThat(found.options().order()).isEqualTo(Integer.MAX_VALUE);
			assertThat(((PreToolHook) found.hook()).tools()).isSameAs(PreToolHook.ALL_TOOLS);
		}
	}

	@Test
	void methodsOfOneBeanAreAskedInTheirOrder() {
		try (HookedContext context = HookedContext.of(Ordered.class)) {
			context.call("t");
			assertThat(context.bean(Ordered.class).asked).containsExactly("first", "second", "last");
		}
	}

	@Test
	void annotationCanBeMetaAnnotation() {
		try (HookedContext context = HookedContext.of(MetaAnnotated.class)) {
			assertThat(context.call("run_command").content()).contains("guard");
			assertThat(context.call("read_file").succeeded()).isTrue();
		}
	}

	@Test
	void manyThreadsMayCallAtOnce() throws Exception {
		try (HookedContext context = HookedContext.of(Counting.class)) {
			ExecutorService executor = Executors.newFixedThreadPool(16);
			List<Future<?>> calls = new ArrayList<>();
			for (int i = 0; i < 4_000; i++) {
				String tool = (i % 4 == 0) ? "bad" : "good";
				calls.add(executor.submit(() -> context.call(tool)));
			}
			for (Future<?> call : calls) {
				call.get();
			}
			executor.shutdown();
			Counting counting = context.bean(Counting.class);
			assertThat(counting.before).hasValue(4_000);
			assertThat(counting.denied).hasValue(1_000);
			assertThat(counting.succeeded).hasValue(3_000);
		}
	}

	static class Decisions {

		@BeforeToolCall
		ToolDecision decide(ToolCall call) {
			return switch (call.tool()) {
				case "deny" -> ToolDecision.deny("no");
				case "respond" -> ToolDecision.respond(ToolResult.success("an answer"));
				default -> ToolDecision.approve();
			};
		}

	}

	static class Booleans {

		@BeforeToolCall
		Boolean boxed(ToolCall call) {
			return !call.tool().equals("bad");
		}

		@BeforeToolCall
		boolean primitive(ToolCall call) {
			return !call.tool().equals("worse");
		}

	}

	static class Nulls {

		@BeforeToolCall(tools = "boxed")
		@Nullable Boolean boxed() {
			return null;
		}

		@BeforeToolCall(tools = "decision")
		@Nullable ToolDecision decision() {
			return null;
		}

	}

	static class Throwing {

		@BeforeToolCall
		void check(ToolCall call) throws Exception {
			switch (call.tool()) {
				case "unchecked" -> throw new IllegalArgumentException("unchecked");
				case "checked" -> throw new IOException("checked");
				case "error" -> throw new StackOverflowError();
				case "interrupted" -> throw new InterruptedException();
				default -> {
				}
			}
		}

	}

	static class Parameters {

		final List<@Nullable Object> got = new ArrayList<>();

		@BeforeToolCall(order = 1)
		void nothing() {
			this.got.add("before, nothing");
		}

		@BeforeToolCall(order = 2)
		void before(CallContext context, ToolCall call) {
			this.got.addAll(List.of("before", context, call));
		}

		@AfterToolCall(order = 3)
		void after(@Nullable ToolResult result, CallContext context, ToolCall call, ToolOutcome outcome) {
			this.got.add("after");
			this.got.add(result);
			this.got.addAll(List.of(context, call, outcome.status()));
		}

		@AfterToolCall(order = 4)
		void afterNothing() {
			this.got.add("after, nothing");
		}

	}

	static class Modifying {

		@BeforeToolCall
		ToolDecision modify() {
			return ToolDecision.modify(Map.of("changed", true));
		}

	}

	static class Ends extends Decisions {

		final List<String> ends = new ArrayList<>();

		@BeforeToolCall
		ToolDecision abort(ToolCall call) {
			return (call.tool().equals("abort")) ? ToolDecision.abortTurn("enough") : ToolDecision.approve();
		}

		@AfterToolCall
		void hear(ToolOutcome outcome, @Nullable ToolResult result) {
			this.ends.add(outcome.status() + " " + ((result != null) ? result.content() : null));
		}

	}

	static class Errors {

		final List<String> heard = new ArrayList<>();

		@BeforeToolCall(tools = "denied")
		boolean deny() {
			return false;
		}

		@OnToolError(order = 1)
		void any(ToolCall call) {
			this.heard.add("any " + call.tool());
		}

		@OnToolError(order = 2)
		void argument(IllegalArgumentException failure) {
			this.heard.add("argument " + failure.getMessage());
		}

		@OnToolError(order = 3)
		void io(IOException failure) {
			this.heard.add("io " + failure.getMessage());
		}

		@OnToolError(order = 4)
		void throwable(ToolCall call, Throwable failure, ToolOutcome outcome, CallContext context) {
			this.heard.add("throwable " + failure.getMessage());
		}

	}

	static class ThrowingAfter {

		@AfterToolCall
		void after() throws IOException {
			throw new IOException("secret");
		}

	}

	static class SomeTools {

		final List<String> heard = new ArrayList<>();

		@AfterToolCall(tools = "read_*")
		void after(ToolCall call) {
			this.heard.add(call.tool());
		}

		@BeforeToolCall(tools = { "run_*", "delete_*" })
		boolean before() {
			return false;
		}

	}

	static class Described {

		@BeforeToolCall(name = "no-shell", tools = "run_*", order = 5, timeout = "2s")
		boolean check() {
			return false;
		}

	}

	static class Ordered {

		final List<String> asked = new ArrayList<>();

		@BeforeToolCall
		void a() {
			this.asked.add("last");
		}

		@BeforeToolCall(order = 2)
		void b() {
			this.asked.add("second");
		}

		@BeforeToolCall(order = -1)
		void c() {
			this.asked.add("first");
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@BeforeToolCall(name = "guard")
	@interface Guard {

		@AliasFor(annotation = BeforeToolCall.class, attribute = "tools")
		String[] value();

	}

	static class MetaAnnotated {

		@Guard("run_*")
		boolean check() {
			return false;
		}

	}

	static class Counting {

		final AtomicInteger before = new AtomicInteger();

		final AtomicInteger denied = new AtomicInteger();

		final AtomicInteger succeeded = new AtomicInteger();

		@BeforeToolCall
		boolean check(ToolCall call) {
			this.before.incrementAndGet();
			return !call.tool().equals("bad");
		}

		@AfterToolCall
		void count(ToolOutcome outcome) {
			((outcome.status() == ToolCallStatus.DENIED) ? this.denied : this.succeeded).incrementAndGet();
		}

	}

}
