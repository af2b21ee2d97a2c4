package io.agenthooks.spring.metrics;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ToolTagTests {

	private final ToolTag tag = new ToolTag();

	@Test
	void namesThatOthersChooseMakeABoundedNumberOfValues() {
		long values = IntStream.range(0, 100_000)
			.parallel()
			.mapToObj((i) -> this.tag.of("tool" + i))
			.distinct()
			.count();

		assertThat(values).isEqualTo(ToolTag.MAX_NAMES + 1);
		assertThat(this.tag.of("another")).isEqualTo("unknown");
	}

	@Test
	void nameThatWasSeenKeepsItsValue() {
		assertThat(this.tag.of("weather")).isEqualTo("weather");
		IntStream.range(0, 1_000).forEach((i) -> this.tag.of("tool" + i));

		assertThat(this.tag.of("weather")).isEqualTo("weather");
	}

	@Test
	void longNameIsNoValue() {
		assertThat(this.tag.of("x".repeat(ToolTag.MAX_LENGTH))).hasSize(ToolTag.MAX_LENGTH);
		assertThat(this.tag.of("x".repeat(ToolTag.MAX_LENGTH + 1))).isEqualTo("unknown");
	}

}
