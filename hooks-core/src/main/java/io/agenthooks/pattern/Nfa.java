package io.agenthooks.pattern;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

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

	private static final int[] NO_STEPS = {};

	private final int[] kind;

	private final int[] next;

	private final int[] argument;

	/** The pattern of a step, if what leads to it counts as part of it. */
	private final int[] owner;

	private final int start;

	private final List<Anchor> anchors;

	private final Alphabet alphabet;

	private final BitSet[] accepted;

	Nfa(List<Surrounded> patterns) {
		Builder builder = new Builder();
		int start = -1;
		for (int i = patterns.size() - 1; i >= 0; i--) {
			int entry = builder.add(patterns.get(i), i);
			start = (start < 0) ? entry : builder.add(SPLIT, entry, start);
		}
		this.kind = Arrays.copyOf(builder.kind, builder.size);
		this.next = Arrays.copyOf(builder.next, builder.size);
		this.argument = Arrays.copyOf(builder.argument, builder.size);
		this.owner = Arrays.copyOf(builder.owner, builder.size);
		this.start = start;
		this.anchors = List.copyOf(builder.anchors);
		this.alphabet = new Alphabet(builder.sets, this.anchors);
		this.accepted = builder.sets.stream().map(this.alphabet::columnsOf).toArray(BitSet[]::new);
	}

	int start() {
		return this.start;
	}

	boolean usesAnchors() {
		return !this.anchors.isEmpty();
	}

	boolean canBeFound(Budget budget) {
		Follower follower = new Follower();
		Map<Integer, BitSet> known = new HashMap<>();
		Deque<Situation> open = new ArrayDeque<>();
		known.put(Anchor.EDGE, new BitSet());
		open.push(new Situation(Anchor.EDGE, new int[] { this.start }));
		while (!open.isEmpty()) {
			Situation situation = open.pop();
			int before = situation.before;
			for (int column = 0; column < this.alphabet.size(); column++) {
				int kind = this.alphabet.kindOf(column);
				if (!Anchor.isPossible(before, kind)) {
					continue;
				}
				Move move = follower.follow(situation.steps, before, column, budget);
				if (move.patterns.length > 0) {
					return true;
				}
				if (column != this.alphabet.end()) {
					Situation next = new Situation(Anchor.before(before, kind), move.steps);
					Situation news = next.without(known, this.start);
					if (news.steps.length > 0) {
						open.push(news);
					}
				}
			}
		}
		return false;
	}

	Alphabet alphabet() {
		return this.alphabet;
	}

	BitSet owners(int[] steps, BitSet here) {
		BitSet owners = new BitSet();
		for (int step : steps) {
			if (this.owner[step] >= 0 && here.get(step)) {
				owners.set(this.owner[step]);
			}
		}
		return owners;
	}

	private static final class Situation {

		private final int before;

		private final int[] steps;

		Situation(int before, int[] steps) {
			this.before = before;
			this.steps = steps;
		}

		/**
		 * The part that was not known. It is from now on, and so is that a match may
		 * start here.
		 */
		Situation without(Map<Integer, BitSet> known, int start) {
			BitSet news = new BitSet();
			BitSet knownHere = known.get(this.before);
			if (knownHere == null) {
				knownHere = new BitSet();
				known.put(this.before, knownHere);
				news.set(start);
			}
			for (int step : this.steps) {
				news.set(step);
			}
			news.andNot(knownHere);
			knownHere.or(news);
			return new Situation(this.before, news.stream().toArray());
		}

	}

	/** A pattern that is found only between two others. */
	record Surrounded(Regex before, Regex regex, Regex after) {

		static Surrounded byAnything(Regex regex) {
			return new Surrounded(Regex.Sequence.EMPTY, regex, Regex.Sequence.EMPTY);
		}

	}

	static final class Move {

		private final int[] steps;

		private final int[] patterns;

		private Move(int[] steps, int[] patterns) {
			this.steps = steps;
			this.patterns = patterns;
		}

		int[] steps() {
			return this.steps;
		}

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

	/** Follows steps; for one thread. */
	final class Follower {

		private static final int COST = 4;

		private final int[] waiting = new int[Nfa.this.kind.length];

		private int waitingCount;

		/** The round in which a step was met last. */
		private final int[] met = new int[Nfa.this.kind.length];

		private int round;

		private final int[] reached = new int[Nfa.this.kind.length];

		private final int[] found = new int[Nfa.this.kind.length];

		Move follow(int[] steps, int before, int column, Budget budget) {
			int after = Anchor.after(before, Nfa.this.alphabet.kindOf(column));
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

	/** The steps that lead to each step, needed only to go back. */
	final class BackSteps {

		/** The steps without a character that lead to each step. */
		private final int[][] places = new int[Nfa.this.kind.length][];

		private final int[][] chars = new int[Nfa.this.kind.length][];

		private final int[] found;

		BackSteps(int patterns) {
			this.found = new int[patterns];
			Arrays.fill(this.places, NO_STEPS);
			Arrays.fill(this.chars, NO_STEPS);
			for (int step = 0; step < Nfa.this.kind.length; step++) {
				switch (Nfa.this.kind[step]) {
					case FOUND -> {
						this.found[Nfa.this.argument[step]] = step;
					}
					case CHARS -> add(this.chars, Nfa.this.next[step], step);
					case PLACE -> add(this.places, Nfa.this.next[step], step);
					default -> {
						add(this.places, Nfa.this.next[step], step);
						add(this.places, Nfa.this.argument[step], step);
					}
				}
			}
		}

		private static void add(int[][] lists, int position, int step) {
			lists[position] = Arrays.copyOf(lists[position], lists[position].length + 1);
			lists[position][lists[position].length - 1] = step;
		}

	}

	/** The origin of steps: the steps by a character that lead here, in order. */
	record Origin(List<Integer> earlier, BitSet here) {
	}

	/** Follows steps back from where patterns were found; for one thread. */
	final class Retracer {

		private static final int COST = 4;

		private final BackSteps back;

		private final int[] waiting = new int[Nfa.this.kind.length];

		private int waitingCount;

		Retracer(BackSteps back) {
			this.back = back;
		}

		Origin goBack(@Nullable BitSet found, List<Integer> later, int column, int before, int after, Budget budget) {
			BitSet here = new BitSet();
			BitSet earlier = new BitSet();
			if (found != null) {
				for (int i = found.nextSetBit(0); i >= 0; i = found.nextSetBit(i + 1)) {
					meet(this.back.found[i], here);
				}
			}
			for (Integer step : later) {
				meet(step, here);
			}
			int followed = 1;
			while (this.waitingCount > 0) {
				int step = this.waiting[--this.waitingCount];
				for (int place : this.back.places[step]) {
					if (Nfa.this.kind[place] == SPLIT
							|| Nfa.this.anchors.get(Nfa.this.argument[place]).holds(before, after)) {
						meet(place, here);
					}
				}
				for (int character : this.back.chars[step]) {
					if (Nfa.this.accepted[Nfa.this.argument[character]].get(column)) {
						earlier.set(character);
					}
				}
				followed += 1 + this.back.places[step].length + this.back.chars[step].length;
			}
			budget.spend((long) COST * followed);
			return new Origin(earlier.stream().boxed().toList(), here);
		}

		private void meet(int step, BitSet here) {
			if (!here.get(step)) {
				here.set(step);
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

		private int[] owner = new int[64];

		/** The pattern whose steps are added, or -1 for what stands around it. */
		private int pattern = -1;

		private int size;

		/**
		 * Add a pattern, with a step at each edge that tells it from what stands around
		 * it.
		 */
		int add(Surrounded surrounded, int pattern) {
			boolean hasAfter = !surrounded.after().equals(Regex.Sequence.EMPTY);
			boolean hasBefore = !surrounded.before().equals(Regex.Sequence.EMPTY);
			this.pattern = (hasAfter) ? -1 : pattern;
			int entry = add(surrounded.after(), add(FOUND, -1, pattern));
			this.pattern = pattern;
			entry = add(surrounded.regex(), (hasAfter) ? add(SPLIT, entry, entry) : entry);
			this.pattern = -1;
			return (hasBefore) ? add(surrounded.before(), add(SPLIT, entry, entry)) : entry;
		}

		int add(int kind, int next, int argument) {
			if (this.size == this.kind.length) {
				this.kind = Arrays.copyOf(this.kind, 2 * this.size);
				this.next = Arrays.copyOf(this.next, 2 * this.size);
				this.argument = Arrays.copyOf(this.argument, 2 * this.size);
				this.owner = Arrays.copyOf(this.owner, 2 * this.size);
			}
			this.kind[this.size] = kind;
			this.next[this.size] = next;
			this.argument[this.size] = argument;
			this.owner[this.size] = this.pattern;
			return this.size++;
		}

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
