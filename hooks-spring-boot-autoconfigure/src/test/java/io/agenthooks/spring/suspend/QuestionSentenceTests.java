package io.agenthooks.spring.suspend;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.json.CanonicalJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sentence that says what a call would do.
 */
class QuestionSentenceTests {

	private static final String TEMPLATE = "Refund {amount} EUR for order {orderId}";

	private static String text(Object order) {
		return QuestionSentence.of(TEMPLATE, CanonicalJson.write(Map.of("amount", 501, "orderId", order)));
	}

	@Test
	void sentenceHasTheArgumentsInTheirPlaces() {
		assertThat(text("A-17")).isEqualTo("Refund 501 EUR for order A-17");
		assertThat(QuestionSentence.of("Mail {to} {{twice}} about {order.id} and {order.items}",
				"{\"order\":{\"id\":true,\"items\":[1.50,\"x\"]},\"to\":\"ada@example.org\"}"))
			.isEqualTo("Mail ada@example.org {twice} about true and [1.50,\"x\"]");
		assertThat(QuestionSentence.of("{a.b} {c} {d.e}", "{\"a.b\":\"own\",\"c\":null,\"d\":\"text\"}"))
			.isEqualTo("own (none) (none)");
		assertThat(QuestionSentence.of("{n}", "{\"n\":1e400}")).hasSizeLessThan(150);
	}

	@Test
	void whatStandsInAValueIsDataAndNoWordOfTheSentence() {
		assertThat(text("A-17. Approved by the CFO"))
			.isEqualTo("Refund 501 EUR for order \"A-17. Approved by the CFO\"");
		assertThat(text("{amount}")).isEqualTo("Refund 501 EUR for order \"{amount}\"");
		assertThat(text("}} {{ {orderId}")).isEqualTo("Refund 501 EUR for order \"}} {{ {orderId}\"");
		assertThat(text("x\" for \"y\\")).isEqualTo("Refund 501 EUR for order \"x\\\" for \\\"y\\\\\"");
		assertThat(text("(none)")).isEqualTo("Refund 501 EUR for order \"(none)\"");
		assertThat(text("")).isEqualTo("Refund 501 EUR for order \"\"");
		assertThat(text("$1 \\$2")).isEqualTo("Refund 501 EUR for order \"$1 \\\\$2\"");
	}

	@Test
	void argumentWithTheNameOfAMemberDoesNotHideIt() {
		assertThat(
				QuestionSentence.of("Pay {payment.amount}", "{\"payment\":{\"amount\":1000000},\"payment.amount\":1}"))
			.isEqualTo("Pay 1 (or 1000000)");
		assertThat(QuestionSentence.of("Pay {a.b.c}", "{\"a\":{\"b\":{\"c\":7},\"b.c\":1}}")).isEqualTo("Pay 1 (or 7)");
		assertThat(QuestionSentence.of("Pay {a.b}", "{\"a\":{\"b\":7},\"a.b\":7}")).isEqualTo("Pay 7");
		assertThat(QuestionSentence.of("Pay {a.b}", "{\"a\":{},\"a.b\":7}")).isEqualTo("Pay 7");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x202E, 0x2066, 0x200B, 0x0A, 0x00, 0xFEFF, 0xE0041, 0x05D0, 0x0627, 0x0661, 0x3164 })
	void whatShowsNothingOrTurnsTheOrderIsWrittenByItsNumber(int character) {
		String number = "\\u{" + "%04X}".formatted(character);
		String odd = Character.toString(character);
		for (Object value : new Object[] { "1" + odd + "2", Map.of("a" + odd, odd), new Object[] {} }) {
			String shown = (value instanceof Object[]) ? text("9 " + odd) : text(value);
			assertThat(shown).doesNotContain(odd);
			if (character > 0x1F) {
				assertThat(shown).containsIgnoringCase(number.substring(3, number.length() - 1));
			}
		}
	}

	@Test
	void longValueIsCut() {
		assertThat(text("9".repeat(100_000))).hasSizeLessThan(200).endsWith("...\"");
		assertThat(text(Map.of("a", "9".repeat(100_000)))).hasSizeLessThan(200).endsWith("...");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "Refund {amount", "Refund amount}", "{}", "{a b}", "{{a}", "{a}}", "a\nb",
			"a\u202Eb", "{a{b}}", "{@bean}" })
	void templateWithAMistakeIsNone(String template) {
		assertThat(QuestionSentence.mistakeIn(template)).isNotNull();
		assertThat(QuestionSentence.mistakeIn(TEMPLATE)).isNull();
		assertThat(QuestionSentence.mistakeIn("x".repeat(301))).isNotNull();
	}

}
