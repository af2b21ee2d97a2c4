package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Withheld;

/** The notes of a call about which hooks say more than approve. */
final class Remarks<D> {

	/** The place of the hook that changed the call last. */
	int changedAt = -1;

	/** The place of the hook that answered the call: those behind it saw nothing. */
	int answeredAt = Integer.MAX_VALUE;

	/** The places of the hooks that were asked before the call changed its target. */
	@Nullable BitSet askedBefore;

	boolean closed;

	@Nullable D question;

	@Nullable String asker;

	@Nullable D answer;

	@Nullable String additionalContext;

	@Nullable Error fatal;

	final Set<String> replacedBy = new LinkedHashSet<>();

	final List<Withheld> withheld = new ArrayList<>();

	final Set<String> failedOpen = new LinkedHashSet<>();

	final Set<String> wouldDeny = new LinkedHashSet<>();

	/** The one that changed the call counts as asked. */
	private boolean hasSeenTheFinalCall(int place) {
		return place >= this.changedAt && place <= this.answeredAt;
	}

	boolean isDue(Step<?, ?, ?> step) {
		if (step.isPolicy()) {
			return !hasSeenTheFinalCall(step.place);
		}
		return this.askedBefore != null && step.place <= this.changedAt && !this.askedBefore.get(step.place);
	}

	void rememberAsked(Step<?, ?, ?>[] steps, int place) {
		BitSet asked = (this.askedBefore != null) ? this.askedBefore : new BitSet();
		for (Step<?, ?, ?> step : steps) {
			if (step.place > this.changedAt && step.place <= place) {
				asked.set(step.place);
			}
		}
		this.askedBefore = asked;
	}

}
