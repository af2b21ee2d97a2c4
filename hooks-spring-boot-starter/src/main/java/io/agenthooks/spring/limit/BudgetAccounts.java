package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Keeps, in the memory of the application, how much of its budget each key has used up. A
 * call that passes has its amount reserved until it is known whether it counts. Amounts
 * are added exactly.
 * <p>
 * An account is forgotten when its time of the calendar is over, or, without one, after a
 * time without a call; never to make room, which would be a way to reset it.
 */
final class BudgetAccounts implements BudgetStore {

	/** How many accounts are looked at, at most, to make room for one. */
	private static final int LOOKS = 16;

	private final BudgetTerms terms;

	private final InstantSource clock;

	/** The one that was used least recently comes first. Guarded by this. */
	private final Map<String, Account> accounts = new LinkedHashMap<>();

	BudgetAccounts(BudgetTerms terms, InstantSource clock) {
		this.terms = terms;
		this.clock = clock;
	}

	@Override
	public synchronized Answer reserve(String key, BigDecimal amount) {
		Instant now = this.clock.instant();
		Account account = use(key, now);
		if (account == null) {
			return new Full();
		}
		Answer answer = answer(account, amount, now);
		if (!(answer instanceof Enough enough)) {
			return answer;
		}
		account.reserved = account.reserved.add(amount);
		account.places++;
		boolean first = enough.warns() && !account.warned;
		account.warned |= first;
		return new Enough(new Reserved(account, amount), enough.left(), enough.warns(), first);
	}

	@Override
	public synchronized Answer look(String key, BigDecimal amount) {
		Instant now = this.clock.instant();
		Account account = this.accounts.get(key);
		if (account == null || isOver(account, now)) {
			return (account != null || this.accounts.size() < this.terms.maxKeys() || isAnyOver(now))
					? answer(new Account(firstDay(now), now), amount, now) : new Full();
		}
		return answer(account, amount, now);
	}

	private Answer answer(Account account, BigDecimal amount, Instant now) {
		BigDecimal left = this.terms.limit().subtract(account.used).subtract(account.reserved);
		if (amount.compareTo(left) > 0) {
			boolean running = account.places > 0 && amount.compareTo(left.add(account.reserved)) <= 0;
			return new UsedUp(left.max(BigDecimal.ZERO), untilNext(account, now), running);
		}
		BigDecimal leftThen = left.subtract(amount);
		return new Enough(null, leftThen, leftThen.compareTo(this.terms.warnBelow()) <= 0, false);
	}

	@Override
	public synchronized void settle(Place settled, boolean counts) {
		Reserved place = (Reserved) settled;
		if (place.settled) {
			return;
		}
		place.settled = true;
		Account account = place.account;
		account.reserved = account.reserved.subtract(place.amount);
		account.places--;
		account.use(this.clock.instant());
		if (counts) {
			account.used = account.used.add(place.amount);
		}
	}

	@Override
	public synchronized Answer check(String key) {
		Instant now = this.clock.instant();
		Account account = use(key, now);
		if (account == null) {
			return new Full();
		}
		BigDecimal left = this.terms.limit().subtract(account.used);
		if (left.signum() <= 0) {
			return new UsedUp(BigDecimal.ZERO, untilNext(account, now), false);
		}
		boolean warns = left.compareTo(this.terms.warnBelow()) <= 0;
		boolean first = warns && !account.warned;
		account.warned |= first;
		return new Enough(null, left, warns, first);
	}

	@Override
	public synchronized boolean add(String key, BigDecimal amount) {
		Account account = use(key, this.clock.instant());
		if (account == null) {
			return false;
		}
		account.used = account.used.add(amount);
		return true;
	}

	/**
	 * The account of a key, made anew if it has none, or {@code null} if there is no room
	 * for it.
	 */
	private @Nullable Account use(String key, Instant now) {
		Account account = this.accounts.remove(key);
		if (account == null || isOver(account, now)) {
			if (this.accounts.size() >= this.terms.maxKeys() && !makeRoom(now)) {
				return null;
			}
			account = new Account(firstDay(now), now);
		}
		account.use(now);
		this.accounts.put(key, account);
		return account;
	}

	private boolean makeRoom(Instant now) {
		for (int i = 0; i < LOOKS; i++) {
			Map.Entry<String, Account> eldest = this.accounts.entrySet().iterator().next();
			String key = eldest.getKey();
			Account account = eldest.getValue();
			if (isOver(account, now)) {
				this.accounts.remove(key);
				return true;
			}
			if (account.places == 0) {
				return false;
			}
			// A call that goes on uses it.
			this.accounts.remove(key);
			account.use(now);
			this.accounts.put(key, account);
		}
		return false;
	}

	private boolean isAnyOver(Instant now) {
		return this.accounts.values().stream().limit(LOOKS).anyMatch((account) -> isOver(account, now));
	}

	/**
	 * Whether nothing is to be remembered. A clock that is set back opens no account that
	 * is closed.
	 */
	private boolean isOver(Account account, Instant now) {
		LocalDate today = firstDay(now);
		return (today != null && account.firstDay != null) ? today.isAfter(account.firstDay)
				: account.places == 0 && !now.isBefore(account.usedAt.plus(this.terms.forgetAfter()));
	}

	private @Nullable LocalDate firstDay(Instant now) {
		BudgetPeriod period = this.terms.period();
		return (period != null) ? period.firstDay(now.atZone(this.terms.timeZone()).toLocalDate()) : null;
	}

	private @Nullable Duration untilNext(Account account, Instant now) {
		BudgetPeriod period = this.terms.period();
		if (period == null || account.firstDay == null) {
			return null;
		}
		ZonedDateTime next = period.next(account.firstDay).atStartOfDay(this.terms.timeZone());
		return Duration.between(now, next);
	}

	/**
	 * How many accounts are kept.
	 */
	synchronized int size() {
		return this.accounts.size();
	}

	/**
	 * What a key has used up.
	 */
	private static final class Account {

		/** The first day of its time of the calendar, or {@code null} if it has none. */
		private final @Nullable LocalDate firstDay;

		private BigDecimal used = BigDecimal.ZERO;

		private BigDecimal reserved = BigDecimal.ZERO;

		/** How many amounts are reserved. */
		private int places;

		private boolean warned;

		private Instant usedAt;

		Account(@Nullable LocalDate firstDay, Instant now) {
			this.firstDay = firstDay;
			this.usedAt = now;
		}

		void use(Instant now) {
			this.usedAt = (now.isAfter(this.usedAt)) ? now : this.usedAt;
		}

	}

	/**
	 * An amount that is reserved.
	 */
	private static final class Reserved implements Place {

		private final Account account;

		private final BigDecimal amount;

		private boolean settled;

		private Reserved(Account account, BigDecimal amount) {
			this.account = account;
			this.amount = amount;
		}

	}

}
