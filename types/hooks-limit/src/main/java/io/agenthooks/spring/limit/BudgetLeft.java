package io.agenthooks.spring.limit;

import java.time.Duration;
import java.time.InstantSource;

final class BudgetLeft extends CallsLeft {

	private final BudgetTerms terms;

	private final InstantSource clock;

	BudgetLeft(BudgetTerms terms, LimitConfig.Store store, InstantSource clock) {
		super(store);
		this.terms = terms;
		this.clock = clock;
	}

	void add(BudgetStore.Answer answer) {
		if (answer instanceof BudgetStore.Enough enough) {
			note(enough.left().doubleValue());
			if (isHeard()) {
				tell(enough.left(), this.terms.newAt(this.clock.instant()));
			}
		}
		else if (answer instanceof BudgetStore.UsedUp usedUp) {
			note(usedUp.left().doubleValue());
			if (isHeard()) {
				Duration wait = usedUp.newIn();
				tell(usedUp.left(), (wait != null) ? this.clock.instant().plus(wait) : null);
			}
		}
	}

}
