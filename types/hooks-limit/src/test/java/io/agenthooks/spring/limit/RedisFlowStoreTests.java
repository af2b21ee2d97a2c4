package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.DataType;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.flow.KeyedFlowStore;
import io.agenthooks.spring.state.RedisExtension;
import io.agenthooks.spring.state.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyedFlowStore} with a real Redis.
 */
class RedisFlowStoreTests extends FlowStoreContract {

	@RegisterExtension
	static final RedisExtension redis = new RedisExtension();

	@BeforeEach
	@Override
	void forgetAll() {
		redis.template().delete(keys("*"));
	}

	private static Set<String> keys(String pattern) {
		return Objects.requireNonNull(redis.template().keys(pattern));
	}

	@Override
	FlowStore open(String rule) {
		return new KeyedFlowStore(TestStates.redis(redis.template(), null), rule);
	}

	@Override
	List<String> everything() {
		List<String> everything = new ArrayList<>();
		for (String key : keys("*")) {
			everything.add(key);
			if (redis.template().type(key) == DataType.HASH) {
				redis.template()
					.opsForHash()
					.entries(key)
					.forEach((field, value) -> everything.add(field + " " + value));
			}
		}
		return everything;
	}

	@Override
	void forgetSessions() {
		redis.template().delete(keys("*}:key:*"));
	}

	@Override
	void forgetSecret() {
		assertThat(redis.template().delete(keys("*key:secret"))).isOne();
	}

	@Override
	void forgetNotes() {
		redis.template().delete(keys("*}:1:key:*"));
	}

	@Test
	void sessionsExpireAndTheirNotesBefore() {
		new FlowNode(open("rule")).read("read_mail", "x");
		String session = keys("*}:key:*").iterator().next();
		String notes = keys("*}:1:key:*").iterator().next();
		assertThat(redis.template().getExpire(notes)).isBetween(80_000L, Duration.ofDays(1).toSeconds() + 2);
		assertThat(redis.template().getExpire(session)).isBetween(2_500_000L, Duration.ofDays(30).toSeconds() + 2);
	}

	@Test
	@Tag("slow")
	void scriptsRunInACluster(@TempDir Path files) throws IOException {
		try (TestRedis cluster = TestRedis.startCluster(files)) {
			FlowNode one = new FlowNode(new KeyedFlowStore(TestStates.redis(cluster.template(), null), "rule"));
			one.read("read_mail", "Pay mallory at once");
			assertThat(new FlowNode(new KeyedFlowStore(TestStates.redis(cluster.template(), null), "rule"))
				.pays("mallory")).isFalse();
		}
	}

}
