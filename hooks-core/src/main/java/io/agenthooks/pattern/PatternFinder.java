package io.agenthooks.pattern;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.LazyDfa.Found;
import io.agenthooks.pattern.Nfa.Surrounded;

/**
 * Finds patterns in a text: every character that is part of any match of a pattern, so
 * {@code .*} and {@code .*?} mean the same. The text is read once, for all patterns; only
 * from where a pattern ends it is read back, as far as the match may reach.
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
				retracing = new Retracing(PatternFinder.this.nfa, PatternFinder.this.backSteps, this.budget);
				this.retracing = retracing;
			}
			OpenParts open = new OpenParts();
			Retracing.Later later = retracing.nothingLater();
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
					Retracing.Back back = retracing.goBack(later, found, this.columns[i], before,
							Anchor.after(before, after));
					open.add(back.patterns(this.steps[i]), this.starts[i], end);
					later = back.later();
				}
				else {
					open.close();
				}
				end = this.starts[i];
				after = PatternFinder.this.nfa.alphabet().kindOf(this.columns[i]);
			}
			open.close();
		}

		/** The parts that may still grow to the left. */
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

	private record End(int count, Found patterns) {
	}

}
