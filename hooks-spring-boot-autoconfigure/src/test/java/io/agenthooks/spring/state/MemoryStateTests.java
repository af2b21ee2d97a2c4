package io.agenthooks.spring.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryState}.
 */
class MemoryStateTests extends KeyedStateContract {

	private final Map<String, KeyedState<String>> opened = new LinkedHashMap<>();

	@Override
	KeyedState<String> open(StateTerms<String> terms) {
		return Objects.requireNonNull(this.opened.computeIfAbsent(terms.spaces().toString(),
				(spaces) -> new MemoryState<>(terms, this.micros::get)));
	}

	@Test
	void neverMoreIsKeptThanThereIsRoom() {
		MemoryState<String> state = new MemoryState<>(TestTexts.terms(100), this.micros::get);
		for (int i = 0; i < 1_000; i++) {
			assertThat(add(state, 9, "k" + i)).isEqualTo(i < 100);
		}
		assertThat(state.size()).isEqualTo(100);
	}

	@Test
	void clockOfAStoreMayTellAnyTime() {
		for (long start : new long[] { Long.MIN_VALUE, -1, 0, Long.MAX_VALUE }) {
			this.micros.set(start);
			KeyedState<String> state = MemoryState.store(this.micros::get).open(TestTexts.terms(1));
			assertThat(add(state, 9, "k")).isTrue();
			this.micros.addAndGet(3_600_000_000_000L - 1_000);
			assertThat(read(state, "k")).isEqualTo("1");
			this.micros.addAndGet(1_000);
			assertThat(read(state, "k")).isEqualTo("nothing");
		}
	}

}
