package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.spring.outcome.LimitLeft;
import io.agenthooks.spring.outcome.LimitedHook;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallsLeft}, {@link LimitedHook} and what {@link AskedHooks} does with
 * what limits say.
 */
class ToldLimitsTests {

	private static final LimitLeft TWO = new LimitLeft(BigDecimal.valueOf(2), null);

	private final ToolCall call = ToolCall.of("refund", Map.of(), CallContext.ofSession("s"));

	@Test
	void whoListensHearsWhatACallLeavesAndWhatARehearsalWouldNot() {
		RateLimitToolHook hook = new RateLimitToolHook("limit",
				new RateLimitConfig(List.of("3 per 90m"), List.of("session"), null, null, null, null, null, null),
				TestExpressions.READER, LimitStores.IN_MEMORY);
		assertThat(hook.preCall(this.call).verdict()).isEqualTo(Verdict.APPROVE);
		List<LimitLeft> heard = new ArrayList<>();
		hook.tellLeft(heard::add);
		hook.preCall(this.call);
		hook.rehearse(this.call);
		assertThat(heard).singleElement()
			.satisfies((left) -> assertThat(left.remaining()).isEqualByComparingTo("1"),
					(left) -> assertThat(left.reset()).isNotNull());
	}

	@Test
	void numbersAreWrittenAsTheyAre() {
		assertThat(new LimitLeft(new BigDecimal("1E+15"), null).members()).hasToString("{remaining=1000000000000000}");
		assertThat(new LimitLeft(new BigDecimal("6.700"), null).members()).hasToString("{remaining=6.7}");
		assertThat(new LimitLeft(null, null).members()).isEmpty();
	}

	@Test
	void whatAHookSaysIsOfTheCallThatItIsAskedAbout() {
		Limited limited = new Limited();
		assertThat(limits(limited, () -> limited.listener.accept(TWO), () -> {
		})).containsExactly(null, TWO, null);
	}

	@Test
	void hookThatIsLateIsNotHeard() {
		Limited limited = new Limited();
		assertThat(limits(limited, () -> {
		}, () -> limited.listener.accept(TWO))).containsExactly(null, null, null);
		limited.listener.accept(TWO);
	}

	/**
	 * What is noted of three hooks of which the second limits.
	 */
	private List<@Nullable LimitLeft> limits(Limited limited, Runnable inside, Runnable behind) {
		AskedHooks asked = new AskedHooks();
		asked.readBy("reader", List.of(ToolCall.class));
		asked.join("limit", limited);
		List<@Nullable LimitLeft> left = new ArrayList<>();
		PostToolHook reader = (outcome) -> asked.ofThisCall().forEach((hook) -> left.add(hook.limit()));
		ToolHookChain chain = new ToolHookChain(List.of(hook("before", () -> {
		}), hook("limit", inside), hook("behind", behind)), List.of(reader));
		chain.setWatches(List.of(asked));
		chain.execute(this.call, (same) -> ToolResult.success("done"));
		return left;
	}

	private static PreToolHook hook(String name, Runnable work) {
		return PreToolHook.named(name, (call) -> {
			work.run();
			return ToolDecision.approve();
		});
	}

	private static final class Limited implements LimitedHook {

		private Consumer<LimitLeft> listener = (left) -> {
		};

		@Override
		public String limitStore() {
			return "memory";
		}

		@Override
		public void tellLeft(Consumer<LimitLeft> listener) {
			this.listener = listener;
		}

	}

}
