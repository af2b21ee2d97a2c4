package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The amount that may be used up, and by whom: what budgets of all kinds have in common,
 * checked and completed.
 *
 * @param period after which time of the calendar the budget is new, or {@code null} if it
 * does not come back
 * @param warnBelow what must be left so that the model need not know it; negative if it
 * is never told
 * @param maxKeys how many keys have a budget at most
 */
record BudgetTerms(BigDecimal limit, String per, @Nullable BudgetPeriod period, ZoneId timeZone, LimitKey key,
		OnMissingKey missing, BigDecimal warnBelow, int maxKeys, Duration forgetAfter) {

	private static final BigDecimal MAX_LIMIT = new BigDecimal("1E+15");

	private static final Duration DEFAULT_FORGET_AFTER = Duration.ofDays(1);

	private static final BigDecimal NEVER = BigDecimal.ONE.negate();

	static BudgetTerms of(Written written, KeyReader.Expressions expressions, List<Problem> problems) {
		BigDecimal limit = limit(written.limit(), written.whole(), problems);
		String per = Objects.requireNonNullElse(written.per(), "").strip();
		BudgetPeriod period = BudgetPeriod.of(per);
		KeyPart part = (period != null) ? null : KeyPart.of(per);
		if (period == null && part == null) {
			problems.add(new Problem(List.of("per"),
					(written.per() != null) ? "This is neither a time nor a part of the key." : "This is missing.",
					"Write 'per: day', week, month or year, or one of %s."
						.formatted(String.join(", ", KeyPart.NAMES))));
		}
		LimitKey key = new KeyReader(expressions, problems).readOne(written.key(), written.keyExpression(),
				(period != null || part != null) ? List.of(asLimit(part)) : List.of());
		return new BudgetTerms(limit, (period != null) ? period.text() : (part != null) ? part.describe() : per, period,
				timeZone(written.timeZone(), period, problems), key,
				Objects.requireNonNullElse(written.missing(), OnMissingKey.DENY),
				warnBelow(written.warnAt(), limit, problems), KeyBounds.maxKeys(written.maxKeys(), problems),
				forgetAfter(written.forgetAfter(), period, problems));
	}

	/**
	 * A budget that is new after a time says nothing of its key; another has a part in
	 * it.
	 */
	private static WrittenLimit asLimit(@Nullable KeyPart part) {
		return new WrittenLimit(1, (part != null) ? null : Duration.ofDays(1), 1, part, "");
	}

	private static BigDecimal limit(@Nullable BigDecimal written, boolean whole, List<Problem> problems) {
		BigDecimal limit = (written != null) ? BudgetAmount.exact(written) : BigDecimal.ONE;
		if (written == null) {
			problems.add(new Problem(List.of("limit"), "The limit is missing.",
					"Write how much calls may use up, like 2000."));
		}
		else if (limit == null || limit.signum() <= 0 || limit.compareTo(MAX_LIMIT) > 0) {
			problems.add(new Problem(List.of("limit"),
					"The limit is not above zero and at most %s.".formatted(MAX_LIMIT.toPlainString()),
					"Write how much calls may use up, like 2000; to deny all, use a policy."));
		}
		else if (whole && limit.stripTrailingZeros().scale() > 0) {
			problems.add(new Problem(List.of("limit"), "The limit of what is counted one by one has a fraction.",
					"Write a whole number, or 'sum' with what is to be added up."));
		}
		return (limit != null) ? limit : BigDecimal.ONE;
	}

	private static ZoneId timeZone(@Nullable String written, @Nullable BudgetPeriod period, List<Problem> problems) {
		if (written == null) {
			return ZoneOffset.UTC;
		}
		if (period == null) {
			problems.add(new Problem(List.of("time_zone"), "No day begins for a budget that does not come back.",
					"Remove it, or write 'per: day', week, month or year."));
		}
		try {
			return ZoneId.of(written.strip());
		}
		catch (DateTimeException ex) {
			problems.add(new Problem(List.of("time_zone"), "There is no time zone of this name.",
					"Write a name such as Europe/Berlin, in its upper and lower case, or an offset such as \"+02:00\"."));
			return ZoneOffset.UTC;
		}
	}

	private static BigDecimal warnBelow(@Nullable BigDecimal written, BigDecimal limit, List<Problem> problems) {
		if (written == null) {
			return NEVER;
		}
		BigDecimal share = BudgetAmount.exact(written);
		if (share == null || share.signum() <= 0 || share.compareTo(BigDecimal.ONE) > 0) {
			problems.add(new Problem(List.of("warn_at"), "The warn_at is not above 0 and at most 1.",
					"Write the share from which on the model is told, like 0.8."));
			return NEVER;
		}
		return limit.subtract(limit.multiply(share));
	}

	private static Duration forgetAfter(@Nullable Duration written, @Nullable BudgetPeriod period,
			List<Problem> problems) {
		if (written != null && period != null) {
			problems.add(new Problem(List.of("forget_after"),
					"The budget is new after its time, so nothing is forgotten after another one.",
					"Remove it, or write 'per: session'."));
			return written;
		}
		return KeyBounds.forgetAfter(written, DEFAULT_FORGET_AFTER, "session", problems);
	}

	@Nullable Instant newAt(Instant now) {
		BudgetPeriod time = this.period;
		return (time != null) ? time.next(time.firstDay(now.atZone(this.timeZone).toLocalDate()))
			.atStartOfDay(this.timeZone)
			.toInstant() : null;
	}

	record Written(@Nullable BigDecimal limit, boolean whole, @Nullable String per, @Nullable String timeZone,
			@Nullable List<String> key, @Nullable String keyExpression, @Nullable OnMissingKey missing,
			@Nullable BigDecimal warnAt, @Nullable Integer maxKeys, @Nullable Duration forgetAfter) {
	}

}
