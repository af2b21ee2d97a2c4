package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.suspend.ShownArguments;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShownArguments}.
 */
class ShownArgumentsTests {

	@Test
	void argumentsHaveALineForEachValue() {
		assertThat(ShownArguments.of("{\"a\":[1,{}],\"b\":{\"c\":\"x, {y}: \\\"z\\\"\"}}")).isEqualTo("""
				{
				  "a": [
				    1,
				    {}
				  ],
				  "b": {
				    "c": "x, {y}: \\"z\\""
				  }
				}""");
	}

	@Test
	void argumentsOfTheSchemaComeFirstInItsOrder() {
		String json = "{\"a\":1.00,\"b\":{\"z\":[\"},\\\"\",{}]},\"c\":\"\\\\\",\"d\":[]}";
		assertThat(ShownArguments.of(json, List.of("c", "gone", "b"))).isEqualTo("""
				{
				  "c": "\\\\",
				  "b": {
				    "z": [
				      "},\\"",
				      {}
				    ]
				  },
				  "a": 1.00,
				  "d": []
				}""");
		assertThat(ShownArguments.of("{}", List.of("c"))).isEqualTo("{}");
		assertThat(ShownArguments.each(json, List.of("d", "c"))).extracting(ShownArguments.Argument::name)
			.containsExactly("d", "c", "a", "b");
		assertThat(ShownArguments.each("{}", List.of())).isEmpty();
	}

	@Test
	void argumentByItselfHasItsNameAndAllOfItsValue() {
		String json = CanonicalJson.writeExact(Map.of("a\u202E\"b", "\u200Bx", "n", List.of(1)));
		assertThat(ShownArguments.each(json, List.of("n"))).containsExactly(
				new ShownArguments.Argument("n", "n", "[\n  1\n]"),
				new ShownArguments.Argument("a\u202E\"b", "a\\u{202E}\\\"b", "\"\\u{200B}x\""));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0x202E, 0x200B, 0x2066, 0x00A0, 0x00AD, 0x3164, 0xFE0F, 0x2800, 0x2028, 0x0085, 0xE000,
			0xFEFF, 0x034F, 0x7F })
	void characterWithoutLookHasItsNumber(int character) {
		assertThat(shown("rm" + Character.toString(character) + "x"))
			.isEqualTo("{\n  \"command\": \"rm\\u{%04X}x\"\n}".formatted(character));
	}

	@Test
	void characterBeyondTheFirstPlaneHasItsNumber() {
		assertThat(shown("a\uDB40\uDC41b")).contains("\"a\\u{0E0041}b\"");
	}

	@Test
	void lettersOfAllLanguagesStay() {
		assertThat(shown("Gr\u00FC\u00DFe \u65E5\u672C \uD83D\uDE00"))
			.contains("\"Gr\u00FC\u00DFe \u65E5\u672C \uD83D\uDE00\"");
	}

	@Test
	void argumentCannotImitateANumber() {
		assertThat(shown("\\u{202E}")).contains("\"\\\\u{202E}\"");
	}

	@Test
	void nameOfAnArgumentIsShownLikeItsValue() {
		assertThat(ShownArguments.of(CanonicalJson.writeExact(Map.of("a\u202Eb\n", 1))))
			.contains("\"a\\u{202E}b\\n\": 1");
	}

	private static String shown(String command) {
		return ShownArguments.of(CanonicalJson.writeExact(Map.of("command", command)));
	}

}
