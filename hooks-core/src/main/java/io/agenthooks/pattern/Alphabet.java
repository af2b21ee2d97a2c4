package io.agenthooks.pattern;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Sorts characters into the few columns that some patterns can tell apart. The end of the
 * text has one, and so has each line terminator that ends it.
 */
final class Alphabet {

	static final int ASCII = 128;

	private static final String TERMINATORS = "\n\r\u0085\u2028\u2029";

	private final short[] ascii = new short[ASCII];

	/** Code points where the columns change, from {@link #ASCII} up. */
	private final int[] edges;

	private final short[] columns;

	/** One character of each column; none for the end of the text. */
	private final int[] samples;

	/** Of each column, what {@link Anchor#kindOf(int)} says, as far as it is asked. */
	private final int[] kinds;

	private final int end;

	private final boolean hasEndings;

	Alphabet(List<CharSet> sets, Collection<Anchor> anchors) {
		int asked = anchors.stream().mapToInt(Anchor::kinds).reduce(0, (some, others) -> some | others);
		this.hasEndings = (asked & Anchor.LAST_TERMINATOR) != 0;
		TreeSet<Integer> edges = new TreeSet<>(List.of(0, ASCII));
		sets.forEach((set) -> addEdges(set, edges));
		if ((asked & Anchor.WORD) != 0) {
			addEdges(CharSet.WORD, edges);
			addEdges(CharSet.LETTERS_AND_DIGITS, edges);
			addEdges(CharSet.MARKS, edges);
			addEdges(CharSet.PAIRS, edges);
		}
		if (this.hasEndings) {
			TERMINATORS.chars().forEach((terminator) -> addEdges(CharSet.of(terminator), edges));
		}
		edges.remove(Character.MAX_CODE_POINT + 1);
		int[] samples = new int[edges.size()];
		Map<List<Object>, Short> known = new HashMap<>();
		int[] starts = edges.stream().mapToInt(Integer::intValue).toArray();
		short[] columns = new short[starts.length];
		for (int i = 0; i < starts.length; i++) {
			int sample = starts[i];
			BitSet members = new BitSet();
			for (int j = 0; j < sets.size(); j++) {
				members.set(j, sets.get(j).contains(sample));
			}
			List<Object> traits = List.of(members, (asked != 0) ? Anchor.kindOf(sample) & asked : 0);
			columns[i] = known.computeIfAbsent(traits, (key) -> (short) known.size());
			samples[columns[i]] = sample;
			if (sample < ASCII) {
				Arrays.fill(this.ascii, sample, (i + 1 < starts.length) ? starts[i + 1] : ASCII, columns[i]);
			}
		}
		int firstWide = Arrays.binarySearch(starts, ASCII);
		this.edges = Arrays.copyOfRange(starts, firstWide, starts.length);
		this.columns = Arrays.copyOfRange(columns, firstWide, starts.length);
		this.end = known.size();
		int size = this.end + 1 + ((this.hasEndings) ? TERMINATORS.length() : 0);
		this.samples = Arrays.copyOf(samples, size);
		this.kinds = new int[size];
		for (int column = 0; column < size; column++) {
			if (column < this.end) {
				this.kinds[column] = (asked != 0) ? Anchor.kindOf(this.samples[column]) & asked : 0;
			}
			else if (column == this.end) {
				this.samples[column] = -1;
				this.kinds[column] = Anchor.EDGE & asked;
			}
			else {
				this.samples[column] = TERMINATORS.charAt(column - this.end - 1);
				this.kinds[column] = Anchor.kindOf(this.samples[column]) | Anchor.LAST_TERMINATOR;
			}
		}
	}

	private static void addEdges(CharSet set, Set<Integer> edges) {
		for (int edge : set.edges()) {
			edges.add(edge);
		}
	}

	int size() {
		return this.samples.length;
	}

	int columnOf(int codePoint) {
		if (codePoint < ASCII) {
			return this.ascii[codePoint];
		}
		int index = Arrays.binarySearch(this.edges, codePoint);
		return this.columns[(index >= 0) ? index : -index - 2];
	}

	int end() {
		return this.end;
	}

	boolean hasEndings() {
		return this.hasEndings;
	}

	int endingWith(int terminator) {
		return this.end + 1 + TERMINATORS.indexOf(terminator);
	}

	int kindOf(int column) {
		return this.kinds[column];
	}

	BitSet columnsOf(CharSet set) {
		BitSet accepted = new BitSet(size());
		for (int column = 0; column < size(); column++) {
			accepted.set(column, column != this.end && set.contains(this.samples[column]));
		}
		return accepted;
	}

}
