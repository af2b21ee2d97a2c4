package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ToolHook}, for the names and tools that hooks can be narrowed to, and
 * for {@link HookedToolExecutor}.
 */
class ToolHookTests {

	private static final ToolCall OTHER = ToolCall.of("other", Map.of());

	private final GuardedTool tool = new GuardedTool();

	@Test
	void nameIsThatOfTheClass() {
		assertThat(new Both().name()).isEqualTo("Both");
	}

	@Test
	void nameOfGeneratedClassIsPlain() {
		PreToolHook lambda = (call) -> ToolDecision.approve();
		assertThat(lambda.name()).isEqualTo("hook");
		PostToolHook anonymous = new PostToolHook() {
			@Override
			public void postCall(ToolOutcome outcome) {
			}
		};
		assertThat(anonymous.name()).isEqualTo("hook");
	}

	@Test
	void hooksAreNotRepeatableUnlessTheySaySo() {
		assertThat(new Both().isRepeatable()).isFalse();
	}

	@Test
	void aHookMayBeBoth() {
		Both both = new Both();
		new ToolHookChain(List.of(both), List.of(both)).execute(GuardedTool.CALL, this.tool::run);
		assertThat(both.calls).isEqualTo(2);
	}

	@Test
	void namedGivesNameAndKeepsTheRest() {
		PreToolHook hook = PreToolHook.named("no-shell", Hooks.policyAgainst("ls"));
		assertThat(hook.name()).isEqualTo("no-shell");
		assertThat(hook.isRepeatable()).isTrue();
		assertThat(hook.preCall(GuardedTool.CALL)).isEqualTo(ToolDecision.deny("ls is forbidden"));
		assertThat(PreToolHook.named("other", hook).name()).isEqualTo("other");
		PostToolHook postHook = PostToolHook.named("audit", new Both());
		assertThat(postHook.name()).isEqualTo("audit");
	}

	@Test
	@SuppressWarnings("NullAway")
	void decoratorsNeedAHook() {
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.named("a", null));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.named(null, new Both()));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.forTools((name) -> true, null));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.forTools(null, new Both()));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.failOpen(null));
		assertThatNullPointerException().isThrownBy(() -> PreToolHook.observeOnly(null));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.named("a", null));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.named(null, new Both()));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.forTools((name) -> true, null));
		assertThatNullPointerException().isThrownBy(() -> PostToolHook.forTools(null, new Both()));
	}

	@Test
	void forToolsAsksOnlyAboutThese() {
		ToolHookChain chain = this.tool
			.chain(PreToolHook.forTools("run_command"::equals, (call) -> ToolDecision.deny("no")));
		assertThat(chain.execute(GuardedTool.CALL, this.tool::run).succeeded()).isFalse();
		assertThat(chain.execute(OTHER, this.tool::run).succeeded()).isTrue();
		assertThat(this.tool.ran).containsExactly(OTHER);
	}

	@Test
	void forToolsKeepsNameAndRepeatability() {
		PreToolHook hook = PreToolHook.forTools((name) -> true, PreToolHook.named("name", Hooks.policyAgainst("ls")));
		assertThat(hook.name()).isEqualTo("name");
		assertThat(hook.isRepeatable()).isTrue();
		assertThat(PreToolHook.forTools((name) -> true, new Both()).isRepeatable()).isFalse();
		assertThat(PostToolHook.forTools((name) -> true, new Both()).name()).isEqualTo("Both");
	}

	@Test
	void forToolsWhenTestFailsDenies() {
		this.tool.execute(PreToolHook.forTools((name) -> {
			throw new IllegalStateException();
		}, (call) -> ToolDecision.approve()));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void forToolsPolicyIsAskedAgainAfterAChange() {
		this.tool.execute(PreToolHook.forTools("run_command"::equals, Hooks.policyAgainst("rm")),
				Hooks.changingCommandTo("rm"));
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void forToolsTellsOnlyOfThese() {
		Both both = new Both();
		ToolHookChain chain = new ToolHookChain(List.of(), List.of(PostToolHook.forTools("run_command"::equals, both)));
		chain.execute(GuardedTool.CALL, this.tool::run);
		chain.execute(OTHER, this.tool::run);
		assertThat(both.calls).isEqualTo(1);
	}

	@Test
	void hookedExecutorGuardsAndKnowsTheSameTools() {
		ToolExecutor delegate = new ToolExecutor() {
			@Override
			public ToolResult execute(ToolCall call) {
				return ToolHookTests.this.tool.run(call);
			}

			@Override
			public Set<String> toolNames() {
				return Set.of("run_command");
			}
		};
		ToolExecutor hooked = new HookedToolExecutor(delegate, this.tool.chain((call) -> ToolDecision.deny("no")));
		assertThat(hooked.execute(GuardedTool.CALL).succeeded()).isFalse();
		assertThat(hooked.toolNames()).containsExactly("run_command");
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void hookedExecutorNeedsBothParts() {
		assertThatNullPointerException().isThrownBy(() -> new HookedToolExecutor(null, this.tool.chain()));
		assertThatNullPointerException().isThrownBy(() -> new HookedToolExecutor(this.tool::run, null));
	}

	private static final class Both implements PreToolHook, PostToolHook {

		private int calls;

		@Override
		public ToolDecision preCall(ToolCall call) {
			this.calls++;
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.calls++;
		}

	}

}
