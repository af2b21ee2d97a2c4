package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: arguments that a tool does not accept.
 */
class ToolHookChainArgumentsTests {

	private final GuardedTool tool = new GuardedTool();

	private final List<ToolCallEvent> events = new ArrayList<>();

	private final ToolExecutor executor = new ToolExecutor() {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolHookChainArgumentsTests.this.tool.run(call);
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return (call.arguments().get("command") instanceof String) ? null : "'command' must be a string";
		}

	};

	private ToolResult execute(ToolCall call, PreToolHook... hooks) {
		this.tool.withListener(this.events::add);
		return this.tool.chain(hooks).execute(call, this.executor);
	}

	@Test
	void callThatTheToolDoesNotAcceptIsDeniedWithTheObjection() {
		ToolResult result = execute(ToolCall.of("run_command", Map.of("command", 1)));

		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).isEqualTo("Tool call denied by hook 'arguments': 'command' must be a string");
		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("arguments");
	}

	@Test
	void callThatTheToolDoesNotAcceptIsDeniedWithoutAnyHookAndListener() {
		ToolResult result = new ToolHookChain(List.of(), List.of())
			.execute(ToolCall.of("run_command", Map.of("command", 1)), this.executor);

		assertThat(result.content()).contains("'command' must be a string");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void hookMayMendTheArguments() {
		execute(ToolCall.of("run_command", Map.of("command", 1)),
				(call) -> ToolDecision.modify(Map.of("command", "ls")));

		assertThat(this.tool.ranArguments()).containsEntry("command", "ls");
	}

	@Test
	void hookCannotSendWhatTheToolDoesNotAccept() {
		execute(GuardedTool.CALL, (call) -> ToolDecision.modify(Map.of("command", 1)));

		assertThat(this.tool.ran).isEmpty();
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("arguments");
	}

	@Test
	void personIsNotAskedAboutWhatTheToolDoesNotAccept() {
		AtomicInteger asked = new AtomicInteger();
		this.tool.withApprover((call, question) -> {
			asked.incrementAndGet();
			return ToolDecision.approve();
		});

		execute(ToolCall.of("run_command", Map.of("command", 1)), (call) -> ToolDecision.ask("May I?"));

		assertThat(asked).hasValue(0);
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void personCannotSendWhatTheToolDoesNotAccept() {
		this.tool.withApprover((call, question) -> ToolDecision.modify(Map.of("command", 1)));

		ToolResult result = execute(GuardedTool.CALL, (call) -> ToolDecision.ask("May I?"));

		assertThat(result.content()).contains("'command' must be a string");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void answeredCallNeedsNoArgumentsThatTheToolAccepts() {
		ToolResult result = execute(ToolCall.of("run_command", Map.of()),
				(call) -> ToolDecision.respond(ToolResult.success("cached")));

		assertThat(result.content()).isEqualTo("cached");
	}

	@Test
	void checkThatFailsDenies() {
		ToolExecutor broken = new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				return ToolHookChainArgumentsTests.this.tool.run(call);
			}

			@Override
			public String objection(ToolCall call) {
				throw new IllegalStateException("secret");
			}

		};

		ToolResult result = this.tool.chain().execute(GuardedTool.CALL, broken);

		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).doesNotContain("secret");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void callThatCannotBeReadIsToldOfLikeAnyDenial() {
		this.tool.withListener(this.events::add);

		ToolResult result = this.tool.chain((call) -> ToolDecision.approve())
			.refuse(ToolCall.of("run_command", Map.of()), "arguments", "The arguments must be one JSON object");

		assertThat(result.content())
			.isEqualTo("Tool call denied by hook 'arguments': The arguments must be one JSON object");
		assertThat(this.events).hasExactlyElementsOfTypes(ToolCallEvent.Started.class, ToolCallEvent.Denied.class);
		assertThat(this.tool.outcome().decidedBy()).isEqualTo("arguments");
	}

	@Test
	void callThatCannotBeReadOfAnAbortedRunEndsLikeTheOthersOfIt() {
		ToolCall call = ToolCall.of("run_command", Map.of("command", "ls"), CallContext.ofSession("s"));
		ToolHookChain chain = this.tool.chain((asked) -> ToolDecision.abortRun("enough"));
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> chain.execute(call, this.executor));

		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> chain.refuse(call, "arguments", "unreadable"));
	}

	@Test
	void callThatCannotBeReadIsDisabledWhileToolsAreSwitchedOff() {
		ToolHookChain chain = this.tool.chain();
		chain.setToolsEnabled(false);

		chain.refuse(GuardedTool.CALL, "arguments", "unreadable");

		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DISABLED);
	}

}
