package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.chain.CallNote;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Lets calls use up a number of calls, or the sum of an argument, and no more. The amount
 * is reserved before the call; when that has ended it is known whether it counts.
 * Whatever keeps it from counting denies the call, and so does an amount that is no
 * number from zero on.
 * <p>
 * If the amount or the key depends on arguments it is a policy: asked again when a later
 * hook changed them, it reserves the final amount instead.
 */
final class BudgetToolHook implements RehearsedHook, PostToolHook, CountingHook, HookHealth, HasConditions {

	private final String name;

	private final BudgetTerms terms;

	private final BudgetAmount amount;

	private final @Nullable String sum;

	private final RateLimitConfig.Count count;

	private final RateLimitConfig.Then then;

	private final BudgetStore accounts;

	private final BudgetNotice notice;

	private final BudgetLeft left;

	private final CallNote<Entered> open = new CallNote<>();

	BudgetToolHook(String name, BudgetConfig config, KeyReader.Expressions expressions, LimitStores stores,
			InstantSource clock, Consumer<BudgetEvent> events) {
		List<Problem> problems = new ArrayList<>();
		BudgetAmount amount = BudgetAmount.of(config.sum());
		if (amount == null) {
			problems.add(new Problem(List.of("sum"), "The sum names no argument.",
					"Write 'args.' and the name of an argument, like args.amount; dots lead into objects."));
		}
		this.name = name;
		this.amount = Objects.requireNonNullElse(amount, new BudgetAmount(List.of()));
		this.sum = config.sum();
		this.terms = BudgetTerms.of(new BudgetTerms.Written(config.limit(), config.sum() == null, config.per(),
				config.timeZone(), config.key(), config.keyExpression(), config.missing(), config.warnAt(),
				config.maxKeys(), config.forgetAfter()), expressions, problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		this.count = Objects.requireNonNullElse(config.count(), RateLimitConfig.Count.DECIDED);
		this.then = Objects.requireNonNullElse(config.then(), RateLimitConfig.Then.DENY);
		String what = (this.amount.readsArguments()) ? "of the " + this.amount.describe() : "calls";
		this.accounts = stores.budgets(name, what, this.terms, clock);
		this.notice = new BudgetNotice(name, this.terms, what, events);
		this.left = new BudgetLeft(this.terms, stores.kind(), clock);
	}

	@Override
	public List<?> conditions() {
		List<Object> conditions = new ArrayList<>(this.terms.key().expressions());
		if (this.sum != null) {
			conditions.add(new SumCheck(this.sum.strip(), this.amount.path()));
		}
		return conditions;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return this.amount.readsArguments() || this.terms.key().readsArguments();
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return this.then == RateLimitConfig.Then.ASK;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		LimitKey.Found found = this.terms.key().of(call);
		BigDecimal amount = this.amount.of(call);
		Entered before = (isRepeatable()) ? this.open.find() : null;
		if (before != null && before.isSame(found.key(), amount)) {
			return ToolDecision.approve();
		}
		if (before != null && this.open.take() != null) {
			this.accounts.settle(before.place(), false);
		}
		String key = found.key();
		if (key == null || amount == null) {
			return uncounted(found);
		}
		boolean counts = this.count == RateLimitConfig.Count.DECIDED && !isRepeatable();
		BudgetStore.Answer answer = (counts) ? this.accounts.take(key, amount) : this.accounts.reserve(key, amount);
		this.left.add(answer);
		if (answer instanceof BudgetStore.Enough enough) {
			BudgetStore.Place place = Objects.requireNonNull(enough.place());
			if (!this.open.leave(new Entered(key, amount, place))) {
				this.accounts.settle(place, false);
				return ToolDecision.deny(LimitKeys.ENDED);
			}
			return (!enough.warns()) ? ToolDecision.approve() : ToolDecision.approve()
				.withAdditionalContext(this.notice.warn(enough.left(), enough.first(), call.context()));
		}
		if (answer instanceof BudgetStore.UsedUp usedUp) {
			this.notice.exceeded(call.context());
			return tooMuch(usedUp);
		}
		return ToolDecision.deny(this.notice.full());
	}

	/**
	 * A call that waits for a person is asked about again, and its amount is reserved.
	 */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (CallNotes.ofThisThread().isResumed()) {
			return ToolDecision.approve();
		}
		LimitKey.Found found = this.terms.key().of(call);
		BigDecimal amount = this.amount.of(call);
		if (found.key() == null || amount == null) {
			return uncounted(found);
		}
		BudgetStore.Answer answer = this.accounts.look(found.key(), amount);
		if (answer instanceof BudgetStore.UsedUp usedUp) {
			return tooMuch(usedUp);
		}
		return (answer instanceof BudgetStore.Enough enough)
				? ToolDecision.approve().withAdditionalContext(this.notice.leftWith(enough.left()))
				: ToolDecision.deny(BudgetNotice.FULL);
	}

	private ToolDecision uncounted(LimitKey.Found found) {
		if (found.key() == null) {
			return (found.missing() && this.terms.missing() == OnMissingKey.SKIP) ? ToolDecision.approve()
					: ToolDecision.deny(String.valueOf(found.problem()));
		}
		return ToolDecision.deny("The %s, by which a budget is used up, is not a number from zero on with few digits"
			.formatted(this.amount.describe()));
	}

	private ToolDecision tooMuch(BudgetStore.UsedUp usedUp) {
		String reason = this.notice.reason(usedUp);
		return switch (this.then) {
			case DENY -> ToolDecision.budgetExceeded(reason);
			case ASK -> ToolDecision.ask(reason + " May this call pass nevertheless?");
			case ABORT -> ToolDecision.abortTurn(reason);
		};
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		Entered entered = this.open.take();
		if (entered != null) {
			this.accounts.settle(entered.place(), counts(outcome));
		}
	}

	/** A call that waits for people is decided again, and counts then. */
	private boolean counts(ToolOutcome outcome) {
		if (outcome.status() == ToolCallStatus.PENDING) {
			return false;
		}
		return this.count == RateLimitConfig.Count.DECIDED || outcome.status() == ToolCallStatus.SUCCEEDED
				|| (outcome.status() == ToolCallStatus.ABORTED && outcome.originalResult() != null
						&& outcome.originalResult().succeeded());
	}

	@Override
	public BudgetLeft left() {
		return this.left;
	}

	@Override
	public Report health() {
		return this.accounts.health();
	}

	private record Entered(String key, BigDecimal amount, BudgetStore.Place place) {

		boolean isSame(@Nullable String otherKey, @Nullable BigDecimal otherAmount) {
			return this.key.equals(otherKey) && otherAmount != null && this.amount.compareTo(otherAmount) == 0;
		}

	}

}
