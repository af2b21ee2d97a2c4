package io.agenthooks.flow;

import java.util.Arrays;

/** Numbers up to a bound; what is more is left out. */
final class LongList {

	private final int max;

	private long[] values = new long[16];

	private int size;

	LongList(int max) {
		this.max = max;
	}

	void add(long value) {
		if (isFull()) {
			return;
		}
		if (this.size == this.values.length) {
			this.values = Arrays.copyOf(this.values, 2 * this.size);
		}
		this.values[this.size++] = value;
	}

	boolean isFull() {
		return this.size >= this.max;
	}

	long[] toArray() {
		return Arrays.copyOf(this.values, this.size);
	}

	long[] toSortedArray() {
		long[] sorted = toArray();
		Arrays.sort(sorted);
		return sorted;
	}

}
