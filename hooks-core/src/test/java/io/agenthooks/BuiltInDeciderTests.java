package io.agenthooks;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ReplacedHooks;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link BuiltInDecider}: no hook may have such a name.
 */
class BuiltInDeciderTests {

	@ParameterizedTest
	@EnumSource
	void noChainTakesAHookOfTheName(BuiltInDecider decider) {
		String name = decider.value();
		PreToolHook tool = PreToolHook.named(name, (call) -> ToolDecision.approve());
		assertThatIllegalArgumentException().isThrownBy(() -> new ToolHookChain(List.of(tool), List.of()))
			.withMessageContaining("No hook may be named '%s'", name)
			.withMessageContaining("Give the hook another name");
		ToolHookChain chain = new ToolHookChain(List.of(), List.of());
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ReplacedHooks.replace(chain, List.of(tool), List.of(), List.of()));
		PreLlmHook llm = (call) -> LlmDecision.approve();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LlmHookChain(List.of(HookEntry.<PreLlmHook>of(llm).named(name)), List.of(), List.of(),
					null, new AbortedRuns()));
		PreRunHook run = (begun) -> RunDecision.approve();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RunHookChain(List.of(HookEntry.<PreRunHook>of(run).named(name)), List.of(), null,
					new AbortedRuns()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Kill-Switch", "KILL_SWITCH", "kill switch", "killSwitch", " kill-switch ",
			"kill\u200b-switch", "\uff4bill-switch", "kill.switch" })
	void namesThatReadTheSameAreTakenToo(String name) {
		assertThat(BuiltInDecider.ofName(name)).isEqualTo(BuiltInDecider.KILL_SWITCH);
	}

	@ParameterizedTest
	@ValueSource(strings = { "kill-switches", "my-arguments", "contexts", "none-of-these", "", "hook" })
	void otherNamesAreFree(String name) {
		assertThat(BuiltInDecider.requireFree(name)).isEqualTo(name);
	}

	@Test
	void aHookMayHideItsOwnNameBehindAnother() {
		PreToolHook hook = PreToolHook.named("free", PreToolHook.named("context", (call) -> ToolDecision.approve()));
		assertThat(new ToolHookChain(List.of(hook), List.of())).isNotNull();
	}

}
