package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.state.UnusableAnswerException;

final class SharedAccount {

	private static final String VERSION = "b1";

	private static final int PARTS = 7;

	private final SharedBudget budget;

	/** Tells it from others of the key. */
	private final long born;

	/** The end of its time of the calendar, or 0. */
	private final long till;

	private long forgetAt;

	private BigDecimal used = BigDecimal.ZERO;

	private boolean warned;

	private final Map<String, Reserved> places = new LinkedHashMap<>();

	private SharedAccount(SharedBudget budget, long born, long till) {
		this.budget = budget;
		this.born = born;
		this.till = till;
	}

	static SharedAccount of(SharedBudget budget, @Nullable SharedAccount known, long now) {
		if (known == null || known.overAt() <= now) {
			return new SharedAccount(budget, now, budget.endOfPeriod(now));
		}
		known.advance(now);
		return known;
	}

	static SharedAccount read(SharedBudget budget, String text) {
		String[] parts = text.split(";", -1);
		if (parts.length != PARTS || !parts[0].equals(VERSION)) {
			throw unreadable();
		}
		try {
			SharedAccount account = new SharedAccount(budget, Long.parseLong(parts[1]), Long.parseLong(parts[2]));
			account.forgetAt = Long.parseLong(parts[3]);
			account.used = new BigDecimal(parts[4]);
			account.warned = parts[5].equals("1");
			for (String place : parts[6].split(",", -1)) {
				String[] values = place.split("=", -1);
				if (values.length == 3) {
					account.places.put(values[0], new Reserved(Long.parseLong(values[1]), new BigDecimal(values[2])));
				}
			}
			return account;
		}
		catch (NumberFormatException ex) {
			// Its text quotes what is kept.
			throw unreadable();
		}
	}

	private static UnusableAnswerException unreadable() {
		return new UnusableAnswerException("What is kept of a budget cannot be read");
	}

	String write() {
		StringBuilder text = new StringBuilder(VERSION).append(';').append(this.born).append(';').append(this.till);
		text.append(';').append(this.forgetAt).append(';').append(this.used).append(';');
		text.append((this.warned) ? 1 : 0).append(';');
		this.places.forEach((id, place) -> text.append(id)
			.append('=')
			.append(place.until())
			.append('=')
			.append(place.amount())
			.append(','));
		return text.toString();
	}

	/** Count the amounts of which nobody said whether they count. */
	private void advance(long now) {
		Iterator<Reserved> all = this.places.values().iterator();
		while (all.hasNext()) {
			Reserved place = all.next();
			if (place.until() <= now) {
				all.remove();
				add(place.amount(), now);
			}
		}
	}

	/** It is forgotten later, since there is a call. */
	void use(long now) {
		this.forgetAt = Math.max(this.forgetAt, now + this.budget.forgetAfter());
	}

	void add(BigDecimal amount, long now) {
		use(now);
		this.used = this.used.add(amount).min(SharedBudget.MOST);
	}

	void reserve(String id, BigDecimal amount, long now) {
		use(now);
		this.places.put(id, new Reserved(now + this.budget.lease(), amount));
	}

	boolean settle(String id, boolean counts, long now) {
		Reserved place = this.places.remove(id);
		if (place != null && counts) {
			add(place.amount(), now);
		}
		return place != null;
	}

	boolean giveBack(long bornAt, BigDecimal amount) {
		if (this.born != bornAt) {
			return false;
		}
		this.used = this.used.subtract(amount).max(BigDecimal.ZERO);
		return true;
	}

	boolean warn(BigDecimal left) {
		boolean first = left.compareTo(this.budget.warnBelow()) <= 0 && !this.warned;
		this.warned |= first;
		return first;
	}

	/** Negative if more was used up than there is. */
	BigDecimal left() {
		return this.budget.terms().limit().subtract(this.used).subtract(reserved());
	}

	private BigDecimal reserved() {
		return this.places.values().stream().map(Reserved::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
	}

	boolean fits(BigDecimal amount) {
		return amount.compareTo(left()) <= 0 && this.places.size() < this.budget.maxPlaces();
	}

	BudgetStore.UsedUp usedUp(BigDecimal amount, long now) {
		BigDecimal left = left();
		boolean running = !this.places.isEmpty() && amount.compareTo(left.add(reserved())) <= 0;
		return new BudgetStore.UsedUp(left.max(BigDecimal.ZERO),
				(this.till > 0) ? Duration.of(this.till - now, ChronoUnit.MICROS) : null, running);
	}

	long born() {
		return this.born;
	}

	/** When there is nothing left to remember. */
	long overAt() {
		if (this.till > 0) {
			return this.till;
		}
		long over = this.forgetAt;
		for (Reserved place : this.places.values()) {
			over = Math.max(over, place.until() + this.budget.forgetAfter());
		}
		return over;
	}

	/** It counts at that time, unless somebody says before whether it does. */
	private record Reserved(long until, BigDecimal amount) {
	}

}
