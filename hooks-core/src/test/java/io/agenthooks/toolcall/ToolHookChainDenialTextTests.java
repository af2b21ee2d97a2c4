package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for tools that say that the caller may not call them.
 */
class ToolHookChainDenialTextTests {

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private final ToolExecutor secured = new ToolExecutor() {

		@Override
		public ToolResult execute(ToolCall call) {
			throw new IllegalStateException("Not you");
		}

		@Override
		public @Nullable String denialText(Throwable failure) {
			return "The user may not";
		}

		@Override
		public String failureText(Throwable failure) {
			return "It failed";
		}

	};

	@Test
	void callIsDeniedAndNoResultHookSeesIt() {
		List<ToolResult> seen = new ArrayList<>();
		ToolResultHook results = (call, result) -> {
			seen.add(result);
			return ToolDecision.approve();
		};
		ToolHookChain chain = new ToolHookChain(List.of((call) -> ToolDecision.approve()), List.of(results),
				List.of(this.outcomes::add), ToolApprover.nobody(), null, new AbortedRuns());
		ToolResult result = chain.execute(ToolCall.of("refund", Map.of()), this.secured);
		assertThat(result.content()).isEqualTo("Tool call denied by hook 'method-security': The user may not");
		assertThat(result.isRefusal()).isTrue();
		assertThat(seen).isEmpty();
		assertThat(this.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(outcome.decidedBy()).isEqualTo("method-security");
			assertThat(outcome.failure()).isNull();
			assertThat(outcome.originalResult()).isNull();
		});
	}

	@Test
	void callIsDeniedWithoutHooks() {
		ToolResult result = new ToolHookChain(List.of(), List.of()).execute(ToolCall.of("refund", Map.of()),
				this.secured);
		assertThat(result.isRefusal()).isTrue();
	}

	@Test
	void wrappedExecutorSaysTheSame() {
		ToolExecutor hooked = new HookedToolExecutor(this.secured, new ToolHookChain(List.of(), List.of()));
		assertThat(hooked.denialText(new IllegalStateException())).isEqualTo("The user may not");
	}

	@Test
	void abortIsNoDenial() {
		ToolExecutor aborting = new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				throw new RunAbortedException(call, "inner", "Enough");
			}

			@Override
			public String denialText(Throwable failure) {
				return "The user may not";
			}

		};
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(this.outcomes::add));
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> chain.execute(ToolCall.of("refund", Map.of()), aborting));
	}

}
