package io.agenthooks.toolcall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PreToolHook#failOpen}.
 */
class FailOpenPreToolHookTests {

	private final GuardedTool tool = new GuardedTool();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	void preCallKeepsDecisions() {
		for (ToolDecision decision : new ToolDecision[] { ToolDecision.approve(), ToolDecision.deny("no"),
				ToolDecision.ask("sure?"), ToolDecision.modify(Map.of()), ToolDecision.abortRun("stop"),
				ToolDecision.respond(ToolResult.success("")) }) {
			assertThat(PreToolHook.failOpen((call) -> decision).preCall(GuardedTool.CALL)).isSameAs(decision);
		}
	}

	static Stream<Throwable> exceptions() {
		return Stream.of(new IllegalStateException("secret"), new UncheckedIOException(new IOException("secret")),
				new IOException("secret, thrown sneakily"));
	}

	@ParameterizedTest
	@MethodSource("exceptions")
	void preCallWhenHookThrowsApprovesAndMarksIt(Throwable ex) {
		this.tool.execute(PreToolHook.failOpen(Hooks.failing(() -> ex)));
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).containsExactly("broken");
	}

	@Test
	void preCallWhenHookThrowsSaysWhatFailedWithoutSecrets() {
		assertThat(PreToolHook.failOpen(Hooks.failing(() -> new IllegalStateException("secret")))
			.preCall(GuardedTool.CALL))
			.isEqualTo(ToolDecision.failedOpen("The hook failed with java.lang.IllegalStateException"));
	}

	@Test
	void preCallWhenHookDecidesNothingApprovesAndMarksIt() {
		this.tool.execute(PreToolHook.failOpen(NullDecisions.hook()));
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).hasSize(1);
	}

	@Test
	void preCallWhenHookFailsOpenLaterHooksStillDecide() {
		this.tool.execute(PreToolHook.failOpen(Hooks.failing(IllegalStateException::new)),
				(call) -> ToolDecision.deny("no"));
		assertThat(this.tool.ran).isEmpty();
	}

	static Stream<Throwable> whatIsNoFailureOfTheHook() {
		return Stream.of(new StackOverflowError(), new NoClassDefFoundError(), new AssertionError(),
				new InterruptedException(), new IllegalStateException(new InterruptedException()),
				new RunAbortedException(GuardedTool.CALL, "inner", "stop"));
	}

	@ParameterizedTest
	@MethodSource("whatIsNoFailureOfTheHook")
	void preCallWhenMoreThanTheHookFailsDenies(Throwable ex) {
		this.tool.execute(PreToolHook.failOpen(Hooks.failing(() -> ex)));
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(this.tool.outcome().failedOpen()).isEmpty();
	}

	@Test
	void preCallWhenThreadIsInterruptedDeniesAndStaysInterrupted() {
		this.tool.execute(PreToolHook.failOpen((call) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException();
		}));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void preCallWhenHookIsInterruptedSneakilyStaysInterrupted() {
		this.tool.execute(PreToolHook.failOpen(Hooks.failing(InterruptedException::new)));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void failOpenKeepsNameAndRepeatability() {
		PreToolHook hook = PreToolHook.named("name", Hooks.policy((call) -> ToolDecision.approve()));
		assertThat(PreToolHook.failOpen(hook).name()).isEqualTo("name");
		assertThat(PreToolHook.failOpen(hook).isRepeatable()).isTrue();
		assertThat(PreToolHook.failOpen((call) -> ToolDecision.approve()).isRepeatable()).isFalse();
	}

}
