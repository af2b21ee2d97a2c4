package io.agenthooks.spring.cel;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.scope.ArgumentsInConditions.Found;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ArgumentCheck}.
 */
class ArgumentCheckTests {

	private static final CelReader READER = new CelReader(CelVariables.ofToolCalls());

	private static final String SCHEMA = """
			{"type": "object", "properties": {
			  "amount": {"type": "number"}, "count": {"type": "integer"}, "name": {"type": "string"},
			  "flag": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
			  "sizes": {"type": ["array"], "items": {"type": "integer"}},
			  "color": {"type": "string", "enum": ["red", "green", "light-blue"]}, "level": {"enum": [1, 2, 3]},
			  "colors": {"type": "array", "items": {"enum": ["red", "green"]}}, "only": {"const": "this"},
			  "address": {"type": "object", "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}}},
			  "lines": {"type": "array", "items": {"type": "object",
			    "properties": {"sku": {"type": "string"}, "price": {"type": "number"}}}},
			  "limits": {"properties": {"max": {"type": "integer"}}}, "meta": {"type": "object"},
			  "labels": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true},
			  "maybe": {"type": ["string", "null"]}, "either": {"anyOf": [{"type": "string"}, {"type": "number"}]},
			  "ref": {"$ref": "#/$defs/x"}, "any": {}, "truth": true, "list": {"type": "array"},
			  "pair": {"type": "array", "prefixItems": [{"type": "string"}]}
			}, "$defs": {"x": {"type": "string"}}}""";

