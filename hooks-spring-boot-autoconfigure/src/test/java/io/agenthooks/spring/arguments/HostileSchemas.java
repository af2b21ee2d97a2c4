package io.agenthooks.spring.arguments;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Schemas and arguments that are made to hold the thread or to fill the memory, by what
 * they do.
 */
public final class HostileSchemas {

	/** Said of a check that goes over its budget. */
	static final String TOO_LONG = "It would take too long";

	private final Map<String, Case> cases = new LinkedHashMap<>();

	private HostileSchemas() {
	}

	/**
	 * All of them.
	 * @return a schema with its arguments, by name
	 */
	public static Map<String, Case> all() {
		HostileSchemas schemas = new HostileSchemas();
		schemas.addRecursive();
		schemas.addReferences();
		schemas.addWide();
		schemas.addPatterns();
		schemas.addFormats();
		return schemas.cases;
	}

	private void add(String name, String expected, String schema, String arguments) {
		this.cases.put(name, new Case(schema, arguments, expected));
	}

	private void addRecursive() {
		add("honest filter, deep", "", """
				{ "type": "object", "oneOf": [
				  { "properties": { "and": { "type": "array", "items": { "$ref": "#" } } }, "required": ["and"] },
				  { "properties": { "and": { "type": "array", "items": { "$ref": "#" } }, "not": { "$ref": "#" } },
				    "required": ["not"] },
				  { "properties": { "field": { "type": "string" } }, "required": ["field"] }] }""",
				"{\"and\":[".repeat(30) + "{\"field\":\"x\"}" + "]}".repeat(30));
		String deep = "{\"a\":".repeat(60) + "{}" + "}".repeat(60);
		for (String keyword : List.of("oneOf", "anyOf", "allOf")) {
			String node = """
					"$defs": { "n": { "%s": [ { "properties": { "a": { "$ref": "#/$defs/n" } } },
					  { "properties": { "a": { "$ref": "#/$defs/n" } }, "required": ["z"] },
					  { "properties": { "a": { "$ref": "#/$defs/n" } }, "type": "object" } ] } }, "$ref": "#/$defs/n"\
					""".formatted(keyword);
			add(keyword + " of itself", (keyword.equals("anyOf")) ? "" : "break the schema", "{" + node + "}", deep);
			add(keyword + " of itself, with a rest", (keyword.equals("anyOf")) ? "" : TOO_LONG,
					"{" + node + ", \"unevaluatedProperties\": false }", deep);
		}
		add("if of itself", "", """
				{ "$defs": { "n": { "if": { "properties": { "a": { "$ref": "#/$defs/n" } } },
				  "then": { "properties": { "a": { "$ref": "#/$defs/n" } } },
				  "else": { "not": { "properties": { "a": { "$ref": "#/$defs/n" } } } } } }, "$ref": "#/$defs/n" }""",
				deep);
		add("dynamic reference", TOO_LONG, """
				{ "$id": "http://x/y", "$dynamicAnchor": "n", "anyOf": [
				  { "properties": { "a": { "$dynamicRef": "#n" } }, "required": ["q"] },
				  { "properties": { "a": { "$dynamicRef": "#n" } }, "required": ["q"] }] }""", deep);
		add("recursive reference", TOO_LONG, """
				{ "$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true, "anyOf": [
				  { "properties": { "a": { "$recursiveRef": "#" } }, "required": ["q"] },
				  { "properties": { "a": { "$recursiveRef": "#" } }, "required": ["q"] }] }""", deep);
	}

