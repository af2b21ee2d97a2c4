package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.WarningThrottle;

/**
 * Keeps budgets in Redis, for all nodes of the application, in one step for each use.
 * Keys expire when there is nothing left to remember.
 */
final class RedisBudgetStore implements BudgetStore {

	private static final String NOTHING = text(BigDecimal.ZERO);

	/** Times that begin before that which the clock of this node is in, and after it. */
	private static final int TIMES = 2;

	private static final Logger logger = LoggerFactory.getLogger(RedisBudgetStore.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final RedisScripts scripts;

	private final SharedBudget budget;

	private final Supplier<String> time;

	/**
	 * Create a store.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 */
	RedisBudgetStore(StringRedisTemplate template, String keyPrefix, SharedBudget budget) {
		this(template, keyPrefix, budget, () -> "");
	}

	/**
	 * Create a store.
	 * @param time tells the time in microseconds, or nothing to use that of Redis
	 */
	RedisBudgetStore(StringRedisTemplate template, String keyPrefix, SharedBudget budget, Supplier<String> time) {
		this.scripts = new RedisScripts(template, keyPrefix, budget.entry());
		this.budget = budget;
		this.time = time;
	}

	@Override
	public Answer reserve(String key, BigDecimal amount) {
		String text = text(SharedBudget.bounded(amount));
		String name = SharedLimits.newId() + "=" + text;
		return answer(run("reserve", key, name, text, "", false), (born) -> new RedisPlace(key, name, null, born));
	}

	@Override
	public Answer take(String key, BigDecimal amount) {
		String text = text(SharedBudget.bounded(amount));
		return answer(run("take", key, "", text, "", false),
				(born) -> new RedisPlace(key, SharedLimits.newId(), text, born));
	}

	@Override
	public Answer look(String key, BigDecimal amount) {
		return answer(run("look", key, "", text(SharedBudget.bounded(amount)), "", false), null);
	}

	@Override
	public void settle(Place place, boolean counts) {
		RedisPlace settled = (RedisPlace) place;
		if (!settled.settled.compareAndSet(false, true)) {
			return;
		}
		if (settled.taken == null) {
			run("settle", settled.key, settled.name, NOTHING, "", counts);
		}
		else if (!counts) {
			run("back", settled.key, settled.name, settled.taken, settled.born, false);
		}
	}

	@Override
	public Answer check(String key) {
		return answer(run("check", key, "", NOTHING, "", false), null);
	}

	@Override
	public boolean add(String key, BigDecimal amount) {
		return !run("add", key, "", text(SharedBudget.bounded(amount)), "", true).get(0).equals("full");
	}

	/**
	 * Ask Redis. It knows no calendar: it is told when the times begin that are about
	 * now, and once more if its clock and that of this node differ by more.
	 */
	private List<String> run(String what, String key, String place, String amount, String born, boolean counts) {
		String fixed = this.time.get();
		BigDecimal below = this.budget.warnBelow();
		List<String> arguments = List.of(what, fixed, String.valueOf(this.budget.lease()),
				String.valueOf(this.budget.forgetAfter()), String.valueOf(this.budget.terms().maxKeys()),
				text(this.budget.terms().limit()), (below.signum() >= 0) ? text(below) : "", place, amount,
				(counts) ? "1" : "0", born);
		List<String> answer = run(key, place, arguments, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
		if (answer.get(0).equals("clock")) {
			answer = run(key, place, arguments, Long.parseLong(answer.get(1)));
		}
		return switch (answer.get(0)) {
			case "enough", "used", "full", "gone" -> answer;
			case "lost" -> throw dropped(key);
			default -> throw new UnusableAnswerException("Redis gave no answer about a budget");
		};
	}

	private UnusableAnswerException dropped(String key) {
		List<String> names = keys(key, "").stream().map(this.scripts::name).toList();
		String message = ("Redis dropped the account '%s' of a budget, so its calls are denied until it would be over."
				+ " Set its 'maxmemory-policy' to 'noeviction', unless somebody deleted the key."
				+ " To begin the account anew, run: ZREM '%s' '%s'")
			.formatted(names.get(0), names.get(2), names.get(0));
		this.warnings.warn(message);
		return new UnusableAnswerException(message,
				"Redis dropped an account of a budget; the log names it, and how it is begun anew");
	}

	private List<String> run(String key, String place, List<String> arguments, long now) {
		List<String> all = new ArrayList<>(arguments);
		for (int i = 1 - TIMES; this.budget.isOfCalendar() && i <= TIMES; i++) {
			all.add(String.valueOf(this.budget.beginOfPeriod(now, i)));
		}
		return this.scripts.run(RedisBudgetScript.SCRIPT, keys(key, place), all);
	}

	static List<String> keys(String key, String place) {
		return List.of("account:" + key, "places:" + key, "accounts", "back:" + place);
	}

	private static Answer answer(List<String> answer, @Nullable Function<String, Place> place) {
		return switch (answer.get(0)) {
			case "enough" -> new Enough((place != null) ? place.apply(answer.get(4)) : null, amount(answer.get(1)),
					answer.get(2).equals("1"), answer.get(3).equals("1"));
			case "used" -> {
				long wait = Long.parseLong(answer.get(2));
				yield new UsedUp(amount(answer.get(1)), (wait >= 0) ? Duration.of(wait, ChronoUnit.MICROS) : null,
						answer.get(3).equals("1"));
			}
			default -> new Full();
		};
	}

	/**
	 * An amount in digits.
	 * @param amount an amount from zero on
	 */
	static String text(BigDecimal amount) {
		String digits = amount.setScale(SharedBudget.SCALE).unscaledValue().toString();
		return "0".repeat(RedisBudgetScript.DIGITS - digits.length()) + digits;
	}

	static BigDecimal amount(String text) {
		return new BigDecimal(new BigInteger(text), SharedBudget.SCALE);
	}

	/**
	 * An amount that is reserved or taken.
	 */
	private static final class RedisPlace implements Place {

		private final String key;

		private final String name;

		/** The amount, if it was taken. */
		private final @Nullable String taken;

		/** Which account of the key it is. */
		private final String born;

		private final AtomicBoolean settled = new AtomicBoolean();

		RedisPlace(String key, String name, @Nullable String taken, String born) {
			this.key = key;
			this.name = name;
			this.taken = taken;
			this.born = born;
		}

	}

}
