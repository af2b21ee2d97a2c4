package io.agenthooks.pattern;

import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.LazyDfa.Found;
import io.agenthooks.pattern.Nfa.Origin;

/**
 * The way back through a text. Its parts are much alike, so what was found out is kept.
 */
final class Retracing {

	private static final int MAX_KEPT = 20_000;

	private static final int COST = 12;

	private static final int NEW_BACK = 800;

	private final Nfa nfa;

	private final Nfa.Retracer retracer;

	private final Map<List<Integer>, Later> places = new HashMap<>();

	private final Budget budget;

	private int kept;

	Retracing(Nfa nfa, Nfa.BackSteps backSteps, Budget budget) {
		this.nfa = nfa;
		this.retracer = nfa.new Retracer(backSteps);
		this.budget = budget;
	}

	Later nothingLater() {
		return later(List.of());
	}

	private Later later(List<Integer> steps) {
		return this.places.computeIfAbsent(steps, Later::new);
	}

	Back goBack(Later later, @Nullable Found found, int column, int before, int after) {
		this.budget.spend(COST);
		int beside = (Anchor.asked(before) << Short.SIZE) | after;
		Back back = later.recent(column);
		if (back != null && back.situation.isThat(column, beside, found)) {
			return back;
		}
		Situation situation = new Situation(column, beside, found);
		back = later.backs.get(situation);
		if (back == null) {
			if (++this.kept > MAX_KEPT) {
				this.places.clear();
				this.kept = 0;
			}
			this.budget.spend(NEW_BACK);
			Origin origin = this.retracer.goBack((found != null) ? found.patterns() : null, later.steps, column, before,
					after, this.budget);
			back = new Back(this.nfa, situation, origin.here(), later(origin.earlier()));
			later.backs.put(situation, back);
		}
		later.recent(column, back);
		return back;
	}

	/** The steps by the next character from which what was found can be reached. */
	static final class Later {

		/** A power of two. */
		private static final int RECENT = 8;

		private final List<Integer> steps;

		private final Map<Situation, Back> backs = new HashMap<>();

		/** The backs that were taken last: nearly always the next one is among them. */
		private final @Nullable Back[] recent = new Back[RECENT];

		Later(List<Integer> steps) {
			this.steps = steps;
		}

		boolean isNothing() {
			return this.steps.isEmpty();
		}

		@Nullable Back recent(int column) {
			return this.recent[column & (RECENT - 1)];
		}

		void recent(int column, Back back) {
			this.recent[column & (RECENT - 1)] = back;
		}

	}

	record Situation(int column, int beside, @Nullable Found found) {

		boolean isThat(int column, int beside, @Nullable Found found) {
			return this.column == column && this.beside == beside && this.found == found;
		}

	}

	static final class Back {

		private static final int MAX_KEPT = 100;

		private static final int[] NO_STEPS = {};

		private static final BitSet NO_PATTERNS = new BitSet();

		private final Nfa nfa;

		private final BitSet here;

		private final Later later;

		private final Situation situation;

		private final IdentityHashMap<int[], BitSet> patterns = new IdentityHashMap<>();

		private int[] recentSteps = NO_STEPS;

		private BitSet recentPatterns = NO_PATTERNS;

		Back(Nfa nfa, Situation situation, BitSet here, Later later) {
			this.nfa = nfa;
			this.situation = situation;
			this.here = here;
			this.later = later;
		}

		Later later() {
			return this.later;
		}

		@SuppressWarnings("ReferenceEquality") // of the very array, which the map
												// compares alike
		BitSet patterns(int[] steps) {
			if (steps == this.recentSteps) {
				return this.recentPatterns;
			}
			BitSet patterns = this.patterns.get(steps);
			if (patterns == null) {
				patterns = this.nfa.owners(steps, this.here);
				if (this.patterns.size() < MAX_KEPT) {
					this.patterns.put(steps, patterns);
				}
			}
			this.recentSteps = steps;
			this.recentPatterns = patterns;
			return patterns;
		}

	}

}
