package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.state.MemoryState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RateLimitLlmHook}, {@link ConcurrencyLlmHook} and {@link LoopLlmHook},
 * in chains.
 */
class LlmLimitsTests {

	private static final CallContext RUN = CallContext.ofSession("s").withRunId("r").withUser("ann");

	private final AtomicLong clock = new AtomicLong();

	private final LimitStores stores = () -> MemoryState.store(this.clock::get);

	private LlmHookChain rateLimit(List<String> limit, @Nullable List<String> key,
			LlmBudgetConfig.@Nullable Then then) {
		PreLlmHook hook = new RateLimitLlmHook("limit", new LlmRateLimitConfig(limit, key, null, then, null, null),
				this.stores);
		return new LlmHookChain(List.of(hook), List.of(), List.of());
	}

	private static <T extends PreLlmHook & PostLlmHook> LlmHookChain chain(T hook) {
		return new LlmHookChain(List.of(hook), List.of(), List.of(hook));
	}

	private static LlmCall call(CallContext context) {
		return LlmCall.of(LlmMessage.user("Hi")).withContext(context);
	}

	private static boolean isAsked(LlmHookChain chain, CallContext context) {
		return !ask(chain, context, "Hello").text().contains("denied by hook");
	}

	private static LlmResponse ask(LlmHookChain chain, CallContext context, String answer) {
		return chain.execute(call(context), (call) -> LlmResponse.of(answer));
	}

	@Test
	void onlySoManyModelCallsPassInATime() {
		LlmHookChain chain = rateLimit(List.of("10 per 1m"), List.of("user"), null);
		for (int i = 0; i < 10; i++) {
			assertThat(isAsked(chain, RUN)).isTrue();
		}
		assertThat(ask(chain, RUN, "").text())
			.isEqualTo("Model call denied by hook 'limit': The limit of 10 per 1m for "
					+ "this user is used up. Try again in 6 seconds.");
		assertThat(isAsked(chain, RUN.withUser("bob"))).isTrue();
		this.clock.addAndGet(Duration.ofSeconds(6).toNanos());
		assertThat(isAsked(chain, RUN)).isTrue();
		assertThat(isAsked(chain, RUN)).isFalse();
	}

	@Test
	void eachLimitCountsByItsOwnPartAndRunsAreTheOutermostOnes() {
		LlmHookChain chain = rateLimit(List.of("2 per run", "3 per session"), null, null);
		assertThat(isAsked(chain, RUN)).isTrue();
		assertThat(isAsked(chain, RUN.withRunId("inner").withRootRunId("r"))).isTrue();
		assertThat(isAsked(chain, RUN)).isFalse();
		assertThat(isAsked(chain, RUN.withRunId("next"))).isTrue();
		assertThat(isAsked(chain, RUN.withRunId("other"))).isFalse();
		assertThat(isAsked(chain, CallContext.empty())).isFalse();
	}

