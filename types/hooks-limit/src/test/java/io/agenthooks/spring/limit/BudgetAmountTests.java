package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BudgetAmount}.
 */
class BudgetAmountTests {

	@Test
	void argumentsAreFoundInsideOfObjects() {
		assertThat(of("args.amount", Map.of("amount", 5))).isEqualTo("5");
		assertThat(of("args.order.total", Map.of("order", Map.of("total", 0.1)))).isEqualTo("0.1");
		assertThat(of("args.order.total", Map.of("order.total", 5))).isNull();
		assertThat(of(null, Map.of("amount", "none"))).isEqualTo("1");
	}

	@Test
	void numbersThatAreNoneOrHugeAreNoAmount() {
		for (Number number : List.of(Double.NaN, Double.NEGATIVE_INFINITY, Float.NaN, new BigDecimal("1e2147483647"),
				new BigDecimal("0e-2147483647"), new BigDecimal("1e38"))) {
			assertThat(BudgetAmount.exact(number)).isNull();
		}
		assertThat(BudgetAmount.exact(0.1f)).isEqualTo("0.1");
		assertThat(BudgetAmount.exact(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Amount", "AMOUNT", "amoUnt" })
	void amountBesideOneOfAnotherCaseIsNone(String other) {
		assertThat(of("args.amount", Map.of(other, 1000, "amount", 1))).isNull();
		assertThat(of("args.amount", Map.of(other, 1))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "amount", "args", "args.", "args.a b", "args.a..b", "args[0]", "arguments.amount",
			"args.price * args.count" })
	void whatNamesNoArgumentIsNotRead(String written) {
		assertThat(BudgetAmount.of(written)).isNull();
	}

	private static @Nullable BigDecimal of(@Nullable String sum, Map<String, Object> arguments) {
		return Objects.requireNonNull(BudgetAmount.of(sum)).of(ToolCall.of("refund", arguments));
	}

}
