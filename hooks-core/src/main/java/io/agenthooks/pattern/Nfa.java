package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Some patterns as one graph of steps, after Thompson. A step is a number; what it does
 * stands in the arrays under that number.
 */
final class Nfa {

	/** The pattern {@code argument} is found. */
	private static final int FOUND = 0;

	/** Go on to {@code next} after a character of the set {@code argument}. */
	private static final int CHARS = 1;

	/** Go on to {@code next} where the anchor {@code argument} holds. */
	private static final int PLACE = 2;

	/** Go on to {@code next} and to {@code argument}. */
	private static final int SPLIT = 3;

	private final int[] kind;

	private final int[] next;

	private final int[] argument;

	private final int start;

	private final List<Anchor> anchors;

	private final Alphabet alphabet;

	/** Which columns of the alphabet a set accepts. */
	private final BitSet[] accepted;

	/**
	 * Build the graph that finds any of some patterns.
	 * @param patterns the patterns, at least one
	 */
	Nfa(List<Regex> patterns) {
		Builder builder = new Builder();
		int start = -1;
		for (int i = patterns.size() - 1; i >= 0; i--) {
			int entry = builder.add(patterns.get(i), builder.add(FOUND, -1, i));
			start = (start < 0) ? entry : builder.add(SPLIT, entry, start);
		}
		this.kind = Arrays.copyOf(builder.kind, builder.size);
		this.next = Arrays.copyOf(builder.next, builder.size);
		this.argument = Arrays.copyOf(builder.argument, builder.size);
		this.start = start;
		this.anchors = List.copyOf(builder.anchors);
		this.alphabet = new Alphabet(builder.sets, usesAnchors());
		this.accepted = builder.sets.stream().map(this.alphabet::columnsOf).toArray(BitSet[]::new);
	}

	/**
	 * The first step.
	 */
	int start() {
		return this.start;
	}

	boolean usesAnchors() {
		return !this.anchors.isEmpty();
	}

	/**
	 * The characters that the patterns can tell apart.
	 */
	Alphabet alphabet() {
		return this.alphabet;
	}

	/**
	 * Where some steps lead to.
	 */
	static final class Move {

		private final int[] steps;

		private final int[] patterns;

		private Move(int[] steps, int[] patterns) {
			this.steps = steps;
			this.patterns = patterns;
		}

		/**
		 * The steps after a character, in order.
		 */
		int[] steps() {
			return this.steps;
		}

		/**
		 * The patterns found before the character.
		 */
		BitSet patterns() {
			BitSet patterns = new BitSet();
			for (int pattern : this.patterns) {
				patterns.set(pattern);
			}
			return patterns;
		}

		Move and(Move other) {
			return new Move(union(this.steps, other.steps), union(this.patterns, other.patterns));
		}

		private static int[] union(int[] some, int[] others) {
			if (some.length == 0 || others.length == 0) {
				return (some.length == 0) ? others : some;
			}
			int[] all = Arrays.copyOf(some, some.length + others.length);
			System.arraycopy(others, 0, all, some.length, others.length);
			return sorted(all, all.length);
		}

		/**
		 * The first numbers of an array, in order and each once.
		 */
		private static int[] sorted(int[] numbers, int count) {
			int[] sorted = Arrays.copyOf(numbers, count);
			Arrays.sort(sorted);
			int length = 0;
			for (int number : sorted) {
				if (length == 0 || number != sorted[length - 1]) {
					sorted[length++] = number;
				}
			}
			return (length == count) ? sorted : Arrays.copyOf(sorted, length);
		}

	}

	/**
	 * Follows steps; for one thread.
	 */
	final class Follower {

		/** What following a step costs, compared to a look into a table. */
		private static final int COST = 4;

		private final int[] waiting = new int[Nfa.this.kind.length];

		private int waitingCount;

		/** The round in which a step was met last. */
		private final int[] met = new int[Nfa.this.kind.length];

		private int round;

		private final int[] reached = new int[Nfa.this.kind.length];

		private final int[] found = new int[Nfa.this.kind.length];

