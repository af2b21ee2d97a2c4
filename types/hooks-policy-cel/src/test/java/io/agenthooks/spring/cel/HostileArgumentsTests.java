package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arguments that are meant to break conditions, or to keep them busy.
 */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a quarter of a
																		// second, and
																		// machines differ
class HostileArgumentsTests {

	private static Object holds(String condition, Map<String, Object> arguments) {
		return ConditionTests.holds(condition, ToolCall.of("a", arguments));
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.l.all(a, args.l.all(b, a != b + 1000000))",
			"args.l.exists(a, args.l.exists(b, args.l.exists(c, a + b + c < 0)))",
			"args.l.map(a, args.l.map(b, a + b)).size() == 0", "args.l.filter(a, !(a in args.l)).size() > 0",
			"args.l.all(a, args.text.contains(args.part))", "args.l.all(a, args.l == [args.l][0])",
			"args.l.all(a, !args.text.matches('(x+x+)+y'))", "args.l.exists(a, args.text + args.text == 'x')",
			"args.l.all(a, args.text.lowerAscii() != 'x')", "args.l.exists_one(a, args.l.exists_one(b, a == b))" })
	void workThatIsTooMuchCountsAsMatched(String condition) {
		Map<String, Object> arguments = Map.of("l", IntStream.range(0, 100_000).boxed().toList(), "text",
				"x".repeat(200_000), "part", "x".repeat(100_000) + "y");
		Object holds = holds(condition, arguments);
		assertThat(holds).isEqualTo(Failure.TOO_MUCH_WORK);
	}

	@Timeout(20)
	@ParameterizedTest
	@ValueSource(strings = { "args.l.all(i, int(i) % 2 == 0)", "args.l.all(i, string(i) != 'x')" })
	void numbersWithManyZerosAreNotReckonedWithForEver(String condition) {
		for (Object number : List.of(new BigDecimal("1e999"), "1e999")) {
			Map<String, Object> arguments = Map.of("l", Collections.nCopies(100_000, number));
			assertThat(holds(condition, arguments)).isInstanceOfAny(Failure.class, Boolean.class);
		}
	}

	@Test
	void timeBeyondAllTimesCountsAsMatched() {
		assertThat(holds("timestamp(args.t).getHours() > 22", Map.of("t", "+999999999-12-31T23:59:59-18:00")))
			.isInstanceOf(Failure.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.x == 'prod'", "args.x != 'prod'", "args.x in ['prod', 'stage']",
			"!(args.x in ['prod'])", "args.x == 5", "args.x == []" })
	void nullIsLikeAnArgumentThatIsNotThere(String condition) {
		assertThat(holds(condition, Collections.singletonMap("x", null))).isInstanceOf(Failure.class);
		assertThat(holds(condition, Map.of())).isInstanceOf(Failure.class);
	}

	@Test
	void largeArgumentsThatNobodyLooksAtCostNothing() {
		Map<String, Object> arguments = Map.of("l", Collections.nCopies(900_000, 1), "amount", 5);
		assertThat(holds("args.amount > 4", arguments)).isEqualTo(true);
		assertThat(holds("args.l.all(e, e == 1)", arguments)).isEqualTo(true);
	}

	@Test
	void usualRegularExpressionAndTextAreNotTooMuch() {
		Map<String, Object> arguments = Map.of("text", "a".repeat(100_000) + "@example.com");
		assertThat(holds("args.text.matches('^[a-z]+@example[.]com$')", arguments)).isEqualTo(true);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "args.n > 9007199254740992; 9007199254740993; true",
			"args.n == 9007199254740992; 9007199254740993; false", "args.n < 0; -0.0; false",
			"args.n > 9223372036854775807; 9223372036854775808; true", "args.n > 0.1; 0.1000000000000000055; true",
			"args.n <= 500; 500.0000000000000000000000000001; false", "args.n == 1; 1e0; true" })
	void numbersAreExact(String condition, String number, boolean expected) {
		assertThat(holds(condition, Map.of("n", new BigDecimal(number)))).isEqualTo(expected);
	}

	@Test
	void numberOfManyDigitsCountsAsMatched() {
		for (Object number : List.of(BigInteger.TEN.pow(100_000), new BigDecimal(BigInteger.TEN.pow(100_000), 5))) {
			assertThat(holds("args.n > 1.5", Map.of("n", number))).isInstanceOf(Failure.class);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "1000", " 1000", "1e3", "0x3e8", "1,000", "١٠٠٠", "NaN", "Infinity", "" })
	void textWhereANumberBelongsCountsAsMatched(String text) {
		for (String condition : List.of("args.n > 500", "args.n == 1000", "args.n in [1, 2]", "args.n + 1 > 5")) {
			assertThat(holds(condition, Map.of("n", text))).as(condition).isInstanceOf(Failure.class);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { " 1000", "0x3e8", "1,000", "١٠٠٠", "NaN", "Infinity", "", "1e99999", "+1", "1_000" })
	void textThatIsNotSurelyTheNumberIsNone(String text) {
		assertThat(holds("double(args.n) > 5", Map.of("n", text))).isInstanceOf(Failure.class);
	}

	@Test
	void deepArgumentsAreRead() {
		Object deep = 1;
		for (int i = 0; i < 60; i++) {
			deep = List.of(deep);
		}
		Map<String, Object> arguments = Map.of("d", deep);
		assertThat(holds("args.d == [args.d][0]", arguments)).isEqualTo(true);
		assertThat(holds("args.d" + "[0]".repeat(60) + " == 1", arguments)).isEqualTo(true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "__proto__", "args", "@result", "a.b", "", "\u0000", "when" })
	void oddNamesOfArgumentsAreNamesLikeOthers(String name) {
		assertThat(holds("args.all(k, args[k] == 1)", Map.of(name, 1))).isEqualTo(true);
		assertThat(holds("has(args.x)", Map.of(name, 1))).isEqualTo(false);
	}

}
