package io.agenthooks.spring.cel;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.spring.scope.ArgumentsInConditions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link CelReader}: mistakes are found at the start, with their place.
 */
class CelReaderTests {

	private static final CelReader READER = new CelReader(CelVariables.ofToolCalls());

	/**
	 * A condition, with the mark before the mistake.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "^agrs.x > 5; no variable; Did you mean 'args'?",
			"args.x > 5 && ^usr.name == 'a'; no variable; Did you mean 'user'?",
			"^amount > 5; no variable; args.amount", "call.^sesion == 'x'; no field 'sesion'; Did you mean 'session'?",
			"tool.annotations.^readonlyHint; no field; 'readOnlyHint'?",
			"user.^rolls == []; no field; Did you mean 'roles'",
			"'ADMIN' in user.^role; no field 'role'; 'user' has name, authorities, roles, isAnonymous, claims.",
			"call.^claims == 1; no field 'claims'; 'call' has id, session",
			"args.x > 1 && user.^nam == ''; no field 'nam'; Did you mean 'name'?",
			"user ^== 'anna'; '==' is not for (user, string); fields of 'user': name, authorities",
			"args.x.^endWith('a'); no function; 'endsWith'?", "^lenght(args.x) > 1; no function; Known are",
			"args.x > 5 ^and args.y; cannot be read from here on: 'and'; Write '&&'.",
			"args.x ^or args.y; 'or'; Write '||'.", "args.x ^= 5; 'cannot be read'; Write '=='.",
			"args.x > ^; cannot be read; missing at the end", "(args.x > 5^; cannot be read; missing",
			"call.id ^> 5; '>' is not for (string, int); same type",
			"size(args.a) * 0.5 ^== 2; '==' is not for (double, int); such as 2.0",
			"args.a ^&& call.id; '&&' is not for; same type",
			"^size(args.x); not a boolean: it is of the type int; comparison",
			"^call.id; not a boolean: it is of the type string; comparison",
			"^call == call; 'call' is not a value; call.session", "args.x.matches(^'('); cannot be read; RE2",
			"args.x.matches(^args.y); cannot come from a call; Write it in the rule",
			"args.x.matches(^'(?=a)'); cannot be read; look-around",
			"args.x.matches(^'(((a{50}){50}){50}){50}'); regular expression; r",
			"now.getHours(^'Europe/Berln') > 1; no such time zone; Did you mean 'Europe/Berlin'?",
			"now.getHours(^args.zone) > 1; cannot come from a call; Write it",
			"args.x ^/ 3 > 1; without rounding; int(", "args.x == ^99999999999999999999; too large; Correct",
			"type^(args.x) == int; not available; Known", "args.x == ^b'a'; Bytes; text",
			"1 ^/ 0 == args.x; always fails; Correct", "now.getDayOfWeek^() == 7; is never 7; from 0 to 6",
			"now.getDayOfWeek^('Europe/Berlin') in [0, 7]; is never 7; from 0 to 6",
			"24 <= now.getHours^(); is never 24; from 0 to 23", "now.getDate^() == 0; is never 0; from 1 to 31",
			"call^.id.exists(e, true); range; Correct", "'ä😀' == args.y && ^agrs.x; no variable; 'args'?",
			"args.x ^? 1 : 2; not a boolean; comparison" })
	void mistakeIsFoundAtItsPlace(String marked, String message, String action) {
		int position = marked.indexOf('^');
		String condition = marked.replace("^", "");
		UnreadableConditionException mistake = mistake(condition);
		assertThat(mistake.getMessage() + " " + condition)
			.contains(message.replace("'cannot be read'", "cannot be read"));
		assertThat(mistake.getMessage()).as("sentence without its full stop").matches("(?s)[A-Z].*[^.]");
		assertThat(mistake.action()).contains(action);
		if (!message.contains("not a boolean")) {
			assertThat(mistake.position()).isEqualTo(position);
		}
	}

	private static UnreadableConditionException mistake(String condition) {
		UnreadableConditionException mistake = catchThrowableOfType(UnreadableConditionException.class,
				() -> READER.read(condition));
		assertThat(mistake).as(condition).isNotNull();
		return mistake;
	}

	@Test
	void placeInSeveralLinesCountsFromTheBeginning() {
		assertThat(mistake("args.a > 1\n  && agrs.b").position()).isEqualTo(16);
	}

	@Test
	void noMessageHoldsATextOfTheCondition() {
		for (String condition : new String[] { "args.x == 'tops3cret' 'tops3cret'", "args.x 'tops3cret'",
				"args.x.matches('tops3cret(')", "args.x == 'tops3cret" }) {
			UnreadableConditionException mistake = mistake(condition);
			assertThat(mistake.getMessage() + mistake.action()).doesNotContain("tops3cret");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "1 > 2", "'a' == 'b'", "'a'.size() == 2 && args.x > 1", "!true",
			"args.x > 1 && (false || 1 == 2)", "[1, 2] == [1]", "int('5') > 6", "duration('1h') > duration('2h')" })
	void conditionThatNeverHoldsIsKnown(String condition) {
		assertThat(READER.read(condition).isAlways(false)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "1 < 2", "!false" })
	void conditionThatAlwaysHoldsIsKnown(String condition) {
		assertThat(READER.read(condition).isAlways(true)).isTrue();
		assertThat(READER.read(condition).isAlways(false)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a > 500 && args.a < 100", "args.a > 5 && args.b == 1 && args.a <= 5",
			"args.a == 'x' && args.a == 'y'", "args.a == 1 && args.a == 2.5", "args.a == 5 && args.a > 7",
			"'x' == args.a && args.a == 'y'", "args.a in ['x', 'y'] && args.a == 'z'",
			"args.a in [1, 2] && args.a in [3]", "args.a in [1, 2] && args.a > 2", "100 > args.a && 500 < args.a",
			"call.agent == 'a' && (args.b == 1 && call.agent == 'b')", "args.l.exists(x, x > 5 && x < 1)",
			"args.a == 'x' && args.a != 'x'", "args.a && !args.a", "args.a.contains('x') && !args.a.contains('x')",
			"!(args.a == 1 || args.b == 2) && args.a == 1 && !(args.a == 1)", "size(args.a) < 0", "args.a.size() == -1",
			"size(args.a) <= -1", "0 > size(args.a)", "args.b == 1 || size(args.a) < 0",
			"args.a[0] == 1 && args.a[0] == 2", "args.a == true && args.a == false",
			"args.a == 'x' && args['a'] == 'y'", "args['a'].b > 5 && args.a['b'] < 1",
			"args.a == 'x' && args.a.startsWith('y')", "args.a in ['x', 'z'] && args['a'].endsWith('y')",
			"args.a.contains('y') && args.a == 'x'", "args.a == 'xy' && !args.a.contains('y')",
			"call.agent == 'clerk' && call.agent.startsWith('boss')" })
	void partsThatCanNeverHoldAreAMistake(String condition) {
		assertThat(mistake(condition).getMessage()).contains("can never hold");
	}

	@ParameterizedTest
	@ValueSource(strings = { "size(args.a) >= 0", "size(args.a) > -1", "size(args.a) != -1",
			"args.a != 'x' || args.a != 'y'", "args.a > 1 || args.a < 5", "args.a != 'xy' || args.a.contains('y')",
			"args.a == 1 || args.a != 1", "args.a || !args.a", "args.b == 1 && (args.a <= 5 || args.a > 5)" })
	void partsThatHoldAlwaysAreAMistake(String condition) {
		assertThat(mistake(condition).getMessage()).contains("always");
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.c.lowerAscii().contains('SUDO')", "args.c.upperAscii() == 'sudo'",
			"args.c.lowerAscii().startsWith('Rm')", "'DROP' == args.c.trim().lowerAscii()",
			"args.c.lowerAscii().trim() in ['rm', 'RM']", "args.c.lowerAscii() != 'X'", "args.c.trim() == ' rm'",
			"args.c.trim().endsWith('rm ')", "args.l.exists(x, x.lowerAscii().endsWith('.EXE'))" })
	void textThatAFunctionLeavesInNoTextIsAMistake(String condition) {
		assertThat(mistake(condition).getMessage()).contains("so it never has what is written here");
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a > 100 && args.a < 500", "args.a >= 5 && args.a <= 5",
			"args.a == 1 && args.a == 1.0", "args.a == 'x' && args.b == 'y'", "args.a == 'x' || args.a == 'y'",
			"args.a in [1, 2] && args.a != 2", "args.a != 'x' && args.a != 'y'", "size(args.a) == 0",
			"size(args.a) > 0", "size(args.a) <= 0", "args.c.lowerAscii().contains('sudo 1')",
			"args.c.upperAscii() == 'SUDO'", "args.c.contains('SUDO')", "args.c.lowerAscii().upperAscii() == 'RM'",
			"args.c.trim().contains(' rm ')", "args.l.exists(x, x == 1) && args.l.exists(x, x == 2)",
			"args.a[0] == 1 && args.a[1] == 2", "args.a > 5 || args.a < 1", "args.a && !args.b",
			"has(args.a) && !has(args.b)", "args.a > args.b && args.a < args.b + 1", "args.a == 5 && args.a > 4.5",
			"!(args.a > 1 && args.b > 1) && args.a > 1", "args.x == 'a' && size(args.x) == 1",
			"args.a == 'xy' && args.a.startsWith('x')", "args.a in ['x', 'y'] && args.a.startsWith('y')",
			"args['a.b'] == 'x' && args.a.b == 'y'", "args.a == 'x' && !args.a.startsWith('y')",
			"args.a == 'ｘ' && args.a.startsWith('x')", "args.a == 'x' || args.a.startsWith('y')" })
	void partsThatCanHoldAreNone(String condition) {
		assertThat(READER.read(condition)).isNotNull();
	}

	@Test
	void argumentsThatAreReadAreKnown() {
		Condition condition = READER
			.read("args.a.b > 1 && has(args.c) && args['d'] == 1 && 'e' in args && args.f.all(x, x.g > 1)");
		ArgumentType none = ArgumentType.ofTools(Map.of("pay", Set.of("{\"type\": \"object\", \"properties\": {}}")),
				(name) -> true);
		assertThat(condition.check(List.of("when"), none)).extracting(ArgumentsInConditions.Found::message)
			.hasSize(5)
			.allMatch((message) -> message.matches("The condition reads args\\.[acdef], and no tool .*"));
		assertThat(condition.readsArguments()).isTrue();
		assertThat(READER.read("call.workspace == 'args'").readsArguments()).isFalse();
		assertThat(READER.read("args.all(a, a != 'x')").readsArguments()).isTrue();
	}

	@Test
	void conditionThatIsTooLongOrNestedTooDeepIsAMistake() {
		assertThat(mistake("(".repeat(5_000) + "true" + ")".repeat(5_000))).isNotNull();
		assertThat(mistake("args.x == '" + "a".repeat(30_000) + "'")).isNotNull();
		assertThat(mistake("[".repeat(1_001) + "args.x" + "]".repeat(1_001))).isNotNull();
	}

	@Test
	void libraryThatCannotWorkSaysWhichVersionsFit() {
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> CelLanguage.read(() -> {
			throw new ExceptionInInitializerError(new IllegalStateException("gencode"));
		})).withMessageContaining("protobuf-java").withMessageContaining("IllegalStateException");
	}

}
