package io.agenthooks.sample;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.TestSocketUtils;

import io.agenthooks.CallContext;
import io.agenthooks.RefusalText;
import io.agenthooks.spring.ai.AgentHooks;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample with limits, at a time at which no day ends.
 */
class LimitsProfileTests {

	private final int port = TestSocketUtils.findAvailableTcpPort();

	@TempDir
	private Path workspace;

	private @Nullable ConfigurableApplicationContext sample;

	@AfterEach
	void stop() {
		sample().close();
	}

	@Test
	void threeRefundsOfASessionPassAndFailedOnesDoNotCount() {
		start("limits");
		List<ToolCallReport> calls = Stream.of("10", "-1", "10", "10", "10")
			.map((amount) -> "refund_order {\"orderId\": \"A-1\", \"amount\": %s}".formatted(amount))
			.flatMap((line) -> ask(line, "s1").toolCalls().stream())
			.toList();
		assertThat(calls).extracting(ToolCallReport::status)
			.containsExactly("succeeded", "denied", "succeeded", "succeeded", "denied");
		assertThat(calls).extracting(ToolCallReport::decidedBy)
			.containsExactly(null, "refund-budget", null, null, "three-refunds");
	}

	@Test
	void budgetIsOfTheUserInAllSessions() {
		start("limits");
		for (int i = 0; i < 4; i++) {
			assertThat(refund("ann", "s" + i, 500)).extracting("status").isEqualTo("succeeded");
		}
		ToolCallReport more = refund("ann", "s5", 0.01);
		assertThat(more).extracting("status", "decidedBy").containsExactly("denied", "refund-budget");
		assertThat(more.reason()).contains("The budget of 2000", "per day for this user is used up")
			.contains("It is new in 12 hours");
		assertThat(refund("bob", "s5", 500)).extracting("status").isEqualTo("succeeded");
	}

	@Test
	void refundOfNobodyIsDenied() {
		start("limits");
		ToolCall call = ToolCall.of("refund_order", Map.of("orderId", "A-1", "amount", 1), CallContext.ofSession("s1"));
		assertThat(report(call)).extracting("status", "decidedBy").containsExactly("denied", "refund-budget");
		assertThat(refund("ann", "", 1)).extracting("status", "decidedBy").containsExactly("denied", "three-refunds");
	}

	@Test
	void loopEndsItselfAndTheNextTurnIsFree() {
		start("limits");
		ChatReport report = ask("Look again and again", "s1");
		assertThat(report.finishReason()).isEqualTo(AgentHooks.FINISH_REASON);
		assertThat(report.answer()).isEqualTo(RefusalText.DEFAULT);
		assertThat(report.toolCalls()).extracting(ToolCallReport::status)
			.containsExactly("succeeded", "succeeded", "succeeded", "succeeded", "succeeded", "denied", "denied",
					"aborted");
		assertThat(ask("list_directory {}", "s1").toolCalls()).extracting(ToolCallReport::status)
			.containsExactly("succeeded");
	}

	@Test
	void allAreOffWithoutTheProfile() {
		start("");
		assertThat(IntStream.range(0, 5).mapToObj((i) -> refund("ann", "s1", 500))).extracting("status")
			.containsOnly("succeeded");
		assertThat(ask("Look again and again", "s1").toolCalls()).hasSizeGreaterThan(10)
			.extracting(ToolCallReport::status)
			.containsOnly("succeeded");
	}

	@Test
	void commandsOfThePagesDoWhatTheyPrint() throws Exception {
		start("limits");
		assertThat(ShownCommands.check(Path.of("../docs/decide/limits.md"), "Try it", this.port)).isEqualTo(3);
		assertThat(ShownCommands.check(Path.of("README.md"), "With limits", this.port)).isEqualTo(1);
	}

	private void start(String profile) {
		SpringApplication application = new SpringApplication(SampleApplication.class, Noon.class);
		this.sample = application.run("--spring.profiles.active=" + profile, "--sample.script=false",
				"--server.port=" + this.port, "--sample.workspace=" + this.workspace);
	}

	private ConfigurableApplicationContext sample() {
		return Objects.requireNonNull(this.sample);
	}

	private ChatReport ask(String message, String session) {
		return sample().getBean(ChatAgent.class).ask(new ChatQuestion(message, session, "ann", null));
	}

	private ToolCallReport refund(String user, String session, Number amount) {
		return report(ToolCall.of("refund_order", Map.of("orderId", "A-1", "amount", amount),
				CallContext.ofSession(session).withUser(user)));
	}

	private ToolCallReport report(ToolCall call) {
		return ToolCallReport
			.of(sample().getBean(SampleJournal.class).follow(call, sample().getBean(ToolExecutor.class)));
	}

	@Configuration(proxyBeanMethods = false)
	static class Noon {

		@Bean
		Clock noon() {
			return Clock.fixed(Instant.parse("2026-11-23T12:00:00Z"), ZoneOffset.UTC);
		}

	}

}
