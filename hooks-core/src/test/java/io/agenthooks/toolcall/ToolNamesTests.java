package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.Glob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolNames}, and for calls of names that no tool can have.
 */
class ToolNamesTests {

	private final GuardedTool tool = new GuardedTool();

	private final List<String> asked = new ArrayList<>();

	private final PreToolHook asking = (call) -> {
		this.asked.add(call.tool());
		return ToolDecision.approve();
	};

	static Stream<Arguments> impossibleNames() {
		return Stream.of(Arguments.of("", "empty"), Arguments.of(" ", "blank"), Arguments.of("run_command ", "blank"),
				Arguments.of(" run_command", "blank"), Arguments.of("run  command", "two blanks"),
				Arguments.of("a b  c", "two blanks"), Arguments.of("run_command\t", "invisible"),
				Arguments.of("run_command\n", "invisible"), Arguments.of("run\r\ncommand", "invisible"),
				Arguments.of("run_command\u00a0", "invisible"), Arguments.of("run\u2003command", "invisible"),
				Arguments.of("run_command\u3000", "invisible"), Arguments.of("run_command\u0000", "invisible"),
				Arguments.of("run_\u007fcommand", "invisible"), Arguments.of("run_\u0085command", "invisible"),
				Arguments.of("run_command\u200b", "invisible"), Arguments.of("run_\u200dcommand", "invisible"),
				Arguments.of("\ufeffrun_command", "invisible"), Arguments.of("run_\u202ecommand", "invisible"),
				Arguments.of("run_\u2066command", "invisible"), Arguments.of("run_\u00adcommand", "invisible"),
				Arguments.of("run_command\ufe0f", "invisible"), Arguments.of("run_command\u3164", "invisible"),
				Arguments.of("run_command\ud83d", "invisible"), Arguments.of("run\udb40\udc41", "invisible"),
				Arguments.of("\uff52\uff55\uff4e_command", "full-width"),
				Arguments.of("run\uff3fcommand", "full-width"), Arguments.of("run_\u24d2ommand", "full-width"),
				Arguments.of("run_\ufb01le", "full-width"), Arguments.of("re\u0301sume", "full-width"));
	}

	@ParameterizedTest
	@MethodSource("impossibleNames")
	void nameThatNoToolCanHaveIsDeniedBeforeAnyHook(String plain, String problem) {
		assertThat(ToolNames.problem(plain)).contains(problem);
		PreToolHook forOneTool = PreToolHook.forTools(Glob.anyOf("read_*"), this.asking);
		for (PreToolHook hook : List.of(this.asking, forOneTool)) {
			ToolResult result = this.tool.chain(hook).execute(ToolCall.of(plain, Map.of()), this.tool::run);
			assertThat(result.succeeded()).isFalse();
			assertThat(result.content()).contains("'tool-name'", "No tool can have this name", problem);
		}
		assertThat(this.asked).isEmpty();
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcomes).hasSize(2).allSatisfy((outcome) -> {
			assertThat(outcome.decidedBy()).isEqualTo("tool-name");
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
		});
	}

	@Test
	void nameThatIsTooLongIsDenied() {
		assertThat(ToolNames.problem("x".repeat(ToolNames.MAX_LENGTH))).isNull();
		assertThat(ToolNames.problem("x".repeat(ToolNames.MAX_LENGTH + 1))).contains("longer than 256");
		assertThat(ToolNames.problem("日".repeat(ToolNames.MAX_LENGTH))).isNull();
		assertThat(ToolNames.problem("😀".repeat(ToolNames.MAX_LENGTH + 1))).contains("longer than 256");
	}

	@ParameterizedTest
	@ValueSource(strings = { "run_command", "RUN_COMMAND", "run-command", "com.acme/run:v2", "files__read",
			"Get Weather", "tool?x=1", "a", "日本語", "résumé", "λ", "查询天气", "날씨", "😀" })
	void otherNamesPassWhetherTheyAreKnownAlreadyOrNot(String name) {
		ToolHookChain chain = this.tool.chain(this.asking);
		for (int i = 0; i < 3; i++) {
			assertThat(chain.execute(ToolCall.of(String.valueOf(name.toCharArray()), Map.of()), this.tool::run)
				.succeeded()).isTrue();
		}
		assertThat(this.asked).hasSize(3);
		assertThat(this.tool.ran).hasSize(3);
	}

	@Test
	void manyNamesAreToldApart() {
		ToolHookChain chain = this.tool.chain(this.asking);
		for (int round = 0; round < 2; round++) {
			for (int i = 0; i < 1_000; i++) {
				assertThat(chain.execute(ToolCall.of("tool" + i, Map.of()), this.tool::run).succeeded()).isTrue();
				assertThat(chain.execute(ToolCall.of("tool" + i + " ", Map.of()), this.tool::run).succeeded())
					.isFalse();
			}
		}
	}

	@Test
	void nameIsDeniedThoughTheToolsAreOffOrNoHookIsThere() {
		ToolHookChain chain = this.tool.chain();
		assertThat(chain.execute(ToolCall.of("run_command ", Map.of()), this.tool::run).content())
			.contains("tool-name");
		chain.setToolsEnabled(false);
		assertThat(chain.execute(ToolCall.of("run_command ", Map.of()), this.tool::run).content())
			.contains("switched off");
	}

}
