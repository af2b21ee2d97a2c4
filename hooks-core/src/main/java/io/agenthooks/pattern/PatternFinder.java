package io.agenthooks.pattern;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.LazyDfa.Found;
import io.agenthooks.pattern.Nfa.Origin;
import io.agenthooks.pattern.Nfa.Surrounded;

/**
 * Says where patterns are found in a text: every character that is part of any match of a
 * pattern, so {@code .*} and {@code .*?} mean the same. The text is read once, for all
 * patterns; only from where a pattern ends it is read back, as far as the match may
 * reach.
 *
 * @since 0.1.0
 */
public final class PatternFinder {

	private static final long MIN_CELLS = 4096;

	private final Nfa nfa;

	private final Nfa.BackSteps backSteps;

	private final LazyDfa dfa;

	private final int targets;

	/**
	 * Create a finder.
	 * @param targets what to look for, at least one
	 * @param maxCells how many numbers and references the automaton may keep
	 */
	public PatternFinder(List<Target> targets, long maxCells) {
		this.nfa = new Nfa(targets.stream().map(Target::surrounded).toList());
		this.dfa = new LazyDfa(this.nfa, Math.max(MIN_CELLS, maxCells));
		this.backSteps = this.nfa.new BackSteps(targets.size());
		this.targets = targets.size();
	}

	/**
	 * Search a text.
	 * @param text the text
	 * @param budget what the search may cost
	 * @return the parts of the text that match, by their start; those of one target
	 * neither overlap nor touch
	 * @throws Budget.ExhaustedException if the search would cost more
	 */
	public List<Part> find(String text, Budget budget) {
		// Most texts have nothing in them, and that is found out without remembering
		// them.
		if (this.dfa.search(text, true, budget) == null) {
			return List.of();
		}
		Search search = new Search(budget);
		this.dfa.trace(text, search, budget);
		search.parts.sort(Part::compareTo);
		return search.parts;
	}

	/**
	 * A pattern that is found only between two others. Those are not part of what is
	 * found.
	 *
	 * @param before what stands before it, or {@code null} if that may be anything
	 * @param pattern the pattern
	 * @param after what stands after it, or {@code null} if that may be anything
	 * @since 0.1.0
	 */
	public record Target(@Nullable TextPattern before, TextPattern pattern, @Nullable TextPattern after) {

		private Surrounded surrounded() {
			return new Surrounded(regex(this.before), this.pattern.regex(), regex(this.after));
		}

		private static Regex regex(@Nullable TextPattern pattern) {
			return (pattern != null) ? pattern.regex() : Regex.Sequence.EMPTY;
		}

	}

	/**
	 * A part of a text that matches.
	 *
	 * @param target the position of what was looked for, from 0
	 * @param start where it starts
	 * @param end where it ends, exclusive
	 * @since 0.1.0
	 */
	public record Part(int target, int start, int end) {

		private int compareTo(Part other) {
			int byStart = Integer.compare(this.start, other.start);
			return (byStart != 0) ? byStart : Integer.compare(this.target, other.target);
		}

	}

	/**
	 * One pass over one text. It remembers what it read since no match was under way, and
	 * when that is so again, goes back over it if anything was found.
	 */
	private final class Search implements LazyDfa.Listener {

		/** For how many characters there is room at first. */
		private static final int ROOM = 16;

		private final Budget budget;

		private final List<Part> parts = new ArrayList<>();

		private int[] starts = new int[ROOM];

		private int[] columns = new int[ROOM];

		private int[] befores = new int[ROOM];

		private int[][] steps = new int[ROOM][];

		private int size;

		private final Deque<End> ends = new ArrayDeque<>();

		private @Nullable Retracing retracing;

		Search(Budget budget) {
			this.budget = budget;
		}

		@Override
		public void onCharacter(int position, int column, @Nullable Found found, int before, int[] steps) {
			if (found != null) {
				this.ends.push(new End(this.size, found));
			}
			if (steps.length > 0) {
				remember(position, column, before, steps);
				return;
			}
			if (!this.ends.isEmpty()) {
				goBack(position, PatternFinder.this.nfa.alphabet().kindOf(column));
				this.ends.clear();
			}
			this.size = 0;
		}

