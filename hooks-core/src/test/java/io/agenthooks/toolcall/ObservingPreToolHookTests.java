package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import io.agenthooks.Verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PreToolHook#observeOnly}.
 */
class ObservingPreToolHookTests {

	private final GuardedTool tool = new GuardedTool();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ToolHookChain.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void captureLog() {
		this.logger.setLevel(Level.INFO);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void releaseLog() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
		Thread.interrupted();
	}

	static Stream<ToolDecision> decisions() {
		return Stream.of(ToolDecision.deny("no"), ToolDecision.ask("sure?"),
				ToolDecision.modify(Map.of("command", "secret")), ToolDecision.abortRun("stop"),
				ToolDecision.abortTurn("stop"), ToolDecision.respond(ToolResult.success("secret")));
	}

	@ParameterizedTest
	@MethodSource("decisions")
	void preCallLogsWhatTheHookWouldHaveDoneAndLetsTheCallPass(ToolDecision decision) {
		this.tool.execute(PreToolHook.observeOnly(PreToolHook.named("watched", (call) -> decision)));
		assertThat(this.tool.ran).singleElement().isSameAs(GuardedTool.CALL);
		assertThat(this.tool.outcome().decision()).isEqualTo(ToolDecision.approve());
		assertThat(this.log.list).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage())
				.contains("watched", "would " + decision.verdict().value(), "run_command")
				.doesNotContain("secret"));
	}

	@ParameterizedTest
	@MethodSource("decisions")
	void preCallMarksWhatTheHookWouldHaveRefused(ToolDecision decision) {
		PreToolHook observing = PreToolHook.observeOnly(PreToolHook.named("watched", (call) -> decision));
		this.tool.execute(observing, PreToolHook.observeOnly(PreToolHook.named("twice", observing)));
		boolean refuses = decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT;
		assertThat(this.tool.outcome().wouldDeny()).isEqualTo((refuses) ? List.of("watched", "twice") : List.of());
	}

	@Test
	void preCallWhenHookFailsOpenMarksThat() {
		this.tool.execute(PreToolHook.observeOnly(PreToolHook.failOpen(Hooks.failing(IllegalStateException::new))));
		assertThat(this.tool.outcome().failedOpen()).containsExactly("broken");
		assertThat(this.tool.outcome().wouldDeny()).isEmpty();
	}

	@Test
	void preCallWhenHookApprovesLogsNothing() {
		this.tool.execute(PreToolHook.observeOnly((call) -> ToolDecision.approve()));
		assertThat(this.log.list).isEmpty();
		assertThat(this.tool.ran).hasSize(1);
	}

	@Test
	void preCallWhenHookDecidesNothingLetsTheCallPass() {
		this.tool.execute(PreToolHook.observeOnly(NullDecisions.hook()));
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.log.list).singleElement().extracting(ILoggingEvent::getLevel).isEqualTo(Level.WARN);
	}

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("secret"), new Exception("secret"), new StackOverflowError(),
				new NoClassDefFoundError("secret"), new AssertionError("secret"), new InterruptedException());
	}

	@ParameterizedTest
	@MethodSource("failures")
	void preCallWhenHookThrowsLetsTheCallPass(Throwable ex) {
		this.tool.execute(PreToolHook.observeOnly(Hooks.failing(() -> ex)));
		assertThat(this.tool.ran).hasSize(1);
		assertThat(this.tool.outcome().failedOpen()).isEmpty();
		assertThat(this.log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage()).contains("broken", ex.getClass().getName())
				.doesNotContain("secret");
		});
		assertThat(Thread.currentThread().isInterrupted()).isEqualTo(ex instanceof InterruptedException);
	}

	@Test
	void preCallWhenVirtualMachineFailsThrowsIt() {
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.tool
			.execute(PreToolHook.observeOnly(Hooks.failing(() -> new OutOfMemoryError("simulated")))));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void preCallLogsOneLineWhateverTheModelWrote() {
		ToolCall evil = ToolCall.of("id\nWARN fake", "tool\r\nWARN fake", Map.of(), GuardedTool.CALL.context());
		PreToolHook.observeOnly((call) -> ToolDecision.deny("no")).preCall(evil);
		assertThat(this.log.list).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage()).doesNotContain("\n", "\r"));
	}

	@Test
	void observeOnlyKeepsNameAndRepeatability() {
		PreToolHook hook = PreToolHook.named("name", Hooks.policy((call) -> ToolDecision.approve()));
		assertThat(PreToolHook.observeOnly(hook).name()).isEqualTo("name");
		assertThat(PreToolHook.observeOnly(hook).isRepeatable()).isTrue();
		assertThat(PreToolHook.observeOnly((call) -> ToolDecision.approve()).isRepeatable()).isFalse();
	}

}
