package io.agenthooks.redact;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RedactToolHook}, in a chain.
 */
class RedactToolHookTests {

	private static final ToolCall CALL = ToolCall.of("read_file", Map.of("path", "bob@example.com"));

	private final List<ToolOutcome> outcomes = new ArrayList<>();

	private final RedactToolHook hook = new RedactToolHook(RedactConfig.defaults());

	@Test
	void resultWhenItHoldsSecretsReachesTheAgentWithoutThem() {
		ToolResult result = execute((call) -> ToolResult.success("mail bob@example.com",
				Map.of("to", List.of("bob@example.com"), "key", "ghp_abcdefghijklmnopqrstuvwxyz0123456789")));
		assertThat(result).isEqualTo(ToolResult.success("mail [redacted:email]",
				Map.of("to", List.of("[redacted:email]"), "key", "[redacted:secret]")));
		assertThat(this.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.result()).isEqualTo(result));
	}

	@Test
	void resultWhenThereIsNothingToHideIsTheSameObject() {
		ToolResult clean = ToolResult.success("clean", Map.of("a", List.of(1, "b")));
		assertThat(execute((call) -> clean)).isSameAs(clean);
	}

	@Test
	void resultWhenToolFailedIsRedactedAndStaysFailed() {
		ToolResult result = execute((call) -> ToolResult.failure("no login for postgres://app:hunter2@db/x"));
		assertThat(result).isEqualTo(ToolResult.failure("no login for postgres://app:[redacted:secret]@db/x"));
	}

	@Test
	void resultWhenValueCannotBeSearchedLosesIt() {
		ToolResult result = execute((call) -> ToolResult.success("ok", new Object()));
		assertThat(result).isEqualTo(ToolResult.success("ok"));
	}

	@Test
	void resultWhenItIsTooLargeIsWithheld() {
		ToolResult result = execute((call) -> ToolResult.success("bob@example.com ".repeat(5_000_000)));
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).contains("withheld", "too large").doesNotContain("bob");
	}

	@Test
	void resultWhenValueContainsItselfIsWithheld() {
		List<Object> endless = new ArrayList<>();
		endless.add(endless);
		assertThat(execute((call) -> ToolResult.success("ok", endless)).content()).contains("withheld");
	}

	@Test
	void resultWhenValueBreaksTheSearchIsWithheld() {
		ToolResult result = execute((call) -> ToolResult.success("ok", new AbstractList<Object>() {

			@Override
			public @Nullable Object get(int index) {
				throw new IllegalStateException("bob@example.com");
			}

			@Override
			public int size() {
				return 1;
			}

		}));
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).contains("withheld").doesNotContain("bob");
	}

	@Test
	void answerOfAHookIsRedactedToo() {
		PreToolHook answering = (call) -> ToolDecision.respond(ToolResult.success("bob@example.com"));
		assertThat(chain(List.of(answering)).execute(CALL, (call) -> ToolResult.success("")).content())
			.isEqualTo("[redacted:email]");
	}

	@Test
	void denialAndExceptionArePassedOnUnchanged() {
		PreToolHook denying = (call) -> ToolDecision.deny("ask bob@example.com");
		assertThat(chain(List.of(denying)).execute(CALL, (call) -> ToolResult.success("")).content())
			.contains("bob@example.com");
		assertThatIllegalStateException().isThrownBy(() -> execute((call) -> {
			throw new IllegalStateException("bob@example.com");
		})).withMessage("bob@example.com");
	}

	@Test
	void resultWhenHooksStandOneAfterTheOtherIsRedactedOnce() {
		RedactToolHook own = new RedactToolHook(
				new RedactConfig(List.of(), Map.of("employee", "EMP-\\d+"), RedactConfig.Strategy.HASH));
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(this.hook, own, this.hook), List.of(),
				ToolApprover.nobody(), null, new AbortedRuns());
		assertThat(chain.execute(CALL, (call) -> ToolResult.success("bob@x.org EMP-1 password=x")).content())
			.matches("\\[redacted:email] \\[employee:hmac-[0-9a-f]{12}] password=\\[redacted:password]");
	}

	private ToolResult execute(ToolExecutor executor) {
		return chain(List.of()).execute(CALL, executor);
	}

	private ToolHookChain chain(List<PreToolHook> preCall) {
		PostToolHook recording = this.outcomes::add;
		return new ToolHookChain(preCall, List.of(this.hook), List.of(recording), ToolApprover.nobody(), null,
				new AbortedRuns());
	}

}
