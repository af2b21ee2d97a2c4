package io.agenthooks.test;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the arguments that people see marked, because a rule asked about them.
 */
class QuestionArgumentsTests {

	private static final String APPROVAL = """
			hooks:
			  approval:
			    enabled: true
			    approvers: [ROLE_APPROVER]
			  tool_call:
			    pre_call:
			""";

	private static List<String> about(String entries, Map<String, Object> arguments) {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(APPROVAL + entries)) {
			TestedQuestion question = hooks.approvals().as("alice", "ROLE_APPROVER").ask("refund", arguments);
			List<String> about = question.request().about();
			assertThat(question.deny("no").call()).isDenied();
			return about;
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "args.amount > 500 | amount", "has(args.to) && args.amount > 500 | amount,to",
					"args['amount'] > 500 | amount", "'cc' in args && args.amount > 500 | amount,cc",
					"args.lines.exists(args, args.price > 3) | lines",
					"args.order.id == 'o-1' && args.order.id != '' | order", "args.size() > 2 | ``",
					"!has(args.missing) | ``", "tool.name == 'refund' | ``" })
	void ruleMarksTheArgumentsThatItsConditionReads(String condition, String marked) {
		Map<String, Object> arguments = Map.of("amount", 501, "to", "eve", "cc", "x", "lines",
				List.of(Map.of("price", 5)), "order", Map.of("id", "o-1"));
		assertThat(String.join(",", about("""
				      - type: policy
				        config:
				          rules:
				            - {tools: [refund], when: "%s", then: ask}
				""".formatted(condition), arguments))).isEqualTo(marked);
	}

	@Test
	void conditionThatExemptsMarksToo() {
		assertThat(about("""
				      - type: policy
				        config:
				          rules:
				            - {tools: [refund], when: "args.amount > 5", unless: "args.to == 'bob'", then: ask}
				            - {tools: [refund], when: "args.never == 1", then: deny}
				""", Map.of("amount", 501, "to", "eve", "never", 2))).containsExactly("amount", "to");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "ask_argument_patterns: {note: ['(?i)urgent']} | note",
					"ask_argument_patterns: {text: [x9]} | body", "ask_argument_patterns: {body.text: [x9]} | body",
					"ask_any_argument_patterns: [x9] | body,list", "ask_detectors: [email] | list",
					"ask_tools: [refund] | ``" })
	void patternMarksTheArgumentsInWhichItIsFound(String option, String marked) {
		Map<String, Object> arguments = Map.of("note", "URGENT", "body", Map.of("text", "x9"), "list",
				List.of("a", "x9", "ada@example.com"), "other", "y");
		assertThat(String.join(",", about("""
				      - type: policy
				        config: {%s}
				""".formatted(option), arguments))).isEqualTo(marked);
	}

	@Test
	void entriesThatAskTogetherMarkTheArgumentsOfBoth() {
		assertThat(about("""
				      - type: policy
				        config: {rules: [{tools: [refund], when: "args.amount > 5", then: ask}]}
				      - type: policy
				        name: mails
				        config: {ask_argument_patterns: {to: [eve]}}
				      - type: approval
				        match: [refund]
				""", Map.of("amount", 501, "to", "eve", "by", "x"))).containsExactly("amount", "to");
	}

}
