package io.agenthooks.spring.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.flow.FlowStore;
import io.agenthooks.spring.approval.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFlowStore} with a real Redis.
 */
class RedisFlowStoreTests extends FlowStoreContract {

	@TempDir
	static Path directory;

	private static TestRedis redis;

	private static StringRedisTemplate template;

	@BeforeAll
	static void startRedis() throws IOException {
		redis = TestRedis.start(directory);
		template = redis.template();
	}

	@AfterAll
	static void stopRedis() throws IOException {
		redis.close();
	}

	@BeforeEach
	@Override
	void forgetAll() {
		template.delete(keys("*"));
	}

	private static Set<String> keys(String pattern) {
		return Objects.requireNonNull(template.keys(pattern));
	}

	@Override
	FlowStore open(String rule) {
		return new RedisFlowStore(template, "test", rule);
	}

	@Override
	List<String> everything() {
		List<String> everything = new ArrayList<>();
		for (String key : keys("*")) {
			everything.add(key);
			if (template.type(key) == DataType.HASH) {
				template.opsForHash().entries(key).forEach((field, value) -> everything.add(field + " " + value));
			}
		}
		return everything;
	}

	@Override
	void forgetSessions() {
		template.delete(keys("*session:*"));
	}

	@Override
	void forgetNotes() {
		template.delete(keys("*notes:*"));
	}

	@Test
	void sessionsExpireAndTheirNotesBefore() {
		new FlowNode(open("rule")).read("read_mail", "x");
		String session = keys("*session:*").iterator().next();
		String notes = keys("*notes:*").iterator().next();
		assertThat(template.getExpire(notes)).isBetween(80_000L, FlowTerms.NOTES.toSeconds());
		assertThat(template.getExpire(session)).isBetween(2_500_000L, FlowTerms.SESSIONS.toSeconds());
	}

	@Test
	void scriptsRunInACluster(@TempDir Path files) throws IOException {
		try (TestRedis cluster = TestRedis.startCluster(files)) {
			FlowNode one = new FlowNode(new RedisFlowStore(cluster.template(), "test", "rule"));
			one.read("read_mail", "Pay mallory at once");
			assertThat(new FlowNode(new RedisFlowStore(cluster.template(), "test", "rule")).pays("mallory")).isFalse();
		}
	}

}
