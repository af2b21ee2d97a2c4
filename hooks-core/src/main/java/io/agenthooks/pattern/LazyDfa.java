package io.agenthooks.pattern;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Nfa.Move;

/**
 * Searches a text for any of some patterns in one pass. A state is the set of all steps
 * that are possible at a place in the text; states are made when a text leads to them and
 * kept, so that nearly every character of nearly every text costs one look into a table.
 * <p>
 * Texts can be written that lead to ever new states. When too many are kept, all are
 * dropped and made again as needed: memory is bounded, and time stays proportional to the
 * length of the text. Many threads may search at once without a lock: a state is
 * immutable but for its table, and what one thread does not yet see in there, it makes
 * again.
 */
final class LazyDfa {

	private static final int[] NO_STEPS = {};

	private final Nfa nfa;

	private final Alphabet alphabet;

	private final long maxCells;

	/** The moves of patterns that start at a place. */
	private final ConcurrentMap<Long, Move> freshStarts = new ConcurrentHashMap<>();

	private volatile Cache cache;

	LazyDfa(List<Regex> patterns, long maxCells) {
		this(new Nfa(patterns.stream().map(Nfa.Surrounded::byAnything).toList()), maxCells);
	}

	LazyDfa(Nfa nfa, long maxCells) {
		this.nfa = nfa;
		this.alphabet = this.nfa.alphabet();
		this.maxCells = maxCells;
		this.cache = newCache();
	}

	private Cache newCache() {
		return new Cache(this.alphabet.size(), (this.nfa.usesAnchors()) ? Anchor.EDGE : 0);
	}

	@Nullable BitSet search(String text, boolean firstOnly, Budget budget) {
		Search search = new Search(firstOnly, budget);
		walk(text, search, null);
		return search.patterns();
	}

	void trace(String text, Listener listener, Budget budget) {
		walk(text, new Search(false, budget), listener);
	}

	private void walk(String text, Search search, @Nullable Listener listener) {
		search.budget.spend(text.length() + 1);
		int lastTerminator = (this.alphabet.hasEndings()) ? Anchor.lastTerminator(text) : -1;
		State state = this.cache.start;
		for (int i = 0; i < text.length(); i++) {
			int position = i;
			int character = text.charAt(i);
			if (character >= Alphabet.ASCII && Character.isHighSurrogate((char) character)) {
				character = text.codePointAt(i);
				i += Character.charCount(character) - 1;
			}
			int column = (position == lastTerminator) ? this.alphabet.endingWith(character)
					: this.alphabet.columnOf(character);
			State next = state.next[column];
			if (next == null) {
				next = search.move(state, column);
				if (search.done) {
					return;
				}
			}
			state = next;
			if (listener != null) {
				listener.onCharacter(position, column, search.found, state.before, state.steps);
				search.found = null;
			}
		}
		search.move(state, this.alphabet.end());
		if (listener != null) {
			listener.onCharacter(text.length(), this.alphabet.end(), search.found, Anchor.EDGE, NO_STEPS);
		}
	}

	interface Listener {

		/** A character was read; {@code found} ends before it. */
		void onCharacter(int position, int column, @Nullable Found found, int before, int[] steps);

	}

	/**
	 * Patterns that are found at one place. Where the same ones are found in the same way
	 * it is the same object, so that nobody has to compare the patterns.
	 */
	static final class Found {

		private final BitSet patterns;

		Found(BitSet patterns) {
			this.patterns = patterns;
		}

		BitSet patterns() {
			return this.patterns;
		}

		Found and(Found others) {
			if (others == this) {
				return this;
			}
			BitSet all = (BitSet) this.patterns.clone();
			all.or(others.patterns);
			return (all.equals(this.patterns)) ? this : new Found(all);
		}

	}

	private static final class State {

		private final int[] steps;

		/** The {@link Anchor#before kind} of the character that led here. */
		private final int before;

		private final int hash;

		/** The next state of each column, if known and if nothing is found on the way. */
		private final @Nullable State[] next;

		/** The moves of the other columns; made when one of them is met. */
		private @Nullable Finding @Nullable [] findings;

		State(int[] steps, int before, int columns) {
			this.steps = steps;
			this.before = before;
			this.hash = 31 * Arrays.hashCode(steps) + before;
			this.next = new State[columns];
		}

		@Nullable Finding finding(int column) {
			@Nullable Finding[] findings = this.findings;
			return (findings != null) ? findings[column] : null;
		}

		void finding(int column, Finding finding) {
			@Nullable Finding[] findings = this.findings;
			if (findings == null) {
				findings = new Finding[this.next.length];
				this.findings = findings;
			}
			findings[column] = finding;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof State state && this.before == state.before
					&& Arrays.equals(this.steps, state.steps);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

	private record Finding(Found found, State next) {
	}

	private static final class Cache {

		private final ConcurrentMap<State, State> states = new ConcurrentHashMap<>();

		private final AtomicLong cells = new AtomicLong();

		private final int columns;

		private final State start;

		Cache(int columns, int beforeStart) {
			this.columns = columns;
			this.start = keep(NO_STEPS, beforeStart);
		}

		State keep(int[] steps, int before) {
			State state = new State(steps, before, this.columns);
			State known = this.states.putIfAbsent(state, state);
			if (known != null) {
				return known;
			}
			this.cells.addAndGet(steps.length + this.columns);
			return state;
		}

	}

	private final class Search {

		private static final int NEW_STATE = 300;

		private final boolean firstOnly;

		private final Budget budget;

		private @Nullable Found found;

		private boolean done;

		private Nfa.@Nullable Follower follower;

		Search(boolean firstOnly, Budget budget) {
			this.firstOnly = firstOnly;
			this.budget = budget;
		}

		@Nullable BitSet patterns() {
			Found found = this.found;
			return (found != null) ? found.patterns() : null;
		}

		State move(State state, int column) {
			State next = state.next[column];
			if (next != null) {
				return next;
			}
			Finding finding = state.finding(column);
			if (finding == null) {
				Move move = follow(state, column);
				next = keep(move.steps(), Anchor.before(state.before, LazyDfa.this.alphabet.kindOf(column)));
				BitSet patterns = move.patterns();
				if (patterns.isEmpty()) {
					state.next[column] = next;
					return next;
				}
				finding = new Finding(new Found(patterns), next);
				state.finding(column, finding);
			}
			this.found = (this.found == null) ? finding.found() : this.found.and(finding.found());
			this.done = this.firstOnly;
			return finding.next();
		}

		private State keep(int[] steps, int before) {
			Cache cache = LazyDfa.this.cache;
			if (cache.cells.get() > LazyDfa.this.maxCells) {
				cache = newCache();
				LazyDfa.this.cache = cache;
			}
			return cache.keep(steps, before);
		}

		/** Follow also the starts of all patterns: a match may start anywhere. */
		private Move follow(State state, int column) {
			Nfa nfa = LazyDfa.this.nfa;
			Nfa.Follower follower = this.follower;
			if (follower == null) {
				follower = nfa.new Follower();
				this.follower = follower;
			}
			this.budget.spend(NEW_STATE);
			long place = ((long) state.before << Integer.SIZE) | column;
			Move fresh = LazyDfa.this.freshStarts.get(place);
			if (fresh == null) {
				fresh = follower.follow(new int[] { nfa.start() }, state.before, column, this.budget);
				LazyDfa.this.freshStarts.put(place, fresh);
			}
			return (state.steps.length == 0) ? fresh
					: follower.follow(state.steps, state.before, column, this.budget).and(fresh);
		}

	}

}
