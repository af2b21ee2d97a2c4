package io.agenthooks.policy;

import java.math.BigDecimal;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MoneyAmount}.
 */
class MoneyAmountTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "500 | 500", "500.00 | 500.00", "500,00 | 500.00", "500.5 | 500.5", "500 EUR | 500",
					"EUR 500 | 500", "€500 | 500", "500€ | 500", "500.00 € | 500.00", "US$500 | 500",
					"$ 1,234.50 | 1234.50", "1.234,50 € | 1234.50", "1 234,50 EUR | 1234.50", "CHF 1'234.50 | 1234.50",
					"1,234,567 | 1234567", "1.234.567 | 1234567", "1.234.567,89 | 1234567.89",
					"1,234,567.89 | 1234567.89", "-500 | -500", "-€500 | -500", "€ -500.10 | -500.10", "0.125 | 0.125",
					"0,5 | 0.5", "1234.567 | 1234.567", "1 234 | 1234", "1\u202F234,50 | 1234.50", "0 | 0",
					" 500 | 500", "99999999999999999999.01 | 99999999999999999999.01", "¥ 10,000,000 | 10000000" })
	void amountIsReadExactly(String text, BigDecimal amount) throws UnreadableValueException {
		assertThat(MoneyAmount.of(text.replace("\\u202F", "\u202F"))).isEqualByComparingTo(amount);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "much", "1.234", "1,234", "1,23,456", "1.23.456", "1,2345", "5e3", "1e2", "0x1F4",
			"(500)", "500-", "500 EUR USD", "EUR", "1..5", "1,,5", "1.5.5", "1,5,5", "500 or 600", "five hundred",
			"+500", "--500", "5%", "500 thousand", "1k", "1M", "NaN", "Infinity", ".5", "1.234,567,8", "1,234.567.8",
			"500EURO", "1'23", "500/2", "1_00", "1234,567", "1234,5678", "0,567" })
	void amountThatPeopleReadDifferentlyIsNot(String text) {
		assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> MoneyAmount.of(text));
	}

}
