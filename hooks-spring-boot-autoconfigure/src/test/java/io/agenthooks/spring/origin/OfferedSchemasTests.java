package io.agenthooks.spring.origin;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OfferedSchemas}.
 */
class OfferedSchemasTests {

	private final OfferedSchemas schemas = new OfferedSchemas();

	@Test
	void sameSchemaAgainStaysTheOnlyOne() {
		this.schemas.add("a", "{}");
		this.schemas.add("a", "{}");
		assertThat(this.schemas.of("a")).containsExactly("{}");
		assertThat(this.schemas.isKnown("b")).isFalse();
	}

	@Test
	void nameOfMoreThanTwoSchemasIsUncertain() {
		this.schemas.add("b", "{}");
		this.schemas.add("b", "true");
		assertThat(this.schemas.of("b")).containsExactlyInAnyOrder("{}", "true");
		for (int i = 0; i < 1_000; i++) {
			this.schemas.add("a", "{\"title\":\"" + i + "\"}");
		}
		assertThat(this.schemas.isKnown("a")).isTrue();
		assertThat(this.schemas.of("a")).isEmpty();
	}

	@Test
	void toolsBeyondTheLimitAreNotKnown() {
		for (int i = 0; i < 2_000; i++) {
			this.schemas.add("tool" + i, "{}");
		}
		assertThat(this.schemas.isKnown("tool999")).isTrue();
		assertThat(this.schemas.isKnown("tool1000")).isFalse();
	}

	@Test
	void otherSchemaThatIsTooLargeMakesTheNameUncertain() {
		this.schemas.add("a", "{}");
		this.schemas.add("a", "x".repeat(9 * 1024 * 1024));
		assertThat(this.schemas.isKnown("a")).isTrue();
		assertThat(this.schemas.of("a")).isEmpty();
		this.schemas.add("a", "{}");
		assertThat(this.schemas.of("a")).isEmpty();
	}

}
