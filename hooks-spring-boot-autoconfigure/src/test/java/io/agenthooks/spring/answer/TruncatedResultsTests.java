package io.agenthooks.spring.answer;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TruncateToolHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for results that are cut: by {@code hooks.tool_call.max_result_size} and by
 * {@code type: truncate}.
 */
@ExtendWith(OutputCaptureExtension.class)
class TruncatedResultsTests {

	private static final String SECRET = "AKIAIOSFODNN7EXAMPLE";

	private static final String LARGE = "a".repeat(3_000) + SECRET + "z".repeat(3_000);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success(LARGE, Map.of("a", LARGE)));

	private static ToolResult run(ToolExecutor tools) {
		return tools.execute(ToolCall.of("read_file", Map.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool_call.max_result_size=2KB", "hooks.tool-call.max-result-size=2048",
			"hooks.tool-call.maxResultSize=2048B" })
	void everyResultIsCut(String property) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			ToolResult result = run(context.getBean(ToolExecutor.class));
			assertThat(result.content()).hasSizeBetween(1_900, 2_048).contains(" of 6020 characters left out]");
			assertThat(result.value()).isNull();
		});
	}

	@Test
	void resultsAreNotCutUnlessThatIsWritten() {
		this.contextRunner
			.run((context) -> assertThat(run(context.getBean(ToolExecutor.class)).content()).isEqualTo(LARGE));
	}

	@Test
	void hooksSeeAllOfAResultThatIsCutBehindThem() {
		this.contextRunner
			.withPropertyValues("hooks.tool_call.max_result_size=3012", "hooks.tool_call.post_call[0].type=redact",
					"hooks.tool_call.post_call[1].type=truncate", "hooks.tool_call.post_call[1].config.max_size=4KB",
					"hooks.tool_call.post_call[1].config.head_share=1")
			.run((context) -> assertThat(run(context.getBean(ToolExecutor.class)).content()).contains("left out]")
				.hasSizeLessThanOrEqualTo(3_012)
				.doesNotContain("AKIA"));
	}

	@Test
	void cutBeforeRedactionIsToldAtTheStart(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("hooks.tool_call.post_call[0].type=truncate",
					"hooks.tool_call.post_call[0].config.max_size=4KB", "hooks.tool_call.post_call[1].type=redact")
			.run((context) -> assertThat(output).contains("List it behind 'redact'"));
	}

	@Test
	void entryIsForItsToolsAlone() {
		this.contextRunner
			.withPropertyValues("hooks.tool_call.post_call[0].type=truncate",
					"hooks.tool_call.post_call[0].match=read_*", "hooks.tool_call.post_call[0].config.max_size=1KB")
			.run((context) -> {
				ToolExecutor tools = context.getBean(ToolExecutor.class);
				assertThat(run(tools).content()).hasSizeLessThanOrEqualTo(1_024);
				assertThat(tools.execute(ToolCall.of("search", Map.of())).content()).isEqualTo(LARGE);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "max_size=1", "max_size=65MB", "head_share=0.5", "head_share=2", "head_share=-1" })
	void mistakesStopTheStart(String option) {
		this.contextRunner
			.withPropertyValues("hooks.tool_call.post_call[0].type=truncate",
					"hooks.tool_call.post_call[0].config." + option)
			.run((context) -> assertThat(context).hasFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "100MB", "big" })
	void whatIsNoSizeStopsTheStart(String size) {
		this.contextRunner.withPropertyValues("hooks.tool_call.max_result_size=" + size)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("max_result_size' is not a size between 1KB and 64MB"));
	}

	@Test
	void entryUnderPreCallStopsTheStart() {
		this.contextRunner
			.withPropertyValues("hooks.tool_call.pre_call[0].type=truncate",
					"hooks.tool_call.pre_call[0].config.max_size=1KB")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void answersOfModelsAreCut() {
		TruncateConfig config = new TruncateConfig(DataSize.ofKilobytes(1), null);
		LlmCall call = LlmCall.of(LlmMessage.user("hi"));
		assertThat(config.forModels().onResponse(call, LlmResponse.of("short"))).isEqualTo(LlmDecision.approve());
		assertThat(config.forModels().onResponse(call, LlmResponse.of(LARGE))).isInstanceOfSatisfying(
				LlmDecision.Respond.class,
				(respond) -> assertThat(respond.response().text()).hasSizeLessThanOrEqualTo(1_024));
		assertThat(List.of(config.forTools())).hasOnlyElementsOfType(TruncateToolHook.class);
	}

}
