package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for hooks for some contexts only. Hooks for some tools only are in
 * {@link ToolHookChainPlanTests} and {@link ToolHookTests}.
 */
class ScopedHooksTests {

	private static final ToolCall BY_REVIEWER = ToolCall.of("run_command", Map.of("command", "ls"),
			CallContext.empty().withRole("reviewer"));

	private static final ToolCall BY_OTHER = GuardedTool.CALL;

	private final GuardedTool tool = new GuardedTool();

	private static boolean isReviewer(CallContext context) {
		return context.role().equals("reviewer");
	}

	@Test
	void forContextsAsksOnlyAboutThese() {
		ToolHookChain chain = this.tool
			.chain(PreToolHook.forContexts(ScopedHooksTests::isReviewer, (call) -> ToolDecision.deny("no")));
		assertThat(chain.execute(BY_REVIEWER, this.tool::run).succeeded()).isFalse();
		assertThat(chain.execute(BY_OTHER, this.tool::run).succeeded()).isTrue();
		assertThat(chain.execute(BY_REVIEWER, this.tool::run).succeeded()).isFalse();
	}

	@Test
	void forContextsShowsOnlyTheirResults() {
		ToolHookChain chain = this.tool
			.withResults(ToolResultHook.forContexts(ScopedHooksTests::isReviewer,
					(call, result) -> ToolDecision.deny("secret")))
			.chain();
		assertThat(chain.execute(BY_REVIEWER, this.tool::run).succeeded()).isFalse();
		assertThat(chain.execute(BY_OTHER, this.tool::run).succeeded()).isTrue();
	}

	@Test
	void forContextsTellsOnlyOfThese() {
		List<ToolCall> told = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of(), List
			.of(PostToolHook.forContexts(ScopedHooksTests::isReviewer, (outcome) -> told.add(outcome.effective()))));
		chain.execute(BY_REVIEWER, this.tool::run);
		chain.execute(BY_OTHER, this.tool::run);
		assertThat(told).containsExactly(BY_REVIEWER);
	}

	@Test
	void forContextsAndForToolsBothHaveToMatch() {
		PreToolHook deny = (call) -> ToolDecision.deny("no");
		for (PreToolHook hook : List.of(
				PreToolHook.forTools("run_command"::equals,
						PreToolHook.forContexts(ScopedHooksTests::isReviewer, deny)),
				PreToolHook.forContexts(ScopedHooksTests::isReviewer,
						PreToolHook.forTools("run_command"::equals, deny)))) {
			assertThat(hook.preCall(BY_REVIEWER)).isEqualTo(ToolDecision.deny("no"));
			assertThat(hook.preCall(BY_OTHER)).isEqualTo(ToolDecision.approve());
			assertThat(hook.preCall(ToolCall.of("other", Map.of(), BY_REVIEWER.context())))
				.isEqualTo(ToolDecision.approve());
		}
	}

	@Test
	void forContextsWhenTestFailsDenies() {
		this.tool.execute(PreToolHook.forContexts((context) -> {
			throw new IllegalStateException();
		}, (call) -> ToolDecision.approve()));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void forContextsWhenTestFailsWithholdsTheResult() {
		this.tool.withResults(ToolResultHook.forContexts((context) -> {
			throw new IllegalStateException();
		}, (call, result) -> ToolDecision.approve()));
		assertThat(this.tool.execute().content()).startsWith("Tool result withheld");
	}

	@Test
	void forContextsWhenTestOfPostCallHookFailsNothingChanges() {
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(PostToolHook.forContexts((context) -> {
			throw new IllegalStateException();
		}, this.tool.outcomes::add), (PostToolHook) this.tool.outcomes::add));
		assertThat(chain.execute(BY_OTHER, this.tool::run).succeeded()).isTrue();
		assertThat(this.tool.outcomes).hasSize(1);
	}

	@Test
	void forContextsPolicyIsAskedAgainAfterAChange() {
		ToolHookChain chain = this.tool.chain(
				PreToolHook.forContexts(ScopedHooksTests::isReviewer, Hooks.policyAgainst("rm")),
				Hooks.changingCommandTo("rm"));
		assertThat(chain.execute(BY_REVIEWER, this.tool::run).succeeded()).isFalse();
		assertThat(chain.execute(BY_OTHER, this.tool::run).succeeded()).isTrue();
	}

	@Test
	void forContextsKeepsNameAndRepeatability() {
		assertThat(PreToolHook.forContexts(ScopedHooksTests::isReviewer,
				PreToolHook.named("name", Hooks.policyAgainst("ls"))))
			.satisfies((hook) -> {
				assertThat(hook.name()).isEqualTo("name");
				assertThat(hook.isRepeatable()).isTrue();
			});
		assertThat(ToolResultHook
			.forContexts(ScopedHooksTests::isReviewer, ToolResultHook.named("name", NullDecisions.resultHook()))
			.name()).isEqualTo("name");
		assertThat(PostToolHook
			.forContexts(ScopedHooksTests::isReviewer, PostToolHook.named("name", this.tool.outcomes::add))
			.name()).isEqualTo("name");
	}

	@Test
	@SuppressWarnings("NullAway")
	void decoratorsNeedAHookAndATest() {
		ToolResultHook resultHook = NullDecisions.resultHook();
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.forContexts(null, NullDecisions.hook()));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.forContexts(ScopedHooksTests::isReviewer, null));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.forContexts(null, resultHook));
		assertThatNullPointerException()
			.isThrownBy(() -> ToolResultHook.forContexts(ScopedHooksTests::isReviewer, null));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.forTools(null, resultHook));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.forTools((name) -> true, null));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.named("name", null));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.named(null, resultHook));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.failOpen(null));
		assertThatNullPointerException().isThrownBy(() -> ToolResultHook.observeOnly(null));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.forContexts(null, this.tool.outcomes::add));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.forContexts(ScopedHooksTests::isReviewer, null));
	}

}
