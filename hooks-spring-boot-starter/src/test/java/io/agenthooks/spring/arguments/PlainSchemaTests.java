package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainSchema}: it accepts nothing that the library does not.
 */
class PlainSchemaTests {

	private static final List<String> NAMES = List.of("a", "b", "c", "type");

	private final Random random = new Random(20261122);

	private static @Nullable PlainSchema read(String schema) {
		return PlainSchema.of(ToolArguments.mapper.readTree(schema));
	}

	private static boolean accepts(String schema, String arguments) {
		PlainSchema plain = read(schema);
		return plain != null && plain.accepts(ToolArguments.parse(arguments));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]} | {"a":"x"}
					{"type":"object","properties":{"a":{"type":"integer","format":"int32"}},"additionalProperties":false} | {"a":1}
					{"type":"object","properties":{"a":{"type":"integer"}}} | {"a":null}
					{"properties":{"a":{"type":"number"}}} | {"a":1.5,"b":"x"}
					{"properties":{"a":{"type":"array","items":{"type":"string"}}}} | {"a":["x","y"]}
					{"properties":{"a":{"enum":["x","y"]}}} | {"a":"y"}
					{"properties":{"a":{"type":"object","properties":{"b":{"type":"boolean"}}}}} | {"a":{"b":true}}
					""")
	void argumentsThatFitAreAccepted(String schema, String arguments) {
		assertThat(accepts(schema, arguments)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"$ref\":\"#/a\"}", "{\"properties\":{\"a\":{\"pattern\":\"x\"}}}",
			"{\"type\":[\"object\"]}", "{\"anyOf\":[]}", "{\"properties\":{\"a\":{\"format\":\"date\"}}}",
			"{\"properties\":{\"a\":true}}", "{\"items\":[]}", "{\"items\":false}", "{\"required\":[1]}",
			"{\"enum\":[1]}", "{\"$schema\":\"http://127.0.0.1/x\"}", "{\"$schema\":1}",
			"{\"additionalProperties\":{\"type\":\"string\"}}", "{\"properties\":{\"a\":{\"$schema\":\"x\"}}}", "true",
			"{\"$id\":\"x\"}", "{\"required\":[\"a\"]}", "{\"const\":1}", "{\"type\":\"any\"}" })
	void schemaOfAnotherKindIsNotRead(String schema) {
		assertThat(read(schema)).isNull();
	}

	@Test
	void whatIsLargeIsLeftToTheLibrary() {
		PlainSchema plain = read("{}");
		assertThat(plain).isNotNull();
		assertThat(plain.accepts(Map.of("a", new ArrayList<>(Arrays.asList(new Integer[990]))))).isFalse();
		List<Object> many = new ArrayList<>();
		for (int i = 0; i < 1_001; i++) {
			many.add(i);
		}
		assertThat(plain.accepts(Map.of("a", many.subList(0, 990)))).isTrue();
		assertThat(plain.accepts(Map.of("a", many))).isFalse();
		assertThat(plain.accepts(Map.of("a", new BigDecimal("1e5000")))).isFalse();
		assertThat(plain.accepts(Map.of("a", BigInteger.TWO.pow(5_000)))).isFalse();
	}

	@Test
	void nothingIsAcceptedThatTheLibraryDoesNot() {
		int accepted = 0;
		int refused = 0;
		for (int i = 0; i < 4_000; i++) {
			Map<String, Object> schema = schema(3);
			PlainSchema plain = read(ToolArguments.write(schema));
			assertThat(plain).as("%s", schema).isNotNull();
			schema.put("$comment", "so the library checks");
			ToolSchema library = ToolSchema.of(ToolArguments.write(schema));
			for (int j = 0; j < 8; j++) {
				Map<String, @Nullable Object> arguments = object(schema, 3);
				boolean fits = plain.accepts(arguments);
				String objection = library.objection(arguments);
				if (fits) {
					assertThat(objection).as("%s %s", schema, arguments).isNull();
				}
				accepted += (fits) ? 1 : 0;
				refused += (objection != null) ? 1 : 0;
			}
		}
		assertThat(accepted).isGreaterThan(2_000);
		assertThat(refused).isGreaterThan(2_000);
	}

	private Map<String, Object> schema(int depth) {
		Map<String, Object> schema = new LinkedHashMap<>();
		String type = pick(
				(depth == 3) ? List.of("object") : (depth == 0) ? List.of("string", "integer", "number", "boolean")
						: List.of("object", "array", "string", "integer", "number", "boolean"));
		if (chance(4)) {
			schema.put("type", type);
		}
		if (type.equals("object") || !chance(6)) {
			Map<String, Object> properties = new LinkedHashMap<>();
			for (String name : NAMES) {
				if (depth > 0 && chance(2)) {
					properties.put(name, schema(depth - 1));
				}
			}
			schema.put("properties", properties);
			schema.put("required", properties.keySet().stream().filter((name) -> !chance(2)).toList());
			schema.put("additionalProperties", chance(2));
		}
		if (depth > 0 && (type.equals("array") || !chance(6))) {
			schema.put("items", schema(depth - 1));
		}
		if (type.equals("string") && chance(2)) {
			schema.put("enum", List.of("x", "y"));
		}
		if (type.equals("integer") || type.equals("number")) {
			schema.put("format", pick(List.of("int32", "int64", "float", "double")));
		}
		schema.put("description", "text");
		return schema;
	}

	/**
	 * Arguments that mostly fit.
	 */
	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> object(Map<String, Object> schema, int depth) {
		Map<String, Object> properties = (Map<String, Object>) schema.getOrDefault("properties", Map.of());
		List<String> required = (List<String>) schema.getOrDefault("required", List.of());
		Map<String, @Nullable Object> object = new HashMap<>();
		for (String name : NAMES) {
			if (required.contains(name) ? chance(20) : (properties.containsKey(name) ? chance(2) : !chance(9))) {
				object.put(name, value((Map<String, Object>) properties.getOrDefault(name, Map.of()), depth - 1));
			}
		}
		return object;
	}

	@SuppressWarnings("unchecked")
	private @Nullable Object value(Map<String, Object> schema, int depth) {
		String type = (chance(12)) ? (String) schema.getOrDefault("type", "string")
				: pick(List.of("object", "array", "string", "integer", "number", "boolean", "null"));
		return switch (type) {
			case "object" -> object(schema, depth);
			case "array" -> {
				List<@Nullable Object> list = new ArrayList<>();
				while (depth > 0 && chance(2)) {
					list.add(value((Map<String, Object>) schema.getOrDefault("items", Map.of()), depth - 1));
				}
				yield list;
			}
			case "string" -> pick(List.of("x", "y", "x", "y", "z"));
			case "integer" -> pick(List.of(0, -1, 7, 5_000_000_000L, BigInteger.TWO.pow(80)));
			case "number" ->
				pick(List.of(1, new BigDecimal("1.5"), new BigDecimal("1.0"), new BigDecimal("1e400"), 2.5));
			case "boolean" -> chance(2);
			default -> null;
		};
	}

	private boolean chance(int of) {
		return this.random.nextInt(of) > 0;
	}

	private <T> T pick(List<? extends T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

}
