package io.agenthooks.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A pattern as a tree, with the two changes that make searching for it cheap:
 * {@link #trimmed() trimming} and {@link #relaxed() relaxing}.
 */
sealed interface Regex {

	/**
	 * Whether it needs no other characters and places: all of a sequence, any of a
	 * choice.
	 */
	boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places);

	default boolean matchesEmpty() {
		return isMadeOf((set) -> false, (anchor) -> false);
	}

	/** Whether it is found at a place without any character. */
	default boolean isFoundWithoutCharacters() {
		return isMadeOf((set) -> false, (anchor) -> true);
	}

	/** Whether it has some of these characters to choose from wherever it needs one. */
	default boolean hasAnyOf(CharSet characters) {
		return isMadeOf(characters::intersects, (anchor) -> true);
	}

	/**
	 * Whether it is empty inside of a pair of surrogates: there, only {@code \B} holds.
	 */
	default boolean matchesInsidePair() {
		return isMadeOf((set) -> false, (anchor) -> anchor == Anchor.NO_WORD_EDGE);
	}

	/**
	 * This with the second half of a pair of surrogates for its first character, as Java
	 * finds it there, or {@code null}. That can only be a dot: Java goes over pairs as a
	 * whole where a pattern has other sets beyond U+FFFF.
	 */
	default @Nullable Regex fromInsidePair() {
		return null;
	}

	/** How many steps it has when its repetitions are written out. */
	default long size() {
		return 1;
	}

	/**
	 * Something simpler that matches whatever this matches, and perhaps more. Counters
	 * make automata explode, so it counts to sixteen at most; and a limited gap becomes
	 * an unlimited one, so that a word once met need not be forgotten again.
	 */
	default Regex relaxed() {
		return this;
	}

	/**
	 * Something that is found in just the texts where this is found, without what may be
	 * absent at its start and its end: a search for {@code a*b+c?} is one for {@code b}.
	 */
	default Regex trimmed() {
		return trimmed(true).trimmed(false);
	}

	default Regex trimmed(boolean atStart) {
		return (matchesEmpty()) ? Sequence.EMPTY : this;
	}

	record Chars(CharSet set) implements Regex {

		@Override
		public boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places) {
			return characters.test(this.set);
		}

		@Override
		public @Nullable Regex fromInsidePair() {
			return (this.set.contains(Character.MAX_CODE_POINT)) ? new Chars(CharSet.PAIRS) : null;
		}

	}

	record Sequence(List<Regex> parts) implements Regex {

		static final Regex EMPTY = new Sequence(List.of());

		@Override
		public boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places) {
			return this.parts.stream().allMatch((part) -> part.isMadeOf(characters, places));
		}

		@Override
		public @Nullable Regex fromInsidePair() {
			List<Regex> options = new ArrayList<>();
			for (int i = 0; i < this.parts.size(); i++) {
				Regex part = this.parts.get(i).fromInsidePair();
				if (part != null) {
					List<Regex> option = new ArrayList<>(List.of(part));
					option.addAll(this.parts.subList(i + 1, this.parts.size()));
					options.add(new Sequence(List.copyOf(option)));
				}
				if (!this.parts.get(i).matchesInsidePair()) {
					break;
				}
			}
			return (!options.isEmpty()) ? new Choice(List.copyOf(options)) : null;
		}

		@Override
		public long size() {
			return this.parts.stream().mapToLong(Regex::size).sum();
		}

		@Override
		public Regex relaxed() {
			return new Sequence(this.parts.stream().map(Regex::relaxed).toList());
		}

		@Override
		public Regex trimmed(boolean atStart) {
			List<Regex> trimmed = new ArrayList<>(this.parts);
			while (!trimmed.isEmpty()) {
				int outer = (atStart) ? 0 : trimmed.size() - 1;
				Regex part = trimmed.remove(outer);
				if (!part.matchesEmpty()) {
					trimmed.add(outer, part.trimmed(atStart));
					break;
				}
			}
			return new Sequence(List.copyOf(trimmed));
		}

	}

	/** Any of some options, at least one. */
	record Choice(List<Regex> options) implements Regex {

		@Override
		public boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places) {
			return this.options.stream().anyMatch((option) -> option.isMadeOf(characters, places));
		}

		@Override
		public @Nullable Regex fromInsidePair() {
			List<Regex> options = new ArrayList<>();
			for (Regex option : this.options) {
				Regex rest = option.fromInsidePair();
				if (rest != null) {
					options.add(rest);
				}
			}
			return (!options.isEmpty()) ? new Choice(List.copyOf(options)) : null;
		}

		@Override
		public long size() {
			return this.options.stream().mapToLong(Regex::size).sum() + this.options.size();
		}

		@Override
		public Regex relaxed() {
			return new Choice(this.options.stream().map(Regex::relaxed).toList());
		}

		@Override
		public Regex trimmed(boolean atStart) {
			return (matchesEmpty()) ? Sequence.EMPTY
					: new Choice(this.options.stream().map((option) -> option.trimmed(atStart)).toList());
		}

	}

	/** The same several times, at most {@link #UNBOUNDED}. */
	record Repeat(Regex body, int min, int max) implements Regex {

		static final int UNBOUNDED = -1;

		private static final int RELAXED_MAX = 16;

		private static final Regex ANYTHING = new Repeat(new Chars(CharSet.ALL), 0, UNBOUNDED);

		@Override
		public boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places) {
			return this.min == 0 || this.body.isMadeOf(characters, places);
		}

		@Override
		public @Nullable Regex fromInsidePair() {
			Regex first = (this.max != 0) ? this.body.fromInsidePair() : null;
			if (first == null) {
				return null;
			}
			int max = (this.max != UNBOUNDED) ? this.max - 1 : UNBOUNDED;
			return new Sequence(List.of(first, new Repeat(this.body, Math.max(0, this.min - 1), max)));
		}

		@Override
		public long size() {
			return (this.body.size() + 1) * Math.max(1, Math.max(this.min, this.max));
		}

		@Override
		public Regex relaxed() {
			if (this.min <= RELAXED_MAX && this.max <= RELAXED_MAX) {
				return new Repeat(this.body.relaxed(), this.min, this.max);
			}
			return (isGap()) ? ANYTHING : new Repeat(this.body.relaxed(), Math.min(this.min, RELAXED_MAX), UNBOUNDED);
		}

		/** Whether this leaps over whole words, as {@code [\w ]{0,20}} does. */
		private boolean isGap() {
			return this.min == 0 && this.body instanceof Chars chars && chars.set().contains('a')
					&& chars.set().contains('z');
		}

		@Override
		public Regex trimmed(boolean atStart) {
			if (matchesEmpty()) {
				return Sequence.EMPTY;
			}
			return (this.min == 1) ? this.body.trimmed(atStart) : new Repeat(this.body, this.min, this.min);
		}

	}

	record Place(Anchor anchor) implements Regex {

		@Override
		public boolean isMadeOf(Predicate<CharSet> characters, Predicate<Anchor> places) {
			return places.test(this.anchor);
		}

	}

}
