package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

class MaxArgumentsSizeTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));

	private static boolean passes(ToolExecutor tools, int length) {
		return tools.execute(ToolCall.of("t", Map.of("a", "x".repeat(length)))).succeeded();
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool_call.max_arguments_size=2KB", "hooks.tool-call.max-arguments-size=2048",
			"hooks.tool-call.maxArgumentsSize=2048B" })
	void sizeIsThatOfTheConfiguration(String property) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			assertThat(passes(context.getBean(ToolExecutor.class), 1_900)).isTrue();
			assertThat(passes(context.getBean(ToolExecutor.class), 2_100)).isFalse();
		});
	}

	@Test
	void sizeIsEightMegabytesUnlessConfigured() {
		this.contextRunner.run((context) -> {
			assertThat(passes(context.getBean(ToolExecutor.class), 8_000_000)).isTrue();
			assertThat(passes(context.getBean(ToolExecutor.class), 8_400_000)).isFalse();
		});
	}

	@Test
	void sizeHoldsForAChainOfTheApplication() {
		this.contextRunner.withPropertyValues("hooks.tool_call.max_arguments_size=2KB")
			.withBean(ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()))
			.run((context) -> assertThat(passes(context.getBean(ToolExecutor.class), 2_100)).isFalse());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "100MB", "10GB", "-1", "big", "1 megabyte", "99999999999TB", "" })
	void whatIsNoSizeStopsTheStart(String size) {
		this.contextRunner.withPropertyValues("hooks.tool_call.max_arguments_size=" + size)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("max_arguments_size' is not a size between 1KB and 64MB"));
	}

}
