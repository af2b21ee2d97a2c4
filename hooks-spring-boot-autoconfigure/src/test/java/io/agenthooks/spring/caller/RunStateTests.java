package io.agenthooks.spring.caller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link RunState}.
 */
class RunStateTests {

	private static final String RUN = "run-1";

	private static final CallContext CONTEXT = CallContext.empty().withRunId(RUN);

	private final RunState state = new RunState();

	private final AbortedRuns abortedRuns = new AbortedRuns();

	@Test
	void runThatEndsBeforeWhoWasAbortedSaysSoIsAbortedNevertheless() {
		List<@Nullable AgentAbortedException> seen = new ArrayList<>();
		PreToolHook aborting = PreToolHook.named("stop", (call) -> ToolDecision.abortRun("enough"));
		// A post-call hook learns of the abort before the caller does, so the run may end
		// meanwhile.
		PostToolHook ending = (outcome) -> {
			this.state.end();
			this.abortedRuns.endRun(RUN, this.state::inherit);
			seen.add(this.state.abortedBy());
		};
		ToolHookChain chain = new ToolHookChain(List.of(aborting), List.of(), List.of(ending), ToolApprover.nobody(),
				null, this.abortedRuns);
		ToolCallAbortedException abortion = catchThrowableOfType(ToolCallAbortedException.class,
				() -> chain.execute(ToolCall.of("t", Map.of(), CONTEXT), (call) -> ToolResult.success("ran")));
		assertThat(seen).singleElement().satisfies((early) -> {
			assertThat(early.getHook()).isEqualTo("stop");
			assertThat(early.getReason()).isEqualTo("enough");
			assertThat(early).hasMessage("The hook 'stop' aborted the run: enough");
		});
		assertThat(this.abortedRuns.isEmpty()).as("remembered twice").isTrue();
		assertThat(this.state.abort(abortion)).as("has to be forgotten once more").isTrue();
		assertThat(this.state.abortedBy()).as("the first stays").isSameAs(seen.get(0));
	}

	@Test
	void memoryForgetsOnlyAfterTheHeirKnows() {
		this.abortedRuns.remember(CONTEXT, "enough", "stop");
		List<AbortedRuns.@Nullable Abortion> remembered = new ArrayList<>();
		this.abortedRuns.endRun(RUN, (abortion) -> remembered.add(this.abortedRuns.find(CONTEXT)));
		assertThat(remembered).containsExactly(new AbortedRuns.Abortion("enough", "stop"));
		assertThat(this.abortedRuns.find(CONTEXT)).isNull();
	}

	@Test
	void runThatWasNotAbortedLeavesNothing() {
		this.state.end();
		this.abortedRuns.endRun(RUN, this.state::inherit);
		assertThat(this.state.abortedBy()).isNull();
	}

}
