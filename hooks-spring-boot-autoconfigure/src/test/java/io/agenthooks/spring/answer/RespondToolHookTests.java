package io.agenthooks.spring.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.Glob;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link RespondToolHook}.
 */
class RespondToolHookTests {

	private final List<ToolCall> ran = new ArrayList<>();

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	@Test
	void callIsAnsweredWithTheContentInPlaceOfTheTool() {
		assertThat(execute("t", responding("sunny", false))).isEqualTo(ToolResult.success("sunny"));
		assertThat(this.ran).isEmpty();
		assertThat(this.outcomes).extracting(ToolOutcome::status).containsExactly(ToolCallStatus.ANSWERED);
	}

	@Test
	void callIsAnsweredWithAnError() {
		assertThat(execute("t", responding("no such city", true))).isEqualTo(ToolResult.failure("no such city"));
		assertThat(this.outcomes).extracting(ToolOutcome::status).containsExactly(ToolCallStatus.ANSWERED);
	}

	@Test
	void contentMayBeEmpty() {
		assertThat(execute("t", responding("", false))).isEqualTo(ToolResult.success(""));
	}

	@Test
	void missingContentIsRefused() {
		RespondConfig config = new RespondConfig(null, false);
		assertThat(catchThrowableOfType(InvalidHookConfigException.class, () -> new RespondToolHook(config)))
			.hasMessageContaining("content: The content is missing.");
	}

	@Test
	void otherToolsRunWhenTheHookIsForSomeOnly() {
		PreToolHook weather = PreToolHook.forTools(Glob.of("weather"), responding("sunny", false));
		assertThat(execute("weather", weather).content()).isEqualTo("sunny");
		assertThat(execute("t", weather).content()).isEqualTo("ran");
		assertThat(this.ran).extracting(ToolCall::tool).containsExactly("t");
	}

	@Test
	void laterPolicyDeniesWhatIsAnswered() {
		PolicyToolHook policy = new PolicyToolHook(new PolicyConfig(null, List.of("t"), null, null));
		assertThat(execute("t", responding("sunny", false), policy).succeeded()).isFalse();
		assertThat(this.outcomes).extracting(ToolOutcome::status).containsExactly(ToolCallStatus.DENIED);
	}

	@Test
	void hookIsNotAskedAgainWhenAnotherAnswered() {
		RespondToolHook second = responding("second", false);
		assertThat(second.isRepeatable()).isFalse();
		assertThat(execute("t", responding("first", false), second).content()).isEqualTo("first");
	}

	@Test
	void configDoesNotShowItsContent() {
		assertThat(new RespondConfig("secret", true).toString()).doesNotContain("secret");
	}

	private static RespondToolHook responding(String content, boolean isError) {
		return new RespondToolHook(new RespondConfig(content, isError));
	}

	private ToolResult execute(String tool, PreToolHook... hooks) {
		return new ToolHookChain(List.of(hooks), List.of((PostToolHook) this.outcomes::add))
			.execute(ToolCall.of(tool, Map.of()), (call) -> {
				this.ran.add(call);
				return ToolResult.success("ran");
			});
	}

}
