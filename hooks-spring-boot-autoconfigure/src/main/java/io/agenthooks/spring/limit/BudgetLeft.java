package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Keeps and tells what is left of the budgets of a hook.
 */
final class BudgetLeft {

	private final BudgetTerms terms;

	private final InstantSource clock;

	private final String store;

	private final LeastLeft least = new LeastLeft(System::nanoTime);

	private final LeftNotes notes = new LeftNotes();

	BudgetLeft(BudgetTerms terms, LimitConfig.Store store, InstantSource clock) {
		this.terms = terms;
		this.clock = clock;
		this.store = store.text();
	}

	/** Note what is left after a decision. */
	void add(BudgetStore.Answer answer) {
		if (answer instanceof BudgetStore.Enough enough) {
			this.least.add(enough.left().doubleValue());
			if (this.notes.isHeard()) {
				this.notes.add(enough.left(), this.terms.newAt(this.clock.instant()));
			}
		}
		else if (answer instanceof BudgetStore.UsedUp usedUp) {
			this.least.add(usedUp.left().doubleValue());
			if (this.notes.isHeard()) {
				Duration wait = usedUp.newIn();
				Instant reset = (wait != null) ? this.clock.instant().plus(wait) : null;
				this.notes.add(usedUp.left(), reset);
			}
		}
	}

	double least() {
		return this.least.value();
	}

	LeftNotes notes() {
		return this.notes;
	}

	String store() {
		return this.store;
	}

}