		/**
		 * Follow some steps to where a character leads.
		 * @param steps the steps
		 * @param before what {@link Anchor#kindOf(int) kind} of character came before
		 * @param column the column of the character
		 * @param budget what this may cost
		 */
		Move follow(int[] steps, int before, int column, Budget budget) {
			int after = Nfa.this.alphabet.kindOf(column);
			int reachedCount = 0;
			int foundCount = 0;
			int followed = 0;
			this.round++;
			for (int step : steps) {
				meet(step);
			}
			while (this.waitingCount > 0) {
				int step = this.waiting[--this.waitingCount];
				int next = Nfa.this.next[step];
				int argument = Nfa.this.argument[step];
				followed++;
				switch (Nfa.this.kind[step]) {
					case FOUND -> {
						this.found[foundCount++] = argument;
					}
					case CHARS -> {
						if (Nfa.this.accepted[argument].get(column)) {
							this.reached[reachedCount++] = next;
						}
					}
					case PLACE -> {
						if (Nfa.this.anchors.get(argument).holds(before, after)) {
							meet(next);
						}
					}
					default -> {
						meet(next);
						meet(argument);
					}
				}
			}
			budget.spend((long) COST * followed);
			return new Move(Move.sorted(this.reached, reachedCount), Move.sorted(this.found, foundCount));
		}

		private void meet(int step) {
			if (this.met[step] != this.round) {
				this.met[step] = this.round;
				this.waiting[this.waitingCount++] = step;
			}
		}

	}

	/**
	 * Adds steps from the end of a pattern to its start, so that what comes next is
	 * known.
	 */
	private static final class Builder {

		private final List<CharSet> sets = new ArrayList<>();

		private final Map<CharSet, Integer> positions = new HashMap<>();

		private final List<Anchor> anchors = new ArrayList<>();

		private int[] kind = new int[64];

		private int[] next = new int[64];

		private int[] argument = new int[64];

		private int size;

		int add(int kind, int next, int argument) {
			if (this.size == this.kind.length) {
				this.kind = Arrays.copyOf(this.kind, 2 * this.size);
				this.next = Arrays.copyOf(this.next, 2 * this.size);
				this.argument = Arrays.copyOf(this.argument, 2 * this.size);
			}
			this.kind[this.size] = kind;
			this.next[this.size] = next;
			this.argument[this.size] = argument;
			return this.size++;
		}

		/**
		 * Add the steps of a pattern.
		 * @param regex the pattern
		 * @param next the step after it
		 * @return its first step
		 */
		int add(Regex regex, int next) {
			if (regex instanceof Regex.Chars chars) {
				int set = this.positions.computeIfAbsent(chars.set(), (key) -> {
					this.sets.add(key);
					return this.sets.size() - 1;
				});
				return add(CHARS, next, set);
			}
			if (regex instanceof Regex.Place place) {
				this.anchors.add(place.anchor());
				return add(PLACE, next, this.anchors.size() - 1);
			}
			if (regex instanceof Regex.Choice choice) {
				return add(choice, next);
			}
			if (regex instanceof Regex.Repeat repeat) {
				return add(repeat, next);
			}
			int entry = next;
			List<Regex> parts = ((Regex.Sequence) regex).parts();
			for (int i = parts.size() - 1; i >= 0; i--) {
				entry = add(parts.get(i), entry);
			}
			return entry;
		}

		private int add(Regex.Choice choice, int next) {
			int entry = -1;
			for (Regex option : choice.options()) {
				int optionEntry = add(option, next);
				entry = (entry < 0) ? optionEntry : add(SPLIT, optionEntry, entry);
			}
			return entry;
		}

		private int add(Regex.Repeat repeat, int next) {
			int entry = next;
			if (repeat.max() == Regex.Repeat.UNBOUNDED) {
				entry = add(SPLIT, -1, next);
				int body = add(repeat.body(), entry);
				this.next[entry] = body;
			}
			for (int i = repeat.min(); i < repeat.max(); i++) {
				entry = add(SPLIT, add(repeat.body(), entry), next);
			}
			for (int i = 0; i < repeat.min(); i++) {
				entry = add(repeat.body(), entry);
			}
			return entry;
		}

	}

}
