package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

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

	List<String> replacedBy = List.of();

	List<Withheld> withheld = List.of();

	List<String> failedOpen = List.of();

	List<String> wouldDeny = List.of();

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

	static List<String> with(List<String> names, String name) {
		if (names.contains(name)) {
			return names;
		}
		if (names.isEmpty()) {
			return List.of(name);
		}
		List<String> more = new ArrayList<>(names);
		more.add(name);
		return Collections.unmodifiableList(more);
	}

}