	/** The mistake, the word at which it is, and what to write instead. */
	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~', value = { "args.ammount > 5 ~ ammount ~ Did you mean 'amount'",
			"args.name == 'x' && args['nmae'] == 'y' ~ 'nmae' ~ Did you mean 'name'",
			"has(args.collor) ~ collor ~ Did you mean 'color'", "'nam' in args ~ 'nam' ~ Did you mean 'name'",
			"args.address.ctiy == 'x' ~ ctiy ~ Did you mean 'city'",
			"args.lines.exists(l, l.prise > 5) ~ prise ~ Did you mean 'price'",
			"args.lines[0].skuu == 'x' ~ skuu ~ Did you mean 'sku'", "args.limits.maxx > 3 ~ maxx ~ Did you mean 'max'",
			"!has(args.address.cty) ~ cty ~ Did you mean 'city'", "args.amount > '500' ~ args ~ 500 without quotes",
			"'500' < args.amount ~ args ~ 500 without quotes", "args.amount == '12.5' ~ args ~ 12.5 without quotes",
			"args.count != 'many' ~ args ~ Compare it with a number",
			"args.amount in ['1', '2'] ~ args ~ 1 without quotes", "args.amount == true ~ args ~ with a number",
			"args.name > 5 ~ args ~ double(args.name)", "args.name == 5 ~ args ~ '5' in quotes",
			"args.name == true ~ args ~ in quotes", "args.flag == 'true' ~ args ~ without quotes",
			"args.flag == 1 ~ args ~ 'true' or 'false' without quotes",
			"args.flag && args.name ~ args.name ~ such as args.name == ...",
			"!args.count ~ args ~ such as args.count == ...", "args.list == 'x' ~ args ~ '... in args.list'",
			"args.tags == 'x' ~ args ~ '... in args.tags'", "args.tags.contains('x') ~ args ~ '... in args.tags'",
			"args.tags.startsWith('x') ~ args ~ args.tags.exists(x, x.startsWith(...))",
			"'x' in args.name ~ args ~ args.name.contains(...)", "'x' in args.amount ~ args ~ args.amount == ...",
			"5 in args.tags ~ args ~ in quotes", "args.count.startsWith('4') ~ args ~ string(args.count)",
			"args.amount.size() > 3 ~ args ~ as what it is", "size(args.flag) > 3 ~ args ~ as what it is",
			"args.amount.matches('4.*') ~ args ~ string(args.amount)",
			"args.flag.lowerAscii() == 'x' ~ args ~ as what it is", "args.tags.exists(t, t > 5) ~ t > ~ '5' in quotes",
			"args.sizes.all(s, s == 'big') ~ s == ~ with a number",
			"args.tags.filter(t, t.foo == 1).size() > 0 ~ foo ~ Compare an element of args.tags itself",
			"args.lines.exists(l, l.price == '5') ~ l.price ~ 5 without quotes",
			"args.address == 'Berlin' ~ args ~ args.address.city",
			"args.address.contains('Berlin') ~ args ~ its fields",
			"args.name.exists(c, c == 'x') ~ args ~ as what it is", "args.name[0] == 'x' ~ args ~ itself",
			"args.name.first == 'x' ~ first ~ Compare args.name itself",
			"args.tags.first == 'x' ~ first ~ args.tags.exists", "args.name - 5 > 0 ~ args ~ double(args.name)",
			"args.name * 2.0 > 1.0 ~ args ~ double(args.name)", "args.amount + 'x' == 'y' ~ args ~ with a number",
			"args.name > now ~ args ~ timestamp(args.name)",
			"args.name.getFullYear() > 2000 ~ args ~ timestamp(args.name)",
			"timestamp(args.flag) > now ~ args ~ as what", "args.color == 'gren' ~ 'gren' ~ Did you mean 'green'",
			"'gren' == args.color ~ 'gren' ~ Did you mean 'green'", "args.color != 'Red' ~ 'Red' ~ Did you mean 'red'",
			"args.color in ['red', 'gren'] ~ 'gren' ~ 'green'", "args.color.startsWith('gren') ~ 'gren' ~ 'green'",
			"args.color.lowerAscii() == 'blue' ~ 'blue' ~ Known are",
			"args.color.matches('^dark') ~ '^dark' ~ Known are green, light-blue, red",
			"args.level == 4 ~ 4 ~ Known are 1, 2, 3", "'gren' in args.colors ~ 'gren' ~ Did you mean 'green'",
			"args.colors.exists(c, c == 'blue') ~ 'blue' ~ Known are", "args.only == 'that' ~ 'that' ~ this",
			"args.amount == user.name ~ args ~ with a number", "args.count in user.authorities ~ args ~ with a number",
			"args.amount > 5 ? args.flag : args.nam == 'x' ~ nam ~ name",
			"(args.amount > 5 || args.flag) && (args.color == 'red' || args.name == 7) ~ args.name ~ '7' in quotes" })
	void mistakeIsFoundAtItsWord(String condition, String word, String action) {
		assertThat(found(condition, Map.of("pay", Set.of(SCHEMA)))).singleElement().satisfies((each) -> {
			assertThat(each.text()).isEqualTo(condition);
			assertThat(condition.substring(each.position())).startsWith(word);
			assertThat(each.message()).startsWith((each.message().contains("no tool")) ? "The condition" : "Here, ");
			assertThat(each.action()).contains(action);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.amount > 500", "args.amount == 5 || args.count > 2.5", "args.name == 'x'",
			"args.name == null", "args.amount != null", "args.flag", "!args.flag", "args.flag == true",
			"'x' in args.tags", "args.tags == ['x']", "args.tags.size() > 3", "size(args.name) > 3",
			"args.address.city == 'x'", "'city' in args.address", "args.meta.anything > 5 || args.meta.anything == 'x'",
			"args.labels.b == 5", "args.maybe == 5", "args.maybe.startsWith('x') && args.maybe > 3",
			"args.either > 5 || args.either == 'x'", "args.ref > 5", "args.ref.x == 1",
			"args.any > 5 || args.any == 'x'", "args.truth == 'x'", "args.list[0] == 'x'",
			"args.list.exists(x, x > 5) || args.list.exists(x, x == 'y')", "args.pair[0] > 5", "args.pair[1] == 'x'",
			"double(args.name) > 5.0", "string(args.amount) == '5'", "int(args.name) > 5", "timestamp(args.name) > now",
			"duration(args.name) > duration('1h')", "args.color == 'green'", "args.color.upperAscii() == 'GREEN'",
			"args.color in ['red', 'green']", "args.color.startsWith('light')", "args.color == args.name",
			"args.level == 2 || args.level == 2.0", "args.color > 'a'", "args.amount in [1, '1']",
			"args['name'] == 'x'", "args[user.name] == 5", "args.exists(a, a == 'x')",
			"args.lines.exists(l, l.price > 5 && l.sku == 'x')", "args.lines.map(l, l.price).exists(p, p > 5)",
			"args.tags.exists_one(t, t.startsWith('x'))", "args.amount - args.count > 5", "args.name + 'x' == 'yx'",
			"args.amount * 2 > 5", "has(args.name)", "args.name == user.name", "args.name in user.authorities",
			"dyn(args.name) == 'x'", "args.flag ? args.amount > 5 : args.name == 'x'", "args.address.floor > 5",
			"-args.amount < 5" })
	void whatCanBeMeantIsNoMistake(String condition) {
		assertThat(found(condition, Map.of("pay", Set.of(SCHEMA)))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~', value = { "args.id == 5", "args.id == 'x'", "args.amount > 5",
			"args.list.exists(x, x == 1)", "args.list.exists(x, x == 'x')", "args.kind == 'b'", "args.deep.a == 'x'" })
	void whatIsMeantForOneOfTheToolsIsNoMistake(String condition) {
		assertThat(found(condition, twoTools())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~',
			value = { "args.id == true ~ 'integer' in the tool 'one' and 'string' in the tool 'two'",
					"args.amount == 'x' ~ 'number' in the tool 'one'", "args.idd == 5 ~ no tool that the rule is for",
					"args.kind == 'd' ~ which it never is", "args.deep.c == 'x' ~ args.deep.c" })
	void whatIsMeantForNoneOfTheToolsIsAMistake(String condition, String message) {
		assertThat(found(condition, twoTools())).singleElement()
			.extracting(Found::message)
			.asString()
			.contains(message);
	}

	private static Map<String, Set<String>> twoTools() {
		return Map.of("one", Set.of("""
				{"type": "object", "properties": {"id": {"type": "integer"}, "amount": {"type": "number"},
				 "list": {"type": "array", "items": {"type": "integer"}}, "kind": {"enum": ["a", "b"]},
				 "deep": {"type": "object", "properties": {"a": {"type": "string"}}}}}"""), "two", Set.of("""
				{"type": "object", "properties": {"id": {"type": "string"}, "kind": {"enum": ["b", "c"]},
				 "list": {"type": "array", "items": {"type": "string"}},
				 "deep": {"type": "object", "properties": {"b": {"type": "string"}}}}}"""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "true", "no JSON", "{\"type\": \"object\"}", "{\"$ref\": \"#/x\"}",
			"{\"type\": \"object\", \"properties\": {\"a\": {}}, \"additionalProperties\": true}",
			"{\"type\": \"object\", \"properties\": {\"a\": {}}, \"allOf\": [{}]}",
			"{\"type\": \"object\", \"properties\": {\"a\": {}}, \"patternProperties\": {\"x.*\": {}}}" })
	void nothingIsSaidWhereOneToolMayHaveAnyArguments(String schema) {
		Map<String, Set<String>> tools = Map.of("pay", Set.of(SCHEMA), "other",
				(schema.isEmpty()) ? Set.of() : Set.of(schema));
		assertThat(found("args.ammount > 5 || args.x.y == 'x'", tools)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.mixed.lowerAscii() == 'a'", "args.kind.lowerAscii() == 'a'", "args.kind == 1" })
	void valuesMayBeOfSeveralTypes(String condition) {
		Map<String, Set<String>> tools = Map.of("one", Set.of("""
				{"properties": {"kind": {"enum": ["A", "b"]}, "mixed": {"type": "string", "enum": ["A", 1]}}}"""),
				"two", Set.of("""
						{"properties": {"kind": {"enum": [1, 2]}}}"""));
		assertThat(found(condition, tools)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.name == 5", "args.nam == 'x'" })
	void nothingIsSaidWithoutTools(String condition) {
		assertThat(found(condition, Map.of())).isEmpty();
	}

	private static List<Found> found(String condition, Map<String, Set<String>> tools) {
		return READER.read(condition).check(List.of("when"), ArgumentType.ofTools(tools, (name) -> true));
	}

}
