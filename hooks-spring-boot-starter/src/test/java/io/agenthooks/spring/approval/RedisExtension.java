package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * A real Redis for the tests of a class and those nested in it. Each test starts without
 * keys.
 */
public final class RedisExtension implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {

	private @Nullable Path directory;

	private @Nullable TestRedis server;

	private @Nullable StringRedisTemplate template;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		if (isNested(context)) {
			return;
		}
		this.directory = Files.createTempDirectory("redis");
		TestRedis started = TestRedis.start(this.directory);
		this.server = started;
		this.template = started.template();
	}

	/**
	 * Nested classes use the server of the class around them.
	 */
	private static boolean isNested(ExtensionContext context) {
		return !context.getEnclosingTestClasses().isEmpty();
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		template().delete(Objects.requireNonNull(template().keys("*")));
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		if (isNested(context)) {
			return;
		}
		server().close();
		FileSystemUtils.deleteRecursively(this.directory);
	}

	public TestRedis server() {
		return Objects.requireNonNull(this.server);
	}

	/**
	 * What looks into it, and changes it by hand.
	 */
	public StringRedisTemplate template() {
		return Objects.requireNonNull(this.template);
	}

}