		private void remember(int position, int column, int before, int[] steps) {
			if (this.size == this.starts.length) {
				this.starts = Arrays.copyOf(this.starts, 2 * this.size);
				this.columns = Arrays.copyOf(this.columns, 2 * this.size);
				this.befores = Arrays.copyOf(this.befores, 2 * this.size);
				this.steps = Arrays.copyOf(this.steps, 2 * this.size);
			}
			this.starts[this.size] = position;
			this.columns[this.size] = column;
			this.befores[this.size] = before;
			this.steps[this.size++] = steps;
		}

		private void goBack(int stop, int kindAtStop) {
			Retracing retracing = this.retracing;
			if (retracing == null) {
				retracing = new Retracing(this.budget);
				this.retracing = retracing;
			}
			OpenParts open = new OpenParts();
			Later later = retracing.nothingLater();
			int end = stop;
			int after = kindAtStop;
			for (int i = this.size - 1; i >= 0; i--) {
				End last = this.ends.peek();
				Found found = null;
				if (last != null && last.count() == i + 1) {
					found = last.patterns();
					this.ends.pop();
				}
				if (found != null || !later.isNothing()) {
					int before = this.befores[i];
					Back back = retracing.goBack(later, found, this.columns[i], before, Anchor.after(before, after));
					open.add(back.patterns(this.steps[i]), this.starts[i], end);
					later = back.later;
				}
				else {
					open.close();
				}
				end = this.starts[i];
				after = PatternFinder.this.nfa.alphabet().kindOf(this.columns[i]);
			}
			open.close();
		}

		/**
		 * The parts that may still grow to the left.
		 */
		private final class OpenParts {

			private final BitSet patterns = new BitSet();

			private final int[] ends = new int[PatternFinder.this.targets];

			private int start;

			void add(BitSet patterns, int start, int end) {
				if (!patterns.equals(this.patterns)) {
					change(patterns, end);
				}
				this.start = start;
			}

			private void change(BitSet patterns, int end) {
				for (int i = this.patterns.nextSetBit(0); i >= 0; i = this.patterns.nextSetBit(i + 1)) {
					if (!patterns.get(i)) {
						Search.this.parts.add(new Part(i, this.start, this.ends[i]));
						this.patterns.clear(i);
					}
				}
				for (int i = patterns.nextSetBit(0); i >= 0; i = patterns.nextSetBit(i + 1)) {
					if (!this.patterns.get(i)) {
						this.ends[i] = end;
						this.patterns.set(i);
					}
				}
			}

			void close() {
				if (!this.patterns.isEmpty()) {
					add(new BitSet(), 0, 0);
				}
			}

		}

	}

	/**
	 * The way back through a text, whose parts are much alike: what was found out at one
	 * place is kept for the others.
	 */
	private final class Retracing {

		private static final int MAX_KEPT = 20_000;

		/** What taking a known step back costs, compared to a look into a table. */
		private static final int COST = 12;

		/** What finding one out costs, beside following steps. */
		private static final int NEW_BACK = 800;

		private final Nfa.Retracer retracer = PatternFinder.this.nfa.new Retracer(PatternFinder.this.backSteps);

		private final Map<List<Integer>, Later> places = new HashMap<>();

		private final Budget budget;

		private int kept;

		Retracing(Budget budget) {
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
				Origin origin = this.retracer.goBack((found != null) ? found.patterns() : null, later.steps, column,
						before, after, this.budget);
				back = new Back(PatternFinder.this.nfa, situation, origin.here(), later(origin.earlier()));
				later.backs.put(situation, back);
			}
			later.recent(column, back);
			return back;
		}

	}

	/**
	 * The steps by the next character from which a pattern can be reached that was found.
	 */
	private static final class Later {

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

	/**
	 * What else a step back depends on.
	 *
	 * @param column the column of the character
	 * @param beside its kind, and that of the next one
	 * @param found the patterns that end between them
	 */
	private record Situation(int column, int beside, @Nullable Found found) {

		boolean isThat(int column, int beside, @Nullable Found found) {
			return this.column == column && this.beside == beside && this.found == found;
		}

	}

	/**
	 * A step back.
	 */
	private static final class Back {

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

		/**
		 * The patterns that have the character that leads to some steps.
		 */
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

	/**
	 * Where patterns end.
	 *
	 * @param count how many of the remembered characters stand before it
	 * @param patterns which patterns
	 */
	private record End(int count, Found patterns) {
	}

}
