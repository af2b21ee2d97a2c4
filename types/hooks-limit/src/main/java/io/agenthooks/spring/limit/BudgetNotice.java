package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.WarningThrottle;

/** A listener that fails changes no decision. */
final class BudgetNotice {

	static final String FULL = "Too many budgets are kept at the moment, and there is no room for that of this call. "
			+ "Try again later.";

	private static final Logger logger = LoggerFactory.getLogger(BudgetNotice.class);

	private final String hook;

	private final BudgetTerms terms;

	private final String budget;

	private final Consumer<BudgetEvent> events;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	BudgetNotice(String hook, BudgetTerms terms, String what, Consumer<BudgetEvent> events) {
		this.hook = hook;
		this.terms = terms;
		this.budget = "%s %s per %s for %s".formatted(text(terms.limit()), what, terms.per(), terms.key().describe());
		this.events = events;
	}

	String warn(BigDecimal left, boolean first, CallContext context) {
		if (first) {
			publish(new BudgetEvent.Warned(this.hook, this.budget, BudgetEvent.Caller.of(context)));
		}
		return "Of the budget of %s, %s is left.".formatted(this.budget, text(left));
	}

	/** For who only asks. */
	String leftWith(BigDecimal left) {
		return "With this call, %s of the budget of %s is left.".formatted(text(left), this.budget);
	}

	void exceeded(CallContext context) {
		publish(new BudgetEvent.Exceeded(this.hook, this.budget, BudgetEvent.Caller.of(context)));
	}

	String reason(BudgetStore.UsedUp usedUp) {
		String left = (usedUp.left().signum() > 0)
				? "has too little left for this call: %s".formatted(text(usedUp.left())) : "is used up";
		return "The budget of %s %s. %s".formatted(this.budget, left, advice(usedUp));
	}

	private static String advice(BudgetStore.UsedUp usedUp) {
		Duration wait = usedUp.newIn();
		if (usedUp.running()) {
			return "Calls that still run hold the rest. Try again when they have ended.";
		}
		return (wait != null) ? "It is new in %s.".formatted(WaitText.of(wait))
				: "It does not come back, so do not try again.";
	}

	void warn(String what) {
		this.warnings.warn("Hook '%s': %s".formatted(this.hook, what));
	}

	String full() {
		warn(("there is no room for the budget of a call: %d others are kept. Raise 'max_keys', or count by something "
				+ "that there is less of")
			.formatted(this.terms.maxKeys()));
		return FULL;
	}

	private void publish(BudgetEvent event) {
		try {
			this.events.accept(event);
		}
		catch (RuntimeException ex) {
			warn("a listener failed with %s; the decision stands".formatted(ex.getClass().getName()));
		}
	}

	private static String text(BigDecimal number) {
		// Numbers are short, and so are their zeros.
		return number.stripTrailingZeros().toPlainString();
	}

}
