package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;

/**
 * How much of its budget each key has used up. A call that passes has its amount reserved
 * until it is known whether it counts. An account is forgotten when its time of the
 * calendar is over, or, without one, after a time without a call; never to make room,
 * which would be a way to reset it.
 */
record BudgetStore(SharedBudget budget, KeyedState<SharedAccount> state) {

	static BudgetStore open(SharedBudget budget, StateStore states) {
		return new BudgetStore(budget, states.open(new StateTerms<>(List.of(budget.entry()), budget.terms().maxKeys(),
				StateTerms.WhenFull.REFUSE, false, new Codec(budget))));
	}

	/** Reserve an amount, from zero on, if so much is left. */
	Answer reserve(String key, BigDecimal amount) {
		String id = SharedLimits.newId();
		BigDecimal wanted = SharedBudget.bounded(amount);
		return this.state.change(key, new Full(), (kept, now) -> pass(kept, now, wanted, (account) -> {
			account.reserve(id, wanted, now);
			return new Place(key, id, null, account.born(), new AtomicBoolean());
		}));
	}

	/**
	 * Use up an amount that is seldom given back. To settle that it counts takes nothing
	 * then.
	 */
	Answer take(String key, BigDecimal amount) {
		BigDecimal wanted = SharedBudget.bounded(amount);
		return this.state.change(key, new Full(), (kept, now) -> pass(kept, now, wanted, (account) -> {
			account.add(wanted, now);
			return new Place(key, "", wanted, account.born(), new AtomicBoolean());
		}));
	}

	private Answer pass(Kept<SharedAccount> kept, long now, BigDecimal amount, Use use) {
		SharedAccount account = SharedAccount.of(this.budget, kept.state(), now);
		account.use(now);
		Answer answer = (account.fits(amount)) ? enough(use.of(account), account) : account.usedUp(amount, now);
		kept.keep(account, account.overAt());
		return answer;
	}

	private Enough enough(@Nullable Place place, SharedAccount account) {
		BigDecimal left = account.left();
		boolean warns = left.compareTo(this.budget.warnBelow()) <= 0;
		return new Enough(place, left, warns, account.warn(left));
	}

	/** Say what {@link #reserve} would, without a trace. */
	Answer look(String key, BigDecimal amount) {
		BigDecimal wanted = SharedBudget.bounded(amount);
		return this.state.look(key, new Full(), (kept, now) -> {
			Answer answer = pass(kept, now, wanted, (account) -> {
				account.add(wanted, now);
				return null;
			});
			return (answer instanceof Enough enough) ? new Enough(null, enough.left(), enough.warns(), false) : answer;
		});
	}

	/** The first answer holds. */
	void settle(Place place, boolean counts) {
		BigDecimal taken = place.taken();
		if (!place.settled().compareAndSet(false, true) || (taken != null && counts)) {
			return;
		}
		boolean unused = this.state.change(place.key(), false, (kept, now) -> {
			SharedAccount known = kept.state();
			if (known == null) {
				return false;
			}
			SharedAccount account = SharedAccount.of(this.budget, known, now);
			boolean there = (taken != null) ? account.giveBack(place.born(), taken)
					: account.settle(place.id(), counts, now);
			if (there) {
				account.use(now);
				kept.keep(account, account.overAt());
			}
			return there;
		});
	}

	/** Whether anything is left. It makes an account for {@link #add} to count in. */
	Answer check(String key) {
		return this.state.change(key, new Full(), (kept, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, kept.state(), now);
			account.use(now);
			Answer answer = (account.left().signum() > 0) ? enough(null, account)
					: new UsedUp(BigDecimal.ZERO, account.usedUp(BigDecimal.ZERO, now).newIn(), false);
			kept.keep(account, account.overAt());
			return answer;
		});
	}

	/** Count what was used up already, also beyond the limit. */
	boolean add(String key, BigDecimal amount) {
		return this.state.change(key, false, (kept, now) -> {
			SharedAccount account = SharedAccount.of(this.budget, kept.state(), now);
			account.add(SharedBudget.bounded(amount), now);
			kept.keep(account, account.overAt());
			return true;
		});
	}

	HookHealth.Report health() {
		return this.state.health();
	}

	@FunctionalInterface
	private interface Use {

		@Nullable Place of(SharedAccount account);

	}

	private record Codec(SharedBudget budget) implements StateCodec<SharedAccount> {

		@Override
		public String write(SharedAccount state) {
			return state.write();
		}

		@Override
		public SharedAccount read(int space, String text) {
			return SharedAccount.read(this.budget, text);
		}

	}

	/** {@code taken} is {@code null} if the amount is only reserved. */
	record Place(String key, String id, @Nullable BigDecimal taken, long born, AtomicBoolean settled) {
	}

	sealed interface Answer {

	}

	/**
	 * There is enough.
	 *
	 * @param place what was reserved, or {@code null} if nobody wanted that
	 */
	record Enough(@Nullable Place place, BigDecimal left, boolean warns, boolean first) implements Answer {
	}

	/**
	 * There is too little.
	 *
	 * @param newIn the time until the budget is new, or {@code null} if that is never
	 */
	record UsedUp(BigDecimal left, @Nullable Duration newIn, boolean running) implements Answer {
	}

	record Full() implements Answer {
	}

}
