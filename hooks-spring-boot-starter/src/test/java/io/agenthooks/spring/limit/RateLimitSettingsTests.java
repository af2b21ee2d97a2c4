package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
		assertThat(settings.key().describe()).isEqualTo("this session");
		assertThat(settings.missing()).isEqualTo(Missing.DENY);
		assertThat(settings.count()).isEqualTo(Count.DECIDED);
		assertThat(settings.then()).isEqualTo(Then.DENY);
		assertThat(settings.maxKeys()).isEqualTo(100_000);
		assertThat(settings.forgetAfter()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void keyMayBeAllOrSeveralParts() {
		assertThat(of(config(List.of("1 per 1m"), List.of("all"))).key().describe()).isEqualTo("all calls");
		assertThat(of(config(List.of("1 per 1m"), List.of("claim:tenant", "TOOL"))).key().describe())
			.isEqualTo("this claim 'tenant' and tool");
		assertThat(of(config(List.of("1 per user", "9 per session", "1 per 1m"), null)).key().describe())
			.isEqualTo("this user and session");
		assertThat(of(config(List.of("1 per user"), List.of("tool", "user"))).key().describe())
			.isEqualTo("this tool and user");
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
	void partOfALimitMustBeInTheKey() {
		assertThat(problems(config(List.of("3 per session"), List.of("user")))).singleElement()
			.satisfies((problem) -> assertThat(problem.message()).contains("per session"));
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

	private static List<Problem> problems(RateLimitConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> of(config)).getProblems();
	}

}