	private void addReferences() {
		add("itself", TOO_LONG, "{\"$ref\":\"#\"}", "{}");
		add("one another", TOO_LONG, """
				{ "$defs": { "a": { "allOf": [ { "$ref": "#/$defs/b" }, { "$ref": "#/$defs/b" } ] },
				  "b": { "allOf": [ { "$ref": "#/$defs/a" }, { "$ref": "#/$defs/a" } ] } }, "$ref": "#/$defs/a" }""",
				"{}");
		add("chain of references", "schema of the tool", "{\"$ref\":\"#/$defs/d0\",\"$defs\":{"
				+ list(4000, (i) -> "\"d%d\":{\"$ref\":\"#/$defs/d%d\"}".formatted(i, i + 1)) + ",\"d4000\":{}}}",
				"{\"a\":{}}");
		add("references that double", "",
				"{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + list(200,
						(i) -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/%%24defs/d%d\"}]}"
							.formatted(i, i + 1, i + 1))
						+ ",\"d200\":{}}}",
				"{\"a\":{}}");
		add("many parts", "too large", "{\"allOf\":[" + list(9000, (i) -> "{\"not\":{}}") + "],\"anyOf\":["
				+ list(9000, (i) -> "{\"not\":{}}") + "]}", "{\"k1\":\"b\"}");
		add("many references to something large", "schema of the tool",
				"{\"properties\":{\"x\":{\"allOf\":[" + list(1000, (i) -> "{\"type\":\"string\"}") + "]},"
						+ list(1000, (i) -> "\"k%d\":{\"$ref\":\"#/%s\"}".formatted(i, escaped("properties/x", i)))
						+ "}}",
				"{" + list(1000, (i) -> "\"k%d\":1".formatted(i)) + "}");
	}

	private void addWide() {
		String ones = "{\"a\":[" + list(200_000, (i) -> "1") + "]}";
		String members = "{" + list(60_000, (i) -> "\"x%d\":1".formatted(i)) + "}";
		List<String> sameHash = sameHash();
		add("many patterns for names", "cost too much",
				"{\"patternProperties\":{" + list(1000, (i) -> "\"^x%d$\":{}".formatted(i)) + "}}", members);
		add("names that nothing evaluates", TOO_LONG, "{\"allOf\":["
				+ list(300, (i) -> "{\"patternProperties\":{\"x\":{}}}") + "],\"unevaluatedProperties\":false}",
				members);
		add("parts that each ask what nothing evaluates, below many others", TOO_LONG,
				"{\"$ref\":\"#/$defs/d0\",\"$defs\":{"
						+ list(300, (i) -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"}]}".formatted(i, i + 1))
						+ ",\"d300\":{\"allOf\":[" + list(1500, (i) -> "{\"unevaluatedProperties\":true}") + "]}}}",
				"{\"a\":1}");
		add("unique elements of one hash", "", "{\"properties\":{\"a\":{\"uniqueItems\":true}}}",
				"{\"a\":[" + String.join(",", sameHash) + "]}");
		add("unique numbers of one hash", "", "{\"properties\":{\"a\":{\"uniqueItems\":true}}}",
				"{\"a\":[" + list(30_000, (i) -> "0.1000000000000000000" + (100_000 + i)) + "]}");
		add("enum of one hash", "too many values",
				"{\"properties\":{\"a\":{\"enum\":[" + String.join(",", sameHash.subList(0, 7000)) + "]}}}",
				"{\"a\":1}");
		add("long enum", TOO_LONG,
				"{\"properties\":{\"a\":{\"items\":{\"enum\":[" + list(9000, (i) -> "\"v" + i + "\"") + "]}}}}", ones);
		add("many constants", TOO_LONG,
				"{\"properties\":{\"a\":{\"allOf\":[" + list(500, (i) -> "{\"const\":[1,2," + i + "]}") + "]}}}", ones);
		add("many to contain", TOO_LONG, "{\"properties\":{\"a\":{\"allOf\":["
				+ list(1000, (i) -> "{\"contains\":{\"const\":%d}}".formatted(i)) + "]}}}", ones);
		add("many mistakes", TOO_LONG, "{\"properties\":{\"a\":{\"items\":{\"type\":\"string\"}}}}", ones);
		add("many elements", "", "{\"properties\":{\"a\":{\"items\":{\"type\":\"integer\"}}}}", ones);
		add("many empty schemas", TOO_LONG,
				"{\"properties\":{\"a\":{\"items\":{\"allOf\":[" + list(9000, (i) -> "{}") + "]}}}}", ones);
		add("names with a long enum", TOO_LONG,
				"{\"propertyNames\":{\"enum\":[" + list(9000, (i) -> "\"value " + i + "\"") + "]}}", members);
		add("dependencies", TOO_LONG,
				"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"dependencies\":{"
						+ list(500, (i) -> "\"x%d\":[%s]".formatted(i, list(40, (k) -> "\"q" + k + "\""))) + "}}",
				members);
		add("many required", TOO_LONG,
				"{\"properties\":{\"a\":{\"items\":{\"required\":[" + list(9000, (i) -> "\"v" + i + "\"") + "]}}}}",
				"{\"a\":[" + list(100_000, (i) -> "{}") + "]}");
		add("small multiple of large numbers", TOO_LONG, "{\"properties\":{\"a\":{\"items\":{\"multipleOf\":1e-900}}}}",
				"{\"a\":[" + list(100_000, (i) -> "1.7e307") + "]}");
		for (String keyword : List.of("\"enum\":[1,2.5]", "\"multipleOf\":0.01", "\"const\":2.5", "\"minimum\":0.5")) {
			add("long numbers, " + keyword, "schema of the tool",
					"{\"properties\":{\"a\":{\"items\":{" + keyword + "}}}}",
					"{\"a\":[" + list(900, (i) -> "-1%s.%s".formatted("0".repeat(290), "0".repeat(700))) + "]}");
		}
		add("unique long numbers", "", "{\"properties\":{\"a\":{\"uniqueItems\":true}}}",
				"{\"a\":[" + list(100, (i) -> "%d%s.%s".formatted(i + 1, "0".repeat(290), "0".repeat(700))) + "]}");
		add("multiple of next to nothing", "number that is too large",
				"{\"properties\":{\"a\":{\"multipleOf\":1e-999999999}}}", "{\"a\":3}");
		add("honest long text", "", "{\"properties\":{\"a\":{\"anyOf\":["
				+ list(60, (i) -> "{\"type\":\"string\",\"maxLength\":%d}".formatted(i)) + ",{\"minLength\":1}]}}}",
				"{\"a\":\"" + "a".repeat(900_000) + "\"}");
		add("long schema", "longer than", "{\"description\":\"" + "x".repeat(300_000) + "\"}", "{}");
	}

	private void addPatterns() {
		add("look-ups in Unicode", "cost too much", "{\"properties\":{"
				+ list(1500, (i) -> "\"a%d\":{\"pattern\":\"[\\\\p{L}x-\\u%04x&&[^%d]]\"}".formatted(i, 0x4000 + i, i))
					.replace("&&", "")
				+ "}}", "{\"a1\":\"x\"}");
		add("large patterns", "cost too much",
				"{\"properties\":{"
						+ list(3000, (i) -> "\"a%d\":{\"pattern\":\"(?:^|a|%d\\\\b){900}\"}".formatted(i, i)) + "}}",
				"{\"a1\":\"x\"}");
		addPattern("tries again", "schema of the tool", "^(?!x)(?:a|aa)+$", "a".repeat(200) + "!");
		addPattern("tries at the end", TOO_LONG, "(?!x)(?:|)(?:|)(?:|)(?:|)(?:|)x", "b".repeat(900_000));
		addPattern("refers back", TOO_LONG, "(.*)(.*)(.*)\\1x\\2\\3", "a".repeat(3000));
		addPattern("goes deep", TOO_LONG, "(?!x)(?:a|b)*c", "ab".repeat(50_000));
		addPattern("linear", "break the schema", "^(a+)+$", "a".repeat(900_000) + "!");
	}

	private void addPattern(String name, String expected, String pattern, String text) {
		add("pattern that " + name, expected,
				ToolArguments.write(Map.of("properties", Map.of("a", Map.of("pattern", pattern)))),
				"{\"a\":\"" + text + "\"}");
	}

	private void addFormats() {
		for (String format : List.of("hostname", "ipv4", "ipv6", "json-pointer", "uri-template", "date-time", "email",
				"idn-email", "idn-hostname", "uri", "iri-reference", "regex", "duration")) {
			String schema = """
					{ "$schema": "http://json-schema.org/draft-07/schema#",
					  "properties": { "a": { "items": { "format": "%s" } } } }""".formatted(format);
			add("format " + format, "the schema", schema, "{\"a\":[" + list(100, (i) -> "\""
					+ List.of("a", "a.", "1", "a@", "/a~0", "{a}", "%41", "1:", "[", "(", "-").get(i % 11).repeat(400)
					+ "\\u0001(\"") + "]}");
		}
		add("long text of a format", "too long for the format",
				"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"properties\":{\"a\":{\"format\":\"uri\"}}}",
				"{\"a\":\"" + "a".repeat(900_000) + "\"}");
	}

	/**
	 * One of many ways to write the same address.
	 */
	private static String escaped(String address, int number) {
		StringBuilder escaped = new StringBuilder();
		for (int i = 0; i < address.length(); i++) {
			boolean isEscaped = (number >> i) % 2 == 1 && address.charAt(i) != '/';
			escaped.append((isEscaped) ? "%%%02x".formatted((int) address.charAt(i)) : address.charAt(i));
		}
		return escaped.toString();
	}

	private static List<String> sameHash() {
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < 1 << 14; i++) {
			StringBuilder text = new StringBuilder("\"");
			for (int bit = 0; bit < 14; bit++) {
				text.append(((i >> bit) % 2 == 0) ? "Aa" : "BB");
			}
			texts.add(text.append('"').toString());
		}
		return texts;
	}

	private static String list(int count, IntFunction<String> element) {
		return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(","));
	}

	/**
	 * A schema and arguments.
	 *
	 * @param schema the schema
	 * @param arguments the arguments, as JSON
	 * @param expected part of the objection, or empty if there is none
	 */
	public record Case(String schema, String arguments, String expected) {
	}

}
