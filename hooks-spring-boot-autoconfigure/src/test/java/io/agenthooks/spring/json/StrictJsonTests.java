package io.agenthooks.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StrictJson}.
 */
class StrictJsonTests {

	/**
	 * Named, for to write the number into the name of the test takes too long as well.
	 */
	static Stream<Named<Object>> numbersThatAreTooLong() {
		BigInteger huge = BigInteger.ONE.shiftLeft(100_000_000);
		return Stream.of(Named.of("integer", huge), Named.of("negative", huge.negate()),
				Named.of("decimal", new BigDecimal(huge)), Named.of("fraction", new BigDecimal(huge, 7)),
				Named.of("in a map", Map.of("a", huge)), Named.of("in lists", List.of(List.of(huge))),
				Named.of("many", Collections.nCopies(100, huge)));
	}

	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	@ParameterizedTest
	@MethodSource("numbersThatAreTooLong")
	void numberThatIsTooLongIsNotWritten(Object value) {
		assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> StrictJson.write(Map.of("a", value)))
			.withMessageContaining("too long");
	}

	@Test
	void numbersAreWrittenAsTheyAre() {
		for (String number : List.of("1", "-1", "1.50", "1E+999999999", "1E-7", "9".repeat(3_000),
				"0." + "1".repeat(3_000))) {
			assertThat(new String(StrictJson.write(List.of(new BigDecimal(number))), StandardCharsets.US_ASCII))
				.isEqualTo("[" + new BigDecimal(number) + "]");
		}
		assertThat(new String(StrictJson.write(List.of(BigInteger.TEN.pow(30), 1, 1.5, 2L)), StandardCharsets.US_ASCII))
			.isEqualTo("[1000000000000000000000000000000,1,1.5,2]");
	}

}
