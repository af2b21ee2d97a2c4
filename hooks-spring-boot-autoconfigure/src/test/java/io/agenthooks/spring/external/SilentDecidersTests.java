package io.agenthooks.spring.external;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;

class SilentDecidersTests {

	private final SilentDeciders silent = new SilentDeciders();

	private final NoVerdictMode<ToolCall, ToolDecision> mode = NoVerdictMode.ofToolCalls("gate", false, true);

	private final HookCounts hook = new HookCounts() {

		@Override
		public long callsWithoutObjection() {
			return SilentDecidersTests.this.mode.callsWithoutObjection();
		}

	};

	private void decide(long calls, ToolDecision decision) {
		ToolCall call = ToolCall.of("id", ToolIdentity.ofApplication("work"), Map.of(), CallContext.empty());
		for (long i = 0; i < calls; i++) {
			ToolDecision made = this.mode.decide(call, () -> decision);
			assertThat(made).isEqualTo(decision);
		}
	}

	@Test
	void deciderThatLetsEveryCallPassIsShownAfterAWhile() {
		this.silent.join("gate", this.hook);
		decide(SilentDeciders.ENOUGH - 1, ToolDecision.approve());
		assertThat(this.silent.all()).isEmpty();
		assertThat(this.silent.of("gate")).isNull();
		decide(1, ToolDecision.approve());
		assertThat(this.silent.all()).containsExactly(Map.entry("gate", SilentDeciders.ENOUGH));
		assertThat(this.silent.of("gate")).isEqualTo(SilentDeciders.ENOUGH);
		assertThat(this.silent.of("other")).isNull();
	}

	@Test
	void deciderThatObjectedOnceIsUnderstood() {
		this.silent.join("gate", this.hook);
		decide(SilentDeciders.ENOUGH, ToolDecision.approve());
		decide(1, ToolDecision.ask("really?"));
		decide(SilentDeciders.ENOUGH, ToolDecision.approve());
		assertThat(this.silent.all()).isEmpty();
	}

	@Test
	void failureIsNoObjectionAndNoCallThatPassed() {
		this.silent.join("gate", this.hook);
		ToolCall call = ToolCall.of("id", ToolIdentity.ofApplication("work"), Map.of(), CallContext.empty());
		for (long i = 0; i < 2 * SilentDeciders.ENOUGH; i++) {
			assertThat(this.mode.decide(call, () -> {
				throw NoVerdictException.failure("out");
			})).isInstanceOf(ToolDecision.Deny.class);
		}
		assertThat(this.silent.all()).isEmpty();
	}

	@Test
	void hookThatDoesNotDecideIsNone() {
		this.silent.join("gate", new HookCounts() {

		});
		assertThat(this.silent.all()).isEmpty();
	}

}
