package io.agenthooks.spring.metrics;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of hooks that ask others and run into their own timeout: each kind is measured
 * like any hook that fails, and counted once.
 */
@Timeout(120)
class OwnTimeoutsTests {

	private static final String FIRST = "hooks.tool_call.pre_call[0].";

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final CountDownLatch released = new CountDownLatch(1);

	private final AskedHooks asked = new AskedHooks();

	private ServerSocket silent;

	private List<AskedHook> lastAsked = List.of();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class,
				ToolCallMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, () -> this.meters)
		.withBean("asked", AskedHooks.class, () -> this.asked)
		.withBean("reader", PostToolHook.class,
				() -> (outcome) -> this.lastAsked = List.copyOf(this.asked.ofThisCall()))
		.withBean("model", ChatModel.class, () -> (prompt) -> silence())
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
		.withPropertyValues(FIRST + "name=slow");

	@BeforeEach
	void listen() throws IOException {
		this.silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.asked.readBy("reader", List.of(ToolCall.class));
	}

	@AfterEach
	void close() throws IOException {
		this.released.countDown();
		this.silent.close();
	}

	private ChatResponse silence() {
		try {
			this.released.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return new ChatResponse(List.of());
	}

	private String[] config(String type) {
		return switch (type) {
			case "webhook" -> new String[] { FIRST + "config.url=http://localhost:" + this.silent.getLocalPort() };
			case "command" -> new String[] { FIRST + "config.command=exec sleep 60" };
			case "prompt" -> new String[] { FIRST + "config.prompt=May it? $INPUT" };
			default -> new String[] { FIRST + "config.command[0]=python3", FIRST + "config.command[1]="
					+ Path.of("../types/hooks-programs/src/test/resources/programs/gate.py").toAbsolutePath() };
		};
	}

	@ParameterizedTest
	@CsvSource({ "webhook, false", "webhook, true", "command, false", "command, true", "process, false",
			"process, true", "prompt, false", "prompt, true" })
	void ownTimeoutIsAFailureAndCountedOnce(String type, boolean failOpen) {
		this.runner.withPropertyValues(config(type))
			.withPropertyValues(FIRST + "type=" + type, FIRST + "config.timeout=200ms",
					FIRST + "config.fail_open=" + failOpen)
			.run((context) -> {
				assertThat(timeouts()).isZero();
				ToolResult result = context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("run_command", Map.of("do", "stop")));
				assertThat(result.succeeded()).isEqualTo(failOpen);
				assertThat(this.meters.get("hooks.hook").tags("hook", "slow").timers())
					.extracting((timer) -> timer.getId().getTag("verdict"))
					.contains("failed")
					.doesNotContain("deny");
				assertThat(timeouts()).isEqualTo(1);
				// A process is asked about the result, too.
				assertThat(this.lastAsked).isNotEmpty();
				assertThat(this.lastAsked.get(0).verdict()).isEqualTo("failed");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "webhook", "command", "process", "prompt" })
	void timeoutOfTheEntryIsThatOfTheHookAndCountedOnce(String type) {
		this.runner.withPropertyValues(config(type))
			.withPropertyValues(FIRST + "type=" + type, FIRST + "timeout=200ms", FIRST + "config.fail_open=false")
			.run((context) -> {
				ToolResult result = context.getBean(ToolExecutor.class)
					.execute(ToolCall.of("run_command", Map.of("do", "stop")));
				assertThat(result.succeeded()).isFalse();
				assertThat(timeouts()).isEqualTo(1);
			});
	}

	@Test
	void hookThatCannotReachAnybodyFailsWithoutATimeout() throws IOException {
		this.silent.close();
		this.runner.withPropertyValues(config("webhook"))
			.withPropertyValues(FIRST + "type=webhook", FIRST + "config.fail_open=false")
			.run((context) -> {
				ToolResult result = context.getBean(ToolExecutor.class).execute(ToolCall.of("run_command", Map.of()));
				assertThat(result.succeeded()).isFalse();
				assertThat(this.meters.get("hooks.hook").tags("hook", "slow", "verdict", "failed").timer().count())
					.isEqualTo(1);
				assertThat(timeouts()).isZero();
			});
	}

	private double timeouts() {
		return this.meters.get("hooks.timeouts").tag("hook", "slow").functionCounter().count();
	}

}
