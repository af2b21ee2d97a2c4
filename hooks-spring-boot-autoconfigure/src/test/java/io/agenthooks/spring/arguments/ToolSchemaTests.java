package io.agenthooks.spring.arguments;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolSchema}.
 */
class ToolSchemaTests {

	private static final String SCHEMA = """
			{ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
			  "properties": {
			    "city": { "type": "string", "pattern": "^[A-Z]" },
			    "days": { "type": "integer", "format": "int32", "minimum": 1 },
			    "unit": { "enum": ["C", "F"] }
			  },
			  "required": ["city"], "additionalProperties": false }""";

	private static @Nullable String objection(String arguments) {
		return ToolSchema.of(SCHEMA).objection(ToolArguments.parse(arguments));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"city\":\"Bonn\"}", "{\"city\":\"Bonn\",\"days\":3,\"unit\":\"C\"}" })
	void argumentsThatFitHaveNoObjection(String arguments) {
		assertThat(objection(arguments)).isNull();
	}

	@Test
	void nullStandsForWhatMayBeLeftOut() {
		ToolSchema schema = ToolSchema.of("""
				{ "type": "object", "required": ["city"], "additionalProperties": false,
				  "properties": { "city": { "type": "string" }, "days": { "type": "integer" },
				    "spans": { "type": "array", "items": { "type": "object", "required": ["from"],
				      "properties": { "from": { "type": "integer" }, "to": { "type": "integer" } } } } } }""");
		assertThat(schema.objection(ToolArguments.parse("{\"city\":\"Bonn\",\"days\":null,\"spans\":null}"))).isNull();
		assertThat(schema.objection(ToolArguments.parse("{\"city\":\"Bonn\",\"spans\":[{\"from\":1,\"to\":null}]}")))
			.isNull();
		assertThat(schema.objection(ToolArguments.parse("{\"city\":null}"))).contains("/city");
		assertThat(schema.objection(ToolArguments.parse("{\"city\":\"Bonn\",\"spans\":[{\"from\":null}]}")))
			.contains("/spans/0/from");
		assertThat(schema.objection(ToolArguments.parse("{\"city\":\"Bonn\",\"spans\":[null]}"))).contains("/spans/0");
		assertThat(schema.objection(ToolArguments.parse("{\"city\":\"Bonn\",\"zip\":null}"))).contains("'zip'");
	}

	@Test
	void everyMistakeIsNamedWithItsPlace() {
		assertThat(objection("{\"days\":\"three\",\"unit\":\"K\",\"zip\":1}"))
			.startsWith("The arguments break the schema of the tool: ")
			.contains("required property 'city'")
			.contains("/days: string found, integer expected")
			.contains("/unit: ")
			.contains("'zip'");
	}

	@Test
	void valuesAreNotRepeated() {
		assertThat(objection("{\"city\":\"hunter2\",\"days\":\"hunter2\",\"unit\":\"hunter2\"}")).isNotNull()
			.doesNotContain("hunter2");
	}

	@Test
	void schemaOfAnOldDraftIsUnderstood() {
		ToolSchema schema = ToolSchema
			.of("""
					{ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["a"],
					  "definitions": { "n": { "type": "number" } }, "properties": { "a": { "$ref": "#/definitions/n" } } }""");

		assertThat(schema.objection(Map.of("a", 1))).isNull();
		assertThat(schema.objection(Map.of("a", "b"))).contains("/a");
	}

	@Test
	void blankSchemaAllowsEverything() {
		assertThat(ToolSchema.of("").objection(Map.of("a", 1))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"http://127.0.0.1:1/x\"}}}",
			"{\"$ref\":\"file:///etc/passwd\"}", "{\"$schema\":\"http://127.0.0.1:1/dialect\"}" })
	void schemaThatCannotBeUsedAllowsNothing(String schema) {
		assertThat(ToolSchema.of(schema).objection(Map.of("a", 1)))
			.matches(".*(cannot be used|could not be checked).*");
	}

	@Test
	void patternsOfSchemasAreSearchedInLinearTime() {
		ToolSchema schema = ToolSchema.of("{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}");

		assertThat(schema.objection(Map.of("a", "a".repeat(50_000) + "!"))).contains("/a");
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			^(?!.*\\.\\.), ../../etc/passwd, false
			^(?!.*\\.\\.), etc/passwd, true
			^(?=x), y, false
			^(?=.*[A-Z])(?=.*[0-9]).{4}$, ab1A, true
			^(?=.*[A-Z])(?=.*[0-9]).{4}$, ab1a, false
			^(a)\\1$, aa, true
			^(a)\\1$, ab, false
			^a++$, aaa, true
			^a++$, aab, false
			(?<![0-9])[0-9]{3}$, x123, true
			(?<![0-9])[0-9]{3}$, 0123, false
			^[^[]+$, a, true
			^[^[]+$, [, false
			^[a&&b]$, &, true
			^\\u{61}$, a, true
			^{x}$, {x}, true
			^\\/a$, /a, true
			""")
	void patternsAreCheckedWhateverTheyAreMadeOf(String pattern, String text, boolean fits) {
		ToolSchema schema = ToolSchema
			.of(ToolArguments.write(Map.of("properties", Map.of("a", Map.of("pattern", pattern)))));

		String objection = schema.objection(Map.of("a", text));

		if (fits) {
			assertThat(objection).isNull();
		}
		else {
			assertThat(objection).contains("/a");
		}
	}

	@Test
	void endOfPatternIsEndOfText() {
		ToolSchema schema = ToolSchema.of("{\"properties\":{\"a\":{\"pattern\":\"^[a-z]+$\"}}}");

		assertThat(schema.objection(Map.of("a", "ab\n"))).contains("/a");
		assertThat(schema.objection(Map.of("a", "ab"))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "(?!x)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)x", "(?=(?:a{1000}){1000})", "(?=[z-a])" })
	void patternThatCannotBeCheckedSafelyLetsNothingPass(String pattern) {
		ToolSchema schema = ToolSchema
			.of(ToolArguments.write(Map.of("properties", Map.of("a", Map.of("pattern", pattern)))));

		assertThat(schema.objection(Map.of("a", "x"))).contains("A pattern in the schema of the tool");
		assertThat(schema.objection(Map.of("b", "x"))).isNull();
	}

	@Test
	void schemaIsReadOnce() {
		assertThat(ToolSchema.of(SCHEMA)).isSameAs(ToolSchema.of(SCHEMA));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`',
			value = { "^ls .*$, ls a~rm -rf /, false", "^ls .*$, ls a, true", "^ls [^;]*$, `ls a~rm`, true",
					"^.{3}$, a\u2028b, false", "^.{3}$, a\u0085b, true", "(?s)^a.b$, a~b, true",
					"(?s:^a.b$), a~b, true", "^a[.]b$, a.b, true", "^a[.]b$, a~b, false", "^a\\.b$, a.b, true",
					"a.b, xa-bx, true", "^(?!.*\\.\\.), ~/../x, false", "^(?=a.b$), a~b, false" })
	void dotIsNoEndOfALine(String pattern, String text, boolean fits) {
		ToolSchema schema = ToolSchema
			.of(ToolArguments.write(Map.of("properties", Map.of("a", Map.of("pattern", pattern)))));

		assertThat(schema.objection(Map.of("a", text.replace('~', '\n'))) == null).isEqualTo(fits);
	}

}
