package io.agenthooks.spring.cel;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What conditions mean: a condition and arguments, and whether it holds, or why that
 * cannot be said.
 */
class ConditionTests {

	private static final CelReader READER = new CelReader(CelVariables.ofToolCalls());

	/** A Saturday in Berlin, and still a Friday in New York. */
	private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T23:30:15.250Z"), ZoneOffset.UTC);

	private static final CallContext ANNA = CallContext.empty()
		.withUser("anna")
		.withAuthorities(List.of("ROLE_ADMIN", "odd 'one\""))
		.withClaims(Map.of("tenant", "acme", "level", 3));

	static Object holds(String condition, ToolCall call) {
		return READER.read(condition).holds(new Scope(call, CLOCK));
	}

	/**
	 * A zero width space, a soft hyphen, a full-width letter, a ligature and a combining
	 * mark are written with their numbers.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "args.c.contains('sudo'); su\\u200Bdo rm; unusual",
			"args.c.contains('sudo'); \\uFF53udo rm; unusual",
			"args.c.lowerAscii().contains('sudo'); \\uFF33UDO rm; unusual", "args.c.matches('^rm'); \\u00ADrm; unusual",
			"args.c == 'rm'; r\\u2060m; unusual", "args.c != 'rm'; r\\u2060m; unusual",
			"args.c in ['rm', 'ls']; r\\u200Dm; unusual",
			"args.c.endsWith('@example.com'); a\\uFF20example.com; unusual",
			"args.c.startsWith('file'); \\uFB01le; unusual", "size(args.c) == 2; r\\u200Bm; unusual",
			"args.c.contains('sudo'); rm\\u200B; false", "args.c.contains('sudo'); \\uFF41 sudo; true",
			"args.c == 'Zo\\u00EB'; Zo\\u00EB; true", "args.c == 'Zo\\u00EB'; Zoe\\u0308; unusual",
			"args.c.contains('\\u2122'); A\\u2122; true", "args.c == 'r\\u200Bm'; r\\u200Bm; true",
			"call.id == 'x' || args.c == 'rm'; ls\\u200B; false", "args.l.exists(x, x == 'rm'); r\\u200Bm; unusual" })
	void spellingThatWouldMakeADifferenceIsNotDecided(String condition, String text, String expected) {
		String read = unescape(text);
		Object holds = holds(unescape(condition), ToolCall.of("run", Map.of("c", read, "l", List.of("a", read)), ANNA));
		if (expected.equals("unusual")) {
			assertThat(holds).isEqualTo(Failure.UNUSUAL_SPELLING);
		}
		else {
			assertThat(holds).isEqualTo(Boolean.valueOf(expected));
		}
	}

	/**
	 * Whoever writes a rule with another spelling means the same as who writes a pattern
	 * with it.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "args.c == '\\uFB01le'; file; true", "args.c == 'Zoe\\u0308'; Zo\\u00EB; true",
					"args.c == 'su\\u200Bdo'; sudo; true", "args.c.contains('\\uFF53udo'); a sudo; true",
					"args.c.startsWith('\\uFF53udo'); sudo x; true", "args.c in ['\\uFF53udo', 'x']; sudo; true",
					"args.c.matches('\\uFB01le'); a file; true", "args.c.matches('^\\uFF53udo$'); sudo; true",
					"args.c.matches('^\\uFF53udo$'); sudox; false", "args.c.matches('Zoe\\u0308'); Zoe; false",
					"args.c == '\\uFB01le'; \\uFB01le; true", "args.c == 'm\\u00B2'; m2; false",
					"args.c == '\\uFB01le'; else; false", "args.c != '\\uFB01le'; file; false",
					"args.c.contains('\\u20AC'); 5 \\u20AC; true",
					"['\\uFB01le', 'x'].exists(w, args.c == w); file; true" })
	void ruleInAnotherSpellingMeansTheUsualOne(String condition, String text, String expected) {
		spellingThatWouldMakeADifferenceIsNotDecided(condition, text, expected);
	}

	private static String unescape(String text) {
		return Pattern.compile("\\\\u([0-9A-F]{4})")
			.matcher(text)
			.replaceAll((code) -> String.valueOf((char) Integer.parseInt(code.group(1), 16)));
	}

	private static Object holds(String condition, String arguments) {
		Map<String, @Nullable Object> read = new StrictJson(64).readObject(arguments.getBytes(StandardCharsets.UTF_8));
		return holds(condition, ToolCall.of("refund", read, ANNA));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = {
			// However a number is written
			"args.amount > 500; {'amount': 500}; false", "args.amount > 500; {'amount': 500.0}; false",
			"args.amount > 500; {'amount': 500.01}; true", "args.amount > 500; {'amount': 5e2}; false",
			"args.amount > 500; {'amount': 1e3}; true", "args.amount > 500; {'amount': 0.1e4}; true",
			"args.amount > 500; {'amount': 500.00000000000000000000001}; true",
			"args.amount > 500.00000000000000000000001; {'amount': 500.00000000000000000000001}; false",
			"args.amount == 1000; {'amount': 1000.0}; true", "args.amount == 1000; {'amount': 1e3}; true",
			"args.amount == 0; {'amount': -0}; true", "args.amount == 0; {'amount': -0.0}; true",
			"args.amount < 0; {'amount': -0.0}; false", "args.amount == 0.3; {'amount': 0.3}; true",
			"args.a + args.b == 0.3; {'a': 0.1, 'b': 0.2}; true", "args.a * 3 == double('0.3'); {'a': 0.1}; true",
			"args.a - 1 > -0.5; {'a': 0.6}; true", "args.a * 3 + 0.5 == 2.0; {'a': 0.5}; true",
			"double(size(args.l)) * 0.5 > 0.9; {'l': [1, 2]}; true", "-args.a < -1; {'a': 2}; true",
			"args.n > 9007199254740992; {'n': 9007199254740993}; true",
			"args.n == 9007199254740992; {'n': 9007199254740993}; false",
			"args.n > 9223372036854775807; {'n': 9223372036854775808}; true",
			"args.n + args.n > 9223372036854775807; {'n': 9223372036854775807}; true", "args.n > 5u; {'n': 6}; true",
			"7 / 2 == 3 && -7 % 2 == -1; {}; true", "int(args.n) % 2 == 0; {'n': 4.0}; true",
			// Texts
			"args.to.endsWith('@example.com'); {'to': 'a@example.com'}; true",
			"args.to.startsWith('a') && args.to.contains('@'); {'to': 'a@b'}; true",
			"args.to.lowerAscii() == 'ab'; {'to': 'AB'}; true", "args.to.trim().size() == 1; {'to': ' ä '}; true",
			"size(args.to) == 1; {'to': '😀'}; true", "args.to.matches('^[a-z]+$'); {'to': 'abc'}; true",
			"args.to.matches('b'); {'to': 'abc'}; true", "args.to.matches('^a$'); {'to': 'a\\n'}; false",
			"string(args.n) == '1000'; {'n': 1e3}; true", "double(args.n) > 999; {'n': '1e3'}; true",
			"int(args.n) == 12; {'n': '12'}; true", "bool(args.b); {'b': 'true'}; true",
			"args.to < 'b'; {'to': 'a'}; true",
			// What is there
			"has(args.x); {}; false", "has(args.x); {'x': 1}; true", "has(args.x); {'x': null}; false",
			"has(args.x) && args.x > 5; {}; false", "args.x > 5 || 1 == 1; {}; true", "1 == 1 || args.x > 5; {}; true",
			"args.x > 5 && 1 == 2; {}; false", "args.x == null; {'x': null}; true", "args.x == null; {'x': 1}; false",
			"args.x != null; {'x': 'a'}; true", "args['x'] == 1; {'x': 1}; true", "'x' in args; {'x': null}; true",
			"args.a.b.c == 1; {'a': {'b': {'c': 1}}}; true", "has(args.a.b); {'a': {}}; false",
			// Lists and maps
			"args.l.all(e, e < 3); {'l': [1, 2]}; true", "args.l.exists(e, e > 1); {'l': [1, 2]}; true",
			"args.l.exists_one(e, e > 1); {'l': [1, 2, 3]}; false",
			"args.l.filter(e, e > 1).size() == 2; {'l': [1, 2, 3]}; true",
			"args.l.map(e, e * 2) == [2, 4]; {'l': [1, 2]}; true",
			"args.l.map(e, e > 1, e * 2) == [4]; {'l': [1, 2]}; true", "args.l[1] == 2; {'l': [1, 2]}; true",
			"args.m.exists(k, k.startsWith('x')); {'m': {'xa': 1}}; true",
			"args.m.all(k, args.m[k] > 0); {'m': {'a': 1, 'b': 2}}; true",
			"args.l.all(a, args.l.exists(b, b == a)); {'l': [1, 2]}; true", "args.l + [3] == [1, 3]; {'l': [1]}; true",
			"args.kind in ['a', 'b']; {'kind': 'b'}; true", "2 in args.l; {'l': [1, 2.0]}; true",
			"{'a': 5}[args.k] == 5; {'k': 'a'}; true", "args.l.all(e, e > 5); {'l': []}; true",
			"args.l.exists(e, e > 1); {'l': ['a', 2]}; true",
			"args.l == [[1], {'a': 2}]; {'l': [[1.0], {'a': 2}]}; true",
			"args.a ? args.b == 1 : args.b == 2; {'a': false, 'b': 2}; true", "!args.a; {'a': false}; true",
			// Times
			"now.getDayOfWeek('Europe/Berlin') in [0, 6]; {}; true",
			"now.getDayOfWeek('America/New_York') in [0, 6]; {}; false", "now.getDayOfWeek() == 5; {}; true",
			"now.getHours('+02:00') == 1; {}; true", "now.getHours('02:00') == 1; {}; true",
			"now.getFullYear() == 2026 && now.getMonth() == 10 && now.getDate() == 20; {}; true",
			"now.getDayOfMonth() == 19 && now.getDayOfYear() == 323; {}; true",
			"now.getMinutes() == 30 && now.getSeconds() == 15 && now.getMilliseconds() == 250; {}; true",
			"now > timestamp('2026-11-20T00:00:00Z'); {}; true",
			"now - timestamp(args.t) < duration('1h'); {'t': '2026-11-20T23:00:00+00:00'}; true",
			"timestamp(args.t) + duration('1h30m') > now; {'t': '2026-11-20T23:00:00Z'}; true",
			"duration('90m').getHours() == 1 && duration('1.5s').getMilliseconds() == 500; {}; true",
			// Who is asking
			"'ROLE_ADMIN' in user.authorities; {}; true", "'ROLE_X' in user.authorities; {}; false",
			"'odd \\'one\"' in user.authorities; {}; true", "user.name == 'anna'; {}; true",
			"user.claims.tenant == 'acme' && user.claims.level >= 3; {}; true", "has(user.claims.x); {}; false",
			"call.workspace == 'main' && call.role == 'agent' && call.attempt == 1; {}; true",
			"has(call.session); {}; false", "has(call.attributes.x); {}; false", "size(call.id) > 5; {}; true",
			"tool.name == 'refund' && tool.names == ['refund']; {}; true",
			"tool.mcp.server == '' && !has(tool.mcp.server); {}; true",
			"has(tool.annotations.readOnlyHint); {}; false" })
	void conditionHoldsOrNot(String condition, String arguments, boolean expected) {
		assertThat(holds(condition, arguments.replace('\'', '"'))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "args.amount > 500; {}; 'args.amount' is absent",
			"args.amount > 500; {'amount': '1000'}; 'args.amount' cannot be compared: a text and a number",
			"args.amount == 500; {'amount': '500'}; a text and a number",
			"args.amount == 500; {'amount': null}; nothing",
			"args.amount != 500; {'amount': true}; true or false and a number",
			"args.amount in [1, 2]; {'amount': '1'}; values of the same kind",
			"args.to == '5'; {'to': 5}; a number and a text",
			"args.force == true; {'force': 'true'}; a text and true or false",
			"args.force; {'force': 1}; not true or false", "args.to.endsWith('x'); {'to': ['x']}; is a list",
			"args.to.endsWith('x'); {'to': null}; is nothing",
			"args.l.all(e, e > 1); {'l': [2, 'a']}; cannot be compared", "args.l.all(e, e > 1); {'l': 'a'}; not a list",
			"args.l[5] == 1; {'l': [1]}; is absent", "args.l[0.5] == 1; {'l': [1]}; is absent",
			"args.a.b == 1; {'a': [1]}; not a map", "has(args.a.b); {}; 'args.a' is absent",
			"int(args.n) == 1; {'n': 1.5}; not for int()", "int(args.n) == 1; {'n': '0x1'}; not for int()",
			"args.a + args.b > 2; {'a': 1, 'b': 'x'}; calculated", "1 / int(args.n) > 2; {'n': 0}; divided by zero",
			"timestamp(args.t) < now; {'t': 'soon'}; not for timestamp()",
			"call.session == 'x'; {}; 'call.session' is not known", "user.claims.x == 1; {}; 'user.claims.x' is absent",
			"tool.annotations.readOnlyHint; {}; 'tool.annotations.readOnlyHint' is not known",
			"args.a || args.b; {'a': 'x', 'b': false}; 'args.a' is a text",
			"args.l.exists(e, e == 'a'); {'l': [1, 2]}; compared", "args.a == args.b; {'a': '1', 'b': 1}; compared" })
	void conditionThatCannotBeSaidSaysWhy(String condition, String arguments, String why) {
		assertThat(holds(condition, arguments.replace('\'', '"'))).isInstanceOfSatisfying(Failure.class,
				(failure) -> assertThat(failure.why()).contains(why));
	}

	@Test
	void noReasonHoldsWhatIsWrittenInTheCall() {
		for (String condition : List.of("args.a > 5", "args.a.b", "args.a.endsWith(args.c)", "args.a + 1 > 2",
				"!args.a", "int(args.a) > 1", "args.a.all(e, e > 2)", "args.a in [1]", "args[args.a] == 1")) {
			assertThat(holds(condition, "{\"a\": \"s3cret\", \"b\": \"s3cret\"}")).isInstanceOfSatisfying(Failure.class,
					(failure) -> assertThat(failure.why()).doesNotContain("s3cret"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.n == 500", "args.n <= 500 && args.n >= 500", "!(args.n < 500) && !(args.n > 500)",
			"args.n in [500]", "args.n + 1 == 501", "[args.n] == [500.0]" })
	void numbersOfEachTypeAreTheSame(String condition) {
		for (Number number : List.of(500, 500L, (short) 500, 500.0, 500f, new BigDecimal("500.000"),
				new BigDecimal("5E+2"), BigInteger.valueOf(500))) {
			assertThat(holds(condition, ToolCall.of("a", Map.of("n", number)))).isEqualTo(true);
		}
	}

	@Test
	void numbersThatWouldFillTheMemoryAreComparedButNotReckonedWith() {
		ToolCall call = ToolCall.of("a", Map.of("n", new BigDecimal("1e100000000")));
		assertThat(holds("args.n > 1", call)).isEqualTo(true);
		assertThat(holds("args.n == [args.n][0]", call)).isEqualTo(true);
		for (String condition : List.of("args.n + 1 > 2", "args.n * args.n > 2", "-args.n < 1", "int(args.n) > 1",
				"string(args.n) == '1'")) {
			assertThat(holds(condition, call)).as(condition).isInstanceOf(Failure.class);
		}
		ToolCall digits = ToolCall.of("a", Map.of("n", new BigInteger("9".repeat(5_000))));
		assertThat(holds("args.n > 1", digits)).isInstanceOfSatisfying(Failure.class,
				(failure) -> assertThat(failure.why()).contains("too many digits"));
	}

	@Test
	void userWhoIsUnknownHasNoAuthorities() {
		ToolCall call = ToolCall.of("a", Map.of());
		assertThat(holds("'ROLE_ADMIN' in user.authorities", call)).isEqualTo(false);
		assertThat(holds("size(user.authorities) == 0 && !has(user.name)", call)).isEqualTo(true);
		assertThat(holds("user.name == 'anna'", call)).isInstanceOf(Failure.class);
	}

	@Test
	void toolsOfServersShowWhereTheyComeFromAndWhatTheySay() {
		ToolIdentity tool = ToolIdentity.onServer("github", "delete-repo", "alt_1_delete_repo");
		ToolCall call = ToolCall.of("1", tool.withHints(new ToolHints(false, true, null, null)), Map.of(),
				CallContext.empty());
		assertThat(holds("tool.mcp.server == 'github' && tool.mcp.tool == 'delete-repo'", call)).isEqualTo(true);
		assertThat(holds("'mcp__github__delete_repo' in tool.names", call)).isEqualTo(true);
		assertThat(holds("tool.annotations.destructiveHint && !tool.annotations.readOnlyHint", call)).isEqualTo(true);
		assertThat(holds("has(tool.annotations.openWorldHint)", call)).isEqualTo(false);
		ToolCall unknown = ToolCall.of("1", ToolIdentity.onUnknownServer("a", "a"), Map.of(), CallContext.empty());
		assertThat(holds("tool.mcp.server == 'github'", unknown)).isInstanceOf(Failure.class);
	}

	@Test
	void attributesOfUnknownTypesCannotBeCompared() {
		ToolCall call = ToolCall.of("a", Map.of(),
				CallContext.empty().withAttribute("set", Set.of("x")).withAttribute("own", new AtomicReference<>("x")));
		assertThat(holds("'x' in call.attributes.set", call)).isEqualTo(true);
		assertThat(holds("call.attributes.own == 'x'", call)).isInstanceOf(Failure.class);
		assertThat(holds("call.attributes.own == [call.attributes.own][0]", call)).isInstanceOf(Failure.class);
	}

	@Test
	void listThatALoopMadeIsNotChangedByUsingIt() {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("l", List.of(1, 2));
		assertThat(holds("[args.l.map(e, e)].all(y, (y + [1]).size() == 3 && (y + [1]).size() == 3 && y.size() == 2)",
				ToolCall.of("a", arguments)))
			.isEqualTo(true);
	}

	@Test
	void timeIsTheSameForAllOfACondition() {
		assertThat(holds("now == [now][0] && now - now == duration('0s')", ToolCall.of("a", Map.of()))).isEqualTo(true);
	}

}
