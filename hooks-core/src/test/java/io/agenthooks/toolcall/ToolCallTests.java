package io.agenthooks.toolcall;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ToolCall} and of what the values around it show of themselves.
 */
class ToolCallTests {

	private static final String SECRET = "hunter2";

	private final ToolCall call = ToolCall.of("login", Map.of("password", SECRET),
			CallContext.ofSession("s-1").withAttribute("token", SECRET));

	@Test
	void ofMakesDistinctIds() {
		assertThat(ToolCall.of("a", Map.of()).id()).isNotEqualTo(ToolCall.of("a", Map.of()).id());
		assertThat(ToolCall.of("a", Map.of()).context()).isSameAs(CallContext.empty());
	}

	@Test
	void ofKeepsNameExactly() {
		assertThat(ToolCall.of(" Run\nCommand ", Map.of()).tool()).isEqualTo(" Run\nCommand ");
		assertThat(ToolCall.of("", Map.of()).tool()).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void createWithoutAPartNamesIt() {
		assertThatNullPointerException().isThrownBy(() -> ToolCall.of(null, "tool", Map.of(), CallContext.empty()))
			.withMessage("'id' must not be null");
		assertThatNullPointerException().isThrownBy(() -> ToolCall.of(null, Map.of()))
			.withMessage("'tool' must not be null");
		assertThatNullPointerException().isThrownBy(() -> ToolCall.of("tool", null))
			.withMessage("'arguments' must not be null");
		assertThatNullPointerException().isThrownBy(() -> ToolCall.of("tool", Map.of(), null))
			.withMessage("'context' must not be null");
	}

	@Test
	void callsAreEqualByValue() {
		ToolCall same = ToolCall.of(this.call.id(), "login", new HashMap<>(Map.of("password", SECRET)),
				this.call.context());
		assertThat(same).isEqualTo(this.call).hasSameHashCodeAs(this.call);
		assertThat(same.withArguments(Map.of())).isNotEqualTo(this.call);
	}

	@Test
	void withArgumentsKeepsTheRest() {
		ToolCall changed = this.call.withArguments(Map.of("user", "me"));
		assertThat(changed).isEqualTo(ToolCall.of(this.call.id(), "login", Map.of("user", "me"), this.call.context()));
		assertThat(this.call.arguments()).containsOnlyKeys("password");
	}

	@Test
	void toStringShowsNamesButNoValues() {
		assertThat(this.call.toString()).contains("login", "password", "s-1", "token").doesNotContain(SECRET);
	}

	@Test
	void toStringIsOneLineWhateverTheModelWrote() {
		ToolCall evil = ToolCall.of("id\r\nWARN fake", "tool\n\u001b[31mWARN fake", Map.of("name\nWARN fake", 1),
				CallContext.ofSession("s\nWARN fake"));
		assertThat(evil.toString()).doesNotContain("\n", "\r", "\u001b");
	}

	@Test
	void nothingAroundACallShowsValues() {
		ToolResult result = ToolResult.success(SECRET, Map.of("value", SECRET));
		ToolDecision modify = ToolDecision.modify(Map.of("password", SECRET));
		assertThat(List.of(result, modify, ToolDecision.respond(result), new ToolOutcome(this.call, this.call, modify,
				"hook", ToolCallStatus.FAILED, result, result, new IllegalStateException(SECRET), Duration.ZERO,
				List.of(), List.of(), List.of(), null, List.of()),
				new TurnAbortedException(this.call, "hook", "reason"),
				ToolCallAbortedException.of(this.call, "hook",
						new ToolDecision.Abort("reason", AbortScope.RUN, null, null)),
				this.call.context()))
			.allSatisfy((value) -> assertThat(value.toString()).doesNotContain(SECRET));
		assertThat(modify.toString()).contains("password");
	}

	@Test
	void abortOfAnUnsafeToolNameIsOneLine() {
		ToolCall evil = ToolCall.of("tool\nWARN fake", Map.of());
		assertThat(new TurnAbortedException(evil, "hook", "reason").getMessage()).doesNotContain("\n");
	}

	@Test
	void outcomeCopiesItsList() {
		List<String> failedOpen = new ArrayList<>(List.of("a"));
		ToolOutcome outcome = new ToolOutcome(this.call, this.call, ToolDecision.approve(), null,
				ToolCallStatus.SUCCEEDED, null, ToolResult.success(""), null, Duration.ZERO, List.of(), failedOpen,
				List.of(), null, List.of());
		failedOpen.clear();
		assertThat(outcome.failedOpen()).containsExactly("a");
	}

	@Test
	void statusHasOneNameEverywhere() {
		assertThat(ToolCallStatus.values()).extracting(ToolCallStatus::value)
			.containsExactly("succeeded", "failed", "denied", "answered", "aborted", "pending", "disabled");
	}

}
