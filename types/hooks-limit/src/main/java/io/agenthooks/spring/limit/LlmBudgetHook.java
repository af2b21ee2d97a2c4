package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.OptionLimits;

/**
 * Lets model calls use up tokens, money, or calls. Nobody knows before how many tokens a
 * call uses: it passes as long as anything is left, and is counted when it has ended. All
 * that run when the last is used up may use more than there is.
 * <p>
 * With a budget of money it is a policy: a later hook may choose a model without a price.
 */
final class LlmBudgetHook implements PreLlmHook, PostLlmHook, CountingHook, HookHealth {

	private static final int MAX_UNKNOWN_USAGE = 1_000_000_000;

	private final String name;

	private final BudgetTerms terms;

	private final LlmBudgetConfig.@Nullable Sum sum;

	private final LlmBudgetConfig.Then then;

	private final LlmPrices prices;

	private final int unknownUsage;

	private final BudgetStore accounts;

	private final BudgetNotice notice;

	private final BudgetLeft left;

	LlmBudgetHook(String name, LlmBudgetConfig config, LimitStores stores, InstantSource clock,
			Consumer<BudgetEvent> events) {
		List<Problem> problems = new ArrayList<>();
		this.name = name;
		this.sum = config.sum();
		this.then = Objects.requireNonNullElse(config.then(), LlmBudgetConfig.Then.DENY);
		this.prices = LlmPrices.of(config.prices(), config.defaultPrice(), problems);
		this.unknownUsage = new OptionLimits(problems).number("unknown_usage", config.unknownUsage(), 10_000, 0,
				MAX_UNKNOWN_USAGE);
		check(config, problems);
		this.terms = BudgetTerms.of(new BudgetTerms.Written(config.limit(), config.sum() != LlmBudgetConfig.Sum.COST,
				config.per(), config.timeZone(), config.key(), null, config.missing(), config.warnAt(),
				config.maxKeys(), config.forgetAfter()), ModelKey.NO_EXPRESSIONS, problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		String what = (this.sum != null) ? switch (this.sum) {
			case TOKENS -> "tokens";
			case COST -> "of cost";
		} : "model calls";
		this.accounts = stores.budgets(name, what, this.terms, clock);
		this.notice = new BudgetNotice(name, this.terms, what, events);
		this.left = new BudgetLeft(this.terms, stores.kind(), clock);
	}

	private void check(LlmBudgetConfig config, List<Problem> problems) {
		ModelKey.check("per", (config.per() != null) ? List.of(config.per()) : null, problems);
		ModelKey.check("key", config.key(), problems);
		boolean priced = config.prices() != null || config.defaultPrice() != null;
		if (this.sum == LlmBudgetConfig.Sum.COST && !priced) {
			problems.add(new Problem(List.of("prices"), "The prices are missing.",
					"Write 'prices' with 'model', 'input' and 'output', or a 'default_price'."));
		}
		if (this.sum != LlmBudgetConfig.Sum.COST && priced) {
			problems.add(new Problem(List.of((config.prices() != null) ? "prices" : "default_price"),
					"Prices have a meaning with 'sum: cost' only.", "Write 'sum: cost', or remove them."));
		}
		if (this.sum == null && config.unknownUsage() != null) {
			problems.add(new Problem(List.of("unknown_usage"), "Calls are counted, so nobody asks how much they use.",
					"Write 'sum: tokens' or 'sum: cost', or remove it."));
		}
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return this.sum == LlmBudgetConfig.Sum.COST;
	}

	@Override
	public LlmDecision preCall(LlmCall call) {
		LimitKey.Found found = key(call.context());
		String key = found.key();
		if (key == null) {
			return (found.missing() && this.terms.missing() == OnMissingKey.SKIP) ? LlmDecision.approve()
					: LlmDecision.deny(String.valueOf(found.problem()));
		}
		if (this.sum == LlmBudgetConfig.Sum.COST && this.prices.of(call.model()) == null) {
			return LlmDecision.deny("The model has no price, so nobody can say what the call costs");
		}
		BudgetStore.Answer answer = (this.sum != null) ? this.accounts.check(key)
				: this.accounts.take(key, BigDecimal.ONE);
		this.left.add(answer);
		if (answer instanceof BudgetStore.Enough enough) {
			return (!enough.warns()) ? LlmDecision.approve() : LlmDecision.approve()
				.withAdditionalContext(this.notice.warn(enough.left(), enough.first(), call.context()));
		}
		if (answer instanceof BudgetStore.UsedUp usedUp) {
			this.notice.exceeded(call.context());
			String reason = this.notice.reason(usedUp);
			return switch (this.then) {
				case DENY -> LlmDecision.deny(reason);
				case ABORT -> LlmDecision.abortTurn(reason);
			};
		}
		return LlmDecision.deny(this.notice.full());
	}

	private LimitKey.Found key(CallContext context) {
		return this.terms.key().of(ModelKey.callIn(context));
	}

	@Override
	public void postCall(LlmOutcome outcome) {
		String key = (this.sum != null && wasAsked(outcome)) ? key(outcome.effective().context()).key() : null;
		if (key != null && !this.accounts.add(key, used(outcome))) {
			this.notice.full();
		}
	}

	/**
	 * One that failed is not counted: a provider that is away would use up the budget.
	 */
	private static boolean wasAsked(LlmOutcome outcome) {
		return switch (outcome.status()) {
			case SUCCEEDED, CANCELLED -> true;
			case ABORTED -> outcome.originalResponse() != null;
			case FAILED, DENIED, ANSWERED -> false;
		};
	}

	@Override
	public BudgetLeft left() {
		return this.left;
	}

	@Override
	public Report health() {
		return this.accounts.health();
	}

	private BigDecimal used(LlmOutcome outcome) {
		LlmResponse response = outcome.originalResponse();
		LlmUsage usage = (response != null && isKnown(response.usage())) ? response.usage() : null;
		if (usage == null && response != null) {
			this.notice
				.warn(("a model did not say how many tokens it used, so %d are counted").formatted(this.unknownUsage));
		}
		if (this.sum == LlmBudgetConfig.Sum.COST) {
			LlmPrices.Price price = this.prices.ofCall((response != null) ? response.model() : null,
					outcome.effective().model());
			return (usage != null) ? price.of(usage) : price.ofUnknown(this.unknownUsage);
		}
		return (usage != null) ? BigDecimal.valueOf(usage.inputTokens()).add(BigDecimal.valueOf(usage.outputTokens()))
				: BigDecimal.valueOf(this.unknownUsage);
	}

	/** Some write zeros if nobody counted. */
	private static boolean isKnown(@Nullable LlmUsage usage) {
		return usage != null && usage.inputTokens() >= 0 && usage.outputTokens() >= 0
				&& (usage.inputTokens() > 0 || usage.outputTokens() > 0);
	}

}
