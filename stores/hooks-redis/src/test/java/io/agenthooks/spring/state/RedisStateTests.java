package io.agenthooks.spring.state;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import io.agenthooks.chain.FailMode;
import io.agenthooks.chain.NotAskedException;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.redis.RedisState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisState} with a real Redis.
 */
class RedisStateTests extends KeyedStateContract {

	private static final String LIST = "{test:texts}:keys";

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@Override
	KeyedState<String> open(StateTerms<String> terms) {
		return open(redis.template(), terms);
	}

	private KeyedState<String> open(StringRedisTemplate template, StateTerms<String> terms) {
		return new RedisState<>(template, "test", terms, Duration.ofMinutes(1), this.micros::get);
	}

	private static void drop(String pattern) {
		Set<String> keys = Objects.requireNonNull(redis.template().keys(pattern));
		assertThat(keys).isNotEmpty();
		redis.template().delete(keys);
	}

	private static void isLost(KeyedState<String> state, String key) {
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> add(state, 9, key))
				.withMessageContaining("Redis dropped what was kept under '{test:texts}:key:" + key + "'")
				.withMessageContaining("noeviction")
				.satisfies((thrown) -> assertThat(FailMode.OPEN.passes(thrown)).isFalse());
			assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> read(state, key));
		}
	}

	@Test
	void keyThatIsListedAndGoneIsLostUntilItWouldBeOver() {
		KeyedState<String> one = open(TestTexts.terms(10));
		assertThat(add(one, 9, "k")).isTrue();
		assertThat(add(one, 9, "other")).isTrue();
		drop("*key:k");
		isLost(one, "k");
		isLost(open(TestTexts.terms(10)), "k");
		assertThat(add(one, 9, "other")).isTrue();
		assertThat(add(one, 9, "new")).isTrue();
		pass(Duration.ofHours(1));
		assertThat(add(one, 9, "k")).isTrue();
		assertThat(read(one, "k")).isEqualTo("1");
	}

	/**
	 * How many calls there are at once is up to the agent.
	 */
	@Test
	void keyThatOthersChangeAllTheTimePassesUnderNoMode() {
		KeyedState<String> state = new WatchedState<>(
				new RedisState<>(redis.template(), "test", TestTexts.terms(10), Duration.ofMillis(300), null));
		KeyedState.ChangeOfOne<String, Boolean> change = (kept, now) -> {
			redis.template().opsForHash().put("{test:texts}:key:k", "version", "other" + System.nanoTime());
			kept.keep("1", now + 1_000_000);
			return true;
		};
		assertThat(add(state, 9, "k")).isTrue();
		assertThatExceptionOfType(NotAskedException.class).isThrownBy(() -> state.change("k", false, change))
			.satisfies((thrown) -> assertThat(FailMode.OPEN.passes(thrown)).isFalse());
		assertThat(state.health().state()).isEqualTo(HookHealth.State.UP);
	}

	/**
	 * A node that was there before knows it, and tells the others.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "*", "*{test:texts}:key*" })
	void keyThatIsGoneWithItsListIsLostUntilTheLastOneWouldBeOver(String dropped) {
		KeyedState<String> node = open(TestTexts.terms(10));
		assertThat(add(node, 9, "k")).isTrue();
		pass(Duration.ofMinutes(10));
		assertThat(add(node, 9, "last")).isTrue();
		drop(dropped);
		isLost(node, "k");
		isLost(open(TestTexts.terms(10)), "k");
		isLost(open(TestTexts.terms(10)), "new");
		pass(Duration.ofMinutes(59));
		isLost(node, "k");
		pass(Duration.ofMinutes(1));
		assertThat(add(node, 9, "k")).isTrue();
		assertThat(add(open(TestTexts.terms(10)), 9, "k")).isTrue();
		assertThat(read(node, "k")).isEqualTo("2");
	}

	@Test
	void lossThatAnotherNodeHasSeenLaterLastsLonger() {
		KeyedState<String> early = open(TestTexts.terms(10));
		assertThat(add(early, 9, "k")).isTrue();
		pass(Duration.ofMinutes(30));
		KeyedState<String> late = open(TestTexts.terms(10));
		assertThat(add(late, 9, "last")).isTrue();
		drop("*");
		isLost(early, "k");
		isLost(late, "last");
		pass(Duration.ofMinutes(40));
		isLost(early, "last");
		pass(Duration.ofMinutes(20));
		assertThat(add(early, 9, "last")).isTrue();
	}

	@Test
	void knownKeysGoOnIfOnlyTheListIsGone() {
		KeyedState<String> node = open(TestTexts.terms(10));
		assertThat(add(node, 9, "k")).isTrue();
		drop("*:keys");
		assertThat(add(node, 9, "k")).isTrue();
		assertThat(read(open(TestTexts.terms(10)), "k")).isEqualTo("2");
		isLost(node, "new");
	}

	@Test
	void storeThatNobodyRemembersBegins() {
		assertThat(add(open(TestTexts.terms(10)), 9, "k")).isTrue();
		drop("*");
		KeyedState<String> fresh = open(TestTexts.terms(10));
		assertThat(add(fresh, 9, "k")).isTrue();
		assertThat(read(fresh, "k")).isEqualTo("1");
	}

	@Test
	void listThatIsOverIsNotLost() {
		KeyedState<String> node = open(TestTexts.terms(10));
		assertThat(add(node, 9, "k")).isTrue();
		pass(Duration.ofHours(1));
		drop("*");
		assertThat(add(node, 9, "k")).isTrue();
		assertThat(add(node, 9, "new")).isTrue();
	}

	@Test
	void lossIsOverForAllNodesWhenItsMarkIsRemovedAsTheMessageSays() {
		List<KeyedState<String>> nodes = List.of(open(TestTexts.terms(10)), open(TestTexts.terms(10)));
		nodes.forEach((node) -> assertThat(add(node, 9, "k")).isTrue());
		drop("*");
		nodes.forEach((node) -> isLost(node, "k"));
		String mark = Objects.requireNonNull(redis.template().opsForZSet().range(LIST, 0, -1))
			.stream()
			.filter((one) -> one.startsWith("lost:"))
			.findFirst()
			.orElseThrow();
		assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> add(nodes.get(0), 9, "k"))
			.withMessageContaining("ZREM '%s' '{test:texts}:key:k' '%s'".formatted(LIST, mark));
		redis.template().opsForZSet().remove(LIST, "{test:texts}:key:k", mark);
		nodes.forEach((node) -> assertThat(add(node, 9, "k")).isTrue());
		assertThat(read(nodes.get(0), "k")).isEqualTo("2");
	}

	@Test
	void whatMayBeRestoredIsToldAndWritten() {
		StateTerms<String> terms = new StateTerms<>(List.of("texts"), 10, StateTerms.WhenFull.REFUSE, true,
				new TestTexts());
		KeyedState<String> node = open(terms);
		assertThat(add(node, 9, "k")).isTrue();
		drop("*");
		KeyedState.ChangeOfOne<String, Long> restore = (kept, now) -> {
			kept.keep("9", now + 1);
			return kept.lostUntil();
		};
		assertThat(node.change("k", -1L, restore)).isEqualTo(this.micros.get() + 3_600_000_000L);
		assertThat(read(node, "k")).isEqualTo("9");
	}

	@Test
	void whatSomebodyElseWroteIsRefused() {
		KeyedState<String> node = open(TestTexts.terms(10));
		assertThat(add(node, 9, "k")).isTrue();
		redis.template().opsForHash().put("{test:texts}:key:k", "state", "secret-of-ada");
		redis.template().opsForHash().put("{test:texts}:key:k", "version", "other");
		assertThatExceptionOfType(UnusableAnswerException.class).isThrownBy(() -> add(node, 9, "k"))
			.withMessageNotContaining("ada");
	}

	/**
	 * The client sends again what the connection broke behind.
	 */
	@Test
	void scriptThatRunsTwiceChangesOnce() {
		StringRedisTemplate twice = new StringRedisTemplate(redis.template().getRequiredConnectionFactory()) {

			@Override
			public <T> T execute(RedisScript<T> script, List<String> keys, Object... args) {
				T unused = super.execute(script, keys, args);
				return super.execute(script, keys, args);
			}

		};
		KeyedState<String> node = open(twice, TestTexts.terms(10));
		for (int i = 0; i < 3; i++) {
			assertThat(add(node, 9, "k")).isTrue();
		}
		assertThat(read(node, "k")).isEqualTo("3");
	}

	/**
	 * By the time of Redis, and not by that of the node.
	 */
	@Test
	void timeIsThatOfRedisAndNeverLater() {
		KeyedState<String> node = new RedisState<>(redis.template(), "test", TestTexts.terms(10), Duration.ofMinutes(1),
				null);
		for (int i = 0; i < 20; i++) {
			long before = time();
			long now = node.change("k", -1L, (kept, time) -> {
				kept.keep("x", time + 60_000_000);
				return time;
			});
			assertThat(now).isBetween(before - 1_000_000, time());
		}
	}

	private static long time() {
		return Objects.requireNonNull(redis.template()
			.execute(RedisScript.of("local t = redis.call('TIME') return t[1] * 1000000 + t[2]", Long.class),
					List.of()));
	}

}
