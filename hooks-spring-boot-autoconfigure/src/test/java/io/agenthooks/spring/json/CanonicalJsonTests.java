package io.agenthooks.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CanonicalJson}.
 */
class CanonicalJsonTests {

	@ParameterizedTest
	@MethodSource
	void valueHasTheFormOfRfc8785(@Nullable Object value, String json) {
		assertThat(CanonicalJson.write(value)).isEqualTo(json);
	}

	/**
	 * The numbers are those of the appendix of the RFC.
	 */
	static Stream<Arguments> valueHasTheFormOfRfc8785() {
		return Stream.of(Arguments.of(null, "null"), Arguments.of(true, "true"), Arguments.of("", "\"\""),
				Arguments.of("\u20ac$\u000f\nA'B\"\\\"/", "\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\"/\""),
				Arguments.of("\ud83d\ude00", "\"\ud83d\ude00\""), Arguments.of("\ud83d", "\"\\ud83d\""),
				Arguments.of("\ude00", "\"\\ude00\""), Arguments.of(0.0, "0"), Arguments.of(-0.0, "0"),
				Arguments.of(Double.MIN_VALUE, "5e-324"), Arguments.of(-Double.MIN_VALUE, "-5e-324"),
				Arguments.of(Double.MAX_VALUE, "1.7976931348623157e+308"),
				Arguments.of(9007199254740992.0, "9007199254740992"),
				Arguments.of(Double.longBitsToDouble(0x4430000000000000L), "295147905179352830000"),
				Arguments.of(9.999999999999997e22, "9.999999999999997e+22"),
				Arguments.of(Double.longBitsToDouble(0x44b52d02c7e14af6L), "1e+23"),
				Arguments.of(Double.longBitsToDouble(0x44b52d02c7e14af7L), "1.0000000000000001e+23"),
				Arguments.of(999999999999999700000.0, "999999999999999700000"), Arguments.of(1e21, "1e+21"),
				Arguments.of(9.999999999999997e-7, "9.999999999999997e-7"), Arguments.of(0.000001, "0.000001"),
				Arguments.of(333333333.3333332, "333333333.3333332"),
				Arguments.of(333333333.33333325, "333333333.33333325"),
				Arguments.of(-0.0000033333333333333333, "-0.0000033333333333333333"),
				Arguments.of(1424953923781206.2, "1424953923781206.2"), Arguments.of(1L << 62, "4611686018427387904"),
				Arguments.of(new BigInteger("123456789012345678901234567891"), "123456789012345678901234567891"),
				Arguments.of(BigInteger.TEN.pow(30), "1e+30"),
				Arguments.of(new BigDecimal("1E+1000000000"), "1e+1000000000"),
				Arguments.of(new BigDecimal("12.500"), "12.5"), Arguments.of(12.5f, "12.5"),
				Arguments.of(List.of(1, List.of(), Map.of()), "[1,[],{}]"));
	}

	@Test
	void namesStandInTheOrderOfTheirUtf16Units() {
		Map<String, Object> members = new LinkedHashMap<>();
		List.of("\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6")
			.forEach((name) -> members.put(name, 0));
		assertThat(CanonicalJson.write(members)).isEqualTo(
				"{\"\\r\":0,\"1\":0,\"\u0080\":0,\"\u00f6\":0,\"\u20ac\":0," + "\"\ud83d\ude00\":0,\"\ufb33\":0}");
	}

	@Test
	void numberOfManyDigitsTakesNoTimeThatGrowsWithTheirSquare() {
		byte[] digits = new byte[1_000_000];
		Arrays.fill(digits, (byte) 1);
		BigInteger number = new BigInteger(digits);
		assertThat(CanonicalJson.write(number)).startsWith("0x0101")
			.isNotEqualTo(CanonicalJson.write(number.add(BigInteger.ONE)));
	}

	@Test
	void equalArgumentsOfAnotherOrderHaveOneForm() {
		Map<String, @Nullable Object> one = new LinkedHashMap<>();
		one.put("b", new ArrayList<>(Arrays.asList(1, null)));
		one.put("a", "x");
		Map<String, @Nullable Object> other = new LinkedHashMap<>();
		other.put("a", "x");
		other.put("b", Arrays.asList(1L, null));
		assertThat(CanonicalJson.write(one)).isEqualTo(CanonicalJson.write(other))
			.isEqualTo("{\"a\":\"x\",\"b\":[1,null]}");
	}

	@Test
	void exactFormTellsApartWhatAToolCould() {
		assertThat(Stream
			.of(0, -0.0, 1, 1.0, new BigDecimal("1.00"), new BigDecimal("1E+2"), 100, new BigDecimal("100.0"), 1.5,
					true, "1")
			.map(CanonicalJson::writeExact))
			.containsExactly("0", "-0.0", "1", "1.0", "1.00", "1E+2", "100", "100.0", "1.5", "true", "\"1\"");
	}

	@Test
	void exactFormIsThatOfEqualDocuments() {
		assertThat(CanonicalJson.writeExact(Map.of("b", List.of(1, 2.5), "a", "x")))
			.isEqualTo(CanonicalJson
				.writeExact(new LinkedHashMap<>(Map.of("a", "x", "b", List.of(1L, new BigDecimal("2.5"))))))
			.isEqualTo("{\"a\":\"x\",\"b\":[1,2.5]}");
	}

}
