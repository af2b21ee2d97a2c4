package io.agenthooks.flow;

import java.util.Arrays;
import java.util.List;

/**
 * The hashes of the tokens of a text in their order, and those of other forms of them,
 * such as the host of an address, in the order of numbers.
 */
@SuppressWarnings("ArrayRecordComponent")
record TextIndex(long[] sequence, long[] forms) {

	static final TextIndex EMPTY = new TextIndex(new long[0], new long[0]);

	/** Between two texts, so that no value is found across them. */
	private static final long BETWEEN = -1;

	static TextIndex join(List<TextIndex> texts, int max) {
		LongList sequence = new LongList(max);
		LongList forms = new LongList(max);
		for (TextIndex text : texts) {
			for (long token : text.sequence) {
				sequence.add(token);
			}
			sequence.add(BETWEEN);
			for (long form : text.forms) {
				forms.add(form);
			}
		}
		return new TextIndex(sequence.toArray(), forms.toSortedArray());
	}

	int size() {
		return this.sequence.length + this.forms.length;
	}

	boolean holds(Meaning value) {
		return holdsSequence(value.sequence()) || Arrays.stream(value.forms()).anyMatch(this::holdsForm);
	}

	private boolean holdsForm(long form) {
		return Arrays.binarySearch(this.forms, form) >= 0
				|| Arrays.stream(this.sequence).anyMatch((token) -> token == form);
	}

	private boolean holdsSequence(long[] wanted) {
		int length = wanted.length;
		if (length == 0) {
			return false;
		}
		if (length == 1 && Arrays.binarySearch(this.forms, wanted[0]) >= 0) {
			return true;
		}
		for (int i = 0; i <= this.sequence.length - length; i++) {
			int same = 0;
			while (same < length && this.sequence[i + same] == wanted[same]) {
				same++;
			}
			if (same == length) {
				return true;
			}
		}
		return false;
	}

}
