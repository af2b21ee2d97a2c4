package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for turns that are kept in a real Redis, a cluster of one node:
 * {@link RedisTurnStore}.
 */
class RedisSuspendedCallsTests extends SuspendedCallsContract {

	@TempDir
	static Path directory;

	private static TestRedis redis;

	@BeforeAll
	static void startRedis() throws IOException {
		redis = TestRedis.startCluster(directory);
	}

	@AfterAll
	static void stopRedis() throws IOException {
		redis.close();
	}

	@BeforeEach
	void deleteAll() {
		StringRedisTemplate template = redis.template();
		template.delete(Objects.requireNonNull(template.keys("*")));
	}

	@Override
	ApplicationContextRunner withStore(ApplicationContextRunner runner) {
		return runner.withConfiguration(AutoConfigurations.of(RedisApprovalAutoConfiguration.class))
			.withBean(RedisConnectionFactory.class, () -> redis.client())
			.withPropertyValues("hooks.approval.store=redis");
	}

	@Override
	int turns() {
		return count("turn");
	}

	@Override
	int calls() {
		return count("question");
	}

	private static int count(String kind) {
		return Objects.requireNonNull(redis.template().keys("{*}:" + kind + ":*")).size();
	}

	@Test
	void nothingIsLeftOfATurnThatIsForgotten() {
		this.application.run(withStore(this.application.asking()), (context) -> {
			String id = approved(this.application, ApprovalApplication.CALL);
			keep(this.application, id);
			assertThat(this.application.approvals().resume(id).complete()).isTrue();
			this.application.store().purge(this.application.store().clock().instant().plusSeconds(60));
			assertThat(redis.template().keys("*")).containsExactly("{agent-hooks:approval:shop}:version");
		});
	}

}
