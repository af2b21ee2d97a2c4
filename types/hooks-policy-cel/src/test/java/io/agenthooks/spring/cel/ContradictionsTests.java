package io.agenthooks.spring.cel;

import java.time.Clock;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyRule.Effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Contradictions}, beside those of {@link CelReaderTests}.
 */
class ContradictionsTests {

	private static final CelReader READER = new CelReader(CelVariables.ofToolCalls());

	@ParameterizedTest
	@ValueSource(strings = { "(args.a == 'x' || args.a == 'y') && args.a == 'z'",
			"args.b > 1 && (args.a > 5 || args.a == 3) && args.a < 2",
			"(args.a > 5 && args.a < 1) || (args.b == 1 && args.b == 2)",
			"(args.a == 'x' || args.b == 1) && (args.a == 'y' && args.b == 2)",
			"args.a.startsWith('a') && args.a.startsWith('b')", "args.a.endsWith('.com') && args.a.endsWith('.org')",
			"args.a.startsWith('ab') && !args.a.startsWith('a')", "args.a.endsWith('cd') && !args.a.contains('d')",
			"args.a.contains('abc') && !args.a.contains('b')", "args.a == 'x' && size(args.a) > 3",
			"args.a == 'x' && args.a.size() == 0", "args.a in ['x', 'yy'] && size(args.a) > 2",
			"args.a.startsWith('abc') && args.a.size() < 3", "args.a.contains('abc') && size(args.a) <= 2",
			"args.a == 'x' && args.a.matches('^y')", "args.a in ['aa', 'ab'] && args.a.matches('b$') && args.a != 'ab'",
			"args.a == 'Ab' && args.a.lowerAscii() == 'ac'", "args.a == 'ab' && args.a.upperAscii().startsWith('B')",
			"args.a == ' x ' && args.a.trim().size() > 1",
			"args.a.lowerAscii() == 'x' && args.a.lowerAscii().startsWith('y')",
			"args.a in ['x', 'y'] && !(args.a in ['y', 'x', 'z'])", "args.a in ['x'] && args.a != 'x'",
			"['x', 'y'].exists(v, args.a == v) && args.a == 'z'", "['x', 'y'].all(v, args.a == v)",
			"['a', 'b'].all(v, args.a.startsWith(v))", "[1, 2].exists(v, args.a == v) && args.a > 2",
			"args.a == 'x' && !['x', 'y'].exists(v, v == args.a)", "!(!(args.a == 'x')) && args.a == 'y'",
			"!(args.a || !args.b) && (args.a || !args.b)", "args.a == 5 ? args.a == 6 : args.a == 5",
			"args.flag && args.flag == false", "args.a >= 5 && args.a <= 5 && args.a != 5",
			"['x'].exists(v, args['a'] == v && args.a != v)", "args.a == null && args.a == 'x'",
			"args.a == null && args.a > 5", "has(args.a) && !has(args.a)", "args.a != args.a", "args.a < args.a",
			"args.a > args.b && args.b > args.a", "args.a >= args.b && !(args.b <= args.a)",
			"args.a == args.b && args.a > args.b", "args.a > 'b' && args.a < 'a'", "args.a >= 'b' && args.a == 'a'",
			"args.t > timestamp('2026-02-01T00:00:00Z') && args.t < timestamp('2026-01-01T00:00:00Z')",
			"args.t == timestamp('2026-02-01T00:00:00Z') && args.t == timestamp('2026-01-01T00:00:00Z')",
			"timestamp(args.t) >= now && now > timestamp(args.t)",
			"duration(args.d) > duration('5m') && duration(args.d) < duration('60s')",
			"args.d == duration('60s') && args.d != duration('1m')", "args.l == ['a'] && args.l == ['b']",
			"args.l == [1, 2] && args.l == [2, 1]", "args.l == [] && size(args.l) > 0",
			"args.l in [['a'], ['b']] && 'c' in args.l", "'a' in args.l && size(args.l) == 0",
			"user.authorities == ['ROLE_A'] && 'ROLE_B' in user.authorities", "args.l == ['a'] && !('a' in args.l)",
			"now.getDayOfWeek() > 6", "now.getHours() < 0", "args.x == 1 ? false : false",
			"args.a == 1 && (args.b == 2 && false)" })
	void conditionThatCanNeverHoldIsAMistake(String condition) {
		assertThatExceptionOfType(UnreadableConditionException.class).isThrownBy(() -> READER.read(condition))
			.withMessageContaining("can never hold");
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a.lowerAscii().matches('SUDO')", "args.a.lowerAscii().matches('RM|DROP')",
			"args.a.lowerAscii().matches('^[A-Z]{3}$')", "args.a.upperAscii().matches('(a|b)+c')",
			"url(args.u).host == 'Evil.com'", "url(args.u).host in ['evil.com', 'https://evil.com']",
			"url(args.u).scheme == 'HTTP'", "url(args.u).scheme == 'http://'", "url(args.u).host.endsWith('.Evil.com')",
			"url(args.u).port > 70000", "url(args.u).path == 'admin'", "url(args.u).path.startsWith('admin/')",
			"mails(args.to).exists(m, m.domain == '@evil.com')", "mails(args.to).exists(m, m.domain == 'Evil.com')",
			"mails(args.to).exists(m, m.local == 'bob@x')", "mails(args.to).exists(m, m.address == 'bob@Evil.com')",
			"mails(args.to).exists(m, m.address == 'bob')", "path(args.f).ext == '.exe'",
			"path(args.f).ext in ['EXE', 'bat']", "path(args.f).ext == 'tar.gz'", "path(args.f).name == '/etc/passwd'",
			"path(args.f).ext.contains('EXE')" })
	void textThatAFunctionNeverLeavesIsAMistake(String condition) {
		assertThatExceptionOfType(UnreadableConditionException.class).isThrownBy(() -> READER.read(condition))
			.withMessageMatching("(?s).*(never has|is never) .*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a.lowerAscii().matches('(?i)SUDO')", "args.a.lowerAscii().matches('sudo|SUDO')",
			"args.a.lowerAscii().matches('[A-Z]*x')", "args.a.upperAscii().matches('[^a]')",
			"url(args.u).host == 'xn--bcher-kva.example'", "url(args.u).host == ''", "url(args.u).path == '/A'",
			"url(args.u).port == 65535", "path(args.f).name == 'A.EXE'", "path(args.f).ext == ''",
			"args.a.matches('[;&&|]')", "args.a.matches('[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]')",
			"args.a.lowerAscii().matches('[[:upper:]a]')", "mails(args.to).exists(m, m.address == 'Bob@evil.com')",
			"url(args.u).user == 'Ann'" })
	void textThatAFunctionLeavesIsNone(String condition) {
		assertThat(READER.read(condition)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a in []", "!(args.a in [])", "[].exists(x, args.a == x)", "![].all(x, x == args.a)",
			"args.b == 1 || args.l.exists(x, x in [])" })
	void emptyListIsAMistake(String condition) {
		assertThatExceptionOfType(UnreadableConditionException.class).isThrownBy(() -> READER.read(condition))
			.withMessageContaining("This list is empty");
	}

	@Test
	void regularExpressionWithABackspaceIsAMistake() {
		assertThatExceptionOfType(UnreadableConditionException.class)
			.isThrownBy(() -> READER.read("args.a.matches('\\bsudo\\b')"))
			.withMessageContaining("backspace");
		assertThat(READER.read("args.a.matches(r'\\bsudo\\b')")).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.a.matches('a^')", "args.a.matches('$a')", "args.a.matches('[^\\\\s\\\\S]')" })
	void regularExpressionThatNoTextHasIsAMistake(String condition) {
		assertThatExceptionOfType(UnreadableConditionException.class).isThrownBy(() -> READER.read(condition))
			.withMessageContaining("in no text");
	}

	@ParameterizedTest
	@ValueSource(strings = { "!(args.a == 'x' && args.a == 'y')", "!(args.a != 'x' || args.a == 'x')",
			"!(args.a < 5 || args.a > 1)", "!args.a.startsWith('a') || !args.a.startsWith('b')",
			"args.a.startsWith('a') || !args.a.startsWith('ab')", "args.a != 'x' || size(args.a) < 5",
			"!(args.a > 5 && args.a < 1)", "!args.a || args.a", "['x', 'y'].exists(v, args.a != v)",
			"!['x', 'y'].all(v, args.a == v)", "args.a > 5 || (args.a <= 5 && args.a < 10)",
			"args.a != 'X' || args.a.lowerAscii() == 'x'", "args.a == args.a", "args.a <= args.b || args.a > args.b",
			"args.a.contains('')", "!args.a.contains('')", "args.a.startsWith('')", "args.a.matches('[a-z]*')",
			"args.a.matches('')", "args.a.matches('x?|y')", "now.getHours() >= 0", "args.a == 1 || true" })
	void conditionThatHoldsAlwaysIsAMistake(String condition) {
		assertThatExceptionOfType(UnreadableConditionException.class).isThrownBy(() -> READER.read(condition))
			.withMessageMatching(".*(always|can never hold).*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "(args.a == 'x' || args.a == 'y') && args.a == 'x'",
			"args.a.startsWith('a') && args.a.startsWith('ab')", "args.a.startsWith('a') && args.a.endsWith('b')",
			"args.a.startsWith('ab') && !args.a.startsWith('abc')", "args.a == 'xyz' && size(args.a) > 2",
			"args.a in ['x', 'yyy'] && size(args.a) > 2", "args.a.startsWith('abc') && args.a.size() <= 3",
			"args.a == 'x' && args.b.size() > 3", "args.a == 'ｘ' && args.a.startsWith('x')",
			"args.a == 'ｘ' && args.a.lowerAscii() == 'x'", "args.a == 'xy' && args.a.matches('^x')",
			"args.a == 'X' && args.a.lowerAscii() == 'x'", "['x', 'y'].exists(v, args.a == v)",
			"['x', 'y'].all(v, args.a != v)", "['x', 'y'].exists(v, args.a.startsWith(v)) && args.a != 'x'",
			"args.l.exists(x, x == 'a') && args.l.exists(x, x == 'b')", "!(args.a == 1 && args.b == 2)",
			"args.a == 1 ? args.b == 1 : args.b == 2", "args.a != 'x' && args.a.startsWith('x')",
			"args.a == null || args.a > 5", "has(args.a) && !has(args.b)", "args.a >= args.b && args.b >= args.a",
			"args.a > args.b && args.b > args.c", "args.a > 'a' && args.a < 'b'", "args.a >= 'a' && args.a == 'ｂ'",
			"args.t > timestamp('2026-01-01T00:00:00Z') && args.t < timestamp('2026-02-01T00:00:00Z')",
			"duration(args.d).getHours() > 30", "args.l == ['a', 'b'] && 'b' in args.l",
			"args.l == ['a'] && size(args.l) > 0", "args.a.matches('^[a-z]*$')", "args.a.matches('a+')",
			"'a' in args.l && 'b' in args.l", "args.a > 5 || args.a > 'b'",
			"now.getHours() >= 22 || now.getHours() < 6",
			"args.l.all(x, x != 1) && args.l.exists(x, x == 1) || args.a == 1", "!(args.a in ['x', 'y'])",
			"[args.a, args.b].exists(v, v == 1) && args.a == 2", "args.a > 1 || args.b > 1 || args.a < 0",
			"['a', 'b'].exists(v, args.a == v) || ['c', 'd'].exists(v, args.b == v)" })
	void conditionThatCanHoldIsNone(String condition) {
		assertThat(READER.read(condition)).isNotNull();
	}

	@Test
	void conditionWithTooManyWaysIsLeftAlone() {
		StringBuilder condition = new StringBuilder("args.z == 1 && args.z == args.y");
		for (int i = 0; i < 40; i++) {
			condition.append(" && (args.a%d == 1 || args.b%d == 2 || args.c%d == 3)".formatted(i, i, i));
		}
		assertThat(READER.read(condition.toString())).isNotNull();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~',
			value = { "args.a > 500 ~ args.a > 100", "args.a == 'x' ~ args.a in ['x', 'y']",
					"args.a.startsWith('/etc/x') ~ args.a.startsWith('/etc')",
					"args.a == 'x' && args.b == 1 ~ args.a == 'x'", "args.a > 5 ~ args.a > 5 || args.b == 1",
					"['x', 'y'].exists(v, args.a == v) ~ args.a in ['x', 'y', 'z']",
					"!args.a ~ args.a == false || !args.a", "args.a == 'x' ~ size(args.a) < 3",
					"args.a in [1, 2] ~ args.a >= 1", "args.a.contains('rm ') ~ args.a.contains('rm')" })
	void unlessThatLeavesOutWhateverWhenTakesInIsAMistake(String when, String unless) {
		for (Effect effect : Effect.values()) {
			assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> rule(when, unless, effect))
				.withMessageContaining("unless");
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~',
			value = { "args.a > 100 ~ args.a > 500", "args.a in ['x', 'y'] ~ args.a == 'x'", "args.a > 5 ~ args.b == 1",
					"args.a.startsWith('/etc') ~ args.a.startsWith('/etc/x')",
					"args.a == 'x' ~ 'ROLE_ADMIN' in user.authorities" })
	void unlessThatLeavesOutSomeIsNone(String when, String unless) {
		for (Effect effect : Effect.values()) {
			rule(when, unless, effect);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "args.a == 'x' && args.a == 'y'", "args.a != 'x' || args.a == 'x'",
			"args.a == 1 && false", "args.a.startsWith('a') && args.a.startsWith('b')", "true", "size(args.a) < 0" })
	void unlessThatIsTheSameForEveryCallIsAMistake(String unless) {
		for (Effect effect : Effect.values()) {
			assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> RuleReader.readToolRules(
					List.of(new PolicyRule(null, null, null, null, unless, effect, null, false, null, null, null)),
					Clock.systemUTC()))
				.withMessageContaining("unless");
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenThatCanNeverHoldIsAMistakeWhateverTheRuleDoes(Effect effect) {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> RuleReader.readToolRules(List.of(new PolicyRule(null, null, null,
					"args.a == 'x' && args.a.size() > 3", null, effect, null, false, null, null, null)),
					Clock.systemUTC()))
			.withMessageContaining("can never hold together");
	}

	private static void rule(String when, String unless, Effect effect) {
		RuleReader.readToolRules(
				List.of(new PolicyRule(null, null, null, when, unless, effect, null, false, null, null, null)),
				Clock.systemUTC());
	}

}
