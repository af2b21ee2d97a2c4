package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what the model reads of a tool that throws.
 */
class ToolHookChainFailureTextTests {

	private static final ToolCall CALL = ToolCall.of("read_file", Map.of());

	private final IllegalStateException failure = new IllegalStateException("token=hunter2hunter2");

	private final RedactToolHook redact = new RedactToolHook(RedactConfig.defaults());

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	@Test
	void textOfAFailurePassesTheResultHooks() {
		ToolResult result = chain(List.of(this.redact)).execute(CALL, tool(this.failure));
		assertThat(result).isEqualTo(ToolResult.failure("token=[redacted:password]"));
	}

	@Test
	void postCallHooksSeeTheFailureOnceWithWhatTheAgentGot() {
		chain(List.of(this.redact)).execute(CALL, tool(this.failure));
		assertThat(this.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.FAILED);
			assertThat(outcome.failure()).isSameAs(this.failure);
			assertThat(outcome.result()).isEqualTo(ToolResult.failure("token=[redacted:password]"));
			assertThat(outcome.replacedBy()).containsExactly(this.redact.name());
		});
	}

	@Test
	void textPassesTheResultHooksAlsoIfNobodyElseListens() {
		assertThat(new ToolHookChain(List.of(), List.of(this.redact), List.of(), ToolApprover.nobody(), null,
				new AbortedRuns())
			.execute(CALL, tool(this.failure))).isEqualTo(ToolResult.failure("token=[redacted:password]"));
	}

	@Test
	void textWithoutHooksIsTheFailedResult() {
		assertThat(new ToolHookChain(List.of(), List.of()).execute(CALL, tool(this.failure)))
			.isEqualTo(ToolResult.failure("token=hunter2hunter2"));
	}

	@Test
	void failureWithoutATextReachesTheCallerUnchanged() {
		assertThatIllegalStateException().isThrownBy(() -> chain(List.of(this.redact)).execute(CALL, (call) -> {
			throw this.failure;
		})).isSameAs(this.failure);
		assertThat(this.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.failure()).isSameAs(this.failure);
			assertThat(outcome.result()).isNull();
		});
	}

	@Test
	void resultHookThatDeniesWithholdsTheText() {
		ToolResult result = chain(List.of((call, failed) -> ToolDecision.deny("secret"))).execute(CALL,
				tool(this.failure));
		assertThat(result.content()).contains("withheld", "secret").doesNotContain("hunter2");
	}

	@Test
	void resultHookThatAbortsAborts() {
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> chain(List.of((call, failed) -> ToolDecision.abortRun("leak"))).execute(CALL,
					tool(this.failure)));
		assertThat(this.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(ToolCallStatus.ABORTED));
	}

	@Test
	void abortThatAToolThrowsIsNoText() {
		ToolCallAbortedException abort = new RunAbortedException(CALL, "inner", "over");
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> chain(List.of(this.redact)).execute(CALL, tool(abort)))
			.isSameAs(abort);
	}

	@Test
	void describingThatFailsLeavesTheFailure() {
		ToolExecutor broken = new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				throw ToolHookChainFailureTextTests.this.failure;
			}

			@Override
			public @Nullable String failureText(Throwable failure) {
				throw new UnsupportedOperationException();
			}

		};
		assertThatIllegalStateException().isThrownBy(() -> chain(List.of(this.redact)).execute(CALL, broken))
			.isSameAs(this.failure);
		assertThat(this.outcomes).hasSize(1);
	}

	@Test
	void reviewAsksTheResultHooksAlone() {
		ToolHookChain chain = chain(List.of(this.redact));
		assertThat(chain.review(CALL, ToolResult.failure("token=hunter2hunter2")))
			.isEqualTo(ToolResult.failure("token=[redacted:password]"));
		assertThat(this.outcomes).isEmpty();
	}

	@Test
	void hookedExecutorTellsWhatItsToolSays() {
		HookedToolExecutor hooked = new HookedToolExecutor(tool(this.failure), chain(List.of(this.redact)));
		assertThat(hooked.failureText(this.failure)).isEqualTo(this.failure.getMessage());
		assertThat(hooked.execute(CALL).content()).isEqualTo("token=[redacted:password]");
	}

	private ToolHookChain chain(List<ToolResultHook> results) {
		return new ToolHookChain(List.of(), results, List.of((PostToolHook) this.outcomes::add), ToolApprover.nobody(),
				null, new AbortedRuns());
	}

	private static ToolExecutor tool(RuntimeException failure) {
		return new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				throw failure;
			}

			@Override
			public String failureText(Throwable thrown) {
				return String.valueOf(thrown.getMessage());
			}

		};
	}

}
