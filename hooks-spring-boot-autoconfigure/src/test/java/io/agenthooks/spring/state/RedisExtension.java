package io.agenthooks.spring.state;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A real Redis, which the classes of a JVM share, for the tests of a class and those
 * nested in it. Each test starts without keys.
 */
public final class RedisExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

	private @Nullable StringRedisTemplate template;

	@Override
	public void beforeAll(ExtensionContext context) {
		if (isNested(context)) {
			return;
		}
		this.template = server().template();
	}

	/**
	 * Nested classes use the server of the class around them.
	 */
	private static boolean isNested(ExtensionContext context) {
		return !context.getEnclosingTestClasses().isEmpty();
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		RedisCallback<Boolean> forget = (connection) -> {
			connection.serverCommands().flushAll();
			return true;
		};
		template().execute(forget);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (isNested(context)) {
			return;
		}
		server().closeClients();
	}

	public TestRedis server() {
		return TestRedis.shared();
	}

	/**
	 * What looks into it, and changes it by hand.
	 */
	public StringRedisTemplate template() {
		return Objects.requireNonNull(this.template);
	}

}
