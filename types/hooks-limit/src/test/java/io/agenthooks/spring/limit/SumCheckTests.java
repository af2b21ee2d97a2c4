package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.spring.scope.ArgumentsInConditions.Found;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SumCheck}.
 */
class SumCheckTests {

	private static final String PAY = """
			{"type": "object", "properties": {
				"amount": {"type": "number"}, "count": {"type": ["integer", "null"]}, "payee": {"type": "string"},
				"either": {"type": ["string", "number"]}, "any": {}, "chosen": {"anyOf": [{"type": "string"}]},
				"list": {"type": "array", "items": {"type": "number"}},
				"total": {"type": "object", "properties": {"net": {"type": "number"}, "name": {"type": "string"}}},
				"closed": {"type": "object", "additionalProperties": false},
				"map": {"type": "object"},
				"open": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}},
			 "required": ["amount"]}""";

	private static List<Found> check(String sum, Map<String, Set<String>> tools) {
		return new SumCheck(sum, Objects.requireNonNull(BudgetAmount.of(sum)).path()).check(tools);
	}

	@ParameterizedTest
	@CsvSource({ "args.amount", "args.count", "args.either", "args.any", "args.any.deep", "args.chosen",
			"args.total.net", "args.map.anything", "args.open.b" })
	void argumentThatMayBeANumberIsRight(String sum) {
		assertThat(check(sum, Map.of("pay", Set.of(PAY)))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '~', quoteCharacter = '"',
			value = { "args.ammount ~ 5 ~ no tool that the hook is for ~ Did you mean 'amount'?",
					"args.total.nett ~ 11 ~ no tool that the hook is for ~ Did you mean 'net'?",
					"args.nothing ~ 5 ~ no tool that the hook is for ~ Known are",
					"args.closed.x ~ 12 ~ no tool that the hook is for ~ Known are",
					"args.payee ~ 5 ~ it is 'string' in the tool 'pay' ~ a number: amount, count.",
					"args.list ~ 5 ~ it is 'array' in the tool 'pay' ~ a number: amount, count.",
					"args.total ~ 5 ~ it is 'object' in the tool 'pay' ~ a number: amount, count.",
					"args.payee.net ~ 5 ~ it is 'string' in the tool 'pay' ~ a number: amount, count.",
					"args.total.name ~ 11 ~ it is 'string' in the tool 'pay' ~ a number: net." })
	void argumentThatIsNoneOrNoNumberIsAMistake(String sum, int position, String message, String action) {
		assertThat(check(sum, Map.of("pay", Set.of(PAY)))).singleElement().satisfies((found) -> {
			assertThat(found.path()).containsExactly("sum");
			assertThat(found.position()).isEqualTo(position);
			assertThat(found.message()).contains("The sum reads " + sum, message);
			assertThat(found.action()).contains(action);
			assertThat(found.suspicion()).isFalse();
		});
	}

	@Test
	void toolOfWhichEachCallWouldBeDeniedIsSuspectBesideOthers() {
		String refund = "{\"type\": \"object\", \"properties\": {\"reason\": {\"type\": \"string\"}}}";
		for (Set<String> other : List.of(Set.of(PAY), Set.<String>of())) {
			assertThat(check("args.amount", Map.of("pay", other, "refund", Set.of(refund)))).singleElement()
				.satisfies((found) -> {
					assertThat(found.suspicion()).isTrue();
					assertThat(found.message()).contains("the tool 'refund' has no such argument");
				});
		}
	}

	@Test
	void toolOfWhichNotAllIsKnownMayHaveIt() {
		assertThat(check("args.x", Map.of())).isEmpty();
		assertThat(check("args.x", Map.of("pay", Set.of()))).isEmpty();
		for (String unknown : List.of("no JSON", "{}", "{\"type\": \"object\"}", "{\"$ref\": \"#/a\"}",
				"{\"properties\": {}, \"patternProperties\": {\"a.*\": {}}}")) {
			assertThat(check("args.x", Map.of("pay", Set.of(PAY, unknown)))).isEmpty();
		}
	}

}
