package io.agenthooks.toolcall;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolResultHook#failOpen}.
 */
class FailOpenToolResultHookTests {

	private final GuardedTool tool = new GuardedTool();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	static Stream<Throwable> exceptions() {
		return Stream.of(new IllegalStateException("secret"), new IOException("secret, thrown sneakily"));
	}

	@ParameterizedTest
	@MethodSource("exceptions")
	void onResultWhenHookThrowsKeepsTheResultAndMarksIt(Throwable ex) {
		this.tool.withResults(ToolResultHook.failOpen(Hooks.failingOnResult(() -> ex)));
		assertThat(this.tool.execute().content()).isEqualTo("ran ls");
		assertThat(this.tool.outcome().failedOpen()).containsExactly("broken");
	}

	@Test
	void onResultWhenHookDecidesNothingKeepsTheResultAndMarksIt() {
		this.tool.withResults(ToolResultHook.failOpen(NullDecisions.resultHook()));
		assertThat(this.tool.execute().content()).isEqualTo("ran ls");
		assertThat(this.tool.outcome().failedOpen()).hasSize(1);
	}

	@Test
	void onResultWhenHookFailsOpenLaterHooksStillDecide() {
		this.tool.withResults(ToolResultHook.failOpen(NullDecisions.resultHook()),
				(call, result) -> ToolDecision.deny("secret"));
		assertThat(this.tool.execute().succeeded()).isFalse();
	}

	static Stream<Throwable> whatIsNoFailureOfTheHook() {
		return Stream.of(new StackOverflowError(), new NoClassDefFoundError(), new AssertionError(),
				new InterruptedException(), new IllegalStateException(new InterruptedException()),
				new RunAbortedException(GuardedTool.CALL, "inner", "stop"));
	}

	@ParameterizedTest
	@MethodSource("whatIsNoFailureOfTheHook")
	void onResultWhenMoreThanTheHookFailsWithholds(Throwable ex) {
		this.tool.withResults(ToolResultHook.failOpen(Hooks.failingOnResult(() -> ex)));
		assertThat(this.tool.execute().content()).startsWith("Tool result withheld by hook 'broken'");
		assertThat(this.tool.outcome().failedOpen()).isEmpty();
	}

	@Test
	void onResultWhenVirtualMachineFailsThrowsIt() {
		this.tool.withResults(ToolResultHook.failOpen(Hooks.failingOnResult(() -> new OutOfMemoryError("simulated"))));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.tool::execute);
		assertThat(this.tool.outcome().result()).isNull();
	}

	@Test
	void onResultWhenThreadIsInterruptedWithholdsAndStaysInterrupted() {
		this.tool.withResults(ToolResultHook.failOpen((call, result) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException();
		}));
		assertThat(this.tool.execute().succeeded()).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void onResultKeepsDecisionsAndTheName() {
		ToolDecision decision = ToolDecision.deny("secret");
		ToolResultHook hook = ToolResultHook.failOpen(ToolResultHook.named("name", (call, result) -> decision));
		assertThat(hook.onResult(GuardedTool.CALL, ToolResult.success(""))).isSameAs(decision);
		assertThat(hook.name()).isEqualTo("name");
	}

}
