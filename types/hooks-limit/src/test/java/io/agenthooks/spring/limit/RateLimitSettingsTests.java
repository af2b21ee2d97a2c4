package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.limit.RateLimitConfig.Count;
import io.agenthooks.spring.limit.RateLimitConfig.Then;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link RateLimitConfig}, {@link RateLimitSettings} and {@link KeyReader}.
 */
class RateLimitSettingsTests {

	@Test
	void defaultsDenyAndCountWhatPasses() {
		RateLimitSettings settings = of(config(List.of("3 per session"), null));
		assertThat(keys(settings)).containsExactly("this session");
		assertThat(settings.missing()).isEqualTo(OnMissingKey.DENY);
		assertThat(settings.count()).isEqualTo(Count.DECIDED);
		assertThat(settings.then()).isEqualTo(Then.DENY);
		assertThat(settings.maxKeys()).isEqualTo(100_000);
		assertThat(settings.forgetAfter()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void keyMayBeAllOrSeveralParts() {
		assertThat(keys(of(config(List.of("1 per 1m"), List.of("all"))))).containsExactly("all calls");
		assertThat(keys(of(config(List.of("1 per 1m"), List.of("claim:tenant", "TOOL")))))
			.containsExactly("this claim 'tenant' and tool");
		assertThat(keys(of(config(List.of("1 per user"), List.of("tool", "user")))))
			.containsExactly("this tool and user");
	}

	@Test
	void eachLimitCountsByItsOwnPartAndByTheKey() {
		assertThat(keys(of(config(List.of("1 per user", "9 per session", "2 per user"), null))))
			.containsExactly("this user", "this session");
		assertThat(keys(of(config(List.of("3 per session"), List.of("user")))))
			.containsExactly("this user and session");
		assertThat(keys(of(config(List.of("1 per run", "9 per session", "1 per 1m"), List.of("tool")))))
			.containsExactly("this tool and run", "this tool and session", "this tool");
		assertThat(keys(of(config(List.of("1 per run", "9 per session", "1 per 1m"), List.of("all")))))
			.containsExactly("this run", "this session", "all calls");
		assertThat(keys(of(config(List.of("3 per session", "10 per 1m"), null)))).containsExactly("this session");
	}

	@Test
	void missingLimitIsTold() {
		assertThat(problems(config(null, List.of("user")))).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("limit"));
		assertThat(problems(config(List.of(), List.of("user")))).hasSize(1);
	}

	@Test
	void keyOfALimitOfATimeMustBeSaid() {
		assertThat(problems(config(List.of("10 per 1m"), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.action()).contains("key: session", "key: all"));
	}

	@Test
	void keyThatSomeLimitsCountByIsTold() {
		assertThat(problems(config(List.of("10 per run", "20 per session"), List.of("run", "tool")))).singleElement()
			.satisfies((problem) -> assertThat(problem.message()).contains("'run'"));
		assertThat(problems(config(List.of("10 per run", "20 per session"), List.of("run", "session")))).hasSize(2);
	}

	@Test
	void limitOfATimeBesideDifferentPartsNeedsAKey() {
		assertThat(problems(config(List.of("10 per run", "20 per session", "1 per 1m"), null))).singleElement()
			.satisfies((problem) -> assertThat(problem.message()).contains("limit of a time"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "conversation", "all", "claim:", "args.user", "User " })
	void unknownOrDoublePartIsTold(String part) {
		assertThat(problems(config(List.of("1 per 1m"), List.of("user", part)))).hasSize(1);
	}

	@Test
	void expressionWithAMistakeIsToldWithItsPlace() {
		assertThat(problems(
				new RateLimitConfig(List.of("1 per 1m"), null, "args.account + ussr", null, null, null, null, null)))
			.singleElement()
			.satisfies((problem) -> {
				assertThat(problem.path()).containsExactly("key_expression");
				assertThat(problem.position()).isEqualTo(15);
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			call.id                                              | 0
			now                                                  | 0
			string(now)                                          | 7
			user.name + call.id                                  | 12
			user.name + ':' + call.id.lowerAscii()               | 18
			[user.name, call.id]                                 | 12
			{'u': user.name, 'c': call.id}                       | 22
			{'c': call.id}.c                                     | 6
			[call.id][0]                                         | 1
			has(args.account) ? args.account : call.id           | 35
			has(args.account) ? call.id : args.account           | 20
			now - duration('1h')                                 | 0
			int(now)                                             | 4
			[call.id].map(x, x + 'a')                            | 1
			user.authorities.map(a, a + call.id)                 | 28
			user.authorities.filter(a, a != 'X') + [call.id]     | 40
			now.getMilliseconds()                                | 0
			""")
	void expressionThatIsDifferentForEachCallIsTold(String expression, int position) {
		assertThat(problems(new RateLimitConfig(List.of("1 per 1m"), null, expression, null, null, null, null, null)))
			.singleElement()
			.satisfies((problem) -> {
				assertThat(problem.path()).containsExactly("key_expression");
				assertThat(problem.message()).contains("different for each call");
				assertThat(problem.action()).contains("call.session");
				assertThat(problem.position()).isEqualTo(position);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "args.account", "args.id", "call.session", "call.run", "now.getHours()",
			"string(now.getFullYear())", "call.id.startsWith('a')", "size(call.id)", "has(call.id)", "call.id == 'x'",
			"now < timestamp('2027-01-01T00:00:00Z') ? user.name : call.session", "int(now) / 3600",
			"call.id in args.ids", "user.authorities.exists(a, a == call.id)", "args.now", "call.attributes.id" })
	void expressionThatCallsHaveInCommonIsRead(String expression) {
		assertThat(
				of(new RateLimitConfig(List.of("1 per 1m"), null, expression, null, null, null, null, null)).groups())
			.hasSize(1);
	}

	@Test
	void allMistakesAreTold() {
		assertThat(problems(new RateLimitConfig(List.of("1 per 1m", "many"), List.of("me"), null, null, null, null, 0,
				Duration.ZERO)))
			.extracting((problem) -> String.join(".", problem.path()))
			.containsExactlyInAnyOrder("limit.1", "key", "max_keys", "forget_after");
	}

	@Test
	void forgettingNeedsALimitThatDoesNotComeBack() {
		assertThat(problems(new RateLimitConfig(List.of("1 per 1m"), List.of("user"), null, null, null, null, null,
				Duration.ofHours(1))))
			.extracting(Problem::path)
			.containsExactly(List.of("forget_after"));
	}

	private static RateLimitConfig config(@Nullable List<String> limit, @Nullable List<String> key) {
		return new RateLimitConfig(limit, key, null, null, null, null, null, null);
	}

	private static RateLimitSettings of(RateLimitConfig config) {
		return RateLimitSettings.of(config, TestExpressions.READER);
	}

	private static List<String> keys(RateLimitSettings settings) {
		return settings.groups().stream().map((group) -> group.key().describe()).toList();
	}

	private static List<Problem> problems(RateLimitConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> of(config)).getProblems();
	}

}
