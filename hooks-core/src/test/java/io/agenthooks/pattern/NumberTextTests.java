package io.agenthooks.pattern;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class NumberTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "0", "0.0", "-0.0", "0E-10", "0E+10", "100", "-100", "1E2", "-1E2", "1.50", "22.0", "1E-3",
			"-1E-3", "0.1000", "0.00", "10.0", "-12.340", "1e300", "-1e300", "1e-300", "1.5e-300", "120e-1", "1.20E1",
			"12345678901234567890.5", "-12345678901234567890e5", "1e1000", "1e-1000", "9.99e-7", "123e-3", "123e-2" })
	void plainIsWrittenAsBigDecimalDoes(String number) {
		BigDecimal decimal = new BigDecimal(number);

		assertThat(plain(decimal)).isEqualTo(expected(decimal));
		assertPlain(decimal.doubleValue());
		assertPlain(decimal.floatValue());
	}

	@Test
	void plainOfRandomNumbersIsWrittenAsBigDecimalDoes() {
		Random random = new Random(23);
		for (int i = 0; i < 20_000; i++) {
			assertPlain(Double.longBitsToDouble(random.nextLong()));
			assertPlain(Float.intBitsToFloat(random.nextInt()));
			assertPlain(random.nextInt(100_000) / 100.0);
			BigDecimal decimal = new BigDecimal(new BigInteger(1 + random.nextInt(90), random), random.nextInt(80) - 40)
				.multiply(BigDecimal.valueOf((random.nextBoolean()) ? 1 : -1));
			assertThat(plain(decimal)).as(decimal.toString()).isEqualTo(expected(decimal));
		}
	}

	@Test
	void plainOfIntegersAndOfManyZerosIsTheText() {
		for (Number number : List.of(1, 2L, (short) 3, (byte) 4, BigInteger.TEN.pow(40), new BigDecimal("1e1001"),
				new BigDecimal("1e-1001"), new BigDecimal("1e999999999"))) {
			assertThat(plain(number)).isEqualTo(number.toString());
		}
	}

	@Test
	void numberOfThousandsOfDigitsIsNotWritable() {
		BigInteger digits = BigInteger.TEN.pow(1300);

		assertThat(NumberText.isWritable(digits)).isFalse();
		assertThat(NumberText.isWritable(new BigDecimal(digits, 7))).isFalse();
		assertThat(NumberText.isWritable(BigInteger.TEN.pow(1000))).isTrue();
		assertThat(NumberText.isWritable(1e300)).isTrue();
	}

	private static void assertPlain(double number) {
		if (Double.isFinite(number)) {
			assertThat(plain(number)).as(Double.toString(number))
				.isEqualTo(expected(new BigDecimal(Double.toString(number))));
		}
	}

	private static void assertPlain(float number) {
		if (Float.isFinite(number)) {
			assertThat(plain(number)).as(Float.toString(number))
				.isEqualTo(expected(new BigDecimal(Float.toString(number))));
		}
	}

	private static String plain(Number number) {
		return NumberText.plain(number, number.toString());
	}

	private static String expected(BigDecimal decimal) {
		return decimal.stripTrailingZeros().toPlainString();
	}

}
