package io.agenthooks.toolcall;

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
 * Tests for {@link ToolResultHook#observeOnly}.
 */
class ObservingToolResultHookTests {

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
	void onResultLogsWhatTheHookWouldHaveDoneAndKeepsTheResult(ToolDecision decision) {
		this.tool.withResults(ToolResultHook.observeOnly(ToolResultHook.named("watched", (call, result) -> decision)));
		assertThat(this.tool.execute().content()).isEqualTo("ran ls");
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED);
		assertThat(outcome.replacedBy()).isEmpty();
		boolean refuses = decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT;
		assertThat(outcome.wouldDeny()).hasSize((refuses) ? 1 : 0);
		assertThat(this.log.list).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage())
				.contains("watched", "would " + decision.verdict().value(), "run_command")
				.doesNotContain("secret", "ran ls"));
	}

	@Test
	void onResultWhenHookApprovesLogsNothing() {
		this.tool.withResults(ToolResultHook.observeOnly((call, result) -> ToolDecision.approve())).execute();
		assertThat(this.log.list).isEmpty();
	}

	@Test
	void onResultWhenHookDecidesNothingKeepsTheResult() {
		this.tool.withResults(ToolResultHook.observeOnly(NullDecisions.resultHook()));
		assertThat(this.tool.execute().content()).isEqualTo("ran ls");
		assertThat(this.tool.outcome().wouldDeny()).hasSize(1);
	}

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("secret"), new Exception("secret"), new StackOverflowError(),
				new NoClassDefFoundError("secret"), new InterruptedException());
	}

	@ParameterizedTest
	@MethodSource("failures")
	void onResultWhenHookThrowsKeepsTheResult(Throwable ex) {
		this.tool.withResults(ToolResultHook.observeOnly(Hooks.failingOnResult(() -> ex)));
		assertThat(this.tool.execute().content()).isEqualTo("ran ls");
		assertThat(this.tool.outcome().wouldDeny()).containsExactly("broken");
		assertThat(this.log.list).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage()).contains(ex.getClass().getName())
				.doesNotContain("secret"));
		assertThat(Thread.currentThread().isInterrupted()).isEqualTo(ex instanceof InterruptedException);
	}

	@Test
	void onResultWhenVirtualMachineFailsThrowsIt() {
		this.tool
			.withResults(ToolResultHook.observeOnly(Hooks.failingOnResult(() -> new OutOfMemoryError("simulated"))));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.tool::execute);
	}

	@Test
	void observeOnlyKeepsTheName() {
		assertThat(ToolResultHook.observeOnly(ToolResultHook.named("name", NullDecisions.resultHook())).name())
			.isEqualTo("name");
	}

}
