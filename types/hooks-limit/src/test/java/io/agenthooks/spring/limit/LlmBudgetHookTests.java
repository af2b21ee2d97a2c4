package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.limit.LlmBudgetConfig.ModelPrice;
import io.agenthooks.spring.limit.LlmBudgetConfig.Price;
import io.agenthooks.spring.limit.LlmBudgetConfig.Sum;
import io.agenthooks.spring.limit.LlmBudgetConfig.Then;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link LlmBudgetHook}, in chains.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmBudgetHookTests {

	private static final CallContext ANN = CallContext.ofSession("s1").withUser("ann");

	private static final List<ModelPrice> PRICES = List.of(price("small", "1", "2"), price("large*", "10", "50"));

	private final List<BudgetEvent> events = new ArrayList<>();

	private Instant now = Instant.parse("2026-03-10T12:00:00Z");

	private @Nullable LlmUsage usage = new LlmUsage(30, 20);

	private @Nullable String answering;

	private int asked;

	// Tokens

	@Test
	void modelIsAskedUntilTheTokensOfTheDayAreUsedUp() {
		LlmHookChain chain = chain(hook(tokens(100)));
		assertThat(isAsked(chain)).isTrue();
		this.usage = new LlmUsage(30, 19);
		assertThat(isAsked(chain)).isTrue();
		// One is left.
		this.usage = new LlmUsage(500, 500);
		assertThat(isAsked(chain)).isTrue();
		assertThat(ask(chain).text()).isEqualTo("Model call denied by hook 'tokens': The budget of 100 tokens per day "
				+ "for this user is used up. It is new in 12 hours.");
		assertThat(this.events).containsExactly(new BudgetEvent.Exceeded("tokens", "100 tokens per day for this user",
				new BudgetEvent.Caller("ann", null, "s1", null)));
		assertThat(isAsked(chain, call("small").withContext(ANN.withUser("ANN ")))).isFalse();
		assertThat(isAsked(chain, call("small").withContext(ANN.withUser("bob")))).isTrue();
		this.now = this.now.plus(Duration.ofHours(12));
		assertThat(isAsked(chain)).isTrue();
	}

	@Test
	void streamedCallCountsWhenItEndsOnAnyThread() throws Exception {
		LlmHookChain chain = chain(hook(tokens(100)));
		LlmCallInProgress first = chain.begin(call("small"));
		LlmCallInProgress second = chain.begin(call("small"));
		assertThat(first.settled()).isNull();
		assertThat(second.settled()).isNull();
		CompletableFuture.runAsync(() -> first.finish(response(new LlmUsage(90, 90)))).get();
		assertThat(chain.begin(call("small")).settled()).isNotNull();
		second.finish(response(new LlmUsage(1, 1)));
		assertThat(isAsked(chain)).isFalse();
	}

	@Test
	void callThatIsCancelledOrDoesNotSayWhatItUsedCountsWhatIsWritten(CapturedOutput output) {
		LlmHookChain chain = chain(hook(new LlmBudgetConfig(BigDecimal.valueOf(100), Sum.TOKENS, "session", null, null,
				null, null, null, null, null, 40, null, null)));
		chain.begin(call("small")).cancel();
		assertThat(output).doesNotContain("did not say");
		this.usage = null;
		assertThat(isAsked(chain)).isTrue();
		assertThat(output).containsOnlyOnce("Hook 'tokens': a model did not say how many tokens it used, so 40 are");
		this.usage = new LlmUsage(0, 0);
		assertThat(isAsked(chain)).isTrue();
		assertThat(isAsked(chain)).isFalse();
	}

	@Test
	void negativeAndHugeUsageIsNoWayAround() {
		LlmHookChain chain = chain(hook(tokens(10_000)));
		this.usage = new LlmUsage(-1_000_000, 5);
		assertThat(isAsked(chain)).isTrue();
		// It counts as unknown: 10,000.
		assertThat(isAsked(chain)).isFalse();
		LlmHookChain other = chain(hook(tokens(10_000)));
		this.usage = new LlmUsage(Long.MAX_VALUE, Long.MAX_VALUE);
		assertThat(isAsked(other)).isTrue();
		assertThat(isAsked(other)).isFalse();
	}

	@Test
	void modelThatFailedOrWasNotAskedUsesUpNothing() {
		List<LlmDecision> later = new ArrayList<>(List.of(LlmDecision.deny("no"),
				LlmDecision.respond(new LlmResponse("cached", List.of(), null, new LlmUsage(1, 1000), null, null))));
		LlmHookChain chain = chain(hook(tokens(100)),
				(call) -> (later.isEmpty()) ? LlmDecision.approve() : later.remove(0));
		ask(chain);
		assertThat(ask(chain).text()).isEqualTo("cached");
		assertThatIllegalStateException().isThrownBy(() -> chain.execute(call("small"), (call) -> {
			throw new IllegalStateException("away");
		}));
		this.usage = new LlmUsage(50, 50);
		assertThat(isAsked(chain)).isTrue();
		assertThat(isAsked(chain)).isFalse();
	}

	@Test
	void responseThatIsWithheldOrAbortedCounts() {
		LlmBudgetHook hook = hook(tokens(100));
		List<LlmDecision> decisions = new ArrayList<>(
				List.of(LlmDecision.deny("leak"), LlmDecision.abortTurn("leak"), LlmDecision.approve()));
		LlmResponseHook leaks = (call, response) -> decisions.remove(0);
		LlmHookChain chain = new LlmHookChain(List.of(hook), List.of(leaks), List.of(hook));
		ask(chain);
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> ask(chain));
		assertThat(isAsked(chain)).isFalse();
	}

	@Test
	void turnEndsIfThatIsSaid() {
		LlmHookChain chain = chain(hook(new LlmBudgetConfig(BigDecimal.ONE, null, "session", null, null, null,
				Then.ABORT, null, null, null, null, null, null)));
		assertThat(isAsked(chain)).isTrue();
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> ask(chain))
			.withMessageContaining("1 model calls per session for this session is used up. It does not come back");
	}

	@Test
	void callWithoutAUserIsDeniedOrSkipped() {
		LlmHookChain chain = chain(hook(tokens(100)));
		LlmCall nobody = call("small").withContext(CallContext.ofSession("s1"));
		assertThat(chain.execute(nobody, this::answer).text()).contains("The call has no user");
		LlmHookChain skipping = chain(hook(new LlmBudgetConfig(BigDecimal.ONE, Sum.TOKENS, "user", null, null,
				OnMissingKey.SKIP, null, null, null, null, null, null, null)));
		assertThat(isAsked(skipping, nobody)).isTrue();
		assertThat(isAsked(skipping, nobody)).isTrue();
	}

	@Test
	void modelIsWarnedFromTheShareOnAndTheApplicationOnce() {
		LlmHookChain chain = chain(hook(new LlmBudgetConfig(BigDecimal.valueOf(100), Sum.TOKENS, "session", null, null,
				null, null, new BigDecimal("0.5"), null, null, null, null, null)));
		List<String> prompts = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.usage = new LlmUsage(25, 0);
			chain.execute(call("small"), (call) -> {
				prompts.add(call.messages().get(0).text());
				return answer(call);
			});
		}
		assertThat(prompts.get(1)).isEqualTo("Hi");
		assertThat(prompts.get(2)).contains("Of the budget of 100 tokens per session for this session, 50 is left.");
		ask(chain);
		assertThat(this.events).extracting(Object::getClass).containsOnlyOnce(BudgetEvent.Warned.class).hasSize(1);
	}

	// Cost

	@ParameterizedTest
	@CsvSource({ "small,, 0.07", "large-2,, 1.30", "large, large-2026, 1.30", "large, small, 0.07",
			"small, other, 0.07" })
	void tokensCostThePriceOfTheModelThatAnswered(String model, @Nullable String answering, BigDecimal cost) {
		this.usage = new LlmUsage(30_000, 20_000);
		this.answering = answering;
		LlmHookChain enough = chain(hook(cost(cost.add(new BigDecimal("0.0000000001")), null)));
		assertThat(isAsked(enough, call(model))).isTrue();
		assertThat(isAsked(enough, call(model))).isTrue();
		LlmHookChain used = chain(hook(cost(cost, null)));
		assertThat(isAsked(used, call(model))).isTrue();
		assertThat(isAsked(used, call(model))).isFalse();
	}

	@Test
	void modelWithoutAPriceIsDeniedUnlessThereIsADefault() {
		LlmHookChain chain = chain(hook(cost(BigDecimal.ONE, null)));
		assertThat(ask(chain, call("other")).text()).contains("The model has no price");
		assertThat(isAsked(chain, call("SMALL"))).isFalse();
		assertThat(isAsked(chain, call(null))).isFalse();
		assertThat(this.asked).isZero();
		LlmHookChain other = chain(hook(cost(BigDecimal.ONE, new Price(BigDecimal.TEN, new BigDecimal("40")))));
		this.usage = new LlmUsage(20_000, 20_000);
		assertThat(isAsked(other, call("other"))).isTrue();
		assertThat(isAsked(other, call(null))).isFalse();
	}

	@Test
	void modelThatALaterHookChoseMustHaveAPrice() {
		LlmHookChain chain = chain(hook(cost(BigDecimal.ONE, null)),
				(call) -> LlmDecision.modify(call.withModel("other")));
		assertThat(ask(chain).text()).contains("The model has no price");
	}

	@Test
	void unknownUsageCostsTheHigherPrice() {
		LlmHookChain chain = chain(hook(cost(new BigDecimal("0.5"), null)));
		this.usage = null;
		assertThat(isAsked(chain, call("large"))).isTrue();
		assertThat(isAsked(chain, call("large"))).isFalse();
	}

	// Mistakes

	@Test
	void mistakesAreToldWithTheirPlaces() {
		assertThat(problems(new LlmBudgetConfig(BigDecimal.ONE, Sum.COST, "tool", null, List.of("Tool"), null, null,
				null, List.of(new ModelPrice(null, null, BigDecimal.ONE), price("gpt.*", "-1", "1e12")),
				new Price(null, null), -1, null, null)))
			.contains("prices.0.model", "prices.0.input", "prices.1.model", "prices.1.input", "prices.1.output",
					"default_price.input", "default_price.output", "unknown_usage", "key", "per");
		assertThat(problems(new LlmBudgetConfig(BigDecimal.ONE, Sum.COST, "session", null, null, null, null, null, null,
				null, null, null, null)))
			.containsExactly("prices");
		assertThat(problems(new LlmBudgetConfig(new BigDecimal("0.5"), null, "session", null, null, null, null, null,
				PRICES, null, 5, null, null)))
			.containsExactlyInAnyOrder("prices", "unknown_usage", "limit");
	}

	private List<String> problems(LlmBudgetConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> hook(config)).getProblems()
			.stream()
			.map((problem) -> String.join(".", problem.path()))
			.toList();
	}

	// Helpers

	private LlmBudgetHook hook(LlmBudgetConfig config) {
		return new LlmBudgetHook("tokens", config, LimitStores.IN_MEMORY, () -> this.now, this.events::add);
	}

	private static LlmBudgetConfig tokens(int limit) {
		return new LlmBudgetConfig(BigDecimal.valueOf(limit), Sum.TOKENS, "day", null, List.of("user"), null, null,
				null, null, null, null, null, null);
	}

	private static LlmBudgetConfig cost(BigDecimal limit, @Nullable Price other) {
		return new LlmBudgetConfig(limit, Sum.COST, "month", null, List.of("all"), null, null, null, PRICES, other,
				null, null, null);
	}

	private static ModelPrice price(String model, String input, String output) {
		return new ModelPrice(model, new BigDecimal(input), new BigDecimal(output));
	}

	private static LlmHookChain chain(LlmBudgetHook hook, PreLlmHook... later) {
		List<PreLlmHook> deciding = new ArrayList<>(List.of(hook));
		deciding.addAll(List.of(later));
		return new LlmHookChain(deciding, List.of(), List.of(hook));
	}

	private static LlmCall call(@Nullable String model) {
		return LlmCall.of(LlmMessage.user("Hi")).withModel(model).withContext(ANN);
	}

	private LlmResponse ask(LlmHookChain chain) {
		return ask(chain, call("small"));
	}

	private LlmResponse ask(LlmHookChain chain, LlmCall call) {
		return chain.execute(call, this::answer);
	}

	private boolean isAsked(LlmHookChain chain) {
		return isAsked(chain, call("small"));
	}

	private boolean isAsked(LlmHookChain chain, LlmCall call) {
		int before = this.asked;
		ask(chain, call);
		return this.asked > before;
	}

	private LlmResponse answer(LlmCall call) {
		this.asked++;
		return response(this.usage);
	}

	private LlmResponse response(@Nullable LlmUsage usage) {
		return new LlmResponse("Hello", List.of(), "stop", usage, this.answering, null);
	}

}