	@Test
	void limitMayEndTheTurn() {
		LlmHookChain chain = rateLimit(List.of("1 per session"), null, LlmBudgetConfig.Then.ABORT);
		assertThat(isAsked(chain, RUN)).isTrue();
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> ask(chain, RUN, ""));
	}

	@Test
	void modelCallHasNoTool() {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> rateLimit(List.of("1 per tool"), null, null))
			.withMessageContaining("no tool");
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> rateLimit(List.of("1 per 1m"), List.of("Tool"), null))
			.withMessageContaining("no tool");
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new ConcurrencyLlmHook("one", new LlmConcurrencyConfig(1, List.of("tool"), null, null),
					this.stores))
			.withMessageContaining("no tool");
	}

	@Test
	void streamHasItsPlaceUntilItEndsOnAnyThread() throws Exception {
		ConcurrencyLlmHook hook = new ConcurrencyLlmHook("two", new LlmConcurrencyConfig(2, null, null, null),
				this.stores);
		LlmHookChain chain = chain(hook);
		LlmCallInProgress first = chain.begin(call(RUN));
		LlmCallInProgress second = chain.begin(call(RUN.withUser("bob")));
		assertThat(ask(chain, RUN, "").text()).contains("At most 2 calls for all calls may run at the same time");
		CompletableFuture.runAsync(() -> first.finish(LlmResponse.of("Hello"))).get();
		LlmCallInProgress third = chain.begin(call(RUN));
		assertThat(third.settled()).isNull();
		assertThat(isAsked(chain, RUN)).isFalse();
		second.cancel();
		third.fail(new IllegalStateException("no model"));
		assertThat(isAsked(chain, RUN)).isTrue();
	}

	@Test
	void callThatALaterHookDeniesGivesItsPlaceBack() {
		ConcurrencyLlmHook hook = new ConcurrencyLlmHook("one",
				new LlmConcurrencyConfig(1, List.of("user"), null, null), this.stores);
		PreLlmHook later = (call) -> LlmDecision.deny("no");
		LlmHookChain chain = new LlmHookChain(List.of(hook, later), List.of(), List.of(hook));
		for (int i = 0; i < 3; i++) {
			assertThat(ask(chain, RUN, "").text()).contains("no");
		}
	}

	@Test
	void callThatALaterHookSendsToAnotherModelGivesItsPlaceBack() {
		ConcurrencyLlmHook hook = new ConcurrencyLlmHook("one", new LlmConcurrencyConfig(1, null, null, null),
				this.stores);
		PreLlmHook router = (call) -> LlmDecision.modify(call.withModel("small"));
		PreLlmHook again = (call) -> LlmDecision.modify(call.withModel("tiny"));
		LlmHookChain chain = new LlmHookChain(
				List.of(LlmLimitsTests.<PreLlmHook>forBig(hook), HookEntry.of(router), HookEntry.of(again)), List.of(),
				List.of(LlmLimitsTests.<PostLlmHook>forBig(hook)), null, new AbortedRuns());
		for (int i = 0; i < 3; i++) {
			assertThat(chain.execute(call(RUN).withModel("big"), (call) -> LlmResponse.of(call.model() + "")).text())
				.isEqualTo("tiny");
		}
	}

	private static <H extends Hook> HookEntry<H> forBig(H hook) {
		HookEntry<H> all = HookEntry.of(hook);
		return new HookEntry<>(all.name(), all.type(), hook, "big"::equals, all.contexts(), all.failMode(), false,
				all.around(), List.of(), null);
	}

	@Test
	void modelThatGivesTheSameAnswerAgainAndAgainIsInALoop() {
		LlmHookChain chain = chain(loop(new LoopConfig.Steps(0, 3, 4), null, null));
		assertThat(isAsked(chain, RUN)).isTrue();
		assertThat(ask(chain, RUN, "Something else").text()).isEqualTo("Something else");
		for (int i = 0; i < 3; i++) {
			assertThat(isAsked(chain, RUN)).isTrue();
		}
		assertThat(ask(chain, RUN, "").text()).contains("The model has given the same answer 3 times.");
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> ask(chain, RUN, ""));
		assertThat(isAsked(chain, RUN.withRunId("next"))).isTrue();
	}

	@Test
	void answerWithOtherToolCallsIsAnotherOne() {
		LlmHookChain chain = chain(loop(new LoopConfig.Steps(0, 2, 0), null, null));
		for (int i = 0; i < 6; i++) {
			String arguments = "{\"page\": %d}".formatted(i);
			LlmResponse answer = new LlmResponse("", List.of(new LlmToolCall("id" + i, "read", arguments)), null, null,
					null, null);
			assertThat(chain.execute(call(RUN), (call) -> answer)).isEqualTo(answer);
		}
	}

	@Test
	void modelThatFailsAgainAndAgainIsNotAskedAnyMore() {
		LlmHookChain chain = chain(loop(null, new LoopConfig.Steps(0, 2, 0), null));
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> chain.execute(call(RUN), (call) -> {
				throw new IllegalStateException("no model");
			}));
		}
		assertThat(ask(chain, RUN, "").text()).contains("The model has failed 2 times in a row.");
	}

	@Test
	void callsOfTheOutermostRunAreCounted() {
		LlmHookChain chain = chain(loop(null, null, new LoopConfig.Steps(0, 3, 0)));
		assertThat(isAsked(chain, RUN)).isTrue();
		for (String inner : List.of("a", "b")) {
			assertThat(ask(chain, RUN.withRunId(inner).withRootRunId("r"), inner).text()).isEqualTo(inner);
		}
		assertThat(ask(chain, RUN, "").text()).contains("This run has made 3 model calls.");
	}

	private LoopLlmHook loop(LoopConfig.@Nullable Steps repeats, LoopConfig.@Nullable Steps failures,
			LoopConfig.@Nullable Steps calls) {
		return new LoopLlmHook("loop", new LlmLoopConfig(repeats, failures, calls, null, null, null, null),
				this.stores);
	}

}
